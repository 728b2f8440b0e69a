import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../src/generate.js";
import type { ToolPlan } from "../../../src/index.js";
import { planted } from "../../e2e/workflow-lab.js";

/**
 * What the inputs of a workflow's tool say, where their author says little: what the operations
 * know that they are sent to.
 */
const size = {
  name: "size",
  in: "query",
  description: "Size of the box",
  schema: { type: "string", enum: ["s", "l"], default: "s" },
};
const count = {
  name: "count",
  in: "query",
  description: "How many",
  schema: { type: "integer", minimum: 1, maximum: 9 },
};
const other = { name: "size", in: "query", schema: { type: "string", enum: ["m"] } };
const label = {
  type: "object",
  required: ["text"],
  properties: {
    text: { type: "string", maxLength: 20, description: "What it says" },
    n: { type: "integer", default: 3 },
  },
};
const body = {
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { label, tags: { type: "array", items: { type: "string", pattern: "^t" } } },
      },
    },
  },
};
const done = { 200: { description: "Done." } };
const byId = { name: "id", in: "path", required: true, schema: { type: "string" } };
const crate = {
  type: "object",
  properties: { id: { type: "string" }, weight: { type: "number" } },
};
const crates = {
  200: {
    description: "Done.",
    content: { "application/json": { schema: { type: "array", items: crate } } },
  },
};
const crateOf = {
  200: { description: "Done.", content: { "application/json": { schema: crate } } },
};
const api = {
  openapi: "3.1.0",
  info: { title: "Boxes", version: "1" },
  servers: [{ url: "https://boxes.example" }],
  paths: {
    "/boxes": {
      get: { operationId: "find", parameters: [size, count], responses: done },
      post: { operationId: "make", requestBody: body, responses: done },
    },
    "/crates": { get: { operationId: "listCrates", responses: crates } },
    "/crates/{id}": { get: { operationId: "getCrate", parameters: [byId], responses: crateOf } },
    "/crates/{id}/fill": { post: { operationId: "fill", parameters: [byId], responses: done } },
    "/one/{id}": {
      get: {
        operationId: "one",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: done,
      },
    },
    "/others": { get: { operationId: "others", parameters: [other], responses: done } },
  },
};
const query = (name: string, value: unknown): object => ({ name, in: "query", value });
const find = (...parameters: readonly object[]): object => ({
  stepId: "find",
  operationId: "find",
  parameters,
});
const make = (payload: unknown, rest: object = {}): object => ({
  stepId: "make",
  operationId: "make",
  requestBody: { payload, ...rest },
});

async function planned(
  properties: object,
  steps: readonly object[],
  more: readonly object[] = [],
  rest: object = {},
): Promise<ToolPlan | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-known-"));
  const workflows = [
    { workflowId: "w", inputs: { type: "object", properties, ...rest }, steps },
    ...more,
  ];
  const document = {
    arazzo: "1.0.1",
    info: { title: "T", version: "1" },
    sourceDescriptions: [{ name: "boxes", url: "./api.json", type: "openapi" }],
    workflows,
  };
  const [source = "", flows = ""] = planted(folder, { "api.json": api, "w.arazzo.json": document });
  const { plan } = await generate(source, undefined, { workflows: [flows] });
  rmSync(folder, { recursive: true, force: true });
  return plan;
}

const text = { type: "string" };
test.each([
  {
    what: "words and values of a parameter",
    given: { s: text },
    steps: [find(query("size", "$inputs.s"))],
    want: { s: { type: "string", enum: ["s", "l"], description: "Size of the box" } },
  },
  {
    what: "as all of a text in braces",
    given: { s: text },
    steps: [find(query("size", "{$inputs.s}"))],
    want: { s: { type: "string", enum: ["s", "l"], description: "Size of the box" } },
  },
  {
    what: "a part of a text has rules of its own",
    given: { s: text },
    steps: [find(query("size", "x{$inputs.s}"))],
    want: { s: { type: "string" } },
  },
  {
    what: "another type is told, and the author's stays",
    given: { n: text },
    steps: [find(query("count", "$inputs.n"))],
    want: { n: { type: "string", description: "How many. Takes an integer from 1 to 9." } },
  },
  {
    what: "what has no schema at all",
    given: { n: {} },
    steps: [find(query("count", "$inputs.n"))],
    want: { n: { type: "integer", minimum: 1, maximum: 9, description: "How many. 1 to 9." } },
  },
  {
    what: "what the author says stays",
    given: { s: { type: "string", enum: ["s"], description: "Mine." } },
    steps: [find(query("size", "$inputs.s"))],
    want: { s: { type: "string", enum: ["s"], description: "Mine." } },
  },
  {
    what: "uses that do not agree",
    given: { s: text },
    steps: [
      find(query("size", "$inputs.s")),
      { stepId: "o", operationId: "others", parameters: [query("size", "$inputs.s")] },
    ],
    want: { s: { type: "string", description: "Size of the box" } },
  },
  {
    what: "a part of a body",
    given: { l: { type: "object" }, t: { type: "array" } },
    steps: [make({ label: "$inputs.l", tags: "$inputs.t" })],
    want: {
      l: {
        type: "object",
        required: ["text"],
        properties: {
          text: { type: "string", maxLength: 20, description: "What it says" },
          n: { type: "integer", default: 3 },
        },
      },
      t: { type: "array", items: { type: "string", pattern: "^t" } },
    },
  },
  {
    what: "fields of a part of a body",
    given: { t: text },
    steps: [make({ label: { text: "$inputs.t" } })],
    want: { t: { type: "string", maxLength: 20, description: "What it says" } },
  },
  {
    what: "a payload that replacements complete",
    given: { b: { type: "object" } },
    steps: [make("$inputs.b", { replacements: [{ target: "/label", value: {} }] })],
    want: { b: { type: "object" } },
  },
  {
    what: "by way of another workflow",
    given: { x: text },
    steps: [{ stepId: "c", workflowId: "v", parameters: [{ name: "y", value: "$inputs.x" }] }],
    more: [
      {
        workflowId: "v",
        inputs: { type: "object", properties: { y: text } },
        steps: [find(query("size", "$inputs.y"))],
      },
    ],
    want: { x: { type: "string", enum: ["s", "l"], description: "Size of the box" } },
  },
])("$what", async ({ given, steps, more, want }) => {
  const plan = await planned(given, steps, more);
  expect(
    plan?.tools.find(({ workflow }) => workflow?.id === "w")?.definition.inputSchema["properties"],
  ).toEqual(want);
});

test.each([
  {
    what: "a part of the path",
    steps: [
      {
        stepId: "a",
        operationId: "one",
        parameters: [{ name: "id", in: "path", value: "$inputs.id" }],
      },
    ],
    want: ["id"],
  },
  {
    what: "of a step that always comes",
    steps: [
      find(),
      {
        stepId: "a",
        operationId: "one",
        parameters: [{ name: "id", in: "path", value: "$inputs.id" }],
      },
    ],
    want: ["id"],
  },
  {
    what: "of a step that may come",
    steps: [
      {
        ...find(),
        onSuccess: [{ name: "x", type: "end", criteria: [{ condition: "$statusCode == 204" }] }],
      },
      {
        stepId: "a",
        operationId: "one",
        parameters: [{ name: "id", in: "path", value: "$inputs.id" }],
      },
    ],
    want: undefined,
  },
  {
    what: "what the API can do without",
    steps: [find(query("size", "$inputs.id"))],
    want: undefined,
  },
  {
    what: "where the author says what is required",
    given: { required: ["size"] },
    steps: [
      {
        stepId: "a",
        operationId: "one",
        parameters: [{ name: "id", in: "path", value: "$inputs.id" }],
      },
    ],
    want: ["size"],
  },
  {
    what: "what has a default",
    given: { properties: { id: { ...text, default: "d" } } },
    steps: [
      {
        stepId: "a",
        operationId: "one",
        parameters: [{ name: "id", in: "path", value: "$inputs.id" }],
      },
    ],
    want: undefined,
  },
])("required: $what", async ({ given = {}, steps, want }) => {
  const plan = await planned({ id: text, size: text }, steps, [], given);
  expect(
    plan?.tools.find(({ workflow }) => workflow?.id === "w")?.definition.inputSchema["required"],
  ).toEqual(want);
});

test("producers of IDs are named", async () => {
  const at = (stepId: string, operationId: string, value: string): object => ({
    stepId,
    operationId,
    parameters: [{ name: "id", in: "path", value }],
  });
  const plan = await planned({ id: text, crate: text, note: text }, [
    at("a", "getCrate", "$inputs.crate"),
    at("b", "fill", "$inputs.id"),
    find(query("size", "$inputs.note")),
  ]);
  const tool = plan?.tools.find(({ workflow }) => workflow?.id === "w");
  expect(tool?.inputs.map(({ name, producers }) => [name, producers])).toEqual([
    ["id", ["find_crates"]],
    ["crate", ["find_crates"]],
    ["note", undefined],
  ]);
  expect(tool?.definition.inputSchema["properties"]).toMatchObject({
    crate: { description: "Get it from find_crates." },
  });
});

test("defaults of the API are not sent by a workflow", async () => {
  const plan = await planned(
    { l: { type: "object" }, s: {}, m: { type: "string", default: "l" } },
    [
      make({ label: "$inputs.l" }),
      find(query("size", "$inputs.s")),
      { stepId: "o", operationId: "others", parameters: [query("size", "$inputs.m")] },
    ],
  );
  expect(plan?.workflows?.[0]?.inputs.map(({ name, defaults }) => [name, defaults])).toEqual([
    ["l", {}],
    ["s", {}],
    ["m", { "": "l" }],
  ]);
});

test("workflows that call one another by too many steps are left out at once", async () => {
  const last = 7;
  const calls = (to: number): readonly object[] =>
    Array.from({ length: 20 }, (_, i) => ({
      stepId: `s${i}`,
      workflowId: `w${to}`,
      parameters: [{ name: "s", value: "$inputs.s" }],
    }));
  const inner = Array.from({ length: last }, (_, i) => ({
    workflowId: `w${i + 1}`,
    inputs: { type: "object", properties: { s: text } },
    steps: i + 1 === last ? [find(query("size", "$inputs.s"))] : calls(i + 2),
  }));
  const plan = await planned({ s: text }, calls(1), inner);
  const left = plan?.tools.flatMap(({ workflow }) => workflow?.id ?? []);
  expect(left).toEqual([`w${last}`, `w${last - 1}`]);
});

test("the ID of a workflow may have half of a character", async () => {
  const half = [{ workflowId: "half\ud800", steps: [find(query("size", "s"))] }];
  const plan = await planned({ s: text }, [find(query("size", "$inputs.s"))], half);
  expect(plan?.tools.flatMap(({ workflow }) => workflow?.id ?? [])).toContain("half\ud800");
});
