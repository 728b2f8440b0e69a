import { describe, expect, it } from "vitest";
import { toIdentifier, toolTitle } from "../../../src/plan/names/format-name.js";
import { pluralize, singularize } from "../../../src/plan/names/grammar.js";
import { stripLeadingIdentifier } from "../../../src/plan/descriptions/prose.js";
import { splitWords } from "../../../src/plan/names/words.js";

describe("words", () => {
  it.each([
    { input: "listAPIKeys", expected: ["list", "api", "keys"] },
    { input: "get-OAuth2_token", expected: ["get", "oauth2", "token"] },
    { input: "userIDs", expected: ["user", "ids"] },
    { input: "HTTPServerURL", expected: ["http", "server", "url"] },
    { input: "getV1Restrooms", expected: ["get", "v1", "restrooms"] },
    { input: "AssociateS3Resources", expected: ["associate", "s3", "resources"] },
    { input: "IoTHubs_listSignalRNames", expected: ["iot", "hubs", "list", "signalr", "names"] },
    { input: "GitHub's café", expected: ["github", "cafe"] },
    { input: "straße", expected: ["strasse"] },
    { input: "宠物", expected: [] },
    { input: "", expected: [] },
  ])("$input", ({ input, expected }) => {
    expect(splitWords(input)).toEqual(expected);
  });
});

describe("singular and plural", () => {
  it.each([
    ["pet", "pets"],
    ["category", "categories"],
    ["status", "statuses"],
    ["address", "addresses"],
    ["box", "boxes"],
    ["branch", "branches"],
    ["person", "people"],
    ["child", "children"],
    ["movie", "movies"],
    ["cache", "caches"],
    ["release", "releases"],
    ["database", "databases"],
    ["sku", "skus"],
    ["api", "apis"],
    ["emoji", "emojis"],
    ["alias", "aliases"],
    ["key", "keys"],
    ["analysis", "analyses"],
    ["data", "data"],
    ["news", "news"],
    ["menu", "menus"],
    ["policy", "policies"],
    ["type", "types"],
  ])("%s, %s", (one, many) => {
    expect([singularize(many), singularize(one), pluralize(one), pluralize(many)]).toEqual([
      one,
      one,
      many,
      many,
    ]);
  });
});

describe("identifiers", () => {
  const free = (): boolean => false;
  it.each([
    { input: "find_pets", expected: "findPets" },
    { input: "get_2fa", expected: "get_2fa" },
    { input: "delete", expected: "deleteTool" },
    { input: "await", expected: "awaitTool" },
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

describe("leading identifiers in texts", () => {
  it.each([
    {
      id: "AccountService_UpdatePassword",
      text: "UpdatePassword updates a password",
      expected: "updates a password",
    },
    {
      id: "AppService_ResourceTree",
      text: "ResourceTree returns the tree",
      expected: "returns the tree",
    },
    {
      id: "AppService_PodLogs2",
      text: "PodLogs returns log entries",
      expected: "returns log entries",
    },
    {
      id: "AppService_List",
      text: "List returns a list of apps",
      expected: "returns a list of apps",
    },
    { id: "AppService_Patch", text: "Patch patch an app", expected: "patch an app" },
    { id: undefined, text: "DescribeQueue returns a queue", expected: "returns a queue" },
    { id: undefined, text: "StartRun starts a run", expected: "starts a run" },
    { id: "listPosts", text: "List posts of a user", expected: "List posts of a user" },
    { id: "getReports", text: "Get reports by day", expected: "Get reports by day" },
    { id: "sync", text: "GitHub creates a token", expected: "GitHub creates a token" },
    { id: "listPets", text: "Pets returns", expected: "Pets returns" },
  ])("$text", ({ id, text, expected }) => expect(stripLeadingIdentifier(text, id)).toBe(expected));
});
