import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { plan } from "../../../src/plan/index.js";
import type { PaginationMapping } from "../../../src/runtime/types.js";
import { api, inputsOf, ok, operation, parameter, planned } from "../fixtures.js";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const flag: JsonSchema = { type: "boolean" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const ITEMS: JsonSchema = { type: "array", items: object({ id: text, name: text }) };
const query = (...names: string[]) =>
  names.map((name) =>
    parameter(`query ${name.replace("#", "")}`, { schema: name.startsWith("#") ? integer : text }),
  );

describe("hints about the next page of a list in an envelope", () => {
  test.each<{
    readonly name: string;
    readonly answer: JsonSchema;
    readonly inputs: readonly string[];
    readonly want: PaginationMapping | undefined;
  }>([
    {
      name: "a cursor in an object of its name, beside the one of the page before",
      answer: object({ data: ITEMS, cursor: object({ previous: text, next: text }) }),
      inputs: ["cursor"],
      want: { list: "/data", cursor: { input: "cursor", pointer: "/cursor/next" } },
    },
    {
      name: "a cursor",
      answer: object({ messages: ITEMS, response_metadata: object({ next_cursor: text }) }),
      inputs: ["cursor"],
      want: {
        list: "/messages",
        cursor: { input: "cursor", pointer: "/response_metadata/next_cursor" },
      },
    },
    {
      name: "a link",
      answer: object({ calls: ITEMS, next_page_uri: text }),
      inputs: ["#Page", "#PageSize"],
      want: { list: "/calls", link: "/next_page_uri" },
    },
    {
      name: "a link in an object, not a cursor",
      answer: object({ data: ITEMS, links: object({ next: text }) }),
      inputs: ["cursor"],
      want: { list: "/data", link: "/links/next" },
    },
    {
      name: "a link by its format",
      answer: object({ results: ITEMS, next: { type: "string", format: "uri" } }),
      inputs: ["cursor"],
      want: { list: "/results", link: "/next" },
    },
    {
      name: "a cursor by its example, two objects deep, and a link",
      answer: object({
        data: ITEMS,
        links: object({ next: { type: "string", examples: ["https://pets.example/?cursor=b"] } }),
        meta: object({ cursors: object({ next: { type: "string", examples: ["b"] } }) }),
      }),
      inputs: ["cursor"],
      want: {
        list: "/data",
        link: "/links/next",
        cursor: { input: "cursor", pointer: "/meta/cursors/next" },
      },
    },
    {
      name: "that there is more",
      answer: object({ users: ITEMS, more: flag }),
      inputs: ["#offset", "#limit"],
      want: {
        list: "/users",
        offset: { input: "offset", first: 0 },
        pageSize: { input: "limit" },
        hasMore: "/more",
      },
    },
    {
      name: "how much the filters let through, with numbers as text",
      answer: object({
        data: ITEMS,
        meta: object({ total_count: integer, filter_count: integer }),
      }),
      inputs: ["offset", "limit"],
      want: {
        list: "/data",
        offset: { input: "offset", first: 0 },
        pageSize: { input: "limit" },
        total: "/meta/filter_count",
        unfilteredTotal: "/meta/total_count",
      },
    },
    {
      name: "a link, where the page is a number",
      answer: object({ tickets: ITEMS, next_page: text, count: integer }),
      inputs: ["#page", "#per_page"],
      want: {
        list: "/tickets",
        link: "/next_page",
        page: { input: "page", first: 1 },
        pageSize: { input: "per_page" },
        total: "/count",
      },
    },
    {
      name: "a page number",
      answer: object({ tickets: ITEMS, next_page: integer }),
      inputs: ["#page"],
      want: { list: "/tickets", cursor: { input: "page", pointer: "/next_page" } },
    },
    {
      name: "names of a vocabulary",
      answer: object({
        "hydra:member": ITEMS,
        "hydra:totalItems": integer,
        "hydra:view": object({ "hydra:next": text }),
      }),
      inputs: ["#page"],
      want: {
        list: "/hydra:member",
        link: "/hydra:view/hydra:next",
        page: { input: "page", first: 1 },
        total: "/hydra:totalItems",
      },
    },
    {
      name: "no page, but a token in its name",
      answer: object({ data: ITEMS, total: integer }),
      inputs: ["access_token", "landing_page", "start_date", "#limit"],
      want: undefined,
    },
    {
      name: "how much there is",
      answer: object({ repositories: ITEMS, total_count: integer }),
      inputs: ["#page", "#per_page"],
      want: {
        list: "/repositories",
        page: { input: "page", first: 1 },
        pageSize: { input: "per_page" },
        total: "/total_count",
      },
    },
    {
      name: "the last ID, where there is more",
      answer: object({ data: ITEMS, has_more: flag }),
      inputs: ["starting_after"],
      want: {
        list: "/data",
        after: { input: "starting_after", pointer: "/id" },
        hasMore: "/has_more",
      },
    },
    {
      name: "nothing",
      answer: object({ users: ITEMS, query: text }),
      inputs: ["#page"],
      want: undefined,
    },
    {
      name: "no list",
      answer: object({ name: text, next_cursor: text }),
      inputs: ["cursor"],
      want: undefined,
    },
    {
      name: "no input for it",
      answer: object({ users: ITEMS, next_cursor: text }),
      inputs: ["q"],
      want: undefined,
    },
  ])("$name", ({ answer, inputs, want }) => {
    const { tool } = planned(
      operation("GET /things", {
        operationId: "listThings",
        parameters: query(...inputs),
        responses: [ok(answer)],
      }),
    );
    expect(tool.definition.operations[0]?.pagination).toEqual(
      want && { ...want, isFollowed: true },
    );
    expect(tool.definition.operations[0]?.response).toEqual({});
  });

  test("the input of the cursor describes where to find it", () => {
    const { tool } = planned(
      operation("GET /things", {
        operationId: "listThings",
        parameters: query("cursor"),
        responses: [ok(object({ things: ITEMS, meta: object({ next_cursor: text }) }))],
      }),
    );
    expect(inputsOf(tool)["cursor"]?.description).toBe(
      "For the next page: meta.next_cursor of the previous result.",
    );
  });

  test("a find tool that counts has them, too", () => {
    const [find] = plan(
      api([
        operation("GET /pets", {
          operationId: "listPets",
          parameters: query("#offset"),
          responses: [ok(object({ pets: ITEMS, total: integer }))],
        }),
        operation("GET /pets/{petId}", {
          operationId: "getPet",
          responses: [ok(object({ id: text, name: text }))],
        }),
      ]),
    ).tools;
    expect(find?.definition.operations.map(({ pagination }) => pagination)).toEqual([
      undefined,
      { list: "/pets", offset: { input: "offset", first: 0 }, total: "/total", isFollowed: true },
    ]);
  });
});
