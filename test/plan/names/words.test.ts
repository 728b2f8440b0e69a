import { describe, expect, it } from "vitest";
import { toIdentifier } from "../../../src/plan/names/identifiers.js";
import { pluralize, singularize } from "../../../src/plan/names/grammar.js";
import { stripLeadingIdentifier } from "../../../src/plan/names/leading-identifier.js";
import { toolTitle } from "../../../src/plan/names/titles.js";
import { splitWords } from "../../../src/plan/names/words.js";

describe("words", () => {
  it.each([
    { given: "listAPIKeys", want: ["list", "api", "keys"] },
    { given: "get-OAuth2_token", want: ["get", "oauth2", "token"] },
    { given: "userIDs", want: ["user", "ids"] },
    { given: "HTTPServerURL", want: ["http", "server", "url"] },
    { given: "getV1Restrooms", want: ["get", "v1", "restrooms"] },
    { given: "AssociateS3Resources", want: ["associate", "s3", "resources"] },
    { given: "IoTHubs_listSignalRNames", want: ["iot", "hubs", "list", "signalr", "names"] },
    { given: "GitHub's café", want: ["githubs", "cafe"] },
    { given: "straße", want: ["strasse"] },
    { given: "宠物", want: [] },
    { given: "", want: [] },
  ])("$given", ({ given, want }) => {
    expect(splitWords(given)).toEqual(want);
  });
});

describe("number", () => {
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
    { given: "find_pets", want: "findPets" },
    { given: "get_2fa", want: "get_2fa" },
    { given: "delete", want: "deleteTool" },
    { given: "await", want: "awaitTool" },
    { given: "define_tool", want: "defineToolTool" },
  ])("$given", ({ given, want }) => {
    expect(toIdentifier(given, free)).toBe(want);
  });

  it("keeps apart what underscores keep apart", () => {
    expect(
      new Set(["get_1_2", "get_12", "get1_2", "get12"].map((name) => toIdentifier(name, free)))
        .size,
    ).toBe(4);
  });

  it("leaves the names of schemas alone", () => {
    expect(toIdentifier("find_pets", (name) => name === "FindPetsInput")).toBe("findPetsTool");
  });
});

describe("titles", () => {
  it.each([
    { name: "list_pets", summary: "", want: "List pets" },
    { name: "get_api_key_by_id", summary: "", want: "Get API key by ID" },
    { name: "list_pets", summary: "List all pets.", want: "List all pets" },
    { name: "list_pets", summary: "list all pets", want: "List all pets" },
    { name: "list_pets", summary: "a listing of all pets", want: "A listing of all pets" },
    { name: "list_pets", summary: "iOS devices", want: "iOS devices" },
    { name: "list_pets", summary: "Pets. And more about them.", want: "List pets" },
    { name: "list_pets", summary: "x".repeat(80), want: "List pets" },
    { name: "stop_engine_by_id", summary: "Stop", want: "Stop engine by ID" },
    { name: "create_pet", summary: "Create One", want: "Create pet" },
    { name: "logout", summary: "Logout", want: "Logout" },
    { name: "get_pet_health", summary: "Health", want: "Health" },
  ])("$summary", ({ name, summary, want }) => {
    expect(toolTitle(name, summary)).toBe(want);
  });
});

describe("the name of a function in front of what it does", () => {
  it.each([
    {
      id: "AccountService_UpdatePassword",
      text: "UpdatePassword updates a password",
      want: "updates a password",
    },
    {
      id: "AppService_ResourceTree",
      text: "ResourceTree returns the tree",
      want: "returns the tree",
    },
    { id: "AppService_PodLogs2", text: "PodLogs returns log entries", want: "returns log entries" },
    { id: "AppService_List", text: "List returns a list of apps", want: "returns a list of apps" },
    { id: "AppService_Patch", text: "Patch patch an app", want: "patch an app" },
    { id: undefined, text: "DescribeQueue returns a queue", want: "returns a queue" },
    { id: undefined, text: "StartRun starts a run", want: "starts a run" },
    { id: "listPosts", text: "List posts of a user", want: "List posts of a user" },
    { id: "getReports", text: "Get reports by day", want: "Get reports by day" },
    { id: "sync", text: "GitHub creates a token", want: "GitHub creates a token" },
    { id: "listPets", text: "Pets returns", want: "Pets returns" },
  ])("$text", ({ id, text, want }) => expect(stripLeadingIdentifier(text, id)).toBe(want));
});
