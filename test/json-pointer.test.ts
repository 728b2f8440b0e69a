import { expect, test } from "vitest";
import {
  parsePointerFragment,
  resolvePointer,
  formatPointerFragment,
} from "../src/json-pointer.js";

const pairs: readonly { pointer: string; tokens: readonly string[] }[] = [
  { pointer: "#", tokens: [] },
  { pointer: "#/", tokens: [""] },
  { pointer: "#/paths/~1pets~1{id}/get", tokens: ["paths", "/pets/{id}", "get"] },
  { pointer: "#/a~0b/~01", tokens: ["a~b", "~1"] },
  { pointer: "#/a//b", tokens: ["a", "", "b"] },
];

test.each(pairs)("$pointer", ({ pointer, tokens }) => {
  expect(parsePointerFragment(pointer)).toEqual(tokens);
  expect(formatPointerFragment(tokens)).toBe(pointer);
});

const root = {
  "": 0,
  a: { "b/c": [10, { d: 1 }], "x y": 2, "50%": 3, "%41": 4 },
  __proto__x: 5,
  ...(JSON.parse('{"__proto__":{"own":6}}') as object),
};

const targets: readonly { pointer: string; expected: unknown }[] = [
  { pointer: "#", expected: root },
  { pointer: "#/", expected: 0 },
  { pointer: "#/a/b~1c/0", expected: 10 },
  { pointer: "#/a/b~1c/1/d", expected: 1 },
  { pointer: "#/a/b%7E1c/0", expected: 10 },
  { pointer: "#/a/x%20y", expected: 2 },
  { pointer: "#/a/x y", expected: 2 },
  { pointer: "#/a/50%", expected: 3 },
  { pointer: "#/a/50%25", expected: 3 },
  { pointer: "#/a/%41", expected: 4 },
  { pointer: "#/a/b~1c/01", expected: undefined },
  { pointer: "#/a/b~1c/-", expected: undefined },
  { pointer: "#/a/b~1c/length", expected: undefined },
  { pointer: "#/constructor", expected: undefined },
  { pointer: "#/a/toString", expected: undefined },
  { pointer: "#/__proto__/toString", expected: undefined },
  { pointer: "#/__proto__/own", expected: 6 },
  { pointer: "#a", expected: undefined },
  { pointer: "", expected: undefined },
  { pointer: "#/a/%zz", expected: undefined },
];

test.each(targets)("resolvePointer: $pointer", ({ pointer, expected }) => {
  expect(resolvePointer(root, pointer)).toBe(expected);
});
