import { describe, expect, it } from "vitest";
import { toIdentifier, toolTitle } from "../../../src/plan/names/format-name.js";

describe("identifiers", () => {
  const free = (): boolean => false;
  it.each([
    { input: "find_pets", expected: "findPets" },
    { input: "get_2fa", expected: "get_2fa" },
    { input: "delete", expected: "deleteTool" },
    { input: "await", expected: "awaitTool" },
    { input: "string", expected: "stringTool" },
    { input: "type", expected: "typeTool" },
    { input: "define_tool", expected: "defineToolTool" },
  ])("$input", ({ input, expected }) => {
    expect(toIdentifier(input, free)).toBe(expected);
  });

  it("gives different names different identifiers", () => {
    expect(
      new Set(["get_1_2", "get_12", "get1_2", "get12"].map((name) => toIdentifier(name, free)))
        .size,
    ).toBe(4);
  });

  it("avoids the names of schemas", () => {
    expect(toIdentifier("find_pets", (name) => name === "FindPetsInput")).toBe("findPetsTool");
  });
});

describe("titles", () => {
  it.each([
    { name: "list_pets", summary: "", expected: "List pets" },
    { name: "get_api_key_by_id", summary: "", expected: "Get API key by ID" },
    { name: "list_pets", summary: "List all pets.", expected: "List all pets" },
    { name: "list_pets", summary: "list all pets", expected: "List all pets" },
    { name: "list_pets", summary: "a listing of all pets", expected: "A listing of all pets" },
    { name: "list_pets", summary: "iOS devices", expected: "iOS devices" },
    { name: "list_pets", summary: "Pets. And more about them.", expected: "List pets" },
    { name: "list_pets", summary: "x".repeat(80), expected: "List pets" },
    { name: "stop_engine_by_id", summary: "Stop", expected: "Stop engine by ID" },
    { name: "create_pet", summary: "Create One", expected: "Create pet" },
    { name: "logout", summary: "Logout", expected: "Logout" },
    { name: "get_pet_health", summary: "Health", expected: "Get pet health" },
    { name: "add_pet_to_group", summary: "addToGroup", expected: "Add pet to group" },
    { name: "get_message_length", summary: "message-length", expected: "Get message length" },
  ])("$summary", ({ name, summary, expected }) => {
    expect(toolTitle(name, summary)).toBe(expected);
  });
});
