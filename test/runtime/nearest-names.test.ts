import { describe, expect, test } from "vitest";
import { nearestNames } from "../../src/runtime/data/nearest-names.js";

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
