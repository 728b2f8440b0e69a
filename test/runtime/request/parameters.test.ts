import { describe, expect, test } from "vitest";
import type { ParameterSource } from "../../../src/runtime/types.js";
import { header, query, refused, sent, target } from "./sent.js";

describe("sources of a value", () => {
  const sourceOf = (source: ParameterSource, input = {}, env = {}): string | undefined =>
    header(sent({ headers: { "X-V": source } }, input, env), "x-v");
  test.each<readonly [string, ParameterSource, object, Record<string, string>, string | undefined]>(
    [
      ["input by name", "a", { a: 1 }, {}, "1"],
      ["absent input", "a", {}, {}, undefined],
      ["default", { from: "a", default: 5 }, {}, {}, "5"],
      ["input before default", { from: "a", default: 5 }, { a: 0 }, {}, "0"],
      ["null before default", { from: "a", default: 5 }, { a: null }, {}, undefined],
      ["list as text", { from: "a", separator: "," }, { a: ["x", "y"] }, {}, "x,y"],
      ["list as JSON", { from: "a", separator: "json" }, { a: [1, 2] }, {}, "[1,2]"],
      ["text with a separator", { from: "a", separator: "," }, { a: "x,y" }, {}, "x,y"],
      ["constant", { value: "2026-01-01" }, {}, {}, "2026-01-01"],
      ["constant false", { value: false }, {}, {}, "false"],
      ["environment", { env: "TENANT" }, {}, { TENANT: "t1" }, "t1"],
      ["environment, not set", { env: "TENANT" }, {}, {}, undefined],
      ["environment, empty", { env: "TENANT" }, {}, { TENANT: "" }, undefined],
      ["no inherited input", "constructor", {}, {}, undefined],
      ["own input of such a name", "constructor", { constructor: "x" }, {}, "x"],
    ],
  )("%s", (_, source, input, env, want) => expect(sourceOf(source, input, env)).toBe(want));

  test("generated: a new UUID for each request", () => {
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const [one, two] = [sourceOf({ generate: "uuid" }), sourceOf({ generate: "uuid" })];
    expect(one).toMatch(pattern);
    expect(one).not.toBe(two);
  });
  test("a problem names a required variable that is not set", () => {
    expect(
      refused({ path: "/{t}", pathParams: { t: { env: "TENANT", required: true } } }, {}),
    ).toEqual([
      {
        input: "",
        problem:
          "the environment variable TENANT is not set; set it for this server, then restart it; do not retry",
      },
    ]);
  });
  test("a problem names a variable with an invalid value, without the value", () => {
    const [problem] = refused(
      { headers: { "X-T": { env: "TENANT" } } },
      {},
      { TENANT: "hunter2\r\n" },
    );
    expect(problem?.problem).toContain("TENANT");
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  });
  test("all problems are reported together, each once", () => {
    const problems = refused(
      { path: "/{a}/{a}", query: { b: "b", c: "c" } },
      { a: "..", b: "\ud800", c: 1e400 },
    );
    expect(problems.map(({ input }) => input)).toEqual(["a", "b", "c"]);
  });
});

describe("content parameters", () => {
  const json = { from: "v", contentType: "application/json" } as const;
  test("query: JSON, percent-encoded", () => {
    expect(query({ query: { f: json } }, { v: { a: ["é", 1] } })).toBe(
      "f=%7B%22a%22%3A%5B%22%C3%A9%22%2C1%5D%7D",
    );
    expect(query({ query: { f: json } }, { v: "x" })).toBe("f=%22x%22");
  });
  test("path: JSON, percent-encoded", () =>
    expect(target({ path: "/a/{f}", pathParams: { f: json } }, { v: { "/": ".." } })).toBe(
      "/a/%7B%22%2F%22%3A%22..%22%7D",
    ));
  test("header: JSON in ASCII", () => {
    const value = header(sent({ headers: { "X-F": json } }, { v: { a: "é😀\n" } }), "x-f");
    expect(value).toBe('{"a":"\\u00e9\\ud83d\\ude00\\n"}');
    expect(JSON.parse(value ?? "")).toEqual({ a: "é😀\n" });
  });
  test("cookie: JSON is percent-encoded, text is sent unchanged or rejected", () => {
    expect(header(sent({ cookies: { f: json } }, { v: { a: 1 } }), "cookie")).toBe(
      "f=%7B%22a%22%3A1%7D",
    );
    const text = { from: "v", contentType: "text/plain" } as const;
    expect(header(sent({ cookies: { f: text } }, { v: "a=b%20" }), "cookie")).toBe("f=a=b%20");
    expect(refused({ cookies: { f: text } }, { v: "a; admin=1" })).toHaveLength(1);
  });
  test("other media types: form, text", () => {
    expect(
      query(
        { query: { f: { from: "v", contentType: "application/x-www-form-urlencoded" } } },
        { v: { a: "b c" } },
      ),
    ).toBe("f=a%3Db%2520c");
    expect(query({ query: { f: { from: "v", contentType: "text/plain" } } }, { v: 'a "b"' })).toBe(
      "f=a%20%22b%22",
    );
  });
});

describe("OpenAPI 3.2, in: querystring", () => {
  const sourceOf = (contentType: string | undefined, v: unknown): string =>
    query({ querystring: { from: "v", contentType } }, { v });
  test.each<readonly [string | undefined, unknown, string]>([
    [
      "application/x-www-form-urlencoded",
      { a: "b c", d: [1, 2], e: { f: 1 }, g: null },
      "a=b%20c&d=1&d=2&e=%7B%22f%22%3A1%7D",
    ],
    ["application/x-www-form-urlencoded", "a=b&c=d+e%20f", "a=b&c=d+e%20f"],
    ["application/x-www-form-urlencoded", "?a=#x y", "a=%23x%20y"],
    [undefined, { a: 1 }, "a=1"],
    [
      "application/json",
      { numbers: [1, 2], flag: null },
      "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
    ],
    ["application/jsonpath", "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"],
    ["application/json", null, ""],
  ])("%s %j → %s", (contentType, value, want) => expect(sourceOf(contentType, value)).toBe(want));
  test("together with constant pairs", () =>
    expect(query({ query: { k: { value: 1 } }, querystring: { from: "v" } }, { v: "a=b" })).toBe(
      "k=1&a=b",
    ));
});

describe("headers", () => {
  test("Accept: preferred types first", () => {
    expect(header(sent({ accept: ["application/json", "text/csv", "*/*"] }, {}), "accept")).toBe(
      "application/json, text/csv;q=0.9, */*;q=0.8",
    );
    expect(
      header(sent({ accept: Array.from({ length: 20 }, (_, n) => `a/${n}`) }, {}), "accept"),
    ).toContain("a/19;q=0.1");
    expect(sent({}, {}).headers).toEqual([]);
    expect(sent({ accept: ["a/b"], headers: { accept: { value: "c/d" } } }, {}).headers).toEqual([
      ["accept", "c/d"],
    ]);
  });
  test.each([" v", "v ", "\tv", "v\t", " "])("%j is refused, not trimmed", (value) => {
    expect(refused({ headers: { "X-V": "v" } }, { v: value })).toEqual([
      { input: "v", problem: "starts or ends with a space or tab, which a header cannot carry" },
    ]);
  });

  const ITEM =
    "has an item with a comma, or with a space or tab at an end, which separate items here";
  test.each<readonly [unknown, string | undefined]>([
    [["a", "b"], "a,b"],
    [['"a,b"', 'W/"c"'], '"a,b",W/"c"'],
    [["a b", "c"], "a b,c"],
    [["a,b", "c"], undefined],
    [["a", " b", "c"], undefined],
    [["a", "b\t", "c"], undefined],
    [['"a', 'b,c"'], undefined],
    [{ a: "1,b" }, undefined],
    [{ "a,b": 1 }, undefined],
  ])("a list of %j is exact or refused", (v, want) => {
    const mapping = { headers: { "X-V": "v" } };
    if (want === undefined)
      expect(refused(mapping, { v })).toEqual([{ input: "v", problem: ITEM }]);
    else expect(header(sent(mapping, { v }), "x-v")).toBe(want);
  });

  test("order of headers", () => {
    const request = sent(
      {
        method: "POST",
        accept: ["a/b"],
        headers: { "X-B": "b", "X-A": "a" },
        cookies: { c: "c", d: "d" },
        body: { contentType: "application/json", from: "e" },
      },
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
    );
    expect(request.headers).toEqual([
      ["Accept", "a/b"],
      ["Content-Type", "application/json"],
      ["X-B", "2"],
      ["X-A", "1"],
      ["Cookie", "c=3; d=4"],
    ]);
  });
  test.each([
    "Authorization",
    "accept",
    "User-Agent",
    "Host",
    "Cookie",
    "Content-Length",
    "Content-Type",
    "Transfer-Encoding",
    "Connection",
    "Proxy-Authorization",
  ])("B13: %s is not for inputs", (name) => {
    expect(sent({ headers: { [name]: "v" } }, { v: "evil" }).headers).toEqual([]);
    expect(sent({ headers: { [name]: { from: "v", default: "evil" } } }, {}).headers).toEqual([]);
  });
  test("B13: unknown arguments are ignored", () => {
    const input = {
      Authorization: "x",
      Host: "evil.test",
      "X-Api-Key": "x",
      baseUrl: "http://evil.test",
      headers: { a: "b" },
      server: "http://evil.test",
    };
    expect(sent({ path: "/a" }, input)).toEqual({
      method: "GET",
      url: "https://api.example.com/v1/a",
      headers: [],
    });
  });
  test("configured constants and variables may set restricted headers", () => {
    expect(
      sent(
        { headers: { Authorization: { env: "KEY" }, "User-Agent": { value: "x/1" } } },
        {},
        { KEY: "k" },
      ).headers,
    ).toEqual([
      ["Authorization", "k"],
      ["User-Agent", "x/1"],
    ]);
    expect(
      sent({ headers: { Host: { env: "KEY" }, "content-length": { value: 1 } } }, {}, { KEY: "k" })
        .headers,
    ).toEqual([]);
  });
  test.each(["a\r\nX-Evil: 1", "a\nb", "\0", "☃", "\x7f", "\x1b[0m"])(
    "B05: %j is refused",
    (value) => {
      const problems = refused(
        { headers: { "X-Other": "other", "X-Trace": "trace" } },
        { trace: value, other: "hunter2" },
      );
      expect(problems.map(({ input }) => input)).toEqual(["trace"]);
      expect(JSON.stringify(problems)).not.toContain("hunter2");
    },
  );
  test("Latin-1 and tabs are valid", () =>
    expect(header(sent({ headers: { "X-T": "t" } }, { t: "é\tÿ" }), "x-t")).toBe("é\tÿ"));
  test("A34: a media type of the document cannot inject headers", () => {
    expect(refused({ accept: ["a/b\r\nX-Evil: 1"] }, {})).toHaveLength(1);
    expect(
      refused({ body: { contentType: "text/x\r\nX-Evil: 1", from: "v" } }, { v: "" }),
    ).toHaveLength(1);
  });
  test("an invalid name is rejected", () =>
    expect(refused({ headers: { "X Bad": "t" } }, { t: "x" })).toHaveLength(1));
});

describe("cookies", () => {
  test("B05: delimiters of a cookie are encoded", () => {
    expect(header(sent({ cookies: { sid: "sid" } }, { sid: "a; admin=1" }), "cookie")).toBe(
      "sid=a%3B%20admin%3D1",
    );
  });
  test.each(["a; admin=1", "a,b", "a b", 'a"b', "a\\b", "é", "\t"])(
    "B05: style cookie refuses %j",
    (value) => {
      expect(
        refused({ cookies: { sid: { from: "sid", style: "cookie" } } }, { sid: value }).map(
          ({ input }) => input,
        ),
      ).toEqual(["sid"]);
    },
  );
  test("style cookie keeps escapes and quotes", () => {
    expect(
      header(
        sent({ cookies: { sid: { from: "sid", style: "cookie" } } }, { sid: '"a%20=b"' }),
        "cookie",
      ),
    ).toBe('sid="a%20=b"');
  });
});

describe("B07, B12, B16: values that cannot be sent unchanged", () => {
  const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  test.each<readonly [string, unknown, string]>([
    ["lone surrogate", "a\ud800", "surrogate"],
    ["low surrogate first", "\udc00\ud800", "surrogate"],
    ["lone surrogate inside", { a: ["\udfff"] }, "surrogate"],
    ["lone surrogate in a key", { "\ud800": 1 }, "surrogate"],
    ["rounded integer", 9007199254740993, "9007199254740991"],
    ["rounded negative", -9007199254740993, "9007199254740991"],
    ["rounded inside", { a: [1e21] }, "9007199254740991"],
    ["infinite", 1e400, "finite"],
    ["not a number", Number.NaN, "finite"],
    ["too deep", deep(10_000), "256 levels"],
    ["cyclic", cyclic, "256 levels"],
    ["a function", { a: () => 1 }, "not JSON"],
  ])("%s", (_, value, words) => {
    for (const send of [
      { path: "/{v}", pathParams: { v: "v" } },
      { query: { v: "v" } },
      { headers: { v: "v" } },
      { cookies: { v: "v" } },
      { body: { contentType: "application/json", from: "v" } },
      { body: { contentType: "multipart/form-data", fields: { v: "v" } } },
    ]) {
      const problems = refused(send, { v: value });
      expect(problems.map(({ input }) => input)).toEqual(["v"]);
      expect(problems[0]?.problem).toContain(words);
    }
  });
  test("also among constants", () =>
    expect(refused({ query: { v: { value: "\ud800" } } }, {})[0]).toMatchObject({ input: "" }));
  test("a name of the document with an unpaired surrogate is accepted", () =>
    expect(query({ query: { "\ud800": "v" } }, { v: 1 })).toBe("%EF%BF%BD=1"));
  test("B06: a value of one megabyte is sent", () => {
    const value = "a&=é".repeat(250_000);
    expect(new URLSearchParams(query({ query: { q: "q" } }, { q: value })).get("q")).toBe(value);
  });
});
