import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { settingsOf } from "../../src/configuration/index.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { startServer, type TestServer } from "./in-process.js";

const item = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
const json = (schema: object, status = "200") => ({
  [status]: { description: "ok", content: { "application/json": { schema } } },
});
const query = (name: string, required = false, type = "string") => ({
  name,
  in: "query",
  required,
  schema: { type },
});

/** Operations on one kind of resource at three unrelated paths, with different envelopes. */
const document = {
  openapi: "3.1.0",
  info: { title: "Depot", version: "1" },
  servers: [{ url: "https://depot.example" }],
  paths: {
    "/catalog/things": {
      get: {
        operationId: "browse",
        parameters: [query("kind"), query("page", false, "integer")],
        responses: json({
          type: "object",
          properties: { things: { type: "array", items: item }, total: { type: "integer" } },
        }),
      },
    },
    "/lookup": {
      get: {
        operationId: "searchAll",
        parameters: [query("q", true)],
        responses: json({
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "string" }, score: { type: "number" } },
          },
        }),
      },
    },
    "/thing/{thingId}": {
      get: {
        operationId: "getThing",
        parameters: [{ name: "thingId", in: "path", required: true, schema: { type: "string" } }],
        responses: json({ type: "object", properties: { thing: item, etag: { type: "string" } } }),
      },
    },
    "/labels": {
      post: {
        operationId: "createLabel",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  name: { type: "string" },
                  tags: { type: "array", items: { type: "string" } },
                },
                minProperties: 1,
              },
            },
          },
        },
        responses: { "204": { description: "done" } },
      },
    },
  },
};
const CURATION = `version: 1
tools:
  find_things: {merge: [browse, searchAll, getThing], pagination: {maxItems: 3}}
`;

const pages = [
  [
    { id: "t1", name: "Saw" },
    { id: "t2", name: "Axe" },
  ],
  [
    { id: "t3", name: "Nut" },
    { id: "t4", name: "Nail" },
  ],
];

describe("a configured merge of operations at unrelated paths", () => {
  let upstream: Upstream;
  let server: TestServer;

  beforeAll(async () => {
    upstream = await startUpstream((response, request, count) => {
      const url = new URL(request.url, "http://depot");
      const answer =
        url.pathname === "/catalog/things"
          ? { things: pages[Number(url.searchParams.get("page") ?? 1) - 1] ?? [], total: 4 }
          : url.pathname === "/lookup"
            ? [{ id: "t2", score: 0.5 }]
            : { thing: pages[0]?.[0], etag: "e" };
      reply(200, answer)(response, request, count);
    });
    const { content, locationOf } = parseConfiguration(CURATION, "mcp-gen.yaml");
    if (!content) throw new Error("no configuration");
    server = await startServer(document, {
      configuration: { content, locationOf, settings: settingsOf(content, "mcp-gen.yaml") },
    });
    server.useBaseUrl(upstream.url);
  });
  afterAll(() => upstream.close());

  const call = async (name: string, input: Record<string, unknown>) => {
    const before = upstream.requests.length;
    const { structuredContent, content, isError } = await server.call(
      server.tools.find((tool) => tool.name === name) ?? expect.fail(`no ${name}`),
      input,
    );
    return {
      requests: upstream.requests.slice(before).map(({ method, url }) => `${method} ${url}`),
      result: structuredContent,
      text: content.map((block) => (block.type === "text" ? block.text : "")).join("\n"),
      isError: isError === true,
    };
  };

  test("are the expected tools", () =>
    expect(server.tools.map(({ name }) => name)).toEqual(["find_things", "create_label"]));

  test.each<readonly [string, Record<string, unknown>, readonly string[], unknown]>([
    [
      "by ID",
      { thingId: "t1" },
      ["GET /thing/t1"],
      { items: [{ id: "t1", name: "Saw" }], etag: "e" },
    ],
    ["by words", { q: "ax" }, ["GET /lookup?q=ax"], { items: [{ id: "t2", score: 0.5 }] }],
    [
      "all, from two pages",
      {},
      ["GET /catalog/things", "GET /catalog/things?page=2"],
      {
        items: [...pages[0]!, pages[1]![0]],
        total: 4,
        next: { page: 2 },
        notes: [
          "The last item is repeated on the next page (`next`).",
          "There are more results: call find_things again with page 2, and otherwise the same input.",
        ],
      },
    ],
    [
      "from the second page",
      { page: 2 },
      ["GET /catalog/things?page=2", "GET /catalog/things?page=3"],
      { items: pages[1], total: 4 },
    ],
  ])("%s", async (_, input, requests, result) => {
    const made = await call("find_things", input);
    expect({ requests: made.requests, result: made.result }).toEqual({ requests, result });
  });

  test("incompatible inputs are rejected without a request", async () => {
    const { requests, text } = await call("find_things", { thingId: "t1", q: "ax" });
    expect(requests).toEqual([]);
    expect(text).toContain("q: cannot be combined with thingId; omit one of them");
  });

  test("a body without its required property is rejected", async () => {
    const { requests, text, isError } = await call("create_label", {});
    expect({ requests, isError }).toEqual({ requests: [], isError: true });
    expect(text).toBe("Not sent: pass at least 1 of name, tags.");
  });
});
