/** Inputs in which an API contradicts its document: after its message, or on demand, they are sent. */
import { afterEach, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type { JsonSchema } from "../../../src/runtime/types.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

interface Sketch {
  /** Schema of the input `fields`. Absent: the document has no body. */
  readonly fields?: JsonSchema;
  readonly required?: readonly string[];
  readonly method?: string;
  readonly isDestructive?: boolean;
  readonly description?: string;
  readonly status?: number;
  /** Body of the first response. Later ones succeed. */
  readonly rejection: object;
  readonly env?: Record<string, string>;
}

/** Calls a tool with each input in one server. Returns the bodies that were sent, and the texts. */
async function callInTurn(sketch: Sketch, ...inputs: readonly object[]) {
  const { fields, required = [], method = "PUT", isDestructive = false } = sketch;
  const { status = 400, rejection, env } = sketch;
  upstream = await startUpstream((response, request, count) => {
    const isFirst = upstream.requests.length === 1;
    reply(isFirst ? status : 200, isFirst ? rejection : { done: true })(response, request, count);
  });
  const body = { contentType: "application/json", fields: { fields: "fields" } };
  const tool = toolOf({
    name: "update_row",
    properties: fields ? { fields } : {},
    required,
    send: { method, path: "/rows", ...(fields && { body }) },
  });
  const annotations = { ...tool.annotations, destructiveHint: isDestructive };
  const called = { ...tool, annotations, description: sketch.description ?? tool.description };
  const server = createTestContext([called], { CLINIC_BASE_URL: upstream.url, ...env });
  const texts: string[] = [];
  for (const input of inputs) texts.push(textOf(await callTool(server, called, input)));
  return { sent: upstream.requests.map(({ body: sent }) => sent), texts };
}

const list: JsonSchema = { type: "array", items: { type: "object" } };
const typed = (message: string) => ({ errors: [{ field: "fields", message }] });

test.each<readonly [message: string, documented: JsonSchema, given: unknown, advised: string]>([
  ["must be of type object", list, { age: 5 }, "an object"],
  ["expected object, received array", list, { age: 5 }, "an object"],
  ["Input should be a valid dictionary", list, { age: 5 }, "an object"],
  ["must be an array", { type: "string" }, ["a", "b"], "a list"],
  ["is not a boolean", { type: "string" }, true, "true or false"],
  ["must be a string", { type: "boolean" }, "later", "text"],
])("after %j, the type that the API wants is sent as given", async (message, fields, given, as) => {
  const wrong = fields["type"] === "boolean" ? true : fields["type"] === "array" ? [{}] : "x";
  const { sent, texts } = await callInTurn(
    { fields, rejection: typed(message) },
    { fields: wrong },
    { fields: given },
  );
  expect(texts[0]).toContain(
    `Next: pass fields as ${as}, then call update_row again: the API wants that, although its documentation says otherwise.`,
  );
  expect(sent).toEqual([JSON.stringify({ fields: wrong }), JSON.stringify({ fields: given })]);
});

const string: JsonSchema = { type: "string" };
const numbers: JsonSchema = { type: "array", items: { type: "integer" } };
test.each<readonly [status: number, message: string, documented: JsonSchema, given: unknown]>([
  [
    400,
    "json: cannot unmarshal string into Go struct field Row.fields of type []string",
    string,
    ["a"],
  ],
  [
    500,
    "json: cannot unmarshal array into Go struct field Row.fields of type string",
    numbers,
    "a",
  ],
  [
    400,
    "The JSON value could not be converted to System.Collections.Generic.List`1[System.String]. Path: $.fields | LineNumber: 0",
    string,
    ["a"],
  ],
  [
    400,
    'JSON parse error: Cannot deserialize value of type `java.util.ArrayList<java.lang.String>` from String value; (through reference chain: app.Row["fields"])',
    string,
    ["a"],
  ],
])("after %d with %j, the type is sent", async (status, message, fields, given) => {
  const wrong = fields === string ? '{"b":2}' : [1];
  const { sent, texts } = await callInTurn(
    { fields, status, rejection: { message }, env: { CLINIC_MAX_RETRY_WAIT_MS: "0" } },
    { fields: wrong },
    { fields: given },
  );
  expect(texts[0]).toContain("ass fields as");
  expect(sent).toEqual([JSON.stringify({ fields: wrong }), JSON.stringify({ fields: given })]);
});

test.each<readonly [string, string]>([
  ["another field", "json: cannot unmarshal number into Go struct field Row.age of type string"],
  [
    "a part of a field",
    "cannot unmarshal number into Go struct field Row.fields.age of type string",
  ],
])("after an error of the type of %s, the document holds", async (_, message) => {
  const { sent } = await callInTurn(
    { fields: { type: "integer" }, rejection: { message } },
    { fields: 5 },
    { fields: "a" },
  );
  expect(sent).toHaveLength(1);
});

test.each<readonly [string, object]>([
  ["a message that quotes it", { message: '"body.owner" is required' }],
  ["a message about it alone", { message: "owner is required" }],
  ["an error of a field", { errors: [{ field: "owner", message: "is required" }] }],
])("after %s, a field that the document lacks is sent", async (_, rejection) => {
  const { sent, texts } = await callInTurn(
    { fields: { type: "string" }, rejection },
    { fields: "x" },
    { fields: "x", owner: "ann" },
  );
  expect(texts[0]).toContain(
    "Next: pass owner like an input, then call update_row again: the API needs that, although its documentation lacks it.",
  );
  expect(sent.at(-1)).toBe('{"fields":"x","owner":"ann"}');
});

test("after it, a body that the document lacks is sent", async () => {
  const { sent } = await callInTurn(
    { method: "POST", rejection: { message: "username is required" } },
    {},
    { username: "ann", password: "secret" },
  );
  expect(sent).toEqual(["", '{"username":"ann","password":"secret"}']);
});

const REMOVING: readonly [name: string, sketch: Partial<Sketch>][] = [
  ["DELETE", { method: "DELETE" }],
  ["POST that may remove something", { method: "POST", isDestructive: true }],
];

test.each(REMOVING)("the same %s again sends fields of a lacking body", async (_, sketch) => {
  const input = { users: ["ann"] };
  const { sent, texts } = await callInTurn({ status: 200, rejection: {}, ...sketch }, input, input);
  expect(texts[0]).toBe(
    "Not sent: 1 problem with the input of update_row.\n" +
      "- users: unknown input; none are allowed\n" +
      "Correct it and call update_row again. The documentation of update_row declares no body. If the API takes these fields all the same, call update_row again with the same input: they are then sent as a JSON body.",
  );
  expect(texts[1]).toContain("Note: users is not a documented input. It was sent as given.");
  expect(sent).toEqual(['{"users":["ann"]}']);
});

const TOLD = "Remove members. The body is a JSON dictionary where users is a list of names.";
test.each<readonly [input: object, sent: readonly string[]]>([
  [{ users: ["ann"] }, ['{"users":["ann"]}']],
  [{ force: true }, []],
  [{ users: ["ann"], all: true }, []],
])("a DELETE whose text tells of its body sends %j as %j", async (input, want) => {
  const sketch = { method: "DELETE", status: 200, rejection: {}, description: TOLD };
  const { sent } = await callInTurn(sketch, input);
  expect(sent).toEqual(want);
});

test.each(["PATCH", "POST", "PUT"])(
  "a %s that removes nothing sends fields of a lacking body at once",
  async (method) => {
    const input = { users: ["ann"] };
    const { sent, texts } = await callInTurn({ method, status: 200, rejection: {} }, input);
    expect(texts[0]).toContain("Note: users is not a documented input. It was sent as given.");
    expect(sent).toEqual(['{"users":["ann"]}']);
  },
);

test.each<readonly [given: unknown, want: string]>([
  ["<p>hi</p>", "<p>hi</p>"],
  [{ a: 1 }, '{"a":1}'],
  ["data:application/zip;base64,UEsDBA==", "PK\u0003\u0004"],
])("%j is sent as a body that the document lacks", async (body, want) => {
  const { sent, texts } = await callInTurn(
    { method: "POST", status: 200, rejection: {} },
    { body },
  );
  expect(texts[0]).toContain("Note: body is not a documented input.");
  expect(sent).toEqual([want]);
});

test("the same call again sends a body that the document of a removal lacks", async () => {
  const input = { body: "<p>hi</p>" };
  const sketch = { method: "DELETE", status: 200, rejection: {} };
  const { sent, texts } = await callInTurn(sketch, input, input);
  expect(texts[0]).toContain(
    "call update_row again with the same input: it is then sent as the body.",
  );
  expect(sent).toEqual(["<p>hi</p>"]);
});

test.each<readonly [string, Sketch, object]>([
  ["a read", { method: "GET", rejection: {} }, { users: ["ann"] }],
  ["a misspelt name", { fields: string, rejection: {} }, { feilds: "x" }],
  [
    "a strict server",
    { method: "POST", rejection: {}, env: { CLINIC_STRICT_INPUTS: "true" } },
    { users: ["ann"] },
  ],
])("the same call again is refused again: %s", async (_, sketch, input) => {
  const { sent, texts } = await callInTurn(sketch, input, input);
  expect(sent).toEqual([]);
  expect(texts.join()).not.toContain("declares no body");
});

test.each<readonly [string, number, string]>([
  ["rejects its absence", 400, "Invalid JSON data: None"],
  ["fails on its absence", 500, "Cannot read properties of undefined (reading 'query')"],
])("after an API %s, a body that the document lacks is sent", async (_, status, message) => {
  const { sent, texts } = await callInTurn(
    { method: "POST", status, rejection: { message }, env: { CLINIC_MAX_RETRY_WAIT_MS: "0" } },
    {},
    { query: "select 1" },
  );
  expect(texts[0]).toContain("a body, which its documentation lacks: pass its fields");
  expect(sent).toEqual(["", '{"query":"select 1"}']);
});

test("a body that was opened is advised again where a call lacks it", async () => {
  const rejection = { message: "Cannot destructure property 'name' of 'undefined'" };
  const { texts } = await callInTurn(
    { method: "POST", status: 500, rejection, env: { CLINIC_MAX_RETRY_WAIT_MS: "0" } },
    {},
  );
  expect(texts[0]).toContain(
    "If not, the API may read a body, which its documentation lacks: pass its fields, such as name, like inputs",
  );
});

test("a rejection of a call without a path and with an opened body names no input", async () => {
  const input = { name: "pub" };
  const { texts } = await callInTurn(
    { method: "POST", rejection: { message: "publication already exists" } },
    input,
  );
  expect(texts[0]).toContain("Next: the API refuses this. Correct what");
});

test.each<readonly [string, Sketch]>([
  ["names the documented type", { fields: list, rejection: typed("must be an array") }],
  [
    "names an integer for a number",
    { fields: { type: "number" }, rejection: typed("must be an integer") },
  ],
  ["is about the form", { fields: list, rejection: typed("must have items of type cat") }],
  ["excludes a type", { fields: list, rejection: typed("must not be an object") }],
  ["is about credentials", { fields: list, rejection: { message: "token is required" } }],
  ["has another status", { fields: list, status: 403, rejection: typed("must be an object") }],
  [
    "reaches a strict server",
    { fields: list, rejection: typed("must be an object"), env: { CLINIC_STRICT_INPUTS: "true" } },
  ],
])("a message changes nothing that %s", async (_, sketch) => {
  const wrong = sketch.fields?.["type"] === "number" ? 1 : [{}];
  const { texts } = await callInTurn(sketch, { fields: wrong }, { fields: "other", more: 1 });
  expect(texts[0]).not.toContain("although its documentation");
  expect(texts[1]).toContain("Not sent");
});

test("a read takes no body", async () => {
  const rejection = { message: "owner is required" };
  const { texts } = await callInTurn({ method: "GET", rejection }, {}, { owner: "ann" });
  expect(texts[0]).not.toContain("although its documentation");
  expect(texts[1]).toContain("Not sent");
});

const choice: JsonSchema = { type: "string", enum: ["on", "off"] };
const shape: JsonSchema = {
  type: "object",
  anyOf: [{ required: ["lower", "upper"] }, { required: ["median"] }],
};
const offer =
  "If the API takes this value all the same, call update_row again with the same input: it is then sent as given.";

test.each<readonly [string, JsonSchema, unknown]>([
  ["a value that is not in the list", choice, "$uid eq 'dwho'"],
  ["a text of another form", { type: "string", pattern: "^\\w+$" }, "*"],
  ["an object of no form", shape, { fixedDelay: 5 }],
  ["a list in place of an object", { type: "object" }, ["a"]],
  ["a number above its maximum", { type: "integer", maximum: 500 }, 501],
  ["a text that is too short", { type: "string", minLength: 3 }, "ab"],
  ["an empty list", { type: "array", minItems: 1 }, []],
  ["a text in place of a number", { type: "integer" }, "1m"],
  ["a time of another format", { type: "string", format: "date-time" }, "2026-01-31 12:00"],
  ["an empty text in place of a URI", { type: "string", format: "uri" }, ""],
])("%s is sent as given by the same call again", async (_, fields, given) => {
  const sketch = { fields, status: 200, rejection: { done: true } };
  const { sent, texts } = await callInTurn(sketch, { fields: given }, { fields: given });
  expect(texts[0]).toContain(`call update_row again. ${offer}`);
  expect(sent).toEqual([JSON.stringify({ fields: given })]);
});

test("parameters that the document of a read lacks are sent by the second call", async () => {
  upstream = await startUpstream(reply(200, [{ id: "1" }]));
  const tool = toolOf({
    name: "list_rows",
    properties: { limit: { type: "integer" } },
    send: { path: "/rows", query: { limit: "limit" } },
  });
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const textFor = async (input: object) => textOf(await callTool(server, tool, input));
  expect(await textFor({ severity: "high" })).toBe(
    "Not sent: 1 problem with the input of list_rows.\n" +
      "- severity: unknown input; allowed are limit\n" +
      "Correct it and call list_rows again. If the API takes this parameter all the same, call list_rows again with the same input: it is then sent in the query.",
  );
  expect(await textFor({ severity: "high" })).toContain(
    "Note: severity is not a documented input. It was sent as given.",
  );
  expect(await textFor({ severity: "low", limit: 2 })).toContain("sent as given");
  expect(upstream.requests.map(({ url }) => url)).toEqual([
    "/rows?severity=high",
    "/rows?limit=2&severity=low",
  ]);
});

const severity = { severity: "high" };
test.each<readonly [string, object, object, Record<string, string>]>([
  ["a misspelt name", { query: { limit: "limit" } }, { limits: 2 }, {}],
  ["a list", { query: { limit: "limit" } }, { severity: ["a"] }, {}],
  ["a read without a query", {}, severity, {}],
  ["a write", { method: "POST", query: { limit: "limit" } }, severity, {}],
  ["strict inputs", { query: { limit: "limit" } }, severity, { CLINIC_STRICT_INPUTS: "true" }],
])("%s is not offered as a parameter", async (_, send, input, env) => {
  upstream = await startUpstream(reply(200, []));
  const properties = { limit: { type: "integer" } };
  const tool = toolOf({ name: "list_rows", properties, send: { path: "/rows", ...send } });
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url, ...env });
  expect(textOf(await callTool(server, tool, input))).not.toContain("in the query");
});

test("a parameter that the server sets is never sent by an input", async () => {
  upstream = await startUpstream(reply(200, []));
  const send = { path: "/rows", query: { limit: "limit", team: { value: "blue" } } };
  const tool = toolOf({ name: "list_rows", properties: { limit: { type: "integer" } }, send });
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  for (const team of ["red", "red"])
    expect(textOf(await callTool(server, tool, { Team: team }))).toContain("Not sent");
  expect(upstream.requests).toEqual([]);
});

test.each<readonly [string, unknown, boolean]>([
  ["a text of another form", "nope", true],
  ["an empty text", "", false],
  ["a list", ["a", "b"], false],
])("%s is offered to be sent in a path: %j, %j", async (_, id, isOffered) => {
  upstream = await startUpstream(reply(200, { done: true }));
  const tool = toolOf({
    name: "get_row",
    properties: { id: { type: "string", pattern: "^[0-9]{4}$" } },
    send: { path: "/rows/{id}", pathParams: { id: "id" } },
  });
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const refused = textOf(await callTool(server, tool, { id }));
  expect(refused).toContain("Not sent: 1 problem");
  expect(refused.includes("If the API takes this value all the same")).toBe(isOffered);
});

test.each<readonly [string, JsonSchema, unknown]>([
  ["a list", string, ["read-only"]],
  ["an object", string, { pool: ["read"] }],
  ["objects in a list", { type: "array", items: string }, [{ pool: "read" }]],
])("%s in place of text is sent at once, with a note", async (_, fields, given) => {
  const sketch = { fields, status: 200, rejection: { done: true } };
  const { sent, texts } = await callInTurn(sketch, { fields: given });
  expect(sent).toEqual([JSON.stringify({ fields: given })]);
  expect(texts[0]).toMatch(
    /Note: fields\S* was sent as given, although the API's description declares text\./,
  );
});

test.each<readonly [string, object]>([
  ["that may remove something", { method: "DELETE" }],
  ["that is strict", { env: { CLINIC_STRICT_INPUTS: "true" } }],
])("a call %s is refused with a list in place of text", async (_, options) => {
  const sketch = { fields: string, rejection: { done: true }, ...options };
  const { sent, texts } = await callInTurn(sketch, { fields: ["a"] });
  expect(texts[0]).toContain("Not sent: 1 problem");
  expect(sent).toEqual([]);
});

test.each<readonly [string, object, boolean]>([
  ["of the body", {}, true],
  ["inside of a field", { fields: { type: "object", required: ["id", "name"] } }, true],
  ["of a call that may remove something", { method: "DELETE" }, false],
  ["of a strict server", { env: { CLINIC_STRICT_INPUTS: "true" } }, false],
])("a missing field %s is offered to be left out: %j", async (_, options, isOffered) => {
  const required = "fields" in options ? [] : ["fields"];
  const sketch = { fields: string, required, rejection: { done: true }, status: 200, ...options };
  const input = "fields" in options ? { fields: { id: "7" } } : {};
  const { sent, texts } = await callInTurn(sketch, input, input);
  expect(texts[0]).toContain("is required");
  expect(texts[0]!.includes("If the API takes the call all the same, call update_row")).toBe(
    isOffered,
  );
  expect(sent).toHaveLength(isOffered ? 1 : 0);
});

test("another wrong value is refused as before", async () => {
  const sketch = { fields: choice, rejection: { done: true } };
  const { sent, texts } = await callInTurn(sketch, { fields: "a" }, { fields: "b" });
  expect(texts[1]).toContain("Not sent: 1 problem");
  expect(sent).toEqual([]);
});

test.each<readonly [string, JsonSchema, object, Record<string, string>]>([
  ["an unknown input beside it", choice, { fields: "a", other: 1 }, {}],
  ["strict inputs", choice, { fields: "a" }, { CLINIC_STRICT_INPUTS: "true" }],
])("%s is never offered to be sent", async (_, fields, input, env) => {
  const { sent, texts } = await callInTurn({ fields, rejection: {}, env }, input, input);
  expect(texts[1]).toContain("Not sent:");
  expect(texts.join()).not.toContain("as given");
  expect(sent).toEqual([]);
});

test.each<readonly [string, object, readonly object[], string | undefined]>([
  ["nothing but nulls", { id: "7", name: null }, [{ name: null }], undefined],
  [
    "an object of nulls",
    { id: "7", options: { label: null } },
    [{ options: { label: null } }],
    undefined,
  ],
  [
    "another change",
    { id: "7", name: null, age: 5 },
    [{ age: 5 }],
    "null is not a value of name, so nothing was sent for it. To send null, call update_cat again without other changes.",
  ],
  [
    "an undocumented change",
    { id: "7", name: null, color: "red" },
    [{ color: "red" }],
    "null is not a value of name, so nothing was sent for it.",
  ],
])("a PATCH with %s sends what it is about", async (_, input, bodies, note) => {
  upstream = await startUpstream(reply(200, { done: true }));
  const names = ["name", "age", "options"];
  const tool = toolOf({
    name: "update_cat",
    properties: {
      id: { type: "string" },
      name: { type: "string" },
      age: { type: "integer" },
      options: { type: "object", properties: { label: { type: "string" } } },
    },
    send: {
      method: "PATCH",
      path: "/cats/{id}",
      pathParams: { id: "id" },
      body: {
        contentType: "application/json",
        isOpen: true,
        fields: Object.fromEntries(names.map((name) => [name, name])),
      },
    },
  });
  const { additionalProperties: _closed, ...inputSchema } = tool.inputSchema;
  const open = { ...tool, inputSchema } as typeof tool;
  const server = createTestContext([open], { CLINIC_BASE_URL: upstream.url });
  const text = textOf(await callTool(server, open, input));
  expect(upstream.requests.map(({ body }) => JSON.parse(body) as object)).toEqual(bodies);
  if (note === undefined) expect(text).not.toContain("null is not a value");
  else expect(text).toContain(note);
});
