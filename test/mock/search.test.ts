import { expect, test } from "vitest";
import { searchedResponse } from "../../src/mock/search.js";

const pets = [
  { id: 1, name: "Rex" },
  { id: 2, name: "Mia" },
];
const answer = (value: unknown) => ({ status: 200, body: JSON.stringify(value) });

test.each<readonly [string, value: unknown, parameters: Record<string, unknown>, want: unknown]>([
  ["one match in a list", pets, { q: "Tom" }, [pets[0]]],
  [
    "one match in an envelope",
    { data: pets, total: 2 },
    { query: "Tom" },
    { data: [pets[0]], total: 2 },
  ],
  ["a match with the searched name", pets, { name: "Tom" }, [{ id: 1, name: "Tom" }]],
  ["no change without a search", pets, { limit: 5 }, pets],
  [
    "no change of an object without one list",
    { a: pets, b: pets },
    { q: "x" },
    { a: pets, b: pets },
  ],
  ["no change of a list of texts", ["a", "b"], { q: "x" }, ["a", "b"]],
  ["no change of an empty list", [], { q: "x" }, []],
])("%s", (_, value, parameters, want) => {
  const { body } = searchedResponse(answer(value), new Map(Object.entries(parameters)), () => true);
  expect(JSON.parse(body as string)).toEqual(want);
});

test("a match that the document refuses is not sent", () => {
  const { body } = searchedResponse(answer(pets), new Map([["q", "x"]]), () => false);
  expect(JSON.parse(body as string)).toEqual(pets);
});
