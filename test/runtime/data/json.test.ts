import { expect, test } from "vitest";
import { valueAt } from "../../../src/runtime/data/values.js";

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
