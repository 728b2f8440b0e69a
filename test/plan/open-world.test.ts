import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import type { JsonSchema } from "../../src/json.js";
import type { Operation } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import { api, ok, operation, parameter } from "./fixtures.js";

const text = { type: "string" } as const;
const returning = (properties: object): Partial<Operation> => ({
  responses: [
    ok({
      type: "array",
      items: { type: "object", properties: properties as Record<string, JsonSchema> },
    }),
  ],
});

function hintOf(one: Operation, yaml = ""): boolean | undefined {
  const { content, locationOf } = parseConfiguration(`version: 1\n${yaml}`, "mcp-gen.yaml");
  const made = plan(api([one]), { configuration: { content: content!, locationOf } });
  return made.tools[0]?.definition.annotations.openWorldHint;
}

describe("a tool is open to the world", () => {
  test.each<readonly [string, Operation, boolean]>([
    ["of orders: no", operation("GET /orders", returning({ id: text, total: text })), false],
    ["of comments", operation("GET /orders/{id}/comments", returning({ id: text })), true],
    ["of one issue", operation("GET /repos/{id}/issues/{number}", returning({ id: text })), true],
    ["that sends", operation("POST /invoices/{id}/send", { summary: "Send an invoice" }), true],
    [
      "whose result has texts with an author",
      operation("GET /entries", returning({ id: text, author: text, body: text })),
      true,
    ],
    [
      "whose nested result has texts with a sender",
      operation(
        "GET /calls",
        returning({ last: { type: "object", properties: { sender: text, text } } }),
      ),
      true,
    ],
    [
      "whose result has a text without an author: no",
      operation("GET /entries", returning({ id: text, body: text })),
      false,
    ],
    [
      "that imports from an address",
      operation("POST /catalogs/import", { parameters: [parameter("query url")] }),
      true,
    ],
    [
      "that stores an address: no",
      operation("POST /shops", { parameters: [parameter("query url")] }),
      false,
    ],
    ["about a resource whose name contains a word: no", operation("GET /postings"), false],
  ])("%s", (_, one, want) => expect(hintOf(one)).toBe(want));
});

test.each([
  ["server: {openWorld: false}", false],
  ["server: {openWorld: true}", true],
  [
    "server: {openWorld: false}\ntools: {list_comments: {annotations: {openWorldHint: true}}}",
    true,
  ],
])("%s decides", (yaml, want) =>
  expect(hintOf(operation("GET /comments", { operationId: "listComments" }), yaml)).toBe(want),
);
