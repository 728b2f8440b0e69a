import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, fetchHandler, type ServerContext } from "../../../src/runtime/index.js";
import { createPageMemory } from "../../../src/runtime/pagination/page-memory.js";
import type { PaginationMapping, ToolDefinition } from "../../../src/runtime/types.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const PETS = Array.from({ length: 6 }, (_, i) => ({ id: `p${i + 1}` }));

/** `/ignored` has the same page for all calls, `/clamped` no page after the third one. */
function itemsOf(url: URL): readonly unknown[] {
  const page = Number(url.searchParams.get("page") ?? 1);
  const clamped = Math.min(Math.max(page, 1), 3);
  const offset = url.searchParams.get("offset");
  switch (url.pathname) {
    case "/ignored":
      return PETS.slice(0, 2);
    case "/zeros":
      return [0, 0];
    case "/empty":
      return [];
    case "/clamped":
      return PETS.slice(2 * clamped - 2, 2 * clamped);
    default: {
      const start = offset === null ? 2 * page - 2 : Number(offset);
      return PETS.slice(start, start + 2);
    }
  }
}

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request) => {
    const url = new URL(request.url, upstream.url);
    reply(200, { data: itemsOf(url) })(response, request, 0);
  });
});
afterAll(() => upstream.close());

const byPage: PaginationMapping = { list: "/data", page: { input: "page", first: 1 } };
const guessed: PaginationMapping = {
  list: "/data",
  page: { input: "page", first: 0, firstIsGuess: true },
};
const byOffset: PaginationMapping = { list: "/data", offset: { input: "offset", first: 0 } };
const byCursor: PaginationMapping = {
  list: "/data",
  cursor: { input: "cursor", pointer: "/next_cursor" },
};

function listTool(path: string, pagination: PaginationMapping | "none" = byPage): ToolDefinition {
  const tool = toolOf({
    name: "list_pets",
    properties: {
      page: { type: "integer" },
      offset: { type: "integer" },
      cursor: { type: "string" },
      kind: { type: "string" },
    },
    send: { path, query: { page: "page", offset: "offset", cursor: "cursor", kind: "kind" } },
  });
  if (pagination === "none") return tool;
  return { ...tool, operations: [{ ...tool.operations[0]!, pagination }] };
}

const write = toolOf({
  name: "add_pet",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  send: { method: "POST", path: "/pets" },
});

const same = (page: string, earlier: string, input: string): string =>
  `Note: ${page} has the same items as ${earlier}: the API seems to ignore ${input}, or the ` +
  "list ends before it. Do not call list_pets for further pages.";

const firstAgain = (earlier: string): string =>
  `Note: page 1 seems to be the first page: it has the same items as ${earlier}. ` +
  "The next page, if there is one, is page 2.";

async function notesOf(
  context: ServerContext,
  calls: readonly (object | "write")[],
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const input of calls) {
    const name = input === "write" ? "add_pet" : "list_pets";
    const text = textOf(
      await callTool(context, context.tools.find(name), input === "write" ? {} : input),
    );
    notes.push(text.split("\n").find((line) => line.startsWith("Note:")) ?? "");
  }
  return notes;
}

describe("a page with the items of an earlier one", () => {
  test.each<{
    readonly name: string;
    readonly tool: ToolDefinition;
    readonly calls: readonly (object | "write")[];
    readonly last: string;
  }>([
    {
      name: "is noticed by its number",
      tool: listTool("/ignored"),
      calls: [{}, { page: 2 }],
      last: same("page 2", "the call without page", "page"),
    },
    {
      name: "is noticed by its offset",
      tool: listTool("/ignored", byOffset),
      calls: [{}, { offset: 2 }],
      last: same("offset 2", "the call without offset", "offset"),
    },
    {
      name: "is noticed by its cursor",
      tool: listTool("/ignored", byCursor),
      calls: [{}, { cursor: "c2" }],
      last: same('cursor "c2"', "the call without cursor", "cursor"),
    },
    {
      name: "is noticed without a documented way to the next page",
      tool: listTool("/ignored", "none"),
      calls: [{}, { page: 2 }],
      last: same("page 2", "the call without page", "page"),
    },
    {
      name: "is the first page, whose number is not documented",
      tool: listTool("/ignored", "none"),
      calls: [{ page: 0 }, { page: 1 }],
      last: "",
    },
    {
      name: "is the first page, whose number was a guess",
      tool: listTool("/pages", guessed),
      calls: [{}, { page: 1 }],
      last: firstAgain("the call without page"),
    },
    {
      name: "is the first page, by two numbers",
      tool: listTool("/clamped", guessed),
      calls: [{ page: 0 }, { page: 1 }],
      last: firstAgain("page 0"),
    },
    {
      name: "is noticed after a first page whose number was a guess",
      tool: listTool("/ignored", guessed),
      calls: [{}, { page: 1 }, { page: 2 }],
      last: same("page 2", "the call without page", "page"),
    },
    {
      name: "is named by the number that was sent",
      tool: listTool("/ignored"),
      calls: [{ page: 0 }, { page: 2 }],
      last: same("page 2", "page 0", "page"),
    },
    {
      name: "is noticed behind the last page",
      tool: listTool("/clamped"),
      calls: [{ page: 3 }, { page: 9 }],
      last: same("page 9", "page 3", "page"),
    },
    {
      name: "is not the last page after one behind it",
      tool: listTool("/clamped"),
      calls: [{ page: 9 }, { page: 3 }],
      last: "",
    },
    { name: "is another page", tool: listTool("/pages"), calls: [{}, { page: 2 }], last: "" },
    {
      name: "is the same call again",
      tool: listTool("/ignored"),
      calls: [{ page: 2 }, { page: 2 }],
      last: "",
    },
    {
      name: "has other filters",
      tool: listTool("/ignored"),
      calls: [{}, { page: 2, kind: "dog" }],
      last: "",
    },
    { name: "is empty", tool: listTool("/empty"), calls: [{}, { page: 2 }], last: "" },
    { name: "has only numbers", tool: listTool("/zeros"), calls: [{}, { page: 2 }], last: "" },
    {
      name: "is not compared with those before a write",
      tool: listTool("/ignored"),
      calls: [{}, "write", { page: 2 }],
      last: "",
    },
  ])("$name", async ({ tool, calls, last }) => {
    const context = createTestContext([tool, write], { CLINIC_BASE_URL: upstream.url });
    expect((await notesOf(context, calls)).at(-1)).toBe(last);
  });

  test("belongs to one caller over HTTP", async () => {
    const handler = fetchHandler({
      api,
      tools: [listTool("/ignored")],
      env: {
        CLINIC_HTTP_TOKEN: "token-of-caller-one,token-of-caller-two",
        CLINIC_BASE_URL: upstream.url,
        LOG_LEVEL: "silent",
      },
      platform: testNodePlatform,
    });
    const open = fetchHandler({
      api,
      tools: [listTool("/ignored")],
      env: { CLINIC_BASE_URL: upstream.url, LOG_LEVEL: "silent" },
      platform: testNodePlatform,
      allowUnauthenticated: true,
    });
    const callPage = async (page: number, token?: string): Promise<boolean> => {
      const params = { name: "list_pets", arguments: { page } };
      const request = new Request("https://pets.test/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const text = await (await (token === undefined ? open : handler)(request)).text();
      expect(text).toContain("p1");
      return text.includes("the same items");
    };
    const notices = [
      await callPage(1, "token-of-caller-one"),
      await callPage(2, "token-of-caller-two"),
      await callPage(3, "token-of-caller-one"),
      await callPage(1),
      await callPage(2),
    ];
    expect(notices).toEqual([false, false, true, false, false]);
  });
});

test("pages are forgotten after ten minutes, and the oldest of many", () => {
  let now = 0;
  const memory = createPageMemory(() => now);
  const compare = (list: string, page: number): unknown =>
    memory.compare(list, { input: "page", value: page }, ["a"]);
  compare("first", 1);
  expect(compare("first", 2)).toEqual({ input: "page", value: 1 });
  now = 600_000;
  expect(compare("first", 2)).toBeUndefined();
  for (let i = 0; i < 500; i++) compare(`list ${i}`, 1);
  expect(compare("first", 3)).toBeUndefined();
  expect(compare("list 499", 2)).toEqual({ input: "page", value: 1 });
});
