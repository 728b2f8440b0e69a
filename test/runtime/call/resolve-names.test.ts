import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type { NameResolution, ToolDefinition } from "../../../src/runtime/types.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const PRODUCTS = ["Red shoes", "Blue shoes", "Hat", "hat", "HAT ", "Scarf"]
  .map((name, i) => ({ id: `prd${i + 1}`, name }))
  .concat({ id: "main-warehouse", name: "Warehouse" });

/** Products to search, to list in pages of two, and to get; some may not be deleted twice. */
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request) => {
    const url = new URL(request.url, upstream.url);
    const id = decodeURIComponent(url.pathname.split("/")[2] ?? "");
    const answer = (status: number, body?: unknown): void =>
      reply(status, body ?? "")(response, request, 0);
    if (request.method === "DELETE") return answer(204);
    if (url.pathname === "/down") return answer(403);
    if (url.pathname === "/envelope") return answer(200, { total: 1, results: [PRODUCTS[0]] });
    if (url.pathname === "/numbers") return answer(200, [{ id: 7, name: "Seven" }]);
    if (id !== "")
      return PRODUCTS.some((one) => one.id === id)
        ? answer(
            200,
            PRODUCTS.find((one) => one.id === id),
          )
        : answer(404);
    const words = url.searchParams.get("q")?.toLowerCase();
    const found =
      words === undefined
        ? PRODUCTS
        : PRODUCTS.filter(({ name }) => name.toLowerCase().includes(words));
    const page = Number(url.searchParams.get("page") ?? 1);
    return answer(
      200,
      url.searchParams.has("page") || url.pathname === "/paged"
        ? found.slice(2 * page - 2, 2 * page)
        : found,
    );
  });
});
afterAll(() => upstream.close());

const text = { type: "string" };
const list = { type: "object", properties: { items: { type: "array" } }, required: ["items"] };
const find: ToolDefinition = {
  ...toolOf({
    name: "find_products",
    properties: { product_id: text, q: text },
    outputSchema: list,
  }),
  operations: [
    {
      whenProvided: ["product_id"],
      request: { method: "GET", path: "/products/{id}", pathParams: { id: "product_id" } },
      response: { item: "" },
    },
    {
      whenProvided: ["q"],
      request: { method: "GET", path: "/products", query: { q: "q" } },
      response: { items: "" },
    },
    { whenProvided: [], request: { method: "GET", path: "/products" }, response: { items: "" } },
  ],
};
const listed = toolOf({
  name: "list_products",
  properties: { page: { type: "integer" } },
  outputSchema: list,
  send: { path: "/paged", query: { page: "page" } },
  read: { wrap: "items" },
});
const down = toolOf({
  name: "list_down",
  outputSchema: list,
  send: { path: "/down" },
  read: { wrap: "items" },
});
const numbers = toolOf({
  name: "list_numbers",
  outputSchema: list,
  send: { path: "/numbers" },
  read: { wrap: "items" },
});

const envelope = toolOf({
  name: "search_envelope",
  properties: { q: text },
  outputSchema: { type: "object", properties: { results: { type: "array" } } },
  send: { path: "/envelope", query: { q: "q" } },
});

/** A list whose response is an array, and whose search has one of the names only. */
const array = {
  ...toolOf({ name: "search_products", properties: { q: text }, outputSchema: list }),
  operations: [
    {
      whenProvided: [],
      request: { method: "GET" as const, path: "/products", query: { q: "q" } },
      response: { wrap: "items" },
    },
  ],
} as ToolDefinition;
const searched: NameResolution = {
  lookupTool: "find_products",
  nameField: "name",
  idField: "id",
  searchInput: "q",
  idInput: "product_id",
};
const paged: NameResolution = {
  lookupTool: "list_products",
  nameField: "name",
  idField: "id",
  pagination: { maxItems: 1000, page: { input: "page", first: 1 } },
};

async function remove(given: unknown, binding: NameResolution) {
  const {
    operations: [only],
    ...rest
  } = toolOf({
    name: "remove_product",
    properties: { product_id: { anyOf: [text, { type: "integer" }] } },
    required: ["product_id"],
    send: { method: "DELETE", path: "/products/{id}", pathParams: { id: "product_id" } },
  });
  const tool: ToolDefinition = {
    ...rest,
    operations: [{ ...only!, resolve: { product_id: binding } }],
  };
  const app = createTestContext([tool, find, array, listed, down, numbers, envelope], {
    CLINIC_BASE_URL: upstream.url,
  });
  const before = upstream.requests.length;
  const result = await callTool(app, tool, { product_id: given });
  return {
    requests: upstream.requests.slice(before).map(({ method, url }) => `${method} ${url}`),
    text: textOf(result),
    isError: result.isError === true,
  };
}

describe("an input that takes an ID or a name", () => {
  test.each<{
    readonly name: string;
    readonly given: unknown;
    readonly binding: NameResolution;
    readonly sent: string;
    readonly lookups: number;
  }>([
    { name: "a name", given: "Red shoes", binding: searched, sent: "prd1", lookups: 1 },
    {
      name: "a name in other letters",
      given: " rED SHOES ",
      binding: searched,
      sent: "prd1",
      lookups: 1,
    },
    {
      name: "a name in an envelope",
      given: "Red shoes",
      binding: {
        lookupTool: "search_envelope",
        nameField: "name",
        idField: "id",
        items: "/results",
        searchInput: "q",
      },
      sent: "prd1",
      lookups: 1,
    },
    { name: "a name on the third page", given: "Scarf", binding: paged, sent: "prd6", lookups: 5 },
    {
      name: "a candidate as it was offered",
      given: "prd1 (Red shoes)",
      binding: paged,
      sent: "prd1",
      lookups: 5,
    },
    {
      name: "an offered ID that the search does not find",
      given: "main-warehouse",
      binding: { ...searched, idInput: undefined } as unknown as NameResolution,
      sent: "main-warehouse",
      lookups: 2,
    },
    { name: "an ID", given: "prd2", binding: searched, sent: "prd2", lookups: 1 },
    {
      name: "an ID that looks like a name",
      given: "main-warehouse",
      binding: searched,
      sent: "main-warehouse",
      lookups: 2,
    },
    {
      name: "an ID in a list",
      given: "main-warehouse",
      binding: paged,
      sent: "main-warehouse",
      lookups: 5,
    },
    { name: "an ID that no list shows", given: "prd99", binding: paged, sent: "prd99", lookups: 5 },
    {
      name: "what can only be an ID",
      given: "prd2",
      binding: { ...searched, idSchema: { type: "string", pattern: "^prd\\d+$" } },
      sent: "prd2",
      lookups: 0,
    },
    {
      name: "a number",
      given: 7,
      binding: {
        lookupTool: "list_numbers",
        nameField: "name",
        idField: "id",
        idSchema: { type: "integer" },
      },
      sent: "7",
      lookups: 0,
    },
    {
      name: "a number as text",
      given: "7",
      binding: {
        lookupTool: "list_numbers",
        nameField: "name",
        idField: "id",
        idSchema: { type: "integer" },
      },
      sent: "7",
      lookups: 0,
    },
    {
      name: "a name of a number",
      given: "seven",
      binding: {
        lookupTool: "list_numbers",
        nameField: "name",
        idField: "id",
        idSchema: { type: "integer" },
      },
      sent: "7",
      lookups: 1,
    },
  ])("$name", async ({ given, binding, sent, lookups }) => {
    const { requests, isError } = await remove(given, binding);
    expect(isError).toBe(false);
    expect(requests.at(-1)).toBe(`DELETE /products/${sent}`);
    expect(requests.length - 1).toBe(lookups);
  });

  test("a name that the search does not know is found in the whole list", async () => {
    const binding: NameResolution = {
      lookupTool: "search_products",
      nameField: "name or id",
      nameFields: ["name", "id"],
      idField: "id",
      searchInput: "q",
    };
    const { requests, isError } = await remove("main-warehouse", binding);
    expect([isError, requests.at(-1)]).toEqual([false, "DELETE /products/main-warehouse"]);
    expect(await remove("no such thing", binding)).toMatchObject({
      requests: ["GET /products?q=no%20such%20thing", "GET /products"],
      text: expect.stringContaining("Candidates for product_id: ") as string,
    });
  });

  test("a very long name is looked up", async () => {
    expect((await remove(`${"0".repeat(200_000)} x`, paged)).isError).toBe(true);
  });

  test.each<{
    readonly name: string;
    readonly given: string;
    readonly binding: NameResolution;
    readonly says: string;
  }>([
    {
      name: "several things of that name",
      given: "hat",
      binding: searched,
      says: 'Not sent: 3 resources have the name "hat".\nCandidates for product_id: prd3 (Hat), prd4 (hat), prd5 (HAT).\nNext: call remove_product again with the ID of the right one; if you cannot tell which it is, ask the user.',
    },
    {
      name: "nothing of that name",
      given: "Red sheos",
      binding: searched,
      says: 'Not sent: no result of find_products has the name "Red sheos".\nCandidates for product_id: prd1 (Red shoes), prd2 (Blue shoes), prd3 (Hat), prd4 (hat), prd5 (HAT).\nNext: call remove_product again with the ID of the right one; if none of them matches, call find_products to find it, or ask the user.',
    },
    {
      name: "a part of names",
      given: "shoes",
      binding: searched,
      says: 'Not sent: no result of find_products has the name "shoes".\nCandidates for product_id: prd1 (Red shoes), prd2 (Blue shoes).',
    },
    {
      name: "no list to be had",
      given: "Hat",
      binding: { lookupTool: "list_down", nameField: "name", idField: "id" },
      says: 'Not sent: product_id "Hat" could not be looked up.\nlist_down failed: 403',
    },
    {
      name: "no such tool",
      given: "Hat",
      binding: { lookupTool: "gone", nameField: "name", idField: "id" },
      says: "Not sent: product_id takes only an ID here, because gone is not available. Pass the ID.",
    },
  ])(
    "is an error with candidates, and nothing is sent: $name",
    async ({ given, binding, says }) => {
      const { requests, text: said, isError } = await remove(given, binding);
      expect(isError).toBe(true);
      expect(said).toContain(says);
      expect(requests.filter((request) => request.startsWith("DELETE"))).toEqual([]);
    },
  );
});
