import { expect, test } from "vitest";
import { isOpen, matchesGlob, matchesValue } from "../../src/eval/match-value.js";

test.each<[expected: unknown, actual: unknown, matches: boolean]>([
  ["rex", "rex", true],
  ["rex", " rex ", true],
  ["rex", "Rex", false],
  ["/rex/i", "the dog Rex", true],
  ["/^rex$/", "the dog rex", false],
  ["/(/", "/(/", true],
  ["*", "anything", true],
  ["*", null, true],
  ["*", undefined, false],
  [5, 5, true],
  [5, "5", true],
  ["5", 5, true],
  [5, 6, false],
  [true, "true", true],
  [true, false, false],
  [null, null, true],
  ["2027-05-03T09:30:00Z", "2027-05-03T11:30:00+02:00", true],
  ["2027-05-03T09:30:00Z", "2027-05-03T10:30:00Z", false],
  ["2027-05-03", "2027-05-03T00:00:00Z", false],
  ["red", ["red"], true],
  ["red", ["red", "blue"], false],
  [["red"], "red", true],
  [["red", "blue"], ["red", "blue"], true],
  [["red", "blue"], ["blue", "red"], false],
  [["red"], '["red"]', true],
  [{ city: "Rome" }, { city: "Rome", zip: 1 }, true],
  [{ city: "Rome" }, '{"city": "Rome"}', true],
  [{ city: { name: "/^R/" } }, { city: { name: "Rome" } }, true],
  [{ city: "Rome" }, { town: "Rome" }, false],
  [{ city: "Rome" }, "Rome", false],
  ["rex", { name: "rex" }, false],
])("expected %j, got %j: %j", (expected, actual, matches) => {
  expect(matchesValue(expected, actual)).toBe(matches);
});

test.each<[glob: string, name: string, matches: boolean]>([
  ["delete_*", "delete_pet", true],
  ["*delete_*", "shop_delete_pet", true],
  ["delete_pet", "delete_pet", true],
  ["delete_*", "undelete_pet", false],
  ["get.pet", "get_pet", false],
  ["*", "x", true],
])("%s stands for %s: %j", (glob, name, matches) => {
  expect(matchesGlob(glob, name)).toBe(matches);
});

test("only the star and patterns leave a value open", () => {
  expect(["*", "/a/", "/a/i", "a", "/(/", "/", 1, null].map(isOpen)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
