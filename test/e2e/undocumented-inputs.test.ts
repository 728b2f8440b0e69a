import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { configured, startServer, type TestServer } from "./in-process.js";

/** An API whose bodies are open, closed and absent. */
const jsonBody = (schema: object, mediaType = "application/json") => ({
  required: true,
  content: { [mediaType]: { schema } },
});
const responses = { "200": { description: "ok", content: { "application/json": {} } } };
const fields = {
  type: "object",
  required: ["collection"],
  properties: {
    collection: { type: "string" },
    line_1: { type: "string" },
    meta: { type: "object", properties: { icon: { type: "string" }, hidden: { type: "boolean" } } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    "sort[by]": { type: "string" },
    rows: { type: "array", items: { type: "object", properties: { title: { type: "string" } } } },
  },
};
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const document = {
  openapi: "3.1.0",
  info: { title: "Store", version: "1" },
  paths: {
    "/collections": {
      get: { operationId: "listCollections", responses },
      post: { operationId: "createCollection", requestBody: jsonBody(fields), responses },
    },
    "/closed": {
      post: {
        operationId: "createClosed",
        requestBody: jsonBody({ ...fields, additionalProperties: false }),
        responses,
      },
    },
    "/users/{id}": {
      post: {
        operationId: "startUser",
        parameters: [id],
        requestBody: jsonBody({
          type: "object",
          properties: { at: { type: "string" } },
          additionalProperties: false,
        }),
        responses,
      },
    },
    "/roles/{role}": {
      post: {
        operationId: "createRole",
        parameters: [{ ...id, name: "role" }],
        requestBody: jsonBody({ type: "object", properties: { title: { type: "string" } } }),
        responses,
      },
    },
    "/forms": {
      post: {
        operationId: "createForm",
        requestBody: jsonBody(
          { type: "object", properties: { name: { type: "string" } } },
          "application/x-www-form-urlencoded",
        ),
        responses,
      },
    },
  },
};

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { ok: true }));
  server = await startServer(document);
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

/** Text of the result, and the body of the request, if one was sent. */
async function send(
  operation: string,
  input: Record<string, unknown>,
  { from = server, variables = {} } = {},
): Promise<{ readonly text: string; readonly body: string | undefined }> {
  const before = upstream.requests.length;
  const result = await from.call(from.toolOf(operation), input, variables);
  return { text: textOf(result), body: upstream.requests[before]?.body };
}

const NOTE = (name: string) => `Note: ${name} is not a documented input. It was sent as given.`;

describe("a field that the document lacks", () => {
  test.each([
    [
      "is sent in an open body",
      { collection: "a", schema: { name: "a" } },
      { collection: "a", schema: { name: "a" } },
      NOTE("schema"),
    ],
    ["may be null", { collection: "a", schema: null }, { collection: "a", schema: null }, "schema"],
    [
      "is sent in an open object",
      { collection: "a", meta: { icon: "x", note: "n" } },
      { collection: "a", meta: { icon: "x", note: "n" } },
      NOTE("meta.note"),
    ],
    [
      "is noted once for a list",
      { collection: "a", rows: [{ color: 1 }, { color: 2 }] },
      { collection: "a", rows: [{ color: 1 }, { color: 2 }] },
      NOTE("rows[].color"),
    ],
    [
      "may resemble an input of the call",
      { collection: "a", collections: ["a"] },
      { collection: "a", collections: ["a"] },
      NOTE("collections"),
    ],
    [
      "may have the next number",
      { collection: "a", line_2: "b" },
      { collection: "a", line_2: "b" },
      NOTE("line_2"),
    ],
  ])("%s", async (_, input, body, note) => {
    const sent = await send("createCollection", input);
    expect(JSON.parse(sent.body ?? "null")).toEqual(body);
    expect(sent.text).toContain(note);
  });

  test.each([
    [200, `${NOTE("icon")}`],
    [500, `\n${NOTE("icon")}`],
  ])("of which an input has one: the note beside %i names it", async (status, note) => {
    const other = await startUpstream(reply(status, {}));
    server.useBaseUrl(other.url);
    const { text } = await send("createCollection", { collection: "a", icon: "x" });
    server.useBaseUrl(upstream.url);
    await other.close();
    expect(text).toContain(note);
    expect(text).toContain("Documented: meta.icon.");
  });

  test("needs no note where any name is documented", async () => {
    const { text } = await send("createCollection", { collection: "a", labels: { any: "x" } });
    expect(text).not.toContain("Note:");
  });

  test("is sent in a form", async () => {
    expect((await send("createForm", { name: "a", size: 3 })).body).toBe("name=a&size=3");
  });
});

describe("an input is refused", () => {
  test.each([
    [
      "createCollection",
      { collections: "a" },
      "collections: unknown input; did you mean collection?",
    ],
    ["createCollection", { collection: "a", Meta: {} }, "Meta: unknown input; did you mean meta?"],
    [
      "createCollection",
      { collection: "a", meta: { icn: "x" } },
      "meta.icn: unknown input; did you mean icon?",
    ],
    [
      "createCollection",
      { collection: "a", "sort[by]": "x" },
      "sort[by]: unknown input; did you mean sort_by?",
    ],
    ["createClosed", { collection: "a", schema: {} }, "schema: unknown input; allowed are"],
    ["listCollections", { schema: {} }, "schema: unknown input; none are allowed"],
  ])("%s %j", async (operation, input, problem) => {
    const { text, body } = await send(operation, input);
    expect(text).toContain(problem);
    expect(body).toBeUndefined();
  });
});

test("the root of an open input schema is open, that of others is closed", () => {
  const roots = ["createCollection", "createClosed", "listCollections"].map(
    (operation) => server.toolOf(operation).inputSchema["additionalProperties"],
  );
  expect(roots).toEqual([undefined, false, false]);
});

describe("a setting closes open bodies", () => {
  const input = { collection: "a", schema: {} };
  const nested = { collection: "a", meta: { note: "n" } };

  test("<PREFIX>_STRICT_INPUTS, when the server starts", async () => {
    const strict = { variables: { STRICT_INPUTS: "true" } };
    const { text, body } = await send("createCollection", input, strict);
    expect(text).toContain("schema: unknown input; allowed are collection");
    expect((await send("createCollection", nested, strict)).text).toContain("meta.note: unknown");
    expect(body).toBeUndefined();
  });

  test("server.strictInputs, in the definitions of the tools", async () => {
    const from = await startServer(document, configured("server: {strictInputs: true}"));
    from.useBaseUrl(upstream.url);
    const tool = from.toolOf("createCollection");
    expect(tool.inputSchema["additionalProperties"]).toBe(false);
    expect(tool.operations[0]?.request.body).not.toHaveProperty("isOpen");
    expect((await send("createCollection", input, { from })).text).toContain("schema: unknown");
    expect((await send("createCollection", nested, { from })).text).toContain("meta.note: unknown");
    const relaxed = { from, variables: { STRICT_INPUTS: "false" } };
    expect((await send("createCollection", nested, relaxed)).body).toContain("note");
  });
});

describe("a value that the server sets", () => {
  test.each([
    ["line_1: {fixed: home}", 'would send "line_1" again, which this server sets'],
    ["line_1: {hide: true}", "is not an input of this server"],
  ])("cannot be replaced: %s", async (rule, problem) => {
    const from = await startServer(
      document,
      configured(`tools: {create_collection: {inputs: {${rule}}}}`),
    );
    from.useBaseUrl(upstream.url);
    for (const name of ["line_1", "Line.1"]) {
      const { text, body } = await send(
        "createCollection",
        { collection: "a", [name]: "x" },
        { from },
      );
      expect(text).toContain(problem.replace("line_1", name));
      expect(body).toBeUndefined();
    }
  });
});

describe("a merged tool", () => {
  const merge = "tools: {do_it: {merge: [startUser, createRole]}}";

  test("sends undocumented fields of the operation with an open body only", async () => {
    const from = await startServer(document, configured(merge));
    from.useBaseUrl(upstream.url);
    const made = await send("createRole", { role: "a", level: 1 }, { from });
    expect(made.body).toBe('{"level":1}');
    const closed = await send("startUser", { id: "a", level: 1 }, { from });
    expect(closed.text).toContain("level: unknown input, which the operation for the other inputs");
    const both = await send("startUser", { id: "a", title: "x" }, { from });
    expect(both.text).toContain("title: cannot be combined with id");
  });
});
