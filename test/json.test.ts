import { expect, test } from "vitest";
import { omitUndefined, parseJsonObject } from "../src/json.js";

test("omitUndefined drops undefined members and keeps every other value and the order", () => {
  const result: { readonly a: "x"; readonly b?: number; readonly c: null; readonly d: false } =
    omitUndefined({ a: "x", b: undefined as number | undefined, c: null, d: false });
  expect(Object.entries(result)).toEqual([
    ["a", "x"],
    ["c", null],
    ["d", false],
  ]);
  expect("b" in result).toBe(false);
});

test.each([
  ['\ufeff{"a": 1}', { a: 1 }],
  ["[1]", undefined],
  ["{", undefined],
])("parseJsonObject(%j)", (text, expected) => {
  expect(parseJsonObject(text)).toEqual(expected);
});
