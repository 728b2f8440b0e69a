import { describe, expect, test } from "vitest";
import type { ParameterSource } from "../../../src/runtime/types.js";
import { header, query, refused, sent, target } from "./sent.js";

const VALUES = {
  empty: "",
  string: "blue",
  array: ["blue", "black", "brown"],
  object: { R: 100, G: 200, B: 150 },
} as const;
const NOTHING = {
  null: null,
  array: [],
  object: {},
  nulls: [null],
  "object of nulls": { a: null },
} as const;

type Row = readonly [style: string, explode: boolean, kind: keyof typeof VALUES, want: string];
const source = (style: string, explode: boolean): ParameterSource =>
  ({ from: "color", style, explode }) as ParameterSource;

describe("OpenAPI 3.1.1, Style Examples: path", () => {
  // The column that 3.0 calls `empty`; an empty string is refused where it would leave an empty or
  // dot segment.
  const rows: readonly Row[] = [
    ["matrix", false, "empty", ";color"],
    ["matrix", false, "string", ";color=blue"],
    ["matrix", false, "array", ";color=blue,black,brown"],
    ["matrix", false, "object", ";color=R,100,G,200,B,150"],
    ["matrix", true, "empty", ";color"],
    ["matrix", true, "string", ";color=blue"],
    ["matrix", true, "array", ";color=blue;color=black;color=brown"],
    ["matrix", true, "object", ";R=100;G=200;B=150"],
    ["label", false, "empty", "."],
    ["label", false, "string", ".blue"],
    ["label", false, "array", ".blue,black,brown"],
    ["label", false, "object", ".R,100,G,200,B,150"],
    ["label", true, "empty", "."],
    ["label", true, "string", ".blue"],
    ["label", true, "array", ".blue.black.brown"],
    ["label", true, "object", ".R=100.G=200.B=150"],
    ["simple", false, "empty", ""],
    ["simple", false, "string", "blue"],
    ["simple", false, "array", "blue,black,brown"],
    ["simple", false, "object", "R,100,G,200,B,150"],
    ["simple", true, "empty", ""],
    ["simple", true, "string", "blue"],
    ["simple", true, "array", "blue,black,brown"],
    ["simple", true, "object", "R=100,G=200,B=150"],
  ];
  test.each(rows)("%s explode=%s %s → %s", (style, explode, kind, want) => {
    expect(
      target(
        { path: "/x{color}", pathParams: { color: source(style, explode) } },
        { color: VALUES[kind] },
      ),
    ).toBe(`/x${want}`);
  });
  test("simple without explode is the default", () => {
    expect(
      target({ path: "/{color}", pathParams: { color: "color" } }, { color: VALUES.object }),
    ).toBe("/R,100,G,200,B,150");
  });
});

describe("OpenAPI 3.1.1, Style Examples: query", () => {
  const rows: readonly Row[] = [
    ["form", false, "empty", "color="],
    ["form", false, "string", "color=blue"],
    ["form", false, "array", "color=blue,black,brown"],
    ["form", false, "object", "color=R,100,G,200,B,150"],
    ["form", true, "empty", "color="],
    ["form", true, "string", "color=blue"],
    ["form", true, "array", "color=blue&color=black&color=brown"],
    ["form", true, "object", "R=100&G=200&B=150"],
    ["spaceDelimited", false, "array", "color=blue%20black%20brown"],
    ["spaceDelimited", false, "object", "color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, "array", "color=blue%7Cblack%7Cbrown"],
    ["tabDelimited", false, "array", "color=blue%09black%09brown"],
    ["pipeDelimited", false, "object", "color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", true, "object", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    // Cells that the table leaves undefined, as real APIs read them.
    ["spaceDelimited", false, "empty", "color="],
    ["spaceDelimited", false, "string", "color=blue"],
    ["spaceDelimited", true, "array", "color=blue&color=black&color=brown"],
    ["spaceDelimited", true, "object", "R=100&G=200&B=150"],
    ["pipeDelimited", false, "string", "color=blue"],
    ["pipeDelimited", true, "array", "color=blue&color=black&color=brown"],
    ["deepObject", false, "object", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    ["deepObject", true, "empty", "color="],
    ["deepObject", true, "string", "color=blue"],
    ["deepObject", true, "array", "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown"],
  ];
  test.each(rows)("%s explode=%s %s → %s", (style, explode, kind, want) => {
    expect(query({ query: { color: source(style, explode) } }, { color: VALUES[kind] })).toBe(want);
  });
  test("exploded form is the default; other styles are not exploded by default", () => {
    expect(query({ query: { color: "color" } }, { color: VALUES.array })).toBe(
      "color=blue&color=black&color=brown",
    );
    expect(
      query({ query: { color: { from: "color", style: "form" } } }, { color: VALUES.array }),
    ).toBe("color=blue&color=black&color=brown");
    expect(
      query(
        { query: { color: { from: "color", style: "pipeDelimited" } } },
        { color: VALUES.array },
      ),
    ).toBe("color=blue%7Cblack%7Cbrown");
  });
});

describe("OpenAPI 3.1.1 and 3.2, Style Examples: header and cookie", () => {
  const headers: readonly Row[] = [
    ["simple", false, "empty", ""],
    ["simple", false, "string", "blue"],
    ["simple", false, "array", "blue,black,brown"],
    ["simple", false, "object", "R,100,G,200,B,150"],
    ["simple", true, "array", "blue,black,brown"],
    ["simple", true, "object", "R=100,G=200,B=150"],
  ];
  test.each(headers)("header %s explode=%s %s → %s", (style, explode, kind, want) => {
    expect(
      header(
        sent({ headers: { "X-Color": source(style, explode) } }, { color: VALUES[kind] }),
        "x-color",
      ),
    ).toBe(want);
  });

  const cookies: readonly Row[] = [
    ["form", false, "empty", "color="],
    ["form", false, "string", "color=blue"],
    ["form", false, "array", "color=blue,black,brown"],
    ["form", false, "object", "color=R,100,G,200,B,150"],
    ["form", true, "string", "color=blue"],
    // `&` would be part of the value: 3.2 calls it the wrong delimiter.
    ["form", true, "array", "color=blue; color=black; color=brown"],
    ["form", true, "object", "R=100; G=200; B=150"],
    ["cookie", false, "empty", "color="],
    ["cookie", false, "string", "color=blue"],
    ["cookie", false, "array", "color=blue,black,brown"],
    ["cookie", false, "object", "color=R,100,G,200,B,150"],
    ["cookie", true, "empty", "color="],
    ["cookie", true, "string", "color=blue"],
    ["cookie", true, "array", "color=blue; color=black; color=brown"],
    ["cookie", true, "object", "R=100; G=200; B=150"],
  ];
  test.each(cookies)("cookie %s explode=%s %s → %s", (style, explode, kind, want) => {
    expect(
      header(
        sent({ cookies: { color: source(style, explode) } }, { color: VALUES[kind] }),
        "cookie",
      ),
    ).toBe(want);
  });
});

describe("RFC 6570, section 2.3: undefined values are omitted", () => {
  const styles = ["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const;
  const cases = styles.flatMap((style) =>
    Object.keys(NOTHING).flatMap((kind) =>
      [true, false].map((explode) => [style, explode, kind as keyof typeof NOTHING] as const),
    ),
  );
  test.each(cases)("query %s explode=%s %s", (style, explode, kind) => {
    const send = {
      query: { a: "a", color: source(style, explode), z: "z" },
      cookies: { color: source(style, explode) },
      headers: { "X-Color": "color" },
    };
    const request = sent(send, { a: 1, color: NOTHING[kind], z: 2 });
    expect(request.url).toBe("https://api.example.com/v1/?a=1&z=2");
    expect(request.headers).toEqual([]);
  });
  test.each(Object.keys(NOTHING) as (keyof typeof NOTHING)[])("path %s is rejected", (kind) => {
    for (const style of ["simple", "label", "matrix"]) {
      expect(
        refused(
          { path: "/{color}", pathParams: { color: source(style, true) } },
          { color: NOTHING[kind] },
        ),
      ).toHaveLength(1);
    }
  });
  test("null inside an array or object is omitted", () => {
    expect(query({ query: { a: "a" } }, { a: [1, null, 2] })).toBe("a=1&a=2");
    expect(
      query({ query: { a: { from: "a", style: "deepObject" } } }, { a: { x: null, y: 1 } }),
    ).toBe("a%5By%5D=1");
  });
});

describe("values", () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [true, "true"],
    [false, "false"],
    [0, "0"],
    [-0, "0"],
    [-1.5, "-1.5"],
    [1e-7, "0.0000001"],
    [-1.25e-9, "-0.00000000125"],
    [9007199254740991, "9007199254740991"],
    [9007199254740993n, "9007199254740993"],
    ["it's (a) *!", "it%27s%20%28a%29%20%2A%21"],
    ["a&admin=1#x", "a%26admin%3D1%23x"],
    ["+ %00", "%2B%20%2500"],
    ["A-Z_a.z~0", "A-Z_a.z~0"],
    ["é日😀", "%C3%A9%E6%97%A5%F0%9F%98%80"],
    ["\0", "%00"],
  ];
  test.each(rows)("%o → %s", (value, want) => {
    expect(query({ query: { q: "q" } }, { q: value })).toBe(`q=${want}`);
  });
  test("nested values are serialized as JSON", () => {
    expect(query({ query: { q: "q" } }, { q: [[1, "a"], { b: 2n }] })).toBe(
      "q=%5B1%2C%22a%22%5D&q=%7B%22b%22%3A2%7D",
    );
    expect(query({ query: { q: { from: "q", explode: false } } }, { q: { a: [1, 2] } })).toBe(
      "q=a,%5B1%2C2%5D",
    );
    expect(query({ query: { q: "q" } }, { q: { a: { b: 1 } } })).toBe("a=%7B%22b%22%3A1%7D");
  });
  test("deepObject serializes nested objects and arrays", () => {
    const deep = { query: { f: { from: "f", style: "deepObject", explode: true } } } as const;
    expect(decodeURIComponent(query(deep, { f: { a: { b: { c: 1 } }, d: ["x", { e: 2 }] } }))).toBe(
      "f[a][b][c]=1&f[d][0]=x&f[d][1][e]=2",
    );
  });
  test("names are encoded", () => {
    expect(query({ query: { "filter[a b]": "a", $top: "t" } }, { a: 1, t: 2 })).toBe(
      "filter%5Ba%20b%5D=1&%24top=2",
    );
    expect(header(sent({ cookies: { "a$b;c": "a" } }, { a: 1 }), "cookie")).toBe("a$b%3Bc=1");
  });
});

describe("allowReserved", () => {
  const wireOf = (explode?: boolean) => ({ from: "q", allowReserved: true, explode }) as const;
  const rows: readonly (readonly [string, string])[] = [
    [":/?@!$()*,;", ":/?@!$()*,;"],
    ["#[]&=+'", "%23%5B%5D%26%3D%2B%27"],
    ["a%20b", "a%20b"],
    ["100%", "100%25"],
    ["%zz%4", "%25zz%254"],
    ["a b|^é😀", "a%20b%7C%5E%C3%A9%F0%9F%98%80"],
    ["https://x.test/a?b=c&d#e", "https://x.test/a?b%3Dc%26d%23e"],
  ];
  test.each(rows)("query %s → %s", (value, want) => {
    expect(query({ query: { q: wireOf() } }, { q: value })).toBe(`q=${want}`);
  });
  test("names of arrays and objects stay encoded", () => {
    expect(query({ query: { q: wireOf() } }, { q: { "a:b": "c:d" } })).toBe("a%3Ab=c:d");
    expect(query({ query: { q: wireOf(false) } }, { q: ["a/b", "c"] })).toBe("q=a/b,c");
  });
  test("delimiters of a path segment are encoded (OpenAPI 3.2, Path Templating)", () => {
    expect(
      target({ path: "/{q}", pathParams: { q: wireOf() } }, { q: "a:b@c;d=e,f/g?h#i[j]%20%" }),
    ).toBe("/a:b@c;d=e,f%2Fg%3Fh%23i%5Bj%5D%20%25");
  });
  test("delimiters of a cookie are encoded", () => {
    expect(header(sent({ cookies: { q: wireOf() } }, { q: 'a/b=c; d,e"' }), "cookie")).toBe(
      "q=a/b=c%3B%20d%2Ce%22",
    );
  });
});

describe("values that a style cannot express are rejected", () => {
  test.each([
    ["spaceDelimited", ["a b"], "a space"],
    ["spaceDelimited", { "a b": 1 }, "a space"],
    ["pipeDelimited", ["a", "b|c"], '"|"'],
    ["deepObject", { "a]": 1 }, '"["'],
    ["deepObject", { a: { "[": 1 } }, '"["'],
  ])("%s %j", (style, value, named) => {
    const problems = refused(
      { query: { q: source(style, style === "deepObject") } },
      { color: value },
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]?.input).toBe("color");
    expect(problems[0]?.problem).toContain(named);
  });
  test("a space in a single string is not a delimiter", () => {
    expect(query({ query: { color: source("spaceDelimited", false) } }, { color: "a b" })).toBe(
      "color=a%20b",
    );
  });
});
