import { describe, expect, test } from "vitest";
import { decodeResponse } from "../../../src/runtime/response/decode.js";
import { runAtOnce } from "../../../src/runtime/data/steps.js";
import { parseJsonInSteps } from "../../../src/runtime/data/values.js";
import { parseContentType } from "../../../src/runtime/data/media-types.js";

interface Given {
  readonly type?: string;
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly json?: boolean;
  readonly method?: string;
}

function content({ type, body = "", status = 200, json = false, method = "GET" }: Given): unknown {
  const headers = new Headers(type === undefined ? {} : { "content-type": type });
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return decodeResponse(
    { status, statusText: "", headers, body: bytes, size: bytes.byteLength },
    json ? "json" : "any",
    method,
  );
}

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe("a successful response", () => {
  test.each<readonly [string, Given, object]>([
    ["JSON", { type: "application/json", body: '{"id":1}' }, { kind: "json", value: { id: 1 } }],
    [
      "JSON by suffix",
      { type: "application/vnd.pets+json; v=1", body: "[1]" },
      { kind: "json", value: [1] },
    ],
    [
      "JSON with a byte order mark",
      { type: "application/json", body: '\ufeff{"id":1}' },
      { kind: "json", value: { id: 1 } },
    ],
    [
      "JSON that is called text, where JSON is promised",
      { type: "text/plain", body: '{"id":1}', json: true },
      { kind: "json", value: { id: 1 } },
    ],
    [
      "JSON that is called text, where it is not",
      { type: "text/plain", body: '{"id":1}' },
      { kind: "text", text: '{"id":1}' },
    ],
    [
      "JSON that is called a file, where JSON is promised",
      { type: "application/x-amz-json-1.1", body: '{"id":1}', json: true },
      { kind: "json", value: { id: 1 } },
    ],
    [
      "JSON that is called a file, where it is not",
      { type: "application/octet-stream", body: '{"id":1}' },
      { kind: "binary", mimeType: "application/octet-stream" },
    ],
    ["JSON without a type", { body: '{"id":1}' }, { kind: "json", value: { id: 1 } }],
    [
      "two types in one",
      { type: "application/json, text/html", body: '{"id":1}' },
      { kind: "json", value: { id: 1 } },
    ],
    [
      "Latin-1",
      { type: "application/json; charset=ISO-8859-1", body: bytes(0x22, 0xe9, 0x22) },
      { kind: "json", value: "é" },
    ],
    [
      "UTF-16",
      { type: 'text/plain; charset="utf-16le"', body: bytes(0xe9, 0) },
      { kind: "text", text: "é" },
    ],
    [
      "UTF-16 by its byte order mark, whatever is said",
      {
        type: "application/json; charset=utf-8",
        body: bytes(0xff, 0xfe, 0x22, 0, 0xe9, 0, 0x22, 0),
      },
      { kind: "json", value: "é" },
    ],
    [
      "UTF-16, the other way round",
      { type: "text/plain; charset=utf-16", body: bytes(0xfe, 0xff, 0, 0xe9) },
      { kind: "text", text: "é" },
    ],
    [
      "Windows-1252",
      { type: "text/plain; charset=windows-1252", body: bytes(0x80, 0x92, 0x81, 0xe9, 0x9f) },
      { kind: "text", text: "€’\x81éŸ" },
    ],
    [
      "Latin-1, which is Windows-1252 on the web",
      { type: "text/plain; charset=iso-8859-1", body: bytes(0x93, 0xe9, 0x94) },
      { kind: "text", text: "“é”" },
    ],
    [
      "UTF-8 by another name",
      { type: "application/json; charset=UTF8", body: '"é"' },
      { kind: "json", value: "é" },
    ],
    [
      "XML that says what it is",
      {
        type: "application/xml",
        body: bytes(
          ...Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1"),
        ),
      },
      { kind: "text", text: '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>' },
    ],
    [
      "XML of which the API says something else",
      {
        type: "application/xml; charset=utf-8",
        body: '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>',
      },
      { kind: "text", text: '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>' },
    ],
    [
      "bytes that are no UTF-8",
      { type: "application/json", body: bytes(0x22, 0xff, 0x22) },
      {
        kind: "json",
        value: "\ufffd",
        note: "Some bytes of the API's response are not valid UTF-8; they are shown as \ufffd.",
      },
    ],
    [
      "a charset that nobody knows",
      { type: "text/plain; charset=klingon", body: "x" },
      {
        kind: "text",
        text: "x",
        note: "The API uses an unknown character encoding; the text was decoded as UTF-8.",
      },
    ],
    [
      "invalid JSON",
      { type: "application/json", body: '{"id":1,"a":[' },
      {
        kind: "text",
        text: '{"id":1,"a":[',
        note: "The response is not valid JSON, although its media type is JSON.",
      },
    ],
    [
      "HTML where JSON is promised",
      { type: "text/html", body: "<p>Login", json: true },
      {
        kind: "malformed",
        reason: "with text/html where application/json was expected",
        excerpt: "<p>Login",
      },
    ],
    [
      "a word as HTML where JSON is promised",
      { type: "text/html", body: "pong", json: true },
      { kind: "text", text: "pong" },
    ],
    [
      "lines where JSON is promised",
      { type: "application/x-ndjson", body: '{"id":1}\r\n\n[2]\n', json: true },
      { kind: "json", value: [{ id: 1 }, [2]] },
    ],
    [
      "lines where it is not",
      { type: "application/jsonl", body: "1\n2\n" },
      { kind: "text", text: "1\n2\n" },
    ],
    [
      "records",
      {
        type: "application/geo+json-seq",
        body: '\u001e{"a":\n1}\n\u001e12345678901234567890\n',
        json: true,
      },
      {
        kind: "json",
        value: [{ a: 1 }, "12345678901234567890"],
        note: "Numbers beyond the precision of JSON numbers are strings with all their digits.",
      },
    ],
    ["no lines at all", { type: "application/jsonl", json: true }, { kind: "json", value: [] }],
    [
      "a line that is no JSON",
      { type: "application/jsonl", body: "1\nx", json: true },
      {
        kind: "json",
        value: [1],
        note: 'The last value is incomplete and left out: "x".',
        isSequence: true,
      },
    ],
    [
      "a line in the middle that is no JSON",
      { type: "application/jsonl", body: "x\n1", json: true },
      { kind: "text", text: "x\n1" },
    ],
    [
      "values in a row",
      { type: "application/json", body: '{"a":"}\\""} {"b":[1]}\n\n[2]\u001e{}' },
      { kind: "json", value: [{ a: '}"' }, { b: [1] }, [2], {}], isSequence: true },
    ],
    [
      "values in a row with IDs of many digits",
      { type: "application/json", body: '{"id":1}{"id":9007199254740993}', json: true },
      { kind: "json", value: [{ id: 1 }, { id: "9007199254740993" }] },
    ],
    [
      "values in a row that break off",
      { type: "application/json", body: '{"a":1}\n{"a":"tw' },
      {
        kind: "json",
        value: { a: 1 },
        note: 'The last value is incomplete and left out: "{\\"a\\":\\"tw".',
      },
    ],
    [
      "a value and a text",
      { type: "application/json", body: '{"a":1} trailing' },
      { kind: "text", text: '{"a":1} trailing' },
    ],
    [
      "text where JSON is promised",
      { type: "text/plain", body: "OK", json: true },
      { kind: "text", text: "OK" },
    ],
    [
      "text behind frames",
      {
        type: "application/vnd.docker.multiplexed-stream",
        body: bytes(1, 0, 0, 0, 0, 0, 0, 3, 97, 98, 10, 2, 0, 0, 0, 0, 0, 0, 2, 99, 100),
      },
      { kind: "binary", text: "ab\ncd" },
    ],
    [
      "text behind frames without a type: a length that is a letter is no text",
      { type: "", body: bytes(1, 0, 0, 0, 0, 0, 0, 3, 97, 98, 10, 2, 0, 0, 0, 0, 0, 0, 2, 99, 10) },
      { kind: "text", text: "ab\nc\n" },
    ],
    [
      "text behind frames of which the last is cut",
      { type: "application/grpc-web", body: bytes(0, 0, 0, 0, 2, 97, 98, 0, 0, 0, 0, 9, 99) },
      { kind: "binary", text: "abc" },
    ],
    [
      "bytes that are no frame, because their length is not that of the file",
      { type: "application/octet-stream", body: bytes(0, 1, 98, 105, 110, 97, 114, 121) },
      { kind: "binary" },
    ],
    [
      "a file that is text",
      { type: "application/octet-stream", body: "a,b\n1,2\n" },
      { kind: "binary", text: "a,b\n1,2\n" },
    ],
    [
      "a sign-in page that is called JSON",
      { type: "application/json", body: "<!DOCTYPE html><p>Login", json: true },
      { kind: "malformed", reason: "with a page where application/json was expected" },
    ],
    [
      "events",
      {
        type: "text/event-stream; charset=utf-8",
        body: "\ufeffdata: a\ndata:  b\nevent: e\nid\n\n: comment\r\n\r\nretry: x\rretry: 5\rdata\r\rother: 1\n\ndata: cut",
        json: true,
      },
      {
        kind: "json",
        value: [
          { data: "a\n b", event: "e", id: "" },
          { data: "", retry: 5 },
        ],
      },
    ],
    ["nothing where JSON is promised", { type: "application/json", json: true }, { kind: "empty" }],
    [
      "blanks where JSON is promised",
      { type: "application/json", json: true, body: " \n" },
      { kind: "empty" },
    ],
    ["nothing", { type: "application/json", status: 202 }, { kind: "empty" }],
    [
      "nothing to HEAD",
      { type: "application/json", json: true, method: "HEAD" },
      { kind: "empty" },
    ],
    ["204", { status: 204, json: true }, { kind: "empty" }],
    ["text", { type: "text/csv", body: "a,b" }, { kind: "text", text: "a,b" }],
    ["XML", { type: "application/xml", body: "<a/>" }, { kind: "text", text: "<a/>" }],
    ["SVG", { type: "image/svg+xml", body: "<svg/>" }, { kind: "text", text: "<svg/>" }],
    [
      "an image",
      { type: "image/png", body: bytes(1, 2) },
      { kind: "binary", mimeType: "image/png", bytes: bytes(1, 2) },
    ],
    [
      "bytes without a type",
      { body: bytes(0xff, 0xfe, 0) },
      { kind: "binary", mimeType: "application/octet-stream" },
    ],
  ])("%s", (_, input, want) => expect(content(input)).toMatchObject(want));

  test("reports JSON that is plain ASCII", () => {
    const plain = (body: string): unknown => content({ type: "application/json", body });
    expect(plain('"abc"')).toMatchObject({ isPlainAscii: true });
    expect(plain('"\\u001b"')).toMatchObject({ isPlainAscii: false });
    expect(plain('"é"')).toMatchObject({ isPlainAscii: false });
    expect(plain('"\u007f"')).toMatchObject({ isPlainAscii: false });
  });

  test.each([bytes(0, 1, 2, 3), bytes(0x1f, 0x8b, 8, 0, 1, 0, 0, 0), bytes(97, 0, 98)])(
    "bytes that are not text: %j",
    (body) =>
      expect(content({ type: "application/octet-stream", body })).not.toHaveProperty("text"),
  );

  test.each<readonly [string, Given, unknown]>([
    ["text", { type: "text/plain", body: "123" }, "123"],
    ["text that is called JSON", { type: "application/json", body: "a log" }, "a log"],
    ["a JSON string", { type: "application/json", body: '"a\\nb"' }, "a\nb"],
    ["no media type", { body: "007" }, "007"],
    ["a JSON list", { type: "application/json", body: "[1, 2]" }, [1, 2]],
    ["a JSON object", { type: "application/json", body: '{"zone": "a\\tb"}' }, { zone: "a\tb" }],
    ["JSON that is called text", { type: "text/plain", body: "[1, 2]" }, "[1, 2]"],
    ["another JSON value", { type: "application/json", body: "17" }, "17"],
  ])("a declared string: %s", (_, { type, body = "" }, value) => {
    const headers = new Headers(type === undefined ? {} : { "content-type": type });
    const response = { status: 200, statusText: "", headers, size: body.length, body };
    expect(decodeResponse(response, "text", "GET")).toMatchObject({ kind: "json", value });
  });

  test("HTML is shortened", () => {
    const broken = content({
      type: "text/html",
      body: `<p>${"x".repeat(1_000_000)}`,
      json: true,
    }) as {
      excerpt: string;
    };
    expect(broken.excerpt).toHaveLength(65_536);
  });
});

describe("JSON", () => {
  test.each<readonly [string, unknown, boolean]>([
    ['{"id":9007199254740993}', { id: "9007199254740993" }, true],
    ['{"id":-9007199254740993}', { id: "-9007199254740993" }, true],
    ['{"id":9007199254740991}', { id: 9007199254740991 }, false],
    ["[12345678901234567890, 1]", ["12345678901234567890", 1], true],
    ['{"id":"9007199254740993"}', { id: "9007199254740993" }, false],
    [
      '{"text":"see \\"9007199254740993\\" and 9007199254740993"}',
      { text: 'see "9007199254740993" and 9007199254740993' },
      false,
    ],
    ['{"9007199254740993":9007199254740993}', { "9007199254740993": "9007199254740993" }, true],
    ["[1e400, -1E+999, 1e-400]", ["1e400", "-1E+999", "1e-400"], true],
    ["[1e300, 0e-400, 0.0]", [1e300, 0, 0], false],
    ["1.2345678901234567890", 1.2345678901234567, false],
    ["1234567890123456789e3", 1.2345678901234568e21, false],
    ["9007199254740993.0", 9007199254740992, false],
  ])("%s", (text, value, exact) =>
    expect(runAtOnce(parseJsonInSteps(text))).toEqual({ value, hasInexactNumbers: exact }),
  );

  test("of ten megabytes of digits in a string", () => {
    const text = JSON.stringify({ a: "1".repeat(10_000_000), b: '\\"'.repeat(1_000_000) });
    expect(runAtOnce(parseJsonInSteps(text)).hasInexactNumbers).toBe(false);
  });

  test("nested 100,000 levels deep", () => {
    expect(
      runAtOnce(parseJsonInSteps("[".repeat(100_000) + "]".repeat(100_000))).hasInexactNumbers,
    ).toBe(false);
  });
});

describe("a media type", () => {
  test.each<readonly [string | null, { essence: string; charset?: string }]>([
    [null, { essence: "" }],
    ["", { essence: "" }],
    ["Text/HTML", { essence: "text/html" }],
    ["text/html;charset=UTF-8", { essence: "text/html", charset: "utf-8" }],
    ['text/html; a=b; Charset="latin1" ', { essence: "text/html", charset: "latin1" }],
  ])("%j", (header, want) => expect(parseContentType(header)).toEqual(want));
});
