import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { generate, type GenerateOptions, type GenerateResult } from "../../src/generate.js";
import { planted } from "../e2e/workflow-lab.js";
import { aboutShop, ofId, record, shopApi, step } from "../e2e/workflow-shop.js";

const temp = mkdtempSync(join(tmpdir(), "mcp-gen-sources-"));
afterAll(() => rmSync(temp, { recursive: true, force: true }));
let n = 0;

/** Generates from the first of some files, with the workflows among them. */
async function made(
  files: Readonly<Record<string, unknown>>,
  options: GenerateOptions = {},
  document?: string,
): Promise<GenerateResult> {
  const [first = "", ...others] = planted(join(temp, String(n++)), files);
  return await generate(document ?? first, undefined, {
    workflows: others.filter((path) => /\.arazzo\.json$/.test(path)),
    ...options,
  });
}

const shown = ({ diagnostics }: GenerateResult): readonly string[] =>
  diagnostics
    .filter(({ code }) => !code.startsWith("lint"))
    .map(
      ({ code, location, message }) =>
        `${code} ${location?.file?.split("/").at(-1)}:${location?.line}:${location?.column} ${location?.pointer} ${message}`,
    );
const look = (rest: object = {}): object => ({
  workflowId: "look",
  inputs: record({ id: { type: "string" } }),
  steps: [step("a", "$sourceDescriptions.shop.getProduct", { parameters: [ofId("$inputs.id")] })],
  ...rest,
});
const variables = ({ plan }: GenerateResult): readonly string[] =>
  (plan?.environment ?? []).map(({ name }) => name);
const till = (title: string): object => ({
  openapi: "3.1.0",
  info: { title, version: "1" },
  servers: [{ url: "https://till.example" }],
  paths: {
    "/pay": {
      post: {
        operationId: "pay",
        requestBody: {
          content: { "application/json": { schema: record({ order: { type: "string" } }) } },
        },
        responses: { 200: { description: "Paid." } },
      },
    },
  },
});

test("the main document, by the address that it was read from", async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(shopApi)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
  const file = aboutShop([look()], {
    sourceDescriptions: [{ name: "shop", type: "openapi", url }],
  });
  const result = await made({ "unused.json": shopApi, "t.arazzo.json": file }, {}, url);
  server.close();
  expect(shown(result).filter((line) => line.startsWith("workflow"))).toEqual([]);
});

describe("the main document among the sources", () => {
  test.each([
    {
      what: "by its own path",
      files: { "shop.json": shopApi, "t.arazzo.json": aboutShop([look()]) },
      want: ["SHOP_BASE_URL"],
    },
    {
      what: "as a copy elsewhere",
      files: { "here.json": shopApi, "shop.json": shopApi, "t.arazzo.json": aboutShop([look()]) },
      want: ["SHOP_BASE_URL"],
    },
    {
      what: "of another address of the API",
      files: {
        "here.json": shopApi,
        "shop.json": { ...shopApi, servers: [{ url: "https://test.example" }] },
        "t.arazzo.json": aboutShop([look()]),
      },
      want: ["SHOP_BASE_URL", "SHOP_SHOP_BASE_URL"],
    },
    {
      what: "of another version",
      files: {
        "here.json": shopApi,
        "shop.json": { ...shopApi, info: { title: "Shop", version: "2" } },
        "t.arazzo.json": aboutShop([look()]),
      },
      want: ["SHOP_BASE_URL", "SHOP_SHOP_BASE_URL"],
    },
    {
      what: "of fewer operations",
      files: {
        "here.json": shopApi,
        "shop.json": { ...shopApi, paths: { "/products/{id}": shopApi.paths["/products/{id}"] } },
        "t.arazzo.json": aboutShop([look()]),
      },
      want: ["SHOP_BASE_URL", "SHOP_SHOP_BASE_URL"],
    },
  ])("$what", async ({ files, want }) => {
    const result = await made(files);
    expect([result.ok, variables(result)]).toEqual([true, want]);
  });

  test("from stdin", async () => {
    const result = await made(
      { "shop.json": shopApi, "t.arazzo.json": aboutShop([look()]) },
      { stdin: () => Promise.resolve(Buffer.from(JSON.stringify(shopApi))) },
      "-",
    );
    expect([
      result.ok,
      variables(result),
      shown(result).filter((one) => one.startsWith("workflow")),
    ]).toEqual([true, ["SHOP_BASE_URL"], []]);
  });
});

describe("diagnostics have the location of their subject", () => {
  const two = {
    sourceDescriptions: [
      { name: "shop", url: "./shop.json", type: "openapi" },
      { name: "till", url: "./till.json", type: "openapi" },
    ],
  };
  const pay = (rest: object = {}): object => ({
    workflowId: "pay",
    steps: [step("a", "$sourceDescriptions.till.pay", { requestBody: { payload: {} }, ...rest })],
  });

  test("in the workflow, of a step that calls another API", async () => {
    const result = await made({
      "shop.json": shopApi,
      "t.arazzo.json": aboutShop(
        [pay({ parameters: [{ name: "page", in: "query", value: 1 }] })],
        two,
      ),
      "till.json": till("Till"),
    });
    expect(shown(result)).toEqual([
      expect.stringMatching(
        /^workflow-parameter t\.arazzo\.json:\d+:\d+ #\/workflows\/0\/steps\/0\/parameters\/0 /,
      ),
    ]);
  });

  test("in the other API, of its servers", async () => {
    const result = await made({
      "shop.json": shopApi,
      "t.arazzo.json": aboutShop([pay()], two),
      "till.json": { ...till("Till"), servers: [{ url: "ftp://till.example" }] },
    });
    expect(shown(result)).toEqual([expect.stringMatching(/^\S+ till\.json:\d+:\d+ /)]);
  });

  test("in the other API, of its errors", async () => {
    const result = await made({
      "shop.json": shopApi,
      "t.arazzo.json": aboutShop([pay()], two),
      "till.json": { openapi: "3.1.0", info: { title: "x", version: "1" } },
    });
    expect([result.ok, shown(result)[0]]).toEqual([
      false,
      expect.stringMatching(/^\S+ till\.json:\d+:\d+ /),
    ]);
  });
});

describe("unreadable files", () => {
  const one = (url: string): object =>
    aboutShop([look()], {
      sourceDescriptions: [
        { name: "shop", url },
        { name: "other", url: "./shop.json" },
      ],
    });

  test.each([
    {
      what: "an invalid source",
      files: { "t.arazzo.json": one("./broken.json"), "broken.json": '{\n  "a": [' },
      want: /^load-syntax broken\.json:2:\d+ .* This is not valid JSON/,
    },
    {
      what: "a missing source",
      files: { "t.arazzo.json": one("./none.json") },
      want: /^workflow-source t\.arazzo\.json:\d+:\d+ #\/sourceDescriptions\/0\/url The source "shop" cannot be used: the file does not exist/,
    },
    {
      what: "a source outside of the folder",
      files: { "t.arazzo.json": one("../none.json") },
      want: /^workflow-source .*is outside of the document's folder/,
    },
    {
      what: "a source with an absolute path",
      files: { "t.arazzo.json": one("file:///etc/passwd") },
      want: /^workflow-source .*is a file: address/,
    },
    {
      what: "a source with a network address",
      files: { "t.arazzo.json": one("http://169.254.169.254/latest") },
      want: /^workflow-source .*cannot be used/,
    },
  ])("$what", async ({ files, want }) => {
    const result = await made({ "shop.json": shopApi, ...files });
    expect([result.ok, shown(result)[0]]).toEqual([false, expect.stringMatching(want) as string]);
  });

  test.each(["https://tasks.example/t.yaml", "-"])("workflows at %s", async (path) => {
    const result = await made({ "shop.json": shopApi }, { workflows: [path] });
    expect([result.ok, shown(result)[0]]).toEqual([
      false,
      expect.stringMatching(
        /^workflow-source .* .* workflow documents are read from files/,
      ) as string,
    ]);
  });
});

describe("workflows of other documents", () => {
  const shared = aboutShop(
    [
      {
        workflowId: "read",
        inputs: record({ id: { type: "string" } }),
        steps: [
          step("a", "getProduct", {
            parameters: [ofId("$inputs.id")],
            outputs: { n: "$response.body#/name" },
          }),
        ],
        outputs: { n: "$steps.a.outputs.n" },
      },
    ],
    { $self: "https://tasks.example/shared" },
  );
  const caller = (url: string): object =>
    aboutShop(
      [
        {
          workflowId: "call",
          steps: [
            {
              stepId: "s",
              workflowId: "$sourceDescriptions.more.read",
              parameters: [{ name: "id", value: "p1" }],
            },
          ],
        },
      ],
      { sourceDescriptions: [{ name: "more", url, type: "arazzo" }] },
    );

  test("are found by their $self when they are available", async () => {
    const result = await made({
      "shop.json": shopApi,
      "a.arazzo.json": caller("https://tasks.example/shared"),
      "b.arazzo.json": shared,
    });
    expect([
      shown(result),
      result.plan?.tools
        .filter(({ workflow }) => workflow)
        .map(({ definition }) => definition.name),
    ]).toEqual([[], ["read", "call"]]);
  });

  test("are found by their path, and do not become tools", async () => {
    const result = await made({
      "shop.json": shopApi,
      "a.arazzo.json": caller("./more.json"),
      "more.json": shared,
    });
    expect([
      shown(result),
      result.plan?.tools
        .filter(({ workflow }) => workflow)
        .map(({ definition }) => definition.name),
    ]).toEqual([[], ["call"]]);
  });

  test("bring their inputs with their referenced schemas", async () => {
    const first = aboutShop(
      [
        {
          workflowId: "first",
          inputs: { $ref: "#/components/inputs/who" },
          steps: [step("a", "getProduct", { parameters: [ofId("$inputs.id")] })],
        },
      ],
      {
        components: {
          inputs: {
            who: record({ id: { $ref: "#/components/inputs/id" } }, { required: ["id"] }),
            id: { type: "string", description: "Who." },
          },
        },
      },
    );
    const main = aboutShop(
      [
        {
          workflowId: "call",
          dependsOn: ["$sourceDescriptions.more.first"],
          inputs: record({ n: { $ref: "#/components/inputs/id" } }),
          steps: [
            step("b", "$sourceDescriptions.shop.getProduct", { parameters: [ofId("$inputs.n")] }),
          ],
        },
      ],
      {
        sourceDescriptions: [
          { name: "shop", url: "./shop.json" },
          { name: "more", url: "./more.json", type: "arazzo" },
        ],
        components: { inputs: { id: { type: "integer", description: "Which." } } },
      },
    );
    const result = await made({ "shop.json": shopApi, "a.arazzo.json": main, "more.json": first });
    expect(shown(result)).toEqual([]);
    expect(
      result.plan?.tools.find(({ workflow }) => workflow)?.definition.inputSchema,
    ).toMatchObject({
      properties: {
        n: { type: "integer", description: "Which. Get it from find_products." },
        id: { type: "string", description: "Who." },
      },
      required: ["id"],
    });
  });

  test("may refer to each other", async () => {
    const back = {
      ...shared,
      sourceDescriptions: [
        { name: "shop", url: "./shop.json" },
        { name: "back", url: "./a.arazzo.json", type: "arazzo" },
      ],
    };
    expect(
      (
        await made({
          "shop.json": shopApi,
          "a.arazzo.json": caller("./more.json"),
          "more.json": back,
        })
      ).ok,
    ).toBe(true);
  });
});

test("workflows that share workflows are measured once, and left out at more than 100 steps", async () => {
  const call = (n: number): object => ({ stepId: `call${n}`, workflowId: `w${n}` });
  const chain = Array.from({ length: 50 }, (_, i) => ({
    workflowId: `w${i}`,
    steps: [
      step("a", "getProduct", { parameters: [ofId("1")] }),
      ...(i > 1 ? [call(i - 1), call(i - 2)] : []),
    ],
    ...(i > 1 && { dependsOn: [`w${i - 2}`] }),
  }));
  const result = await made({ "shop.json": shopApi, "t.arazzo.json": aboutShop(chain) });
  expect([result.ok, result.plan?.workflows?.length]).toEqual([true, 8]);
});

test("workflows with the same ID in two documents are distinct", async () => {
  const other = aboutShop([
    {
      workflowId: "look",
      steps: [
        step("b", "getProduct", {
          parameters: [ofId("2")],
          outputs: { n: "$response.body#/name" },
        }),
      ],
      outputs: { n: "$steps.b.outputs.n" },
    },
  ]);
  const main = aboutShop(
    [
      {
        workflowId: "look",
        steps: [
          step("a", "$sourceDescriptions.shop.getProduct", {
            parameters: [ofId("1")],
            outputs: { n: "$response.body#/name" },
          }),
        ],
        outputs: { n: "$steps.a.outputs.n" },
      },
      {
        workflowId: "both",
        dependsOn: ["$sourceDescriptions.more.look", "look"],
        steps: [
          step("c", "$sourceDescriptions.shop.getProduct", {
            parameters: [ofId("$workflows.look.outputs.n")],
          }),
        ],
      },
    ],
    {
      sourceDescriptions: [
        { name: "shop", url: "./shop.json" },
        { name: "more", url: "./more.json", type: "arazzo" },
      ],
    },
  );
  const result = await made({ "shop.json": shopApi, "t.arazzo.json": main, "more.json": other });
  const both = result.files?.find(({ path }) => path === "src/workflows/both.ts")?.content ?? "";
  expect(shown(result)).toEqual([]);
  expect(
    [...both.matchAll(/run\.(?:runDependency|outputsOf)\("(\w+)"/g)].map(([, key]) => key),
  ).toEqual(["look_2", "look", "look"]);
});

describe("inputs of workflows are JSON Schema", () => {
  const text = { type: "string" };
  const inputs = async (schema: object, components: object = {}): Promise<unknown> => {
    const result = await made({
      "shop.json": shopApi,
      "t.arazzo.json": aboutShop([look({ inputs: schema })], {
        components: { inputs: components },
      }),
    });
    return [
      result.ok,
      shown(result),
      result.plan?.tools.find(({ workflow }) => workflow)?.definition.inputSchema,
    ];
  };
  const flat = {
    type: "object",
    properties: { id: { ...text, description: "Who. Get it from find_products." } },
    required: ["id"],
    additionalProperties: false,
  };

  test.each([
    {
      what: "an anchor",
      schema: record(
        { id: { $ref: "#who" } },
        { required: ["id"], $defs: { who: { $anchor: "who", ...text, description: "Who." } } },
      ),
      components: {},
    },
    {
      what: "own definitions",
      schema: record(
        { id: { $ref: "#/workflows/0/inputs/$defs/who" } },
        { required: ["id"], $defs: { who: { ...text, description: "Who." } } },
      ),
      components: {},
    },
    {
      what: "own definitions with references relative to the schema",
      schema: record(
        { id: { $ref: "#/$defs/who" } },
        { required: ["id"], $defs: { who: { ...text, description: "Who." } } },
      ),
      components: {},
    },
    {
      what: "components",
      schema: { $ref: "#/components/inputs/whole" },
      components: {
        whole: record({ id: { $ref: "#/components/inputs/who" } }, { required: ["id"] }),
        who: { ...text, description: "Who." },
      },
    },
    {
      what: "an anchor in components",
      schema: { $ref: "#/components/inputs/whole" },
      components: {
        whole: record({ id: { $ref: "#who" } }, { required: ["id"] }),
        who: { $anchor: "who", ...text, description: "Who." },
      },
    },
    {
      what: "parts",
      schema: { allOf: [record({ id: { ...text, description: "Who." } }), { required: ["id"] }] },
      components: {},
    },
  ])("$what", async ({ schema, components }) => {
    expect(await inputs(schema, components)).toEqual([true, [], flat]);
  });
});
