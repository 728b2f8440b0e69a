/** Parameters of a list that a caller sends with an ID, which the document does not have there. */
import { afterEach, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type { OperationBinding, ToolDefinition } from "../../../src/runtime/types.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const byId: OperationBinding = {
  whenProvided: ["id"],
  request: { method: "GET", path: "/users/{id}", pathParams: { id: "id" } },
  response: { item: "" },
};
const search: OperationBinding = {
  whenProvided: ["text"],
  request: {
    method: "POST",
    path: "/users/search",
    body: { contentType: "application/json", fields: { text: "text", deep: "deep" } },
  },
  response: {},
};
const all: OperationBinding = {
  whenProvided: [],
  request: { method: "GET", path: "/users", query: { include_stopped: "stopped", sort: "sort" } },
  response: {},
};

const findUsers: ToolDefinition = {
  ...toolOf({
    name: "find_users",
    properties: {
      id: { type: "string" },
      text: { type: "string" },
      deep: { type: "boolean" },
      stopped: { type: "boolean" },
      sort: { type: "string" },
    },
  }),
  operations: [byId, search, all],
};

/** Calls a tool with each input in one server. Returns the addresses that were read, and the texts. */
async function callInTurn(
  inputs: readonly object[],
  { tool = findUsers, env = {} }: { tool?: ToolDefinition; env?: Record<string, string> } = {},
) {
  upstream = await startUpstream(reply(200, { id: "ann" }));
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url, ...env });
  const texts: string[] = [];
  for (const input of inputs) texts.push(textOf(await callTool(server, tool, input)));
  return { sent: upstream.requests.map(({ url }) => url), texts };
}

test("the second call sends them in the query, with a note", async () => {
  const { sent, texts } = await callInTurn([
    { id: "ann", stopped: true },
    { id: "ann", stopped: true },
    { id: "bob", stopped: false },
    { stopped: true },
  ]);
  expect(texts[0]).toBe(
    "Not sent: 1 problem with the input of find_users.\n" +
      "- stopped: cannot be combined with id; omit one of them\n" +
      "Correct it and call find_users again. If the API takes it here all the same, call find_users again with the same input: it is then sent in the query.",
  );
  const note = "stopped was sent although the API's description has that for other calls only.";
  expect(texts.map((text) => text.includes(note))).toEqual([false, true, true, false]);
  expect(sent).toEqual([
    "/users/ann?include_stopped=true",
    "/users/bob?include_stopped=false",
    "/users?include_stopped=true",
  ]);
});

const writes = { ...findUsers.annotations, readOnlyHint: false };
test.each<readonly [string, object, { tool?: ToolDefinition; env?: Record<string, string> }]>([
  ["an input that chooses another operation", { id: "ann", text: "a" }, {}],
  ["a field of a body", { id: "ann", deep: true }, {}],
  ["strict inputs", { id: "ann", stopped: true }, { env: { CLINIC_STRICT_INPUTS: "true" } }],
  ["a write", { id: "ann", stopped: true }, { tool: { ...findUsers, annotations: writes } }],
])("%s is refused each time, without an offer", async (_, input, options) => {
  const { sent, texts } = await callInTurn([input, input], options);
  expect(sent).toEqual([]);
  expect(texts.map((text) => text.includes("all the same"))).toEqual([false, false]);
});
