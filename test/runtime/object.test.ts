import { expect, test } from "vitest";
import { omitUndefined } from "../../src/runtime/data/values.js";

test("undefined members are omitted, other empty values are kept", () => {
  const object = { a: undefined, b: null, c: 0, d: "", e: false };
  expect(omitUndefined(object)).toStrictEqual({ b: null, c: 0, d: "", e: false });
});

test("a member named __proto__ is kept", () => {
  const object = JSON.parse('{"__proto__": {"polluted": 1}}') as object;
  expect(Object.keys(omitUndefined(object))).toEqual(["__proto__"]);
});
