import { describe, expect, test } from "vitest";
import { numberedOperationIds, removeSharedParts } from "../../../src/plan/names/shared-parts.js";

const nouns = ["Inbox", "User", "Format", "Token", "Role", "Team", "Page", "Tag"];
const idsOf = (write: (noun: string) => string): string[] => nouns.map(write);

describe("shared parts of operationIds are left out of names", () => {
  test.each<readonly [string, readonly string[], string, string]>([
    [
      "a service at their beginning",
      idsOf((n) => `Lightning_Get${n}`),
      "Lightning_GetInbox",
      "GetInbox",
    ],
    ["a kind of class", idsOf((n) => `get_${n}_resource`), "get_inboxes_resource", "get_inboxes"],
    ["a suffix of functions", idsOf((n) => `Get${n}Async`), "GetOrdersAsync", "GetOrders"],
    ["a kind of type", idsOf((n) => `Get${n}Params`), "GetOrdersParams", "GetOrders"],
    ["both", idsOf((n) => `Lightning_Get${n}Async`), "Lightning_GetInboxAsync", "GetInbox"],
    ["a verb", idsOf((n) => `${n}_get`), "Inbox_get", "Inbox_get"],
    ["nothing", idsOf((n) => `get${n}`), "getInboxResource", "getInboxResource"],
    ["a word of few operations", idsOf((n) => `get${n}Async`).slice(1), "getAsync", "getAsync"],
  ])("%s", (_, ids, id, want) => {
    expect(removeSharedParts(ids)(id)).toBe(want);
  });
});

test("a number that only distinguishes an operationId from another one is left out", () => {
  const operations = [
    { operationId: "GetTask", path: "/tasks/{id}" },
    { operationId: "GetTask2", path: "/v1/tasks/{id}" },
    { operationId: "GetTask3", path: "/tasks/{id}/task3" },
    // Two methods of one path.
    { operationId: "GetTask4", path: "/tasks/{id}" },
    { operationId: "GetLevel2", path: "/levels/{id}" },
    { path: "/tasks" },
  ];
  expect([...numberedOperationIds(operations)]).toEqual([["GetTask2", "GetTask"]]);
});
