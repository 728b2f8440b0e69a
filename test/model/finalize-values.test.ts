import { expect, test } from "vitest";
import { readSchema } from "./documents.js";

const codes = { type: "integer", enum: [1, 2] };
const words = { type: "string", enum: ["a", "b"] };

test.each<[given: object, want: object | undefined]>([
  [
    { ...codes, "x-enum-descriptions": ["instant", "later"] },
    { 1: "instant", 2: "later" },
  ],
  [
    { ...words, "x-enumDescriptions": { a: "first", b: "second" } },
    { a: "first", b: "second" },
  ],
  [
    { ...codes, "x-enumNames": ["Instant", "Later"] },
    { 1: "Instant", 2: "Later" },
  ],
  [
    { ...codes, "x-enum-varnames": ["INSTANT", "LATER"] },
    { 1: "INSTANT", 2: "LATER" },
  ],
  [
    {
      ...codes,
      "x-ms-enum": {
        name: "Kind",
        values: [
          { value: 2, name: "Later" },
          { value: 1, name: "Now", description: "at once" },
        ],
      },
    },
    { 1: "at once", 2: "Later" },
  ],
  [
    {
      ...words,
      description: "Kind.\n\n| Value | Meaning |\n|---|---|\n| `a` | one |\n| b | two |",
    },
    { a: "one", b: "two" },
  ],
  [{ ...words, "x-enum-varnames": ["A", "B"] }, undefined],
  [{ ...codes, "x-enum-descriptions": "none" }, undefined],
  [{ ...codes, "x-ms-enum": { values: 1 } }, undefined],
])("reads the meanings of enum values: %j", (given, want) => {
  expect(readSchema(given, "3.0").schema["x-enum-meanings"]).toEqual(want);
});
