/** All places of inputs and of responses, as places of a growing text. */
import type { Platform } from "../../src/runtime/auth/types.js";
import { callTool, createServerContext } from "../../src/runtime/index.js";
import type { HttpResponse } from "../../src/runtime/request/types.js";
import type { OperationBinding, RequestMapping, ToolDefinition } from "../../src/runtime/types.js";
import { api, toolOf, type ToolSketch } from "../runtime/support/clinic.js";
import type { Place } from "./document-places.js";

/** A response without a server, so that only this process works. */
interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const encoder = new TextEncoder();

/** A response, or one for each path. */
type Replies = Reply | ((path: string) => Reply);

function platformOf(replies: Replies): Platform {
  return {
    send: async ({ url }) =>
      responseOf(typeof replies === "function" ? replies(new URL(url).pathname) : replies),
  };
}

function responseOf({
  status = 200,
  type = "application/json",
  headers,
  body = "{}",
}: Reply): HttpResponse {
  const bytes = encoder.encode(body);
  const all = new Map(Object.entries({ "content-type": type, ...headers }));
  return {
    status,
    statusText: "",
    headers: {
      get: (name) => all.get(name.toLowerCase()) ?? null,
      has: (name) => all.has(name.toLowerCase()),
      getSetCookie: () => [],
      [Symbol.iterator]: () => all.entries(),
    },
    hasBody: true,
    collect: async () => ({ chunks: [bytes], size: bytes.byteLength }),
    drain: async () => {},
    discard: () => {},
  };
}

const env = {
  LOG_LEVEL: "silent",
  CLINIC_BASE_URL: "https://api.example",
  CLINIC_TOKEN: "s3cret-hunter2",
  CLINIC_MAX_RESPONSE_BYTES: "100000000",
};

async function callWith(sketch: ToolSketch, input: object, reply: Reply): Promise<unknown> {
  return callTools([toolOf(sketch)], input, reply);
}

/** Calls `get_pet`, which may use other tools. */
async function callTools(
  tools: readonly ToolDefinition[],
  input: object,
  replies: Replies,
): Promise<unknown> {
  const created = createServerContext({
    api,
    tools,
    env,
    platform: platformOf(replies),
    storeResults: true,
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const tool = created.context.tools.find("get_pet");
  return await callTool(created.context, tool, input);
}

const string = { type: "string" };
const open = { type: "object", additionalProperties: true };
const list = { type: "array", items: string };
/** A schema that refers to itself: every level and every item is validated. */
const tree = {
  type: "object",
  properties: { name: string, children: { type: "array", items: { $ref: "#/$defs/tree" } } },
};

function input(
  name: string,
  send: Partial<RequestMapping>,
  schema: object,
  valueOf: (text: string) => unknown = (text) => text,
): Place {
  const inputSchema = {
    type: "object",
    properties: { value: schema },
    additionalProperties: false,
    $defs: { tree },
  };
  const work = (text: string): Promise<unknown> =>
    callWith({ send, inputSchema }, { value: valueOf(text) }, {});
  return { name: `input: ${name}`, work };
}

const body = (contentType: string, more: object = {}): Partial<RequestMapping> => ({
  method: "POST",
  body: { contentType, from: "value", ...more } as NonNullable<RequestMapping["body"]>,
});
const field = (contentType: string): Partial<RequestMapping> => ({
  method: "POST",
  body: { contentType, fields: { value: "value" } } as NonNullable<RequestMapping["body"]>,
});

/** The characters of a text as items, properties or levels. */
const items = (text: string): string[] => [...text].slice(0, 200_000);
const members = (text: string): object =>
  Object.fromEntries(items(text).map((char, i) => [`${char}${i}`, char]));
const levels = (text: string): object => nested(Math.min(text.length, 20_000));

function nested(depth: number): object {
  let value: object = { name: "leaf" };
  for (let i = 0; i < depth; i++) value = { children: [value] };
  return value;
}

const inputPlaces: readonly Place[] = [
  input("path", { path: "/{value}", pathParams: { value: "value" } }, string),
  input("query", { query: { value: "value" } }, string),
  input("query, list", { query: { value: "value" } }, list, items),
  input(
    "query, deepObject",
    { query: { value: { from: "value", style: "deepObject" } } },
    open,
    members,
  ),
  input("header", { headers: { "X-Value": "value" } }, string),
  input("header, list", { headers: { "X-Value": "value" } }, list, (text) => [text, text]),
  input("cookie", { cookies: { value: "value" } }, string),
  input("JSON", field("application/json"), string),
  input("JSON, list", body("application/json"), list, items),
  input("JSON, wide object", body("application/json"), open, members),
  input("JSON, deep object", body("application/json"), { $ref: "#/$defs/tree" }, levels),
  input("JSON as text", body("application/json"), open, (text) => JSON.stringify({ a: text })),
  input("form", field("application/x-www-form-urlencoded"), string),
  input("multipart", field("multipart/form-data"), string),
  input("text", body("text/plain"), string),
  input("XML", body("application/xml"), string),
  input(
    "a name that no schema has",
    body("application/json"),
    { type: "object", properties: { a: string }, additionalProperties: false },
    (text) => ({ [text]: 1 }),
  ),
  input("a value that is not in an enum", { query: { value: "value" } }, { enum: ["a", "b"] }),
  input(
    "a value that violates a pattern",
    { query: { value: "value" } },
    { type: "string", pattern: "^(a+)+$" },
  ),
  input("a value of another type", { query: { value: "value" } }, { type: "integer" }),
];

function response(name: string, replyTo: (text: string) => Reply, outputSchema?: object): Place {
  const sketch = { send: { path: "/" }, ...(outputSchema && { outputSchema }) } as ToolSketch;
  return { name: `response: ${name}`, work: (text) => callWith(sketch, {}, replyTo(text)) };
}

const json = (value: unknown, more: Reply = {}): Reply => ({
  body: JSON.stringify(value),
  ...more,
});
const declared = {
  type: "object",
  properties: { a: string, items: { type: "array", items: { type: "object" } } },
};
/** A header has one line. */
const oneLine = (text: string): string => text.replace(/[\r\n]/g, " ").slice(0, 200_000);

const responsePlaces: readonly Place[] = [
  response("JSON, text", (text) => json({ a: text }), declared),
  response("JSON, name", (text) => json({ [text]: 1 }), declared),
  response("JSON, list", (text) => json({ items: items(text) }), declared),
  response("JSON, wide object", (text) => json(members(text)), declared),
  response("JSON, deep object", (text) => ({
    body: `${'{"a":'.repeat(text.length)}1${"}".repeat(text.length)}`,
  })),
  response("JSON, long numbers", (text) => ({
    body: `[${items(text)
      .map(() => "12345678901234567890")
      .join()}]`,
  })),
  response("invalid JSON", (text) => ({ body: `{"a": ${text}` }), declared),
  response("text", (body) => ({ type: "text/plain", body })),
  response("HTML", (text) => ({ type: "text/html", body: `<html>${text}` }), declared),
  response("bytes", (body) => ({ type: "application/octet-stream", body })),
  response(
    "lines of JSON",
    (text) => ({
      type: "application/x-ndjson",
      body: items(text)
        .map((char) => JSON.stringify({ char }))
        .join("\n"),
    }),
    declared,
  ),
  response(
    "events",
    (text) => ({
      type: "text/event-stream",
      body: items(text)
        .map((char) => `data: ${char}\n\n`)
        .join(""),
    }),
    declared,
  ),
  response(
    "one event",
    (text) => ({
      type: "text/event-stream",
      body: `data: ${text.replaceAll("\n", "\ndata: ")}\n\n`,
    }),
    declared,
  ),
  response("header Link", (text) =>
    json([], { headers: { link: `<${oneLine(text)}>; rel="next"` } }),
  ),
  response("header Content-Disposition", (text) => ({
    type: "application/pdf",
    body: "x".repeat(200_000),
    headers: { "content-disposition": `attachment; filename="${oneLine(text)}"` },
  })),
  response("header Content-Type", (text) => ({ type: oneLine(text), body: "{}" })),
  response("header Location", (text) =>
    json({}, { status: 201, headers: { location: oneLine(text) } }),
  ),
  response("header WWW-Authenticate", (text) =>
    json({}, { status: 401, headers: { "www-authenticate": oneLine(text) } }),
  ),
  response("header Retry-After", (text) =>
    json({}, { status: 400, headers: { "retry-after": oneLine(text) } }),
  ),
  response("error, message", (text) => json({ message: text }, { status: 400 })),
  response("error, fields", (text) =>
    json({ errors: items(text).map((char) => ({ field: char, message: char })) }, { status: 422 }),
  ),
  response("error, name", (text) => json({ errors: { [text]: [text] } }, { status: 422 })),
  response("error, deep", (text) => ({
    status: 400,
    body: `${'{"error":'.repeat(text.length)}1${"}".repeat(text.length)}`,
  })),
  response("error, text", (body) => ({ status: 500, type: "text/plain", body })),
  response("error, HTML", (text) => ({
    status: 500,
    type: "text/html",
    body: `<html><body>${text}`,
  })),
  response("error, XML", (text) => ({
    status: 400,
    type: "application/xml",
    body: `<error><message>${text}</message></error>`,
  })),
  response("error in a success", (text) => json({ ok: false, error: text }), declared),
];

/** A tool with a part of its operation's binding. */
const withBinding = (sketch: ToolSketch, binding: Partial<OperationBinding>): ToolDefinition => {
  const tool = toolOf(sketch);
  return { ...tool, operations: tool.operations.map((one) => ({ ...one, ...binding })) };
};

/** A tool whose ID the API does not know, and the list in which its name is looked up. */
const lookUpTools: readonly ToolDefinition[] = [
  withBinding(
    { send: { path: "/{id}", pathParams: { id: "id" } }, properties: { id: string } },
    { lookUps: { id: { tool: "list_pets", idField: "id" } } },
  ),
  withBinding(
    { name: "list_pets", read: { wrap: "items" }, outputSchema: declared },
    { itemNames: { fields: ["name"] } },
  ),
];

const lookUp = (name: string, listOf: (text: string) => unknown): Place => ({
  name: `lookup: ${name}`,
  work: (text) =>
    callTools(lookUpTools, { id: "some name" }, (path) =>
      path === "/" ? json(listOf(text)) : { status: 404 },
    ),
});
const lookUpPlaces: readonly Place[] = [
  lookUp("a name", (name) => [{ id: 1, name }]),
  lookUp("names", (text) => items(text).map((char, id) => ({ id, name: `some ${char}` }))),
  lookUp("an ID", (id) => [{ id, name: "Some name" }]),
];

export const callPlaces: readonly Place[] = [...inputPlaces, ...responsePlaces, ...lookUpPlaces];
