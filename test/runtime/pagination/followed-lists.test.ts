import { afterEach, describe, expect, test } from "vitest";
import type { PaginationMapping, ResponseMapping } from "../../../src/runtime/types.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { type ReceivedRequest, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

interface Api {
  /** Number of pets. */
  readonly count: number;
  readonly size?: number;
  /** Characters of each name. */
  readonly name?: number;
  readonly headers?: Record<string, string>;
  /** Response to the page of this number, from 1. */
  readonly fails?: readonly [page: number, status: number];
  /** Milliseconds until the page of this number is sent. */
  readonly late?: readonly [page: number, ms: number];
  readonly body?: (items: readonly object[], page: number, pages: number) => unknown;
  /** Headers of one page. */
  readonly link?: boolean;
}

function pageOf({ url, body }: ReceivedRequest, { size = 10 }: Api) {
  const query = new URL(url, "http://api").searchParams;
  const inBody = body === "" ? {} : (JSON.parse(body) as { cursor?: string });
  const offset = query.get("offset");
  if (offset !== null) return Math.floor(Number(offset) / size) + 1;
  return Number(query.get("page") ?? query.get("cursor") ?? inBody.cursor ?? 1);
}

async function start(api: Api): Promise<void> {
  const { count, size = 10, name = 3, headers = {}, fails, late, link } = api;
  upstream = await startUpstream((response, request) => {
    const page = pageOf(request, api);
    if (fails?.[0] === page) return reply(fails[1], { message: "no" })(response, request, 0);
    const from = (page - 1) * size;
    const items = Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, i) => ({
      id: from + i + 1,
      name: "x".repeat(name),
    }));
    const pages = Math.ceil(count / size);
    const body = api.body ? api.body(items, page, pages) : items;
    const next = `<${upstream.url}/pets?page=${page + 1}>; rel="next"`;
    const all = { ...headers, ...(link && page < pages && { link: next }) };
    const send = (): void => reply(200, body, all)(response, request, 0);
    if (late?.[0] === page) setTimeout(send, late[1]);
    else send();
  });
}

interface Sketch {
  readonly api: Api;
  readonly pages?: PaginationMapping;
  readonly read?: ResponseMapping;
  readonly input?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly method?: string;
}

const integer = { type: "integer" } as const;
const byPage: PaginationMapping = { list: "", page: { input: "page", first: 1 }, isFollowed: true };

async function list({
  api,
  pages = byPage,
  read = { wrap: "items" },
  input = {},
  env,
  method,
}: Sketch) {
  await start(api);
  const isPost = method === "POST";
  const cursor = isPost
    ? { body: { contentType: "application/json", fields: { cursor: "cursor" } } }
    : {};
  const query = { page: "page", per_page: "per_page", offset: "offset", name: "name" };
  const tool = {
    ...toolOf({
      name: "list_pets",
      properties: {
        page: integer,
        per_page: integer,
        offset: integer,
        cursor: { type: "string" },
        name: { type: "string" },
      },
      outputSchema: { type: "object" },
    }),
    operations: [
      {
        whenProvided: [],
        request: {
          method: method ?? "GET",
          path: "/pets",
          query: isPost ? query : { ...query, cursor: "cursor" },
          ...cursor,
        },
        response: read,
        pagination: pages,
      },
    ],
  };
  const result = await call(tool, input, { env: { CLINIC_BASE_URL: upstream.url, ...env } });
  const structured = result.structuredContent as Record<string, unknown> & { items?: unknown[] };
  const text = textOf(result);
  return {
    isError: result.isError ?? false,
    structured,
    items: structured?.["items"]?.length,
    notes: structured?.["notes"] as readonly string[] | undefined,
    text,
    requests: upstream.requests.map(({ url, body }) => url.replace(/^\/pets\??/, "") + body),
  };
}

const byCursor: PaginationMapping = {
  cursor: { input: "cursor", pointer: "/next" },
  isFollowed: true,
};
const envelope: ResponseMapping = { items: "/data", next: { cursor: "/next" } };
const withCursor = (items: readonly object[], page: number, pages: number): unknown => ({
  data: items,
  next: page < pages ? String(page + 1) : null,
});
const withCursorInLink = (items: readonly object[], page: number, pages: number): unknown => ({
  data: items,
  next: page < pages ? `/pets?cursor=${page + 1}` : null,
});
const withTotal =
  (total: number) =>
  (items: readonly object[], page: number): unknown => ({ data: items, total, page });

describe("a small list is followed", () => {
  test.each<readonly [name: string, sketch: Sketch, requests: readonly string[]]>([
    ["by page", { api: { count: 25 } }, ["", "page=2", "page=3"]],
    [
      "by offset",
      {
        api: { count: 25 },
        pages: { list: "", offset: { input: "offset", first: 0 }, isFollowed: true },
      },
      ["", "offset=10", "offset=20"],
    ],
    [
      "by cursor",
      { api: { count: 25, body: withCursor }, pages: byCursor, read: envelope },
      ["", "cursor=2", "cursor=3"],
    ],
    [
      "by a cursor that is in the URL of the next page",
      { api: { count: 25, body: withCursorInLink }, pages: byCursor, read: envelope },
      ["", "cursor=2", "cursor=3"],
    ],
    [
      "by the Link header",
      { api: { count: 25, link: true }, pages: { linkHeader: true, isFollowed: true } },
      ["", "page=2", "page=3"],
    ],
    [
      "by a cursor in a body that reads",
      { api: { count: 25, body: withCursor }, pages: byCursor, read: envelope, method: "POST" },
      ["", '{"cursor":"2"}', '{"cursor":"3"}'],
    ],
    [
      "with the filter of the call",
      { api: { count: 12 }, input: { name: "Rex" } },
      ["name=Rex", "page=2&name=Rex"],
    ],
  ])("%s", async (_, sketch, requests) => {
    const { items, notes, text, ...rest } = await list(sketch);
    expect(rest.requests).toEqual(requests);
    const note = `These are all ${sketch.api.count} results, from ${requests.length} pages.`;
    expect({ items, notes }).toEqual({ items: sketch.api.count, notes: [note] });
    expect(text).toContain(`Note: ${note}`);
  });

  test("by a position, which the API counts on behind the end", async () => {
    const { items, notes, requests } = await list({
      api: { count: 3, body: (data, page) => ({ data, next: page + 1 }) },
      pages: byCursor,
      read: envelope,
    });
    expect({ items, requests }).toEqual({ items: 3, requests: ["", "cursor=2"] });
    expect(notes).toEqual(["These are all 3 results, from 2 pages."]);
  });

  test("behind the end by a position, without a next page", async () => {
    const { structured, notes } = await list({
      api: { count: 3, body: (data, page) => ({ data, next: page + 1 }) },
      pages: byCursor,
      read: envelope,
      input: { cursor: "2" },
    });
    expect(structured).toEqual({ items: [] });
    expect(notes).toBeUndefined();
  });

  test("with the cursor of the next page out of its URL, for a page that the call selects", async () => {
    const { structured, requests } = await list({
      api: { count: 50, body: withCursorInLink },
      pages: byCursor,
      read: envelope,
      input: { cursor: "2" },
    });
    expect(structured["next"]).toEqual({ cursor: "3" });
    expect(requests).toEqual(["cursor=2"]);
  });

  test("by a cursor that never ends, without a claim about the rest", async () => {
    const { items, notes } = await list({
      api: { count: 3, body: (data, page) => ({ data, next: `${page + 1}` }) },
      pages: byCursor,
      read: envelope,
    });
    expect(items).toBe(3);
    expect(notes).toEqual([
      "These are the first 3 results, from 4 pages.",
      'There may be more results: call list_pets again with cursor "5", and otherwise the same input.',
    ]);
  });

  test("in an unchanged response, whose other fields are those of the last page", async () => {
    const { structured, text } = await list({
      api: { count: 25, body: withTotal(25) },
      pages: { ...byPage, list: "/data", total: "/total" },
      read: {},
    });
    expect(structured["data"]).toHaveLength(25);
    expect(structured).toMatchObject({ total: 25, page: 3 });
    expect(text).toContain(
      "These are all 25 results, from 3 pages. The fields beside the list are those of the last page.",
    );
  });

  test("up to its bound, with the total and the inputs of the next page", async () => {
    const { items, structured, notes, requests, text } = await list({
      api: { count: 1234, size: 30, body: withTotal(1234) },
      pages: { ...byPage, list: "/data", total: "/total" },
      read: { items: "/data", extraFields: { total: "/total" } },
    });
    expect({ items, requests: requests.length }).toEqual({ items: 120, requests: 4 });
    expect(structured).toMatchObject({ total: 1234, next: { page: 5 } });
    expect(notes?.join(" ")).toContain("These are the first 120 of 1234 results, from 4 pages.");
    expect(text).toContain("There are more results: call list_pets again with page 5");
  });

  test("with the total of a header", async () => {
    const headers = { "x-total-count": "1234" };
    const { notes } = await list({ api: { count: 1234, size: 50, headers } });
    expect(notes?.[0]).toBe("These are the first 100 of 1234 results, from 2 pages.");
  });

  test("in five requests at most", async () => {
    const { items, requests, notes } = await list({ api: { count: 400 } });
    expect({ items, requests: requests.length }).toEqual({ items: 50, requests: 5 });
    expect(notes).toEqual([
      "These are the first 50 results, from 5 pages.",
      "There may be more results: call list_pets again with page 6, and otherwise the same input.",
    ]);
  });

  test("as far as a quarter of the size of a result", async () => {
    const env = { CLINIC_MAX_RESULT_TOKENS: "2000" };
    const { items, notes } = await list({ api: { count: 90, name: 40 }, env });
    expect(items).toBe(30);
    expect(notes?.[0]).toBe("These are the first 30 results, from 3 pages.");
    expect(notes).not.toContain("too large");
  });
});

describe("a failure of a further page is not one of the call", () => {
  test.each<readonly [name: string, api: Partial<Api>, note: RegExp]>([
    ["a rate limit", { fails: [2, 429] }, /responded to the next page with status 429/],
    ["an error of the server", { fails: [2, 503] }, /responded to the next page with status 503/],
    ["a refusal", { fails: [2, 403] }, /responded to the next page with status 403/],
    ["no list", { body: (items, page) => (page === 1 ? items : {}) }, /the next page has no list/],
  ])("%s", async (_, api, note) => {
    const { isError, items, structured, text, requests } = await list({
      api: { count: 50, ...api },
    });
    expect({ isError, items, requests }).toEqual({
      isError: false,
      items: 10,
      requests: ["", "page=2"],
    });
    expect(structured["next"]).toEqual({ page: 2 });
    expect(text).toMatch(note);
    expect(text).not.toContain("These are all");
  });

  test("the deadline", async () => {
    const api: Api = { count: 50, late: [2, 3000] };
    const { isError, items, text } = await list({ api, env: { CLINIC_TIMEOUT_MS: "1000" } });
    expect({ isError, items }).toEqual({ isError: false, items: 10 });
    expect(text).toContain("the deadline expired");
  });
});

describe("one request is sent", () => {
  const exhausted = (name: string, value = "0") => ({ count: 50, headers: { [name]: value } });
  test.each<readonly [name: string, sketch: Sketch]>([
    ["for a page", { api: { count: 50 }, input: { page: 2 } }],
    ["for a number of items", { api: { count: 50 }, input: { per_page: 10 } }],
    ["for an offset", { api: { count: 50 }, input: { offset: 0 } }],
    ["for a cursor", { api: { count: 50 }, input: { cursor: "2" } }],
    [
      "with the switch of the server",
      { api: { count: 50 }, env: { CLINIC_FOLLOW_PAGES: "false" } },
    ],
    [
      "if the tool is not followed",
      { api: { count: 50 }, pages: { ...byPage, isFollowed: undefined! } },
    ],
    ["for a list of more than 100 items", { api: { count: 500, size: 100 } }],
    ["for a list that is large already", { api: { count: 50, name: 900 } }],
    ["if the limit is reached", { api: exhausted("x-ratelimit-remaining") }],
    ["if the limit of the standard is reached", { api: exhausted("ratelimit", '"a";r=0;t=9') }],
    ["if a page is short of a usual size", { api: { count: 7 } }],
    ["for an empty list", { api: { count: 0 } }],
  ])("%s", async (_, sketch) => {
    const { requests, isError, text } = await list(sketch);
    expect({ requests: requests.length, isError }).toEqual({ requests: 1, isError: false });
    expect(text).not.toMatch(/from \d+ pages/);
  });

  test("for the beginning of a sequence", async () => {
    upstream = await startUpstream((response) =>
      response
        .writeHead(200, { "content-type": "application/x-ndjson" })
        .end('{"id":1}\n{"id":2}\n'.repeat(5)),
    );
    const tool = toolOf({
      name: "list_pets",
      properties: { page: integer },
      outputSchema: { type: "object" },
    });
    const [operation] = tool.operations;
    const operations = [
      { ...operation!, response: { wrap: "items" as const }, pagination: byPage },
    ];
    await call({ ...tool, operations }, {}, { env: { CLINIC_BASE_URL: upstream.url } });
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("a single page says whether it is all", () => {
  const sized: PaginationMapping = { ...byPage, pageSize: { input: "per_page", default: 10 } };
  test.each<readonly [name: string, sketch: Sketch, note: string | undefined]>([
    ["fewer items than a page", { api: { count: 7 }, pages: sized }, "These are all 7 results."],
    ["one item", { api: { count: 1 }, pages: sized }, "This is the only result."],
    [
      "an empty cursor",
      { api: { count: 10, body: withCursor }, pages: byCursor, read: envelope },
      "These are all 10 results.",
    ],
    [
      "a list that is too large for the result",
      {
        api: { count: 60, size: 60, name: 3_000, body: withCursor },
        pages: byCursor,
        read: envelope,
      },
      "The API has 60 results in all.",
    ],
    [
      "a total beside the list",
      {
        api: { count: 7, body: withTotal(7) },
        pages: { ...sized, list: "/data", total: "/total" },
        read: envelope,
      },
      undefined,
    ],
    ["no item", { api: { count: 0 }, pages: sized }, undefined],
    ["another page", { api: { count: 17 }, pages: sized, input: { page: 2 } }, undefined],
    ["an unknown size", { api: { count: 7 } }, undefined],
    [
      "a total in a header",
      { api: { count: 500, size: 100, headers: { "x-total-count": "500" } }, input: { page: 2 } },
      "The total is 500, by the header x-total-count.",
    ],
  ])("%s", async (_, sketch, note) => {
    const { notes = [], requests } = await list(sketch);
    expect(requests).toHaveLength(1);
    expect(
      notes.filter((one) => !/^(?:There|The (?:full result|result was too large))/.test(one)),
    ).toEqual(note === undefined ? [] : [note]);
  });
});
