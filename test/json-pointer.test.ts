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

const targets: readonly { pointer: string; want: unknown }[] = [
  { pointer: "#", want: root },
  { pointer: "#/", want: 0 },
  { pointer: "#/a/b~1c/0", want: 10 },
  { pointer: "#/a/b~1c/1/d", want: 1 },
  { pointer: "#/a/b%7E1c/0", want: 10 },
  { pointer: "#/a/x%20y", want: 2 },
  { pointer: "#/a/x y", want: 2 },
  { pointer: "#/a/50%", want: 3 },
  { pointer: "#/a/50%25", want: 3 },
  { pointer: "#/a/%41", want: 4 },
  { pointer: "#/a/b~1c/01", want: undefined },
  { pointer: "#/a/b~1c/-", want: undefined },
  { pointer: "#/a/b~1c/length", want: undefined },
  { pointer: "#/constructor", want: undefined },
  { pointer: "#/a/toString", want: undefined },
  { pointer: "#/__proto__/toString", want: undefined },
  { pointer: "#/__proto__/own", want: 6 },
  { pointer: "#a", want: undefined },
  { pointer: "", want: undefined },
  { pointer: "#/a/%zz", want: undefined },
];

test.each(targets)("resolvePointer: $pointer", ({ pointer, want }) => {
  expect(resolvePointer(root, pointer)).toBe(want);
});
