import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextLinkInHeader } from "../../../src/runtime/pagination/next-page.js";
import type { PaginationMapping, ResponseMapping } from "../../../src/runtime/types.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type ReceivedRequest, type Upstream } from "../support/upstream.js";

/** Seven pets in pages of two, in every way that APIs have. */
const PETS = Array.from({ length: 7 }, (_, i) => ({ id: `p${i + 1}`, name: `Pet ${i + 1}` }));
const SIZE = 2;

interface Api {
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

function answer({ url }: ReceivedRequest, origin: string): Api | number {
  const { pathname, searchParams: query } = new URL(url, origin);
  const style = pathname.slice(1);
  const from =
    style === "page" || style === "header" || style === "link" || style === "elsewhere"
      ? (Number(query.get("page") ?? 1) - 1) * SIZE
      : style === "after"
        ? PETS.findIndex(({ id }) => id === query.get("starting_after")) + 1
        : Number(query.get("offset") ?? query.get("cursor") ?? 0);
  const items = PETS.slice(from, from + SIZE);
  const to = from + SIZE < PETS.length ? from + SIZE : undefined;
  const page = from / SIZE + 2;
  switch (style) {
    case "cursor":
      return {
        body: {
          data: items,
          meta: { next_cursor: to === undefined ? null : String(to) },
          total: PETS.length,
        },
      };
    case "link":
      return {
        body: {
          data: items,
          links: { next: to === undefined ? null : { href: `/link?page=${page}&internal=x` } },
        },
      };
    case "elsewhere":
      return {
        body: {
          data: items,
          links: { next: to === undefined ? null : `https://elsewhere.example/link?page=${page}` },
        },
      };
    case "endless":
      return { body: { data: items, meta: { next_cursor: String(from + SIZE) } } };
    case "hidden":
      return {
        body: { data: items, links: { next: `https://elsewhere.example/link?token=secret` } },
      };
    case "header":
      return {
        body: items,
        headers:
          to === undefined
            ? {}
            : {
                link: `<${origin}/header?page=1>; rel="first", <${origin}/header?page=${page}>; rel="next"`,
              },
      };
    case "after":
      return { body: { data: items, has_more: to !== undefined } };
    case "same":
      return { body: { data: PETS.slice(0, 2) } };
    case "circle":
      return { body: { data: items, meta: { next_cursor: "0" } } };
    case "broken":
      return from >= 4 ? 403 : { body: { data: items, meta: { next_cursor: String(to) } } };
    default:
      return { body: { data: items, total: PETS.length } };
  }
}

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request) => {
    const said = answer(request, upstream.url);
    if (typeof said === "number") reply(said)(response, request, 0);
    else reply(200, said.body, said.headers)(response, request, 0);
  });
});
afterAll(() => upstream.close());

interface Sketch {
  readonly style: string;
  readonly pages: PaginationMapping;
  readonly read?: ResponseMapping;
  readonly input?: Record<string, unknown>;
  readonly env?: Record<string, string>;
}

async function pagesOf(
  { style, pages, read = { items: "/data" }, input = {}, env = {} }: Sketch,
  progress?: (message: string) => void,
) {
  const number = { type: "integer" };
  const text = { type: "string" };
  const tool = {
    ...toolOf({
      name: "list_pets",
      properties: {
        page: number,
        offset: number,
        limit: number,
        cursor: text,
        starting_after: text,
      },
      outputSchema: {
        type: "object",
        properties: {
          items: { type: "array" },
          next: { type: "object" },
          total: { type: "integer" },
        },
        required: ["items"],
      },
    }),
    operations: [
      {
        whenProvided: [],
        request: {
          method: "GET",
          path: `/${style}`,
          query: {
            page: "page",
            offset: "offset",
            limit: "limit",
            cursor: "cursor",
            starting_after: "starting_after",
          },
        },
        response: read,
        pagination: pages,
      },
    ],
  };
  const before = upstream.requests.length;
  const result = await call(tool, input, {
    env: { CLINIC_BASE_URL: upstream.url, ...env },
    ...(progress && { context: { progress } }),
  });
  const {
    items = [],
    next,
    ...rest
  } = (result.structuredContent ?? {}) as { items?: { id: string }[]; next?: unknown };
  return {
    ids: items.map(({ id }) => id).join(" "),
    next,
    rest,
    requests: upstream.requests.slice(before).map(({ url }) => url),
    text: textOf(result),
    isError: result.isError,
  };
}

const all = PETS.map(({ id }) => id).join(" ");
const cursor: PaginationMapping = { cursor: { input: "cursor", pointer: "/meta/next_cursor" } };

describe("following pages", () => {
  test.each<Sketch & { readonly name: string }>([
    {
      name: "by number",
      style: "page",
      pages: { page: { input: "page", first: 1 }, pageSize: { default: 2 } },
    },
    {
      name: "by offset",
      style: "offset",
      pages: { offset: { input: "offset", first: 0 }, total: "/total" },
    },
    {
      name: "by page, if the first number is a guess",
      style: "page",
      pages: { page: { input: "page", first: 0, firstIsGuess: true }, pageSize: { default: 2 } },
    },
    { name: "by cursor", style: "cursor", pages: cursor },
    { name: "by a link in the body", style: "link", pages: { link: "/links/next" } },
    {
      name: "by a link to elsewhere, as far as inputs can say it",
      style: "elsewhere",
      pages: { link: "/links/next" },
    },
    {
      name: "by the Link header",
      style: "header",
      pages: { linkHeader: true },
      read: { wrap: "items" },
    },
    {
      name: "by the last item's ID",
      style: "after",
      pages: { after: { input: "starting_after", pointer: "/id" }, hasMore: "/has_more" },
    },
  ])("$name, to the end", async ({ name: _, ...sketch }) => {
    const { ids, next } = await pagesOf({ ...sketch, pages: { ...sketch.pages, maxItems: 50 } });
    expect(ids).toBe(all);
    expect(next).toBeUndefined();
  });

  test.each<
    Sketch & {
      readonly name: string;
      readonly want: { readonly ids: string; readonly next: unknown };
    }
  >([
    {
      name: "by number",
      style: "page",
      pages: { page: { input: "page", first: 1 } },
      want: { ids: "p1 p2 p3 p4 p5", next: { page: 3 } },
    },
    {
      name: "by offset",
      style: "offset",
      pages: { offset: { input: "offset", first: 0 } },
      want: { ids: "p1 p2 p3 p4 p5", next: { offset: 5 } },
    },
    {
      name: "from an offset",
      style: "offset",
      pages: { offset: { input: "offset", first: 0 } },
      input: { offset: 1 },
      want: { ids: "p2 p3 p4 p5 p6", next: { offset: 6 } },
    },
    {
      name: "by cursor",
      style: "cursor",
      pages: cursor,
      read: { items: "/data", next: { cursor: "/meta/next_cursor" } },
      want: { ids: "p1 p2 p3 p4 p5", next: { cursor: "4" } },
    },
    {
      name: "by a link in the body, which stays",
      style: "link",
      pages: { link: "/links/next" },
      read: { items: "/data", next: { url: "/links/next/href" } },
      want: { ids: "p1 p2 p3 p4 p5", next: { url: "/link?page=3&internal=x" } },
    },
    {
      name: "by the Link header",
      style: "header",
      pages: { linkHeader: true },
      read: { wrap: "items" },
      want: { ids: "p1 p2 p3 p4 p5", next: { page: 3 } },
    },
  ])(
    "up to maxItems, and next leads to what is left: $name",
    async ({ name: _, want, ...sketch }) => {
      const { ids, next } = await pagesOf({ ...sketch, pages: { ...sketch.pages, maxItems: 5 } });
      expect({ ids, next }).toEqual(want);
    },
  );

  test("stops when enough items are read, and keeps the fields beside the list", async () => {
    const { ids, requests, rest, next } = await pagesOf({
      style: "cursor",
      pages: { ...cursor, maxItems: 4 },
      read: {
        items: "/data",
        next: { cursor: "/meta/next_cursor" },
        extraFields: { total: "/total" },
      },
    });
    expect({ ids, rest, next }).toEqual({
      ids: "p1 p2 p3 p4",
      rest: {
        total: 7,
        notes: [
          'There are more results: call list_pets again with cursor "4", and otherwise the same input.',
        ],
      },
      next: { cursor: "4" },
    });
    expect(requests).toEqual(["/cursor", "/cursor?cursor=2"]);
  });

  test("sends progress to a client that asks for it", async () => {
    const told: string[] = [];
    await pagesOf({ style: "cursor", pages: { ...cursor, maxItems: 50 } }, (message) =>
      told.push(message),
    );
    expect(told).toEqual([
      "2 items from 1 page so far.",
      "4 items from 2 pages so far.",
      "6 items from 3 pages so far.",
    ]);
  });

  test("stops at a page that was read before", async () => {
    const { requests, next } = await pagesOf({
      style: "circle",
      pages: { ...cursor, maxItems: 50 },
      read: { items: "/data", next: { cursor: "/meta/next_cursor" } },
    });
    expect(requests).toHaveLength(2);
    expect(next).toBeUndefined();
  });

  test("notices a next page with the same items", async () => {
    const { ids, next, text } = await pagesOf({
      style: "same",
      pages: { page: { input: "page", first: 1 }, maxItems: 50 },
    });
    expect(ids).toBe("p1 p2");
    expect(next).toBeUndefined();
    expect(text).toContain("The API returned the same items again for the next page.");
  });

  test("stops after empty pages", async () => {
    const { ids, requests, next } = await pagesOf({
      style: "endless",
      pages: { ...cursor, maxItems: 50 },
      read: { items: "/data", next: { cursor: "/meta/next_cursor" } },
    });
    expect({ ids, requests: requests.length, next }).toEqual({
      ids: all,
      requests: 7,
      next: { cursor: "14" },
    });
  });

  test("does not follow links to another origin", async () => {
    const { ids, requests } = await pagesOf({
      style: "hidden",
      pages: { link: "/links/next", maxItems: 50 },
    });
    expect({ ids, requests: requests.length }).toEqual({ ids: "p1 p2", requests: 1 });
  });

  test("returns the pages before a failure, and the inputs of the next page", async () => {
    const { ids, next, text, isError } = await pagesOf({
      style: "broken",
      pages: { ...cursor, maxItems: 50 },
      read: { items: "/data", next: { cursor: "/meta/next_cursor" } },
    });
    expect({ ids, next, isError: isError ?? false }).toEqual({
      ids: "p1 p2 p3 p4",
      next: { cursor: "4" },
      isError: false,
    });
    expect(text).toMatch(
      /Note: Only the first 4 items are here: the API responded to the next page with status 403\./,
    );
  });

  test("stops when the result is full", async () => {
    const { ids, next, text } = await pagesOf({
      style: "offset",
      pages: { offset: { input: "offset", first: 0 }, maxItems: 50 },
      env: { CLINIC_MAX_RESULT_TOKENS: "100", CLINIC_MAX_RESPONSE_BYTES: "200" },
    });
    expect({ ids, next }).toEqual({ ids: "p1 p2 p3 p4", next: { offset: 4 } });
    expect(text).not.toContain("too large");
  });
});

describe("one page", () => {
  test.each<Sketch & { readonly name: string; readonly next: unknown }>([
    {
      name: "with a Link header that the document declares",
      style: "header",
      pages: { linkHeader: true },
      read: { wrap: "items" },
      next: { page: 2 },
    },
    {
      name: "with a link in its body",
      style: "link",
      pages: { link: "/links/next" },
      next: undefined,
    },
    {
      name: "with a link elsewhere",
      style: "elsewhere",
      pages: { link: "/links/next" },
      read: { items: "/data", next: { next: "/links/next" } },
      next: { next: "https://elsewhere.example/link?page=2", page: 2 },
    },
    {
      name: "the last one",
      style: "header",
      pages: { linkHeader: true },
      read: { wrap: "items" },
      input: { page: 4 },
      next: undefined,
    },
  ])("$name says what to pass for the next one", async ({ name: _, next, ...sketch }) => {
    const made = await pagesOf(sketch);
    expect(made.requests).toHaveLength(1);
    expect(made.next).toEqual(next);
  });

  test("mentions an undeclared Link header in a note", async () => {
    const tool = toolOf({
      name: "list_pets",
      properties: { page: { type: "integer" } },
      send: { path: "/header", query: { page: "page" } },
      outputSchema: {
        type: "object",
        properties: { items: { type: "array" } },
        required: ["items"],
      },
      read: { wrap: "items" },
    });
    expect(textOf(await call(tool, {}, { env: { CLINIC_BASE_URL: upstream.url } }))).toContain(
      "Note: There are more results: call list_pets again with page 2, and otherwise the same input.",
    );
    expect(
      textOf(await call(tool, { page: 4 }, { env: { CLINIC_BASE_URL: upstream.url } })),
    ).not.toContain("Note");
  });
});

describe("a result that is the unchanged response has a note with the inputs of the next page", () => {
  interface Case extends Sketch {
    readonly name: string;
    readonly says: string | undefined;
    readonly verb?: "may be";
  }
  test.each<Case>([
    {
      name: "a cursor",
      style: "cursor",
      pages: { list: "/data", cursor: { input: "cursor", pointer: "/meta/next_cursor" } },
      says: 'cursor "2"',
    },
    {
      name: "the last page by cursor",
      style: "cursor",
      pages: { list: "/data", cursor: { input: "cursor", pointer: "/meta/next_cursor" } },
      input: { cursor: "6" },
      says: undefined,
    },
    {
      name: "a total, counted",
      style: "offset",
      pages: { list: "/data", offset: { input: "offset", first: 0 }, total: "/total" },
      says: "offset 2",
    },
    {
      name: "a total beside a page of all",
      style: "offset",
      pages: {
        list: "/data",
        offset: { input: "offset", first: 0 },
        pageSize: { input: "limit" },
        total: "/total",
      },
      input: { limit: -1 },
      says: "offset 2",
      verb: "may be",
    },
    {
      name: "the end of a total",
      style: "offset",
      pages: { list: "/data", offset: { input: "offset", first: 0 }, total: "/total" },
      input: { offset: 5 },
      says: undefined,
    },
    {
      name: "a total, by page",
      style: "page",
      pages: {
        list: "/data",
        page: { input: "page", first: 1 },
        pageSize: { default: 2 },
        total: "/total",
      },
      input: { page: 3 },
      says: "page 4",
    },
    {
      name: "the last page of a total",
      style: "page",
      pages: {
        list: "/data",
        page: { input: "page", first: 1 },
        pageSize: { default: 2 },
        total: "/total",
      },
      input: { page: 4 },
      says: undefined,
    },
    {
      name: "that there is more",
      style: "after",
      pages: {
        list: "/data",
        after: { input: "starting_after", pointer: "/id" },
        hasMore: "/has_more",
      },
      says: 'starting_after "p2"',
    },
    {
      name: "nothing, by a total that is absent",
      style: "page",
      pages: { list: "/data", page: { input: "page", first: 1 }, total: "/absent" },
      says: undefined,
    },
    {
      name: "nothing, by a total that is smaller than the page",
      style: "page",
      pages: { list: "/data", page: { input: "page", first: 1 }, total: "/data/0/id" },
      says: undefined,
    },
    {
      name: "a full page of a known size",
      style: "page",
      pages: {
        list: "/data",
        page: { input: "page", first: 1 },
        pageSize: { default: 2 },
        total: "/absent",
      },
      says: "page 2",
      verb: "may be",
    },
    {
      name: "nothing, by a total of all that is reached",
      style: "offset",
      pages: {
        list: "/data",
        offset: { input: "offset", first: 0 },
        pageSize: { default: 2 },
        total: "/absent",
        unfilteredTotal: "/total",
      },
      input: { offset: 5 },
      says: undefined,
    },
    {
      name: "nothing to count after a page that a cursor selected",
      style: "offset",
      pages: { list: "/data", offset: { input: "offset", first: 0 }, total: "/total" },
      input: { cursor: "4" },
      says: undefined,
    },
    {
      name: "a page number as text",
      style: "page",
      pages: {
        list: "/data",
        page: { input: "cursor", first: 1 },
        pageSize: { default: 2 },
      },
      input: { cursor: "3" },
      says: 'cursor "4"',
      verb: "may be",
    },
    ...[0, -1].map((limit): Case => ({
      name: `nothing by a page size of ${limit}`,
      style: "page",
      pages: { list: "/data", page: { input: "page", first: 1 }, pageSize: { input: "limit" } },
      input: { limit },
      says: undefined,
    })),
    {
      name: "nothing after a page that is shorter than requested",
      style: "page",
      pages: { list: "/data", page: { input: "page", first: 1 }, pageSize: { input: "limit" } },
      input: { limit: 3 },
      says: undefined,
    },
    {
      name: "that there is no more",
      style: "after",
      pages: {
        list: "/data",
        after: { input: "starting_after", pointer: "/id" },
        hasMore: "/has_more",
      },
      input: { starting_after: "p6" },
      says: undefined,
    },
  ])("$name", async ({ name: _, says, verb = "are", ...sketch }) => {
    const { text, requests } = await pagesOf({ ...sketch, read: { items: "/data" } });
    expect(requests).toHaveLength(1);
    if (says === undefined) expect(text).not.toContain("more results");
    else
      expect(text).toContain(
        `Note: There ${verb} more results: call list_pets again with ${says}, and otherwise the same input.`,
      );
  });
});

test("a page that the API names as its own next page is not requested again", async () => {
  const { text } = await pagesOf({
    style: "circle",
    pages: { list: "/data", cursor: { input: "cursor", pointer: "/meta/next_cursor" } },
    input: { cursor: "0" },
    read: { items: "/data" },
  });
  expect(text).toContain(
    'Note: The API names this page (cursor "0") as the next one: do not call list_pets for it again.',
  );
});

describe("a Link header", () => {
  test.each([
    ['<https://a.example/?page=2>; rel="next"', "https://a.example/?page=2"],
    ["</b?x=1,2;3>; rel=next", "/b?x=1,2;3"],
    ['<a>; rel="prev", <b>; title="x, y"; rel="next last"', "b"],
    ['<a>; REL="NEXT"', "a"],
    ['<a>; rel="prev"', undefined],
    ['<a>; title="rel=next"', undefined],
    ["nonsense", undefined],
    ["", undefined],
    [null, undefined],
  ])("%s", (header, want) => expect(nextLinkInHeader(header)).toBe(want));

  test("that is long and invalid is parsed in linear time", () =>
    expect(nextLinkInHeader(`<a>${'; x="y'.repeat(20_000)}`)).toBeUndefined());
});
