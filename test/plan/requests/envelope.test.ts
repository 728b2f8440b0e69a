import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation } from "../../../src/model/types.js";
import { content, inputsOf, operation, parameter, planned, send } from "../fixtures.js";

const text = { type: "string" };
const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const user = object({ name: text, age: { type: "integer" } }, { required: ["name"] });
const operationWith = (at: string, schema: JsonSchema, type?: string, more: object = {}) =>
  operation(at, { body: { required: true, contents: [content(schema, type, more)] } });
const plannedOf = (only: Operation) => planned(only).tool;

describe("the fields inside an envelope are inputs", () => {
  it.each<[string, JsonSchema, readonly string[], readonly string[]]>([
    ["POST /users", object({ user }), ["user"], ["name", "age"]],
    ["PUT /admin/script_tags/7", object({ script_tag: user }), ["script_tag"], ["name", "age"]],
    ["POST /classes/7/addMessage", object({ message: user }), ["message"], ["name", "age"]],
    ["POST /x", object({ data: user }), ["data"], ["name", "age"]],
    ["POST /x", object({ TokenUpdateRequest: user }), ["TokenUpdateRequest"], ["name", "age"]],
    [
      "POST /x",
      object({ data: object({ attributes: user }) }),
      ["data", "attributes"],
      ["name", "age"],
    ],
  ])("%s of %j", (at, schema, envelope, inputs) => {
    const tool = plannedOf(operationWith(at, schema));
    expect(Object.keys(inputsOf(tool))).toEqual(inputs);
    expect(send(tool).body).toMatchObject({ envelope, fields: { name: "name", age: "age" } });
  });
});

describe("other objects remain inputs", () => {
  it.each<[string, string, JsonSchema, string?]>([
    [
      "a reference whose ID is set by the server",
      "POST /pets/7/teams",
      object({ team: object({ id: { ...text, readOnly: true }, type: { const: "team" } }) }),
    ],
    ["a topic", "POST /repos/7", object({ owner: user })],
    ["one of two fields", "POST /users", object({ user, notify: { type: "boolean" } })],
    ["null is a value", "POST /users", object({ user: { ...user, type: ["object", "null"] } })],
    ["null as an alternative", "POST /x", object({ data: { anyOf: [user, { type: "null" }] } })],
    [
      "fields that depend on one another",
      "POST /users",
      object({ user: { ...user, anyOf: [{ required: ["name"] }, { required: ["age"] }] } }),
    ],
    [
      "any keys",
      "POST /users",
      object({ user: { type: "object", additionalProperties: { type: "string" } } }),
    ],
    ["a form", "POST /users", object({ user }), "application/x-www-form-urlencoded"],
    ["XML", "POST /users", object({ user }), "application/xml"],
  ])("%s", (_, at, schema, type) => {
    const tool = plannedOf(operationWith(at, schema, type));
    const [only, ...others] = Object.keys(schema.properties ?? {});
    expect(Object.keys(inputsOf(tool))).toEqual([only, ...others]);
    expect(send(tool).body).not.toHaveProperty("envelope");
  });
});

it("a reference by an ID, where the path has another one, remains an input", () => {
  const parameters = [parameter("path id")];
  const schema = object({ team: object({ id: text, role: text }) });
  const of = (at: string) =>
    Object.keys(inputsOf(plannedOf({ ...operationWith(at, schema), parameters })));
  expect(of("POST /pets/{id}/teams")).toEqual(["id", "team"]);
  expect(of("PUT /teams/{id}")).toEqual(["id", "role"]);
});

it("keeps what the envelope requires, and its examples", () => {
  const example = { user: { name: ["Ann"] } };
  const names = { type: "array", items: text } as const;
  const tags = object({ user: object({ name: names }) }, { required: ["user"] });
  const tool = plannedOf(
    operation("POST /users", {
      body: { required: false, contents: [content(tags, undefined, { examples: [example] })] },
    }),
  );
  expect(send(tool).body).toMatchObject({ required: true });
  expect(inputsOf(tool)["name"]?.examples).toEqual([["Ann"]]);
});
