import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, json, ok, operation } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const empty = { status: "204", description: "Done", contents: [], headers: [] };
const authored: JsonSchema = { type: "object", properties: { id: text, body: text, author: text } };
const plain: JsonSchema = { type: "object", properties: { id: text, name: text } };
const model = (thing: JsonSchema) =>
  api([
    operation("GET /pages/{id}", { responses: [ok(thing)] }),
    operation("PUT /pages/{id}", { ...json({ type: "object" }), responses: [empty] }),
  ]);

test.each<readonly [name: string, thing: JsonSchema, yaml: string, want: boolean]>([
  ["texts of third parties", authored, "", true],
  ["texts of the owner", plain, "", false],
  ["where the file says that nothing is open", authored, "server: {openWorld: false}", false],
  [
    "where the file states the hint of the tool",
    authored,
    "tools: {update_page: {annotations: {openWorldHint: false}}}",
    false,
  ],
])("a write that reads back is as open as the read: %s", (_, thing, yaml, want) => {
  const { tools } = configuredPlan(yaml, { granularity: "task" }, model(thing));
  const write = tools.find(({ definition }) => definition.name === "update_page");
  expect(write?.definition.operations[0]?.readBack?.tool).toBe("get_page");
  expect(write?.definition.annotations).toMatchObject({
    readOnlyHint: false,
    openWorldHint: want,
  });
});
