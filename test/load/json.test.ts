import { expect, test } from "vitest";
import { decodeJsonText, findJsonError, parseJson } from "../../src/load/text/parse-json.js";
import { duplicateKeys, scanJson } from "../../src/load/text/scan-json.js";

const bytes = (text: string): Buffer => Buffer.from(text);

const mistakes: readonly { given: string; at: number; what: RegExp }[] = [
  { given: '{"a":1,}', at: 7, what: /comma before a closing bracket/ },
  { given: "[1,]", at: 3, what: /comma before a closing bracket/ },
  { given: '{"a" 1}', at: 5, what: /":" is missing/ },
  { given: '{"a":1 "b":2}', at: 7, what: /"," or "}" is missing/ },
  { given: "[1 2]", at: 3, what: /"," or "]" is missing/ },
  { given: "{a:1}", at: 1, what: /key in double quotes/ },
  { given: "{'a':1}", at: 1, what: /key in double quotes/ },
  { given: '{"a":b}', at: 5, what: /value is missing or not in double quotes/ },
  { given: '{"a":}', at: 5, what: /value is missing/ },
  { given: '{"a":01}', at: 5, what: /value is missing/ },
  { given: '{"a":1.}', at: 5, what: /value is missing/ },
  { given: '{"a":"x', at: 5, what: /no closing quote/ },
  { given: '{"a":"x\ny"}', at: 7, what: /line break/ },
  { given: '{"a":"\\x"}', at: 6, what: /unknown escape/ },
  { given: '{"a":"\\u12g4"}', at: 6, what: /unknown escape/ },
  { given: '{"a":[1,{"b":2}', at: 15, what: /ends too early/ },
  { given: '{"a":', at: 5, what: /ends too early/ },
  { given: "{}{}", at: 2, what: /text after the end/ },
  { given: '[{"a":[]},{"b":{}},x]', at: 19, what: /value is missing/ },
];

test.each(mistakes)("findJsonError: $given", ({ given, at, what }) => {
  expect(() => JSON.parse(given) as unknown).toThrow();
  const mistake = findJsonError(bytes(given));
  expect(mistake.offset).toBe(at);
  expect(mistake.what).toMatch(what);
});

test("an error has line and column", () => {
  const { problem } = parseJson(bytes('{\n  "é": 1,\n  "b": tru\n}'), "a.json");
  expect(problem).toMatchObject({
    code: "load-syntax",
    location: { file: "a.json", line: 3, column: 8 },
  });
});

const scans: readonly { name: string; given: string; keys: number }[] = [
  { name: "keys and not values", given: '{"a":"b","c":{"d":["e","f:"]}}', keys: 3 },
  { name: "space before the colon", given: '{"a" \n:\t1}', keys: 1 },
  { name: "quotes in strings", given: '{"a\\":":"\\\\","b":"\\":"}', keys: 2 },
  { name: "a string that looks like a key", given: '["a:", "\\"b\\":"]', keys: 0 },
];

test.each(scans)("scanJson counts $name", ({ given, keys }) => {
  JSON.parse(given);
  expect(scanJson(bytes(given)).keys).toBe(keys);
});

test("scanJson stops at the limits", () => {
  const bounds = { depth: 3, containers: 5 };
  expect(scanJson(bytes('[[["]"]]]'), bounds)).toEqual({ keys: 0, ends: new Map(), marks: [] });
  expect(scanJson(bytes("[[[[]]]]"), bounds).tooDeepAt).toBe(3);
  expect(scanJson(bytes("[[],[],[],[],[]]"), bounds).tooManyAt).toBe(13);
});

test("a hundred thousand levels are rejected without being parsed", () => {
  expect(parseJson(bytes("[".repeat(100_000)), "a.json").problem).toMatchObject({
    code: "load-too-deep",
    location: { line: 1, column: 201 },
  });
});

const duplicates: readonly { given: string; want: readonly string[] }[] = [
  { given: '{"a":1,"b":{"a":2}}', want: [] },
  { given: '{"a":1,"b":2,"a":3}', want: ["a@13"] },
  { given: '[{"a":1},{"a":1,"\\u0061":2}]', want: ["a@16"] },
  { given: '{"a":{"x":1,"x":2},"b":"a","a":1}', want: ["x@12", "a@27"] },
];

test.each(duplicates)("duplicateKeys: $given", ({ given, want }) => {
  expect(duplicateKeys(bytes(given), 10).map(({ key, offset }) => `${key}@${offset}`)).toEqual(
    want,
  );
});

const long = "x".repeat(40_000);
const texts: readonly { name: string; given: unknown }[] = [
  { name: "ASCII", given: { a: long } },
  { name: "one non-ASCII character in a long text", given: { a: long, b: "é", c: long } },
  {
    name: "non-ASCII characters at a chunk boundary",
    given: { a: `${"x".repeat(16_378)}🐕é漢`, b: long },
  },
  { name: "mostly non-ASCII characters", given: { a: "漢".repeat(40_000) } },
];

test.each(texts)("decodeJsonText is equivalent to the bytes: $name", ({ given }) => {
  expect(JSON.parse(decodeJsonText(bytes(JSON.stringify(given))))).toEqual(given);
});

test("a key called __proto__ is data", () => {
  const { value } = parseJson(bytes('{"__proto__":{"polluted":1},"constructor":2}'), "a.json");
  expect(Object.keys(value?.root as object)).toEqual(["__proto__", "constructor"]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
