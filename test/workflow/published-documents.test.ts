import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load as parseYaml } from "js-yaml";
import { ts } from "ts-morph";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import type { GeneratedFile, ToolPlan } from "../../src/index.js";
import { readWorkflows } from "../../src/workflow/index.js";
import { portabilityFaults } from "../corpus/checks.js";
import { toolNamesOf } from "../corpus/server.js";
import { typeErrors } from "./type-check.js";
import { rejected } from "./rejected-documents.js";

/** Results for documents from the specification's own repository and from other tools. */
const shared = join(process.env["MCP_GEN_SHARED"] ?? "../shared", "arazzo");
const has = existsSync(shared);
interface Generated {
  readonly file: string;
  readonly plan: ToolPlan;
  readonly written: readonly GeneratedFile[];
}

const temp = mkdtempSync(join(tmpdir(), "mcp-gen-arazzo-"));
const generated: Generated[] = [];
afterAll(() => rmSync(temp, { recursive: true, force: true }));

const files = (folder: string): readonly string[] =>
  has
    ? readdirSync(join(shared, folder), { recursive: true, encoding: "utf8" })
        .map((file) => `${folder}/${file}`.replaceAll("\\", "/"))
        .filter((file) => /\.ya?ml$/.test(file))
        .sort()
    : [];
const parsed = (file: string): unknown => parseYaml(readFileSync(join(shared, file), "utf8"));

/** Codes about the structure of a document, not about its expressions or references. */
const formal = /^workflow-(?:version|structure|duplicate|reference|omitted)$/;

describe("agrees with the official test suites on structure", () => {
  for (const file of files("oai-schema-tests-1.1")) {
    test(file, () => {
      const { diagnostics } = readWorkflows(parsed(file), file, file);
      const faults = diagnostics.filter(({ code }) => formal.test(code));
      if (file.includes("/pass/")) expect(faults).toEqual([]);
      else
        expect(faults[0]).toMatchObject({
          message: expect.stringMatching(/\w+/) as string,
          location: { file, pointer: expect.stringMatching(/^#/) as string },
        });
    });
  }
  test("all suites are present, or none", () =>
    expect(files("oai-schema-tests-1.1").length > 0).toBe(has));
});

/** Every workflow document, with its API document. */
function documents(): readonly (readonly [string, string])[] {
  const all = [
    "oai-examples",
    "oai-schema-tests-1.1",
    "museum",
    "redocly-cli",
    "redocly-respect",
  ].flatMap(files);
  return all
    .filter((file) => !/^(?:openapi|asyncapi):/m.test(readFileSync(join(shared, file), "utf8")))
    .map((file) => [file, apiOf(file)] as const);
}

const beside: readonly (readonly [RegExp, string])[] = [
  [/pet-coupons/, "oai-examples/1.0.0/pet-coupons.openapi.yaml"],
  [/oauth-example|1\.0\.0\/oauth/, "oai-examples/1.0.0/oauth.openapi.yaml"],
  [/bnpl/, "oai-examples/1.0.0/bnpl-openapi.yaml"],
  [/FAPI-PAR/, "oai-examples/1.0.0/FAPI-PAR.openapi.yaml"],
  [/^museum/, "museum/openapi.yaml"],
  [/cli\/resources\/museum/, "redocly-cli/resources/museum.yaml"],
  [/cat-fact/, "redocly-respect/cat-fact-api/cats.yaml"],
  [/free-apis/, "redocly-respect/free-apis/testing-acme.yaml"],
  [/implicit/, "redocly-respect/implicit/testing-acme.yaml"],
  [/local-json/, "redocly-respect/local-json-server/json-server-openapi.yaml"],
  [/max-steps/, "redocly-respect/max-steps/oas.yaml"],
  [/^redocly/, "redocly-cli/resources/cafe.yaml"],
];

/** The API beside the document, or one with all operations that the document names. */
function apiOf(file: string): string {
  const known = beside.find(([pattern]) => pattern.test(file))?.[1];
  return known === undefined ? madeUp(file) : join(shared, known);
}

function madeUp(file: string): string {
  const text = readFileSync(join(shared, file), "utf8");
  const ids = [
    ...new Set(
      [...text.matchAll(/operationId: *(?:\$sourceDescriptions\.[^.\s]+\.)?(\S+)/g)].map(
        ([, id]) => id as string,
      ),
    ),
  ];
  const item = { type: "object", additionalProperties: true };
  const body = {
    content: {
      "application/json": { schema: item },
      "application/x-www-form-urlencoded": { schema: item },
    },
  };
  const operation = (operationId: string): object => ({
    operationId,
    requestBody: body,
    responses: { 200: { description: "Done.", content: { "application/json": { schema: item } } } },
  });
  const paths = Object.fromEntries([
    ...ids.map((id) => [`/${id}`, { post: operation(id) }]),
    ["/users", { get: { responses: { 200: { description: "Done." } } } }],
    ["/pet/findByStatus", { get: { responses: { 200: { description: "Done." } } } }],
  ]);
  const path = join(temp, `${file.replaceAll("/", "_")}.json`);
  writeFileSync(
    path,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Made up", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths,
    }),
  );
  return path;
}

describe("every document becomes tools, or is rejected with location and reason", () => {
  for (const [file, api] of has ? documents() : []) {
    test(file, async () => {
      const {
        ok,
        diagnostics,
        plan,
        files: written,
      } = await generate(api, undefined, {
        workflows: [join(shared, file)],
        refRoot: file.startsWith("redocly-respect") ? join(shared, "redocly-respect") : undefined,
      });
      const [first] = diagnostics.filter(
        ({ severity, code }) => severity === "error" || code === "workflow-omitted",
      );
      // One of several workflows is left out with a warning.
      const isOmitted = first?.code === "workflow-omitted";
      expect(
        first && [
          ...(isOmitted ? [] : [first.code]),
          `${first.location?.line}:${first.location?.column}`,
          first.location?.pointer,
        ],
      ).toEqual(rejected[file]?.slice(isOmitted ? 1 : 0));
      for (const { code, location, message } of diagnostics.filter((one) =>
        one.code.startsWith("workflow-"),
      ))
        expect({ code, location }, message).toMatchObject({
          location: { line: expect.any(Number) as number, column: expect.any(Number) as number },
        });
      if (!isOmitted) expect(ok).toBe(rejected[file] === undefined);
      if (!plan || !written) return;
      expect(plan.tools.filter(({ workflow }) => workflow).flatMap(portabilityFaults)).toEqual([]);
      generated.push({ file, plan, written });
    });
  }

  test("all documents of the table are present", () => {
    const all = new Set((has ? documents() : []).map(([file]) => file));
    expect(has ? Object.keys(rejected).filter((file) => !all.has(file)) : []).toEqual([]);
  });

  test("texts of a document stay inert", async () => {
    const {
      plan,
      files: written,
      diagnostics,
    } = await generate(plant("hostile-api.json", hostileApi()), undefined, {
      workflows: [plant("hostile.json", hostileWorkflows())],
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    if (!plan || !written) throw new Error("nothing is written");
    generated.push({ file: "hostile", plan, written });
    const found = written
      .filter(({ path }) => /^src\/(?:workflows|tools|apis)/.test(path))
      .flatMap(({ path, content }) =>
        identifiersIn(content)
          .filter((name) => /^(?:pwned|globalThis)$/.test(name))
          .map((name) => `${path}: ${name}`),
      );
    expect(found).toEqual([]);
  });

  test("the generated code type-checks", async () => {
    expect(
      await typeErrors(
        join(temp, "all"),
        generated.map(({ written }) => written),
      ),
    ).toBe("");
  });

  test("and lists its tools", async () => {
    const listed = await toolNamesOf(
      generated.map((_, i) => join(temp, "all", `p${i}`)),
      join(temp, "all"),
    );
    expect(listed).toEqual(
      generated.map(({ plan }) => plan.tools.map(({ definition }) => definition.name)),
    );
  });
});

const nasty = [
  "*/ globalThis.pwned=1; /*",
  "`${globalThis.pwned=1}`",
  '"); globalThis.pwned=1; ("',
  "\u2028globalThis.pwned=1",
  "__proto__",
  "constructor",
  "class",
  "../../x",
  "a\nb",
  "'",
  "\\",
  "true",
];

function hostileApi(): object {
  const answer = (name: string): object => ({
    200: {
      description: "x",
      content: {
        "application/json": {
          schema: { type: "object", properties: { [name]: { type: "string", description: name } } },
        },
      },
    },
  });
  const paths = Object.fromEntries(
    nasty.map((name, i) => [
      `/p${i}`,
      {
        post: {
          operationId: `op${i}`,
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
          responses: answer(name),
        },
      },
    ]),
  );
  return {
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths,
  };
}

/** A workflow with a hostile text at every location that takes one. */
function hostileWorkflows(): object {
  const workflows = nasty.map((name, i) => ({
    workflowId: name,
    summary: name,
    description: name,
    inputs: {
      type: "object",
      properties: { [name]: { type: "string", description: name, default: name } },
    },
    steps: [
      {
        stepId: name,
        description: name,
        operationId: `op${i}`,
        parameters: [
          { name: "q", in: "query", value: name },
          { name: "h", in: "header", value: `a${name}{$inputs.x}` },
        ],
        requestBody: {
          contentType: "application/json",
          payload: { [name]: name, a: `{$inputs.x}${name}`, true: true },
          replacements: [{ target: "/q", value: name }],
        },
        successCriteria: [
          {
            condition: `$response.body#/x == '${name.replaceAll("'", "''")}' || $statusCode == 200`,
          },
        ],
        outputs: { o: "$response.body", "a-b.c": `$response.body#/${name.replace(/[~/{}]/g, "")}` },
        onFailure: [
          { name, type: "retry" },
          { name: `${name}2`, type: "goto", stepId: "second" },
        ],
      },
      { stepId: "second", operationId: `op${i}`, onSuccess: [{ name, type: "end" }] },
    ],
    outputs: { "a.b-c": "$steps.second.outputs" },
  }));
  return {
    arazzo: "1.1.0",
    info: { title: nasty[0], version: "1" },
    sourceDescriptions: [{ name: "a", url: "./hostile-api.json" }],
    workflows,
  };
}

function plant(name: string, document: object): string {
  writeFileSync(join(temp, name), JSON.stringify(document));
  return join(temp, name);
}

function identifiersIn(text: string): readonly string[] {
  const source = ts.createSourceFile("x.ts", text, ts.ScriptTarget.ES2022);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
