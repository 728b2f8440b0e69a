import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { startServer, type TestServer } from "./in-process.js";

const bytes = { type: "string", format: "byte", description: "The key." };
const text = { type: "string" };
const document = {
  openapi: "3.1.0",
  info: { title: "Store", version: "1" },
  paths: {
    "/files": {
      post: {
        operationId: "sendFile",
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                properties: { file: { type: "string", format: "binary" } },
              },
            },
          },
        },
        responses: { "204": { description: "done" } },
      },
    },
    "/keys": {
      post: {
        operationId: "writeKeys",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  key: bytes,
                  rows: { type: "array", items: { type: "object", properties: { key: bytes } } },
                },
              },
            },
          },
        },
        responses: { "204": { description: "done" } },
      },
      get: {
        operationId: "listKeys",
        parameters: [
          { name: "filters", in: "query", schema: text, description: "A JSON encoded map." },
          { name: "sort", in: "query", schema: { ...text, examples: ['{"by": "name"}'] } },
          { name: "form", in: "query", schema: { ...text, contentMediaType: "application/json" } },
          { name: "name", in: "query", schema: text, description: "A name." },
          { name: "key", in: "query", schema: bytes },
        ],
        responses: { "204": { description: "done" } },
      },
    },
  },
};

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream(reply(204));
  server = await startServer(document);
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

async function send(name: string, input: Record<string, unknown>, variables = {}) {
  const before = upstream.requests.length;
  const result = textOf(await server.call(server.toolOf(name), input, variables));
  const { body = "", url = "" } = upstream.requests[before] ?? {};
  return { text: result, body, query: new URL(url, "http://x").searchParams };
}

describe("format: byte", () => {
  const encoded = (plain: string) => Buffer.from(plain).toString("base64");
  test.each([
    [{ key: "Zm9v" }, { key: "Zm9v" }],
    [{ key: "text:foo" }, { key: encoded("foo") }],
    [{ key: "text:" }, { key: "" }],
    [{ key: "text:/é/text:x" }, { key: encoded("/é/text:x") }],
    [{ key: "_-8=" }, { key: "_-8=" }],
    [{ rows: [{ key: "text:a" }, { key: "Zg==" }] }, { rows: [{ key: "YQ==" }, { key: "Zg==" }] }],
  ])("%j is sent as %j", async (input, body) => {
    const sent = await send("writeKeys", input);
    expect(JSON.parse(sent.body || "null"), sent.text).toEqual(body);
    expect(sent.text).not.toContain("Note");
  });

  test("is plain text in a query, too", async () => {
    expect((await send("listKeys", { key: "text:foo" })).query.get("key")).toBe("Zm9v");
  });

  test.each([
    [{ key: "/registry/foo bar" }, 'key: "/registry/foo bar" is not base64; put text: before'],
    [{ rows: [{ key: "foo" }] }, 'rows[0].key: "foo" is not base64; put text: before plain text'],
  ])("%j is refused", async (input, problem) => {
    const sent = await send("writeKeys", input);
    expect(sent.text).toContain(problem);
    expect(sent.body).toBe("");
  });

  test("base64 that may be plain text is noted", async () => {
    const sent = await send("writeKeys", { key: "test" });
    expect(JSON.parse(sent.body)).toEqual({ key: "test" });
    expect(sent.text).toContain(
      "Note: key was taken as base64. If it is plain text, pass text:test instead.",
    );
  });

  test("is described", () => {
    const { properties } = server.toolOf("writeKeys").inputSchema as {
      readonly properties: Readonly<Record<string, { readonly description?: string }>>;
    };
    expect(properties["key"]?.description).toBe("The key. Base64, or text: and plain text.");
    expect(JSON.stringify(properties["rows"])).toContain("Base64, or text: and plain text.");
  });
});

describe("a file", () => {
  test.each([
    ["text:test", "test", false],
    ["Zm9v", "foo", false],
    ["other text", "other text", false],
    ["test", "\ufffd\ufffd-", true],
  ])("of %j has %j", async (file, content, isNoted) => {
    const sent = await send("sendFile", { file });
    expect(sent.body).toContain(`\r\n\r\n${content}\r\n`);
    expect(sent.text.includes("pass text:test instead")).toBe(isNoted);
  });
});

describe("text that holds JSON", () => {
  test.each([
    ["filters", { status: ["up"] }],
    ["sort", { by: "id" }],
    ["form", [1, 2]],
  ])("%s takes the value itself, without a note", async (name, value) => {
    const sent = await send("listKeys", { [name]: value });
    expect(sent.query.get(name), sent.text).toBe(JSON.stringify(value));
    expect(sent.text).not.toContain("Note");
  });

  test("other text does not, and a strict server does not", async () => {
    expect((await send("listKeys", { name: { a: 1 } })).text).toContain("name: expected a string");
    const strict = await send("listKeys", { filters: {} }, { STRICT_INPUTS: "1" });
    expect(strict.text).toContain("filters: expected a string");
  });
});
