/** Arguments in the form of the API's body, where the inputs of the tool are its fields. */
import { expect, test } from "vitest";
import { prepareInput } from "../../../src/runtime/tools/prepare-input.js";
import { unwrapBody, wrapFields } from "../../../src/runtime/tools/unwrap-body.js";
import { toolOf } from "../support/clinic.js";

const integer = { type: "integer" };
const tool = toolOf({
  name: "update_issue",
  properties: { id: integer, subject: {}, body_id: integer },
  send: {
    method: "PUT",
    path: "/issues/{id}",
    pathParams: { id: "id" },
    body: {
      contentType: "application/json",
      envelope: ["issue"],
      fields: { subject: "subject", id: "body_id" },
    },
  },
});

test.each<readonly [string, unknown, unknown]>([
  ["the object", { id: 1, issue: { subject: "a" } }, { id: 1, subject: "a" }],
  ["a field with another name", { id: 1, issue: { id: 2 } }, { id: 1, body_id: 2 }],
  ["an undocumented field", { id: 1, issue: { color: "red" } }, { id: 1, color: "red" }],
  ["an empty object", { id: 1, issue: {} }, { id: 1 }],
  ["fields as inputs", { id: 1, subject: "a" }, { id: 1, subject: "a" }],
  ["text", { id: 1, issue: "a" }, { id: 1, issue: "a" }],
  ["no object", "x", "x"],
])("%s", (_, args, want) => expect(unwrapBody(tool, args)).toEqual(want));

test("a field that is given twice stays where it is", () => {
  const args = { id: 1, subject: "a", issue: { subject: "b" } };
  expect(unwrapBody(tool, args)).toBe(args);
});

test("an input of the same name is one", () => {
  const named = { ...tool, inputSchema: { type: "object", properties: { issue: {} } } } as const;
  const args = { issue: { subject: "a" } };
  expect(unwrapBody(named, args)).toBe(args);
});

test("a call with the object is prepared like one with its fields", () => {
  const prepared = prepareInput(tool, { id: 1, issue: { subject: "a" } }, false);
  expect(prepared).toMatchObject({ ok: true, input: { id: 1, subject: "a" } });
});

const whole = toolOf({
  name: "create_class",
  properties: { name: {}, body: { type: "object" } },
  send: {
    method: "POST",
    path: "/classes/{name}",
    pathParams: { name: "name" },
    body: { contentType: "application/json", from: "body" },
  },
});

test.each<readonly [string, unknown, unknown]>([
  ["a field beside the body", { name: "a", color: 1 }, { name: "a", body: { color: 1 } }],
  ["one beside a body of others", { color: 1, body: { b: 2 } }, { body: { b: 2, color: 1 } }],
  ["a misspelt input", { nmae: "a" }, { nmae: "a" }],
  [
    "a field that is given twice",
    { color: 1, body: { color: 2 } },
    { color: 1, body: { color: 2 } },
  ],
  ["a body of text", { color: 1, body: "x" }, { color: 1, body: "x" }],
  ["the body alone", { name: "a", body: { b: 2 } }, { name: "a", body: { b: 2 } }],
])("%s of a whole body", (_, args, want) => expect(wrapFields(whole, args)).toEqual(want));

test.each<readonly [string, object, string, unknown]>([
  ["any value", { description: "Ports" }, "application/json", { body: { start: 1, end: 2 } }],
  ["any text", { description: "Ports" }, "text/plain", { start: 1, end: 2 }],
  ["a list", { type: "array" }, "application/json", { start: 1, end: 2 }],
  ["known values", { enum: [1] }, "application/json", { start: 1, end: 2 }],
])("fields of a body that takes %s", (_, schema, contentType, want) => {
  const ports = toolOf({
    name: "set_ports",
    properties: { body: schema },
    send: { method: "PUT", path: "/ports", body: { contentType, from: "body" } },
  });
  expect(wrapFields(ports, { start: 1, end: 2 })).toEqual(want);
});

test.each([
  [false, { ok: true, input: { name: "a", body: { color: 1 } } }],
  [true, { ok: false }],
])("a strict server (%j) and a field beside the body", (strict, want) => {
  expect(prepareInput(whole, { name: "a", color: 1 }, strict)).toMatchObject(want);
});
