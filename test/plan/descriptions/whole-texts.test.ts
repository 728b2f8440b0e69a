import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { plan } from "../../../src/plan/index.js";
import { api, json, ok, operation, parameter } from "../fixtures.js";

const long = (end: string): string => `Begins. ${"And goes on. ".repeat(40)}${end}`;
const schema = (description: string): JsonSchema => ({ type: "string", description });

/** Operations with which a list is too long for whole texts. */
const others = Array.from({ length: 80 }, (_, i) => operation(`GET /things${i}/{id}`));

/** The definition of a tool that adds a pet, in an API with `GET /owners` and other operations. */
function adding(properties: Record<string, JsonSchema>, more = others) {
  const owners = operation("GET /owners", { operationId: "listOwners", responses: [ok({})] });
  const body = json({ type: "object", properties, required: ["a"] });
  const pet = operation("POST /pets", { ...body, responses: [ok({})] });
  const tool = plan(api([owners, pet, ...more])).tools.find(({ operations }) =>
    operations.some(({ path }) => path === "/pets"),
  );
  return tool?.definition ?? expect.fail("no tool");
}

test("keeps the whole texts of shortened inputs and fields, and of no others", () => {
  const fields: JsonSchema = { type: "object", properties: { c: schema(long("Of a field.")) } };
  const definition = adding({
    a: schema(long("Ends.")),
    b: { type: "array", items: fields },
    plain: schema("Short."),
    // A property, not the keyword.
    default: schema(long("Of a default.")),
  });
  expect(definition.fullInputDescriptions).toEqual({
    "/properties/a": long("Ends."),
    "/properties/b/items/properties/c": long("Of a field."),
    "/properties/default": long("Of a default."),
  });
  expect(JSON.stringify(definition.inputSchema).match(/on\. …"/g)).toHaveLength(3);
});

test("has no whole texts where none is shortened", () => {
  expect(adding({ a: schema("Short.") })).not.toHaveProperty("fullInputDescriptions");
});

test("ends with what was added to the shortened text, and names tools", () => {
  const { fullInputDescriptions = {} } = adding({
    a: { type: "integer", default: 7, description: long("One of `GET /owners`") },
  });
  expect(fullInputDescriptions["/properties/a"]).toMatch(/One of list_owners\. Default: 7\.$/);
});

test("does not bring back the mark of required inputs", () => {
  const query = parameter("query q", { required: true, description: `Required. ${long("X.")}` });
  const { tools } = plan(api([operation("GET /pets", { parameters: [query] }), ...others]));
  expect(tools[0]?.definition.fullInputDescriptions?.["/properties/q"]).toBe(long("X."));
});

test("a short list has the whole texts themselves", () => {
  const { inputSchema, fullInputDescriptions } = adding({ a: schema(long("Ends.")) }, []);
  expect(inputSchema.properties).toMatchObject({ a: { description: long("Ends.") } });
  expect(fullInputDescriptions).toBeUndefined();
});

test("a list that would be long with them has the shortened ones", () => {
  const names = Array.from({ length: 300 }, (_, i) => `p${i}`);
  const fields = Object.fromEntries(names.map((name) => [name, schema(long(`Of ${name}.`))]));
  const { fullInputDescriptions = {} } = adding({ a: schema("Short."), ...fields }, []);
  expect(Object.keys(fullInputDescriptions).length).toBeGreaterThan(0);
});

const code = '```\n{"op": "replace", "path": "/name"}\n```';
const patched = operation("PATCH /pets/{id}", {
  summary: "Update a pet",
  description: `Updates by operations of this form:\n\n${code}\n\nOthers are refused.`,
  responses: [ok({})],
});

/** The definition of the tool of `PATCH /pets/{id}`. */
const patching = (more: typeof others, options = {}) =>
  plan(api([patched, ...more]), options).tools.find(({ operations }) =>
    operations.some(({ method }) => method === "PATCH"),
  )?.definition ?? expect.fail("no tool");

test("code of an operation is in the whole description, and the listed one is marked", () => {
  const { description, fullDescription } = patching(others);
  expect(description).toMatch(/^Update by operations of this form\..*refused\. …$/);
  expect(fullDescription).toContain(`refused.\n\nFrom the API's documentation:\n\n`);
  expect(fullDescription).toContain(code);
});

test("a short list has the code itself, if hosts do not cut it", () => {
  const { description, fullDescription } = patching([]);
  expect(description).toContain(`refused.\n\nFrom the API's documentation:\n\n`);
  expect(description).toContain(code);
  expect(fullDescription).toBeUndefined();
});

test("a shortened description stays so beside code, and its whole text has both", () => {
  const [first, second] = [35, 60].map((count) => `${"operations of a form ".repeat(count)}end.`);
  const told = `Updates a pet. By ${first} By ${second}\n\n${code}`;
  const long = { ...patched, description: told };
  const { tools } = plan(api([long]));
  const { description, fullDescription } = tools[0]?.definition ?? expect.fail("no tool");
  expect(description).toContain("…[truncated]");
  expect(fullDescription).toContain(code);
});

test("a table of an input is in its whole text", () => {
  const table = "| Value | Meaning |\n|---|---|\n| 1 | instant |";
  const { inputSchema } = adding({ a: schema(`How.\n\n<table>${table}</table>`) }, []);
  expect(JSON.stringify(inputSchema)).toContain("instant");
});
