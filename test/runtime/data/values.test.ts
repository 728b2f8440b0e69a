import { describe, expect, test } from "vitest";
import { nearestNames, omitUndefined, valueAt } from "../../../src/runtime/data/values.js";

/** JSON pointers, RFC 6901. The index of an array has no leading zero. */
test.each([
  [{ a: [{ b: 1 }] }, "/a/0/b", 1],
  [{ "a/b": { "c~": 2 } }, "/a~1b/c~0", 2],
  [{}, "/constructor", undefined],
  [[1], "/length", undefined],
  [[1], "/00", undefined],
  [null, "/a", undefined],
  ["text", "/0", undefined],
  [5, "", 5],
])("%j at %s", (root, pointer, want) => {
  expect(valueAt(root, pointer)).toEqual(want);
});

test("undefined members are omitted, other empty values are kept", () => {
  const object = { a: undefined, b: null, c: 0, d: "", e: false };
  expect(omitUndefined(object)).toStrictEqual({ b: null, c: 0, d: "", e: false });
});

test("a member named __proto__ is kept", () => {
  const object = JSON.parse('{"__proto__": {"polluted": 1}}') as object;
  expect(Object.keys(omitUndefined(object))).toEqual(["__proto__"]);
});

describe("the nearest names", () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ["find_pet", ["find_pets", "find_owners", "delete_pet"], ["find_pets"]],
    ["findPets", ["find_pets"], ["find_pets"]],
    ["stauts", ["state", "status", "limit"], ["status", "state"]],
    ["aa", ["ab", "ac", "ad", "ae"], ["ab", "ac", "ad"]],
    ["tool", ["tool_a", "tools"], ["tools", "tool_a"]],
    ["x", ["a", "b"], []],
    ["something else", ["find_pets"], []],
    ["", ["a"], []],
    ["x".repeat(1000), ["x".repeat(999)], []],
  ])("%s among %j", (name, known, want) => expect(nearestNames(name, known)).toEqual(want));
});
