import { describe, expect, it } from "vitest";
import { pluralize, singularize } from "../../src/language/grammar.js";
import { stripLeadingIdentifier } from "../../src/language/preamble.js";
import { splitWords } from "../../src/language/words.js";

describe("words", () => {
  it.each([
    { input: "listAPIKeys", expected: ["list", "api", "keys"] },
    { input: "get-OAuth2_token", expected: ["get", "oauth2", "token"] },
    { input: "mRNASeq", expected: ["mrna", "seq"] },
    { input: "aListOfX", expected: ["a", "list", "of", "x"] },
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
    ["schoolbus", "schoolbuses"],
    ["abuse", "abuses"],
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
    {
      id: "Node_OpenChannel",
      text: "cli: openchannel OpenChannel attempts to open a channel.",
      expected: "attempts to open a channel. cli: openchannel.",
    },
    { id: "sync", text: "note: see GitHub creates", expected: "note: see GitHub creates" },
    { id: "AppService_Patch", text: "Patch patch an app", expected: "Patch an app" },
    { id: "KV_Watch", text: "Watch watches for events", expected: "Watch for events" },
    { id: "Defragment", text: "Defragment defragments it", expected: "Defragment it" },
    { id: "Range", text: "Range gets the keys", expected: "gets the keys" },
    { id: "Alarm", text: "Alarm activates, and queries", expected: "activates, and queries" },
    { id: "Authenticate", text: "Authenticate processes a login", expected: "processes a login" },
    { id: "UserGrantRole", text: "UserGrant grants a role", expected: "grants a role" },
    { id: "Delete", text: "Delete records of a zone", expected: "Delete records of a zone" },
    { id: "Get", text: "Get reports by day", expected: "Get reports by day" },
    { id: undefined, text: "DescribeQueue returns a queue", expected: "returns a queue" },
    { id: undefined, text: "StartRun starts a run", expected: "starts a run" },
    { id: "listPosts", text: "List posts of a user", expected: "List posts of a user" },
    { id: "getReports", text: "Get reports by day", expected: "Get reports by day" },
    { id: "sync", text: "GitHub creates a token", expected: "GitHub creates a token" },
    { id: "listPets", text: "Pets returns", expected: "Pets returns" },
  ])("$text", ({ id, text, expected }) => expect(stripLeadingIdentifier(text, id)).toBe(expected));
});
