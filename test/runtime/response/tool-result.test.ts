import { describe, expect, test } from "vitest";
import { project } from "../../../src/runtime/response/project.js";
import { mapStrings, sanitize } from "../../../src/runtime/response/shape.js";
import { truncate } from "../../../src/runtime/response/truncate.js";
import { decodeResponse } from "../../../src/runtime/response/decode.js";
import { createToolResult } from "../../../src/runtime/response/tool-result.js";
import { valueCountsNote } from "../../../src/runtime/response/value-counts.js";
import { textOf } from "../support/clinic.js";
import type { JsonSchema, ResponseMapping } from "../../../src/runtime/types.js";

describe("projection of a response", () => {
  test.each<readonly [string, unknown, ResponseMapping, unknown]>([
    ["all of it", { a: 1 }, {}, { a: 1 }],
    ["a list, wrapped", [1], { wrap: "items" }, { items: [1] }],
    ["no list, wrapped", null, { wrap: "items" }, { items: [] }],
    ["a scalar, wrapped", 5, { wrap: "value" }, { value: 5 }],
    ["a list inside", { data: [1] }, { items: "/data" }, { items: [1] }],
    ["a list that is not there", {}, { items: "/data" }, { items: [] }],
    ["one object", { id: 1 }, { item: "" }, { items: [{ id: 1 }] }],
    ["one object inside", { pet: { id: 1 } }, { item: "/pet" }, { items: [{ id: 1 }] }],
    [
      "the next page",
      { data: [1], meta: { next: "c2" } },
      { items: "/data", next: { cursor: "/meta/next" } },
      { items: [1], next: { cursor: "c2" } },
    ],
    [
      "the next page of a plain answer",
      { pets: [], page: 2 },
      { next: { page: "/page" } },
      { pets: [], page: 2, next: { page: 2 } },
    ],
    [
      "no next page",
      { data: [1], meta: { next: null } },
      { items: "/data", next: { cursor: "/meta/next" } },
      { items: [1] },
    ],
    [
      "an empty next page",
      { data: [1], next: "" },
      { items: "/data", next: { cursor: "/next" } },
      { items: [1] },
    ],
    ["names with / and ~", { "a/b": { "~": [1] } }, { items: "/a~1b/~0" }, { items: [1] }],
    ["names that every object has", { a: 1 }, { items: "/constructor" }, { items: [], a: 1 }],
    [
      "undocumented fields beside the list",
      { data: [1], url: "/x", total: 1, meta: { next: "c", took: 3 }, warnings: ["w"] },
      { items: "/data", next: { cursor: "/meta/next" }, extraFields: { total: "/total" } },
      { items: [1], next: { cursor: "c" }, total: 1, meta: { took: 3 }, warnings: ["w"] },
    ],
    [
      "a field under the name of a known one",
      { data: [1], items: [2], next: "c" },
      { items: "/data", next: { cursor: "/next" } },
      { items: [1], next: { cursor: "c" } },
    ],
    [
      "a list under another name",
      { results: [1] },
      { items: "/data" },
      { items: [], results: [1] },
    ],
    ["a list without an envelope", [1], { items: "/data" }, { items: [1] }],
    ["an item without an envelope", { id: 1 }, { item: "/data" }, { items: [{ id: 1 }] }],
    [
      "fields beside the item",
      { data: { id: 1 }, warnings: ["w"] },
      { item: "/data" },
      { items: [{ id: 1 }], warnings: ["w"] },
    ],
    ["an item that is null", { data: null }, { item: "/data" }, { items: [null] }],
    ["picked fields of an object", { id: 1, cost: 2 }, { projection: { pick: ["id"] } }, { id: 1 }],
    [
      "all but dropped fields of each item",
      [{ id: 1, cost: 2 }, null, "x"],
      { wrap: "items", projection: { list: "items", drop: ["cost"] } },
      { items: [{ id: 1 }, null, "x"] },
    ],
    [
      "picked fields of a list in an envelope, beside the page",
      { data: [{ id: 1, cost: 2 }], next: "n" },
      { items: "/data", next: { after: "/next" }, projection: { list: "items", pick: ["id"] } },
      { items: [{ id: 1 }], next: { after: "n" } },
    ],
    [
      "a list that the API puts into an object, beside its total",
      { total: 1, data: [{ id: 1 }] },
      { wrap: "items" },
      { items: [{ id: 1 }], total: 1 },
    ],
    [
      "one item in place of a list, with a list of its own",
      { id: 1, tags: ["a"] },
      { wrap: "items" },
      { items: { id: 1, tags: ["a"] } },
    ],
    ["fields of what is no object", "gone", { projection: { pick: ["id"] } }, "gone"],
  ])("%s", (_, answer, read, want) => expect(project(answer, read)).toEqual(want));
});

test("headers that other operations take stand beside the body", () => {
  const result = createToolResult({ kind: "json", value: { user: "a" }, isPlainAscii: true }, {
    tool: { name: "sign_in" },
    mapping: { headers: ["X-Subject-Token", "X-Absent"] },
    status: 201,
    headers: new Headers({ "x-subject-token": "t1" }),
    maxCharacters: 1000,
  } as never);
  expect(result).toMatchObject({
    ok: true,
    result: {
      content: [
        { type: "text", text: '{"user":"a"}' },
        { type: "text", text: "Note: The API's header X-Subject-Token: t1" },
      ],
      structuredContent: { user: "a", headers: { "X-Subject-Token": "t1" } },
    },
  });
});

describe("a response without a body", () => {
  const headers = new Headers({
    location: "/x/5",
    "x-count": "3\u0007",
    "x-other": "no",
    "x-long": "x".repeat(2500),
  });
  const done = (status: number): string => `Done: empty response (${status}).`;
  test.each<readonly [string, number, readonly string[] | undefined, string, object]>([
    ["nothing but its status", 200, undefined, done(200), { notes: [done(200)] }],
    [
      "the headers that say something",
      200,
      ["X-Count", "X-Absent"],
      `${done(200)}\nThe API's header X-Count: 3`,
      { headers: { "X-Count": "3" }, notes: [done(200)] },
    ],
    [
      "where what was made is",
      201,
      ["X-Count"],
      `${done(201)}\nThe API's header X-Count: 3\nThe API's header Location: /x/5`,
      { headers: { "X-Count": "3" }, location: "/x/5", notes: [done(201)] },
    ],
    [
      "that, once",
      201,
      ["location"],
      `${done(201)}\nThe API's header location: /x/5`,
      { location: "/x/5", notes: [done(201)] },
    ],
    ["nothing", 204, undefined, "Done: no content (204).", { notes: ["Done: no content (204)."] }],
    [
      "a reset form",
      205,
      undefined,
      "Done: no content (205).",
      { notes: ["Done: no content (205)."] },
    ],
    [
      "work that may not be done",
      202,
      undefined,
      "Accepted: empty response (202). The API may complete it later.\nThe API's header Location: /x/5",
      {
        location: "/x/5",
        notes: ["Accepted: empty response (202). The API may complete it later."],
      },
    ],
    [
      "a header that is cut",
      200,
      ["X-Long"],
      `${done(200)}\nThe API's header X-Long: ${"x".repeat(2000)}… [500 more characters]`,
      { headers: { "X-Long": `${"x".repeat(2000)}… [500 more characters]` }, notes: [done(200)] },
    ],
  ])("%s", (_, status, names, want, structured) => {
    const shaped = createToolResult(
      { kind: "empty" },
      {
        tool: { name: "t", inputSchema: {} },
        mapping: { ...(names && { headers: names }) },
        maxCharacters: 1000,
        url: "",
        status,
        headers,
      },
    );
    expect(shaped).toMatchObject({
      ok: true,
      result: {
        content: [{ type: "text", text: want }],
        structuredContent: { httpStatus: status, ...structured },
      },
    });
  });
});

describe("a response without the declared body", () => {
  const NOTE = "The API reported success without the data that its description declares";
  const object: JsonSchema = { type: "object", properties: { id: { type: "integer" } } };
  const list: JsonSchema = {
    type: "object",
    properties: { items: { type: "array" } },
    required: ["items"],
  };
  const scalar = { type: "object", properties: { value: { type: "string" } } };
  const none = `${NOTE}; there may be none.`;

  test.each<
    readonly [string, boolean, number, JsonSchema, ResponseMapping, object, string | undefined]
  >([
    ["a write", true, 200, object, {}, {}, `${NOTE}.`],
    ["a write that created", true, 201, object, {}, {}, `${NOTE}.`],
    ["a write with no content", true, 204, object, {}, {}, undefined],
    ["a read", false, 200, object, {}, {}, none],
    ["a read of a list", false, 200, list, { wrap: "items" }, { items: [] }, none],
    ["a read of one item of a list", false, 200, list, { item: "/pet" }, { items: [] }, none],
    ["a read of a scalar", false, 200, scalar, { wrap: "value" }, {}, none],
  ])("of %s", (_, isWrite, status, outputSchema, mapping, fields, note) => {
    const tool = { name: "t", inputSchema: {}, outputSchema };
    const options = { tool, mapping, maxCharacters: 1000, url: "", status, isWrite };
    const built = createToolResult({ kind: "empty" }, options);
    if (!built.ok) throw new Error(built.reason);
    const kind = status === 204 ? "no content" : "empty response";
    const event = `${isWrite ? "The API accepted it" : "Done"}: ${kind} (${status}).`;
    const notes = note === undefined ? [] : [note];
    expect(built.result.structuredContent).toMatchObject({
      ...fields,
      httpStatus: status,
      notes: [event, ...notes],
    });
    expect(textOf(built.result)).toBe([event, ...notes.map((text) => `Note: ${text}`)].join("\n"));
  });
});

describe("a file that is also shown as text", () => {
  const frame = (stream: number, text: string): readonly number[] => [
    ...[stream, 0, 0, 0, 0, 0, 0, text.length],
    ...new TextEncoder().encode(text),
  ];
  const utf8 = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
  test.each<readonly [string, readonly number[], string, number]>([
    ["text alone", utf8("a,b\n1,é\n"), "a,b\n1,é\n", 0],
    ["frames of one stream", [...frame(1, "abc"), ...frame(1, "def")], "abcdef", 0],
    ["frames of two streams", [...frame(1, "abc"), ...frame(2, "def")], "abcdef", 1],
    ["text behind a byte order mark", [0xef, 0xbb, 0xbf, ...utf8("abc")], "abc", 1],
    ["text with a byte that is not text", [0xff, ...utf8("a".repeat(40))], "\ufffd", 1],
    ["text with invisible characters", utf8("\u001b[1mbold"), "bold", 1],
  ])("%s", (_, bytes, text, resources) => {
    const headers = new Headers({ "content-type": "application/octet-stream" });
    const body = Uint8Array.from(bytes);
    const response = { status: 200, statusText: "", headers, size: body.length, body };
    const decoded = decodeResponse(response, "any", "GET");
    if (decoded.kind === "malformed") throw new Error(decoded.reason);
    const tool = { name: "t", inputSchema: {} };
    const options = { tool, mapping: {}, maxCharacters: 1000, url: "http://a/b", status: 200 };
    const built = createToolResult(decoded, options);
    if (!built.ok) throw new Error(built.reason);
    const { content } = built.result;
    expect(textOf(built.result)).toContain(text);
    expect(textOf(built.result)).toContain(`A file of ${body.length} bytes`);
    expect(content.filter(({ type }) => type === "resource")).toHaveLength(resources);
  });
});

describe("invisible characters", () => {
  test.each([
    ["plain\ttext\nof two lines", "plain\ttext\nof two lines"],
    ["\u001b[2J\u0000\u0007", ""],
    ["a\r\nb", "a\r\nb"],
    ["a\rb\r\n", "ab\r\n"],
    ["left\u202eright\u2066\u2069", "leftright"],
    ["\u200bzero\ufeff\u2060", "zero"],
    ["tags \u{e0041}\u{e007f}\u{e0100}", "tags "],
    ["\u0085\u009b31m", "31m"],
    ["👩\u200d👩\u200d👧 \u0645\u06cc\u200c\u062e", "👩\u200d👩\u200d👧 \u0645\u06cc\u200c\u062e"],
    [
      "mark\u061c, operators\u2062\u2064, fillers\u3164\uffa0, notes\u{1d173}, shorthand\u{1bca0}, tags\u{e0fff}",
      "mark, operators, fillers, notes, shorthand, tags",
    ],
    ["❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "❤\ufe0f\u200d🔥 1\ufe0f\u20e3"],
    ["spelt😊\ufe01\ufe0f\ufe03\ufe04 and a\u200c\u200d\u200cb", "spelt😊 and ab"],
    ["half \ud800 and \udc00", "half \ufffd and \ufffd"],
    ["whole 🐈", "whole 🐈"],
  ])("%j", (text, want) => expect(sanitize(text)).toBe(want));
});

describe("mapStrings", () => {
  const upper = (text: string): string => text.toUpperCase();

  test("maps every string and every name", () => {
    expect(mapStrings({ a: ["b", 1, null, { c: "d" }] }, upper)).toEqual({
      A: ["B", 1, null, { C: "D" }],
    });
  });

  test("does not copy unchanged values", () => {
    const value = { a: ["B"] };
    expect(mapStrings(value, (text) => text)).toBe(value);
  });

  test("__proto__ is an ordinary name", () => {
    const value = mapStrings(JSON.parse('{"__proto__": {"polluted": "yes"}}'), (text) =>
      `${text}`.replace("yes", "no"),
    );
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"no"}}');
  });

  test.each([100, 101])("%i levels", (levels) => {
    const value = JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;
    expect(mapStrings(value, (text) => text) === value).toBe(levels <= 100);
  });

  test("omits values that are nested too deep", () => {
    const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) as unknown;
    expect(JSON.stringify(mapStrings(deep, (text) => text))).toContain(
      "[nested too deeply to show]",
    );
  });
});

describe("truncation", () => {
  const size = (value: unknown): number => JSON.stringify(value).length;

  test("a small result is not changed", () => {
    const value = { a: 1 };
    expect(truncate(value, 100)).toEqual({ value, omissions: [] });
  });

  test("a list is truncated at its end", () => {
    const { value, omissions } = truncate(
      { items: Array.from({ length: 100 }, (_, id) => ({ id })), total: 100 },
      200,
    );
    expect(value).toEqual({ items: Array.from({ length: 18 }, (_, id) => ({ id })), total: 100 });
    expect(omissions).toEqual([{ path: ["items"], kind: "items", omitted: 82, total: 100 }]);
  });

  test("a long text is truncated, small fields are kept", () => {
    const { value, omissions } = truncate({ id: 1, text: "x".repeat(1000), name: "Rex" }, 200);
    expect(value).toMatchObject({
      id: 1,
      name: "Rex",
      text: expect.stringMatching(/^x{50,}… \[\d+ more characters\]$/),
    });
    expect(omissions).toMatchObject([{ path: ["text"], kind: "characters", total: 1000 }]);
  });

  test("a single text", () => {
    expect(truncate("x".repeat(1000), 100).value).toBe(`${"x".repeat(60)}… [940 more characters]`);
  });

  test("a text of some length keeps its end, and says where something is missing", () => {
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`).join("\n");
    const { value, omissions } = truncate(lines, 1040);
    const [, start = "", omitted, end = ""] =
      /^([^]*)… \[(\d+) more characters\] …([^]*)$/.exec(value as string) ?? [];
    expect(end).toHaveLength(100);
    expect(lines.startsWith(start) && lines.endsWith(end)).toBe(true);
    expect(start.length + Number(omitted) + end.length).toBe(lines.length);
    expect(omissions).toMatchObject([{ kind: "characters", omitted: Number(omitted) }]);
    expect(truncate("🐈".repeat(999), 1040).value).not.toMatch(/\p{Surrogate}/u);
    expect(truncate(`x${"🐈".repeat(999)}`, 1041).value).not.toMatch(/\p{Surrogate}/u);
  });

  test("surrogate pairs are not split", () => {
    const { value } = truncate(`${"x".repeat(59)}${"🐈".repeat(100)}`, 100);
    expect(value).toBe(`${"x".repeat(59)}… [200 more characters]`);
  });

  test("the first item is kept and truncated if it is too large", () => {
    const { value } = truncate([{ text: "x".repeat(5000) }, "y".repeat(500), 3], 300);
    expect(value).toEqual([{ text: expect.stringContaining("more characters") }]);
  });

  test.each<readonly [string, readonly number[], readonly number[]]>([
    ["a large item hides no small ones", [100, 9000, 100, 100], [0, 1, 2, 3]],
    ["half of the items are large", [3000, 100, 3000, 100], [0, 1, 2, 3]],
    ["most items are large: the first are whole, the next is cut", [600, 600, 600], [0, 1]],
    ["most items are large, and little room is left", [950, 600, 600], [0]],
    ["the rest would be too small", [9000, 950, 30], [0]],
    ["a long list", [9000, ...Array.from({ length: 20 }, () => 10)], [0]],
  ])("%s", (_, sizes, want) => {
    const items = sizes.map((length, id) => ({ id, text: "x".repeat(length) }));
    const { value } = truncate({ items }, 1100);
    expect((value as { items: { id: number }[] }).items.map(({ id }) => id)).toEqual(want);
    expect(size(value)).toBeLessThanOrEqual(1200);
  });

  test("a cut last item of a short list has its place in the note", () => {
    const items = [600, 600, 600].map((length) => ({ text: "x".repeat(length) }));
    const { value, omissions } = truncate({ items }, 1100);
    const [first, second] = (value as { items: { text: string }[] }).items;
    expect(first).toEqual(items[0]);
    expect(second?.text).toContain("more characters]");
    expect(omissions.map(({ path, kind }) => [path.join("."), kind])).toEqual([
      ["items.1.text", "characters"],
      ["items", "items"],
    ]);
  });

  test.each([800, 2000, 10_000])("a map of %i short texts keeps the first that fit", (total) => {
    const map = Object.fromEntries(
      Array.from({ length: total }, (_, i) => [`key${i}`, "x".repeat(40)]),
    );
    const { value, omissions } = truncate({ map, total }, 32_000);
    const kept = (value as { map: object; total: number }).map;
    expect(Object.keys(kept)).toEqual(Object.keys(map).slice(0, 617));
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(32_000);
    expect((value as { total: number }).total).toBe(total);
    expect(omissions).toEqual([{ path: ["map"], kind: "fields", omitted: total - 617, total }]);
  });

  test("the last of very many fields are omitted", () => {
    const { value, omissions } = truncate(
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field${i}`, i])),
      500,
    );
    expect(size(value)).toBeLessThan(700);
    expect(omissions).toMatchObject([{ path: [], kind: "fields", total: 1000 }]);
  });

  test.each([300, 1000, 5000, 20_000])(
    "any value uses most of a budget of %d characters",
    (budget) => {
      const pet = (id: number): object => ({
        id,
        name: `Pet ${id}`,
        notes: "n".repeat(id * 7),
        visits: Array.from({ length: id % 9 }, (_, i) => ({ i, text: "v".repeat(40) })),
      });
      const { value } = truncate(
        {
          items: Array.from({ length: 60 }, (_, i) => pet(i)),
          owner: { bio: "b".repeat(3000) },
          note: "x".repeat(3000),
        },
        budget,
      );
      expect(size(value)).toBeLessThan(budget * 1.5 + 200);
    },
  );
});

describe("counts of values in a long list", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    id: `r${i}`,
    type: i === 0 ? "SOA" : i < 4 ? "N S" : "A",
    active: i % 2 === 0,
    kind: "row",
    ...(i > 0 && { note: i % 3 === 0 ? "x" : "y" }),
    ttl: i % 2,
    text: i % 2 === 0 ? "long ".repeat(9) : "short",
  }));
  const counts = `type (A 36, "N S" 3, SOA 1); active (true 20, false 20)`;
  test.each<readonly [name: string, value: unknown, want: string | undefined]>([
    ["a list", rows, `Counted in these 40 items: ${counts}.`],
    ["the list of a result", { items: rows }, `Counted in these 40 items: ${counts}.`],
    [
      "a list in the only item",
      { items: [{ name: "z", rrsets: rows }] },
      `Counted in these 40 items of items[0].rrsets: ${counts}.`,
    ],
    [
      "the longest of two",
      { a: rows.slice(4), b: rows },
      `Counted in these 40 items of b: ${counts}.`,
    ],
    ["a short list", rows.slice(0, 29), undefined],
    ["a list in one of several items", { items: [{ rows }, { rows }] }, undefined],
    ["different values", rows.map(({ id }) => ({ id })), undefined],
    ["a list of texts", rows.map(({ type }) => type), undefined],
    ["a list with other values", [...rows, null], undefined],
    ["names that every object has", rows.map(() => ({ ["__proto__"]: "x" })), undefined],
  ])("%s", (_, value, want) => expect(valueCountsNote(value)).toBe(want));

  test("a truncated list is counted before it is truncated", () => {
    const options = {
      tool: { name: "t", inputSchema: { type: "object" } },
      mapping: {},
      status: 200,
    };
    const result = createToolResult(
      { kind: "json", value: { items: rows }, isPlainAscii: true },
      { ...options, maxCharacters: 500, url: "http://x" },
    );
    const text = JSON.stringify(result);
    const shown = `Counted in all 40 items, with the omitted ones: ${counts}.`;
    expect(text.split(JSON.stringify(shown).slice(1, -1))).toHaveLength(3);
  });
});
