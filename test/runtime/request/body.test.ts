import { describe, expect, test } from "vitest";
import type { BodyMapping } from "../../../src/runtime/types.js";
import { body, header, refused, sent } from "./sent.js";

type Row = readonly [
  name: string,
  binding: BodyMapping,
  input: Record<string, unknown>,
  text: string | undefined,
  type?: string,
];
const json = (more: Partial<BodyMapping> = {}): BodyMapping => ({
  contentType: "application/json",
  ...more,
});

function check(rows: readonly Row[]): void {
  for (const [name, binding, input, text, type] of rows) {
    test(name, () => {
      expect(body(binding, input)).toEqual({
        text,
        type: text === undefined ? undefined : (type ?? binding.contentType),
      });
    });
  }
}

describe("JSON", () => {
  const fields = json({
    fields: {
      name: "pet_name",
      "tag-list": "tags",
      kind: { value: "cat" },
      age: { from: "age", default: 1 },
    },
  });
  check([
    [
      "fields, constants, defaults",
      fields,
      { pet_name: "Tom", tags: ["a"] },
      '{"name":"Tom","tag-list":["a"],"kind":"cat","age":1}',
    ],
    [
      "fields in envelopes",
      json({ fields: { a: "a", b: "b" }, envelope: ["data", "attributes"] }),
      { a: 1 },
      '{"data":{"attributes":{"a":1}}}',
    ],
    ["nothing given in an envelope", json({ fields: { a: "a" }, envelope: ["d"] }), {}, undefined],
    ["null is a value", json({ fields: { a: "a", b: "b" } }), { a: null }, '{"a":null}'],
    ["nothing given", json({ fields: { a: "a" } }), {}, undefined],
    ["nothing given, required", json({ fields: { a: "a" }, required: true }), {}, "{}"],
    ["no fields, required", json({ required: true }), {}, "{}"],
    [
      "an object as it is",
      json({ from: "v" }),
      { v: { b: 1, a: [null, true, "é\u2028"] } },
      '{"b":1,"a":[null,true,"é\u2028"]}',
    ],
    ["an array", json({ from: "v" }), { v: [] }, "[]"],
    ["a string", json({ from: "v" }), { v: 'a"b' }, '"a\\"b"'],
    ["null", json({ from: "v" }), { v: null }, "null"],
    ["optional and absent", json({ from: "v" }), {}, undefined],
    [
      "whole numbers of any size",
      json({ from: "v" }),
      { v: { id: 9007199254740993n, list: [-1n] } },
      '{"id":9007199254740993,"list":[-1]}',
    ],
    [
      "+json",
      json({ contentType: "application/merge-patch+json", from: "v" }),
      { v: { a: null } },
      '{"a":null}',
    ],
    [
      "with parameters",
      json({ contentType: "application/vnd.api+json; ext=x", from: "v" }),
      { v: 1 },
      "1",
    ],
    [
      "B08: __proto__ passes byte-exact",
      json({ fields: { nested: "nested" } }),
      { nested: JSON.parse('{"__proto__":{"polluted":1},"constructor":{}}') },
      '{"nested":{"__proto__":{"polluted":1},"constructor":{}}}',
    ],
    [
      "a field named __proto__",
      json({ fields: { ["__proto__"]: "a", constructor: "b" } }),
      { a: { polluted: 1 }, b: 2 },
      '{"__proto__":{"polluted":1},"constructor":2}',
    ],
  ]);
  test("prototypes are not polluted", () =>
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined());
  test("a missing required body is rejected", () => {
    expect(refused({ body: json({ from: "v", required: true }) }, {})).toEqual([
      { input: "v", problem: "is missing; the request needs a body" },
    ]);
  });
});

describe("JSON in several records", () => {
  check([
    [
      "lines",
      { contentType: "application/x-ndjson", from: "v" },
      { v: [{ a: "x\ny" }, 2] },
      '{"a":"x\\ny"}\n2\n',
    ],
    [
      "events",
      { contentType: "text/event-stream", from: "v" },
      { v: [{ event: "e", data: "a\nb", id: null, "x\ny": 1 }, "c"] },
      "event: e\ndata: a\ndata: b\n\ndata: c\n\n",
    ],
    ["jsonl", { contentType: "application/jsonl", from: "v" }, { v: [1] }, "1\n"],
    ["one record", { contentType: "application/ndjson", from: "v" }, { v: { a: 1 } }, '{"a":1}\n'],
    [
      "one record of fields",
      { contentType: "application/x-ndjson", fields: { a: "a" } },
      { a: 1 },
      '{"a":1}\n',
    ],
    [
      "RFC 7464",
      { contentType: "application/json-seq", from: "v" },
      { v: [1, 2] },
      "\x1e1\n\x1e2\n",
    ],
    ["RFC 8142", { contentType: "application/geo+json-seq", from: "v" }, { v: [1] }, "\x1e1\n"],
  ]);
});

describe("form", () => {
  const form = (more: Partial<BodyMapping>): BodyMapping => ({
    contentType: "application/x-www-form-urlencoded",
    ...more,
  });
  const address = { streetAddress: "123 Example Dr.", zip: "99999+1234" };
  check([
    [
      "scalars",
      form({ fields: { a: "a", "b[c]": "b", n: "n" } }),
      { a: "x y&z=é+~", b: true, n: 1e-7 },
      "a=x%20y%26z%3D%C3%A9%2B~&b%5Bc%5D=true&n=0.0000001",
    ],
    [
      "objects are JSON, by the default of the Encoding Object",
      form({ fields: { address: "a" } }),
      { a: address },
      `address=${encodeURIComponent(JSON.stringify(address))}`,
    ],
    [
      "arrays repeat the name",
      form({ fields: { a: "a" } }),
      { a: ["x", 1, { b: 2 }] },
      "a=x&a=1&a=%7B%22b%22%3A2%7D",
    ],
    [
      "null and empty arrays leave no trace",
      form({ fields: { a: "a", b: "b", c: "c" } }),
      { a: null, b: [], c: "" },
      "c=",
    ],
    [
      "contentType: a scalar as JSON",
      form({ fields: { a: "a" }, encoding: { a: { contentType: "application/json" } } }),
      { a: "x" },
      "a=%22x%22",
    ],
    [
      "contentType: base64 stays text",
      form({ fields: { a: "a" }, encoding: { a: { contentType: "image/png, image/jpeg" } } }),
      { a: "iV+/==" },
      "a=iV%2B%2F%3D%3D",
    ],
    [
      "style form",
      form({ fields: { a: "a" }, encoding: { a: { style: "form", explode: false } } }),
      { a: [1, 2] },
      "a=1,2",
    ],
    [
      "explode alone makes it a style",
      form({ fields: { a: "a" }, encoding: { a: { explode: true } } }),
      { a: { x: 1, y: 2 } },
      "x=1&y=2",
    ],
    [
      "style deepObject, as Stripe has it",
      form({
        fields: { expand: "e", metadata: "m", items: "i" },
        encoding: {
          expand: { style: "deepObject", explode: true },
          metadata: { style: "deepObject", explode: true },
          items: { style: "deepObject", explode: true },
        },
      }),
      { e: ["data.customer"], m: { "order id": "6735" }, i: [{ price: "p1", quantity: 2 }] },
      "expand%5B0%5D=data.customer&metadata%5Border%20id%5D=6735&items%5B0%5D%5Bprice%5D=p1&items%5B0%5D%5Bquantity%5D=2",
    ],
    [
      "allowReserved",
      form({ fields: { a: "a" }, encoding: { a: { allowReserved: true } } }),
      { a: "x/y&z" },
      "a=x/y%26z",
    ],
    ["nothing given", form({ fields: { a: "a" } }), {}, undefined],
    ["nothing given, required", form({ fields: { a: "a" }, required: true }), {}, ""],
    [
      "whole object",
      form({ from: "v", encoding: { b: { style: "deepObject" } } }),
      { v: { a: 1, b: { c: 2 } } },
      "a=1&b%5Bc%5D=2",
    ],
    ["ready-made", form({ from: "v" }), { v: "a=b&c=d" }, "a=b&c=d"],
    [
      "encoding of an inherited name",
      form({ fields: { constructor: "a" }, encoding: {} }),
      { a: 1 },
      "constructor=1",
    ],
  ]);
});

describe("text and bytes", () => {
  const bytes = (binding: BodyMapping, input: Record<string, unknown>): readonly number[] => {
    const { body: content } = sent({ body: binding }, input);
    return typeof content === "string"
      ? [...new TextEncoder().encode(content)]
      : [...(content ?? [])];
  };
  check([
    [
      "text",
      { contentType: "text/plain", from: "v" },
      { v: "é" },
      "é",
      "text/plain; charset=utf-8",
    ],
    [
      "text of a number",
      { contentType: "text/plain", from: "v" },
      { v: 1.5 },
      "1.5",
      "text/plain; charset=utf-8",
    ],
    [
      "text with a charset",
      { contentType: "text/csv; charset=utf-8", from: "v" },
      { v: "a,b" },
      "a,b",
    ],
    [
      "text that looks like base64",
      { contentType: "text/plain", from: "v" },
      { v: "aGVsbG8=" },
      "aGVsbG8=",
      "text/plain; charset=utf-8",
    ],
    ["null is no text", { contentType: "text/plain", from: "v" }, { v: null }, undefined],
    [
      "bytes: an object is JSON",
      { contentType: "application/octet-stream", from: "v" },
      { v: { a: 1 } },
      '{"a":1}',
    ],
    [
      "B14: a path is content",
      { contentType: "application/octet-stream", from: "v" },
      { v: "/etc/passwd" },
      "/etc/passwd",
    ],
    [
      "B14: a file URL is content",
      { contentType: "application/octet-stream", from: "v" },
      { v: "file:///etc/passwd" },
      "file:///etc/passwd",
    ],
    [
      "B14: a URL is content",
      { contentType: "image/png", from: "v" },
      { v: "http://127.0.0.1:18081/" },
      "http://127.0.0.1:18081/",
    ],
    [
      "any type: JSON for objects",
      { contentType: "*/*", from: "v" },
      { v: { a: 1 } },
      '{"a":1}',
      "application/json",
    ],
    [
      "any type: bytes for strings",
      { contentType: "*/*", from: "v" },
      { v: "é" },
      "é",
      "application/octet-stream",
    ],
    [
      "any text",
      { contentType: "text/*", from: "v" },
      { v: "é" },
      "é",
      "text/plain; charset=utf-8",
    ],
    [
      "any image: what the data URI says",
      { contentType: "image/*", from: "v" },
      { v: "data:image/gif;base64,R0lG" },
      "GIF",
      "image/gif",
    ],
    [
      "any image: not what it says otherwise",
      { contentType: "image/*", from: "v" },
      { v: "data:text/html;base64,R0lG" },
      "GIF",
      "application/octet-stream",
    ],
  ]);
  test.each<readonly [string, string, readonly number[]]>([
    ["base64", "AP8Q", [0, 255, 16]],
    ["base64 with padding", "AP8=", [0, 255]],
    ["base64 with two", "AA==", [0]],
    ["data URI", "data:image/png;base64,AP8=", [0, 255]],
    ["data URI with parameters", "DATA:text/plain;charset=utf-8;base64,AP8=", [0, 255]],
    ["data URI of nothing", "data:;base64,", []],
    [
      "wrapped base64",
      `${"A".repeat(76)}\n${"A".repeat(4)}\n`,
      Array.from({ length: 60 }, () => 0),
    ],
    ["wrapped base64, CRLF", `${"A".repeat(64)}\r\nAA==`, Array.from({ length: 49 }, () => 0)],
    ["empty", "", []],
    ["not a multiple of four", "AP8", [65, 80, 56]],
    ["not canonical", "AP9=", [65, 80, 57, 61]],
    ["URL-safe alphabet", "AP-_", [65, 80, 45, 95]],
    ["padding inside", "A=8=", [65, 61, 56, 61]],
    ["line breaks elsewhere", "AP8Q\n", [65, 80, 56, 81, 10]],
  ])("%s", (_, value, want) =>
    expect(bytes({ contentType: "application/octet-stream", from: "v" }, { v: value })).toEqual(
      want,
    ),
  );
  test("ten megabytes of base64", () => {
    expect(
      bytes({ contentType: "image/png", from: "v" }, { v: "AP8Q".repeat(200_000) }).length,
    ).toBe(600_000);
    const { body: content } = sent(
      { body: { contentType: "image/png", from: "v" } },
      { v: "A".repeat(12_000_000) },
    );
    expect(content?.length).toBe(9_000_000);
  });
  test("malformed base64 in a data URI is rejected", () => {
    for (const contentType of ["image/png", "multipart/form-data"]) {
      const binding =
        contentType === "image/png"
          ? { contentType, from: "v" }
          : { contentType, fields: { f: "v" }, encoding: { f: { file: true } } };
      expect(refused({ body: binding }, { v: "data:image/png;base64,@@@" })).toEqual([
        { input: "v", problem: "is a data: URI whose base64 is malformed" },
      ]);
    }
  });
});

test("without a body there is no Content-Type", () => {
  const request = sent({ method: "POST" }, {});
  expect(header(request, "content-type")).toBeUndefined();
  expect("body" in request).toBe(false);
});

describe("number of fields", () => {
  const some = json({
    fields: { name: "name", tags: "tags", kind: { value: "cat" } },
    minProperties: 2,
    maxProperties: 2,
  });
  test.each([
    { input: { name: "Tom" }, want: [] },
    { input: {}, want: [{ input: "", problem: "pass at least 2 of name, tags" }] },
    {
      input: { name: "Tom", tags: [] },
      want: [{ input: "", problem: "pass at most 2 of name, tags" }],
    },
  ])("$input", ({ input, want }) =>
    expect(refused({ method: "PATCH", body: some }, input)).toEqual(want),
  );

  test("minProperties is not checked for an absent optional body", () =>
    expect(
      refused({ method: "PATCH", body: json({ fields: { a: "a" }, minProperties: 1 }) }, {}),
    ).toEqual([]));
});

describe("a file is sent with its detected media type", () => {
  const base64 = (bytes: number[]): string => Buffer.from(bytes).toString("base64");
  const image: BodyMapping = {
    contentType: "image/png",
    alternativeTypes: ["image/jpeg", "application/octet-stream"],
    from: "v",
  };
  test.each([
    {
      name: "PNG",
      v: base64([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
      want: "image/png",
    },
    { name: "JPEG", v: base64([0xff, 0xd8, 0xff, 0xe0, 0]), want: "image/jpeg" },
    { name: "what a data: URI says", v: "data:image/jpeg;base64,AAEC", want: "image/jpeg" },
    {
      name: "a kind that the API does not take",
      v: base64([0x47, 0x49, 0x46, 0x38, 0x39, 0x61]),
      want: "image/png",
    },
    { name: "no kind at all", v: "AAEC", want: "image/png" },
  ])("$name", ({ v, want }) => expect(body(image, { v }).type).toBe(want));
});
