import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { ApiModel, Operation, Response } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import type { PaginationMapping } from "../../../src/runtime/types.js";
import { api, inputsOf, ok, operation, parameter } from "../fixtures.js";
import { configuredPlan, diagnostics, tool } from "../configuration/fixtures.js";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const PETS: JsonSchema = { type: "array", items: object({ id: text, name: text }) };
const linked = (schema: JsonSchema): Response => ({
  ...ok(schema),
  headers: [{ name: "Link", schema: text }],
});
const query = (...names: string[]) =>
  names.map((name) =>
    parameter(`query ${name.replace("#", "")}`, { schema: name.startsWith("#") ? integer : text }),
  );

function listing(
  response: Response,
  parameters: Operation["parameters"],
  more: readonly Operation[] = [],
): ApiModel {
  return api([
    operation("GET /pets", { operationId: "listPets", parameters, responses: [response] }),
    ...more,
  ]);
}
const RULE = "tools: {list_pets: {pagination: {maxItems: 50}}}";

describe("following pages", () => {
  test.each<{
    readonly name: string;
    readonly model: ApiModel;
    readonly want: Omit<PaginationMapping, "maxItems">;
  }>([
    {
      name: "page",
      model: listing(ok(PETS), query("#page", "#per_page")),
      want: { page: { input: "page", first: 1 }, pageSize: { input: "per_page" } },
    },
    {
      name: "page from 0",
      model: listing(ok(PETS), [
        parameter("query page", { schema: { type: "integer", default: 0 } }),
      ]),
      want: { page: { input: "page", first: 0 } },
    },
    ...(
      [
        [{ minimum: 0 }, 0, true],
        [{ examples: [0] }, 0, true],
        [{ minimum: 0, examples: [1] }, 0, true],
        [{ examples: [3] }, 1],
        [{ minimum: 1 }, 1],
        [{ minimum: 0, description: "Pages through results in steps, starting at page 1." }, 1],
        [{ minimum: 0, description: "1-based page number" }, 1],
        [{ minimum: 0, description: "The first page is 1." }, 1],
        [{ minimum: 0, default: 0, description: "Page, starting from 1" }, 1],
        [{ minimum: 0, default: 1 }, 1],
        [{ description: "Zero-based page index (0..N)" }, 0],
        [{ description: "Page number, starts at 0" }, 0],
        [{ description: "Page to show, where 0 is the first page" }, 0],
        [{ description: "Up to 100 pages; starts with 10 items" }, 1],
      ] as const
    ).map(([schema, first, firstIsGuess]) => ({
      name: `page with ${JSON.stringify(schema)}`,
      model: listing(ok(PETS), [parameter("query page", { schema: { ...integer, ...schema } })]),
      want: { page: { input: "page", first, ...(firstIsGuess && { firstIsGuess }) } },
    })),
    {
      name: "page[number]",
      model: listing(ok(PETS), query("#page[number]", "#page[size]")),
      want: { page: { input: "page_number", first: 1 }, pageSize: { input: "page_size" } },
    },
    {
      name: "offset, with a total",
      model: listing(ok(object({ pets: PETS, total: integer })), [
        parameter("query offset", { schema: integer }),
        parameter("query limit", { schema: { type: "integer", default: 20 } }),
      ]),
      want: {
        offset: { input: "offset", first: 0 },
        pageSize: { input: "limit", default: 20 },
        total: "/total",
      },
    },
    {
      name: "cursor",
      model: listing(
        ok(
          object({
            data: PETS,
            meta: object({ next_cursor: text, has_more: { type: "boolean" } }),
          }),
        ),
        query("cursor"),
      ),
      want: {
        cursor: { input: "cursor", pointer: "/meta/next_cursor" },
        hasMore: "/meta/has_more",
      },
    },
    {
      name: "a link in the body",
      model: listing(
        ok(object({ data: PETS, links: object({ next: text, prev: text }) })),
        query("#page"),
      ),
      want: { link: "/links/next", page: { input: "page", first: 1 } },
    },
    {
      name: "the Link header",
      model: listing(linked(PETS), query("#page")),
      want: { linkHeader: true, page: { input: "page", first: 1 } },
    },
    {
      name: "the last item's ID",
      model: listing(
        ok(object({ data: PETS, has_more: { type: "boolean" } })),
        query("starting_after", "#limit"),
      ),
      want: { after: { input: "starting_after", pointer: "/id" }, hasMore: "/has_more" },
    },
  ])("$name", ({ model, want }) => {
    const made = configuredPlan(RULE, {}, model);
    expect(diagnostics(made)).toEqual([]);
    const { definition } = tool(made, "list_pets");
    expect(definition.operations[0]?.pagination).toEqual({ maxItems: 50, ...want });
    expect(definition.outputSchema).toMatchObject({
      type: "object",
      properties: { items: { type: "array" } },
      required: ["items"],
    });
    expect(definition.description).toMatch(
      /^List pets\. Returns items with id and name\. Collects up to 50 items, from several pages where needed\.$/,
    );
  });

  test("an envelope becomes items and next, with its other fields", () => {
    const { definition } = tool(
      configuredPlan(
        RULE,
        {},
        listing(ok(object({ data: PETS, next_cursor: text, total: integer })), query("cursor")),
      ),
      "list_pets",
    );
    expect(definition.operations[0]?.response).toEqual({
      items: "/data",
      next: { cursor: "/next_cursor" },
      extraFields: { total: "/total" },
    });
    expect(Object.keys((definition.outputSchema as JsonSchema).properties ?? {})).toEqual([
      "items",
      "next",
      "total",
    ]);
    expect(
      inputsOf(
        tool(
          configuredPlan(
            RULE,
            {},
            listing(ok(object({ data: PETS, next_cursor: text })), query("cursor")),
          ),
          "list_pets",
        ),
      )["cursor"]?.description,
    ).toBe("For the next page: next.cursor of the previous result.");
  });

  test("each list of a merged tool has its own method, and a renamed cursor stays the cursor", () => {
    const model = listing(ok(object({ data: PETS, next: text })), query("after"), [
      operation("GET /pets/{petId}", {
        operationId: "getPet",
        responses: [ok(object({ id: text, name: text }))],
      }),
    ]);
    const made = configuredPlan(
      "tools: {find_pets: {pagination: {maxItems: 9}, inputs: {after: {name: from_cursor}}}}",
      { granularity: "task" },
      model,
    );
    const { definition } = tool(made, "find_pets");
    expect(definition.operations.map(({ pagination }) => pagination)).toEqual([
      undefined,
      { maxItems: 9, cursor: { input: "from_cursor", pointer: "/next" } },
    ]);
    expect(definition.operations[1]?.response.next).toEqual({ from_cursor: "/next" });
    expect(definition.outputSchema).toMatchObject({
      properties: { next: { properties: { from_cursor: {} } } },
    });
    expect(inputsOf(tool(made, "find_pets"))["from_cursor"]?.description).toContain(
      "For the next page: next.from_cursor of the previous result.",
    );
  });

  test.each([
    {
      model: listing(ok(PETS), query("q")),
      rule: RULE,
      want: [
        "2:21 config-pagination-method list_pets needs an integer input `page` or `offset`, or a cursor that its response returns, but its inputs are q; only `Link` headers are followed.",
      ],
    },
    {
      model: listing(ok(object({ id: text })), []),
      rule: "tools: {l: {operation: listPets, pagination: {maxItems: 50}}}",
      want: [
        "2:34 config-pagination Its pages cannot be followed: the list in the response of listPets is ambiguous.",
      ],
    },
    {
      model: listing(ok(undefined), []),
      rule: RULE,
      want: [
        "2:21 config-pagination Its pages cannot be followed: the list in the response of listPets is ambiguous.",
      ],
    },
  ])("$rule is reported", ({ model, rule, want }) =>
    expect(diagnostics(configuredPlan(rule, {}, model))).toEqual(want),
  );
});

describe("a declared Link header", () => {
  test("adds the inputs of the next page to the result", () => {
    const [only] = plan(listing(linked(PETS), query("#page", "#per_page", "sort"))).tools;
    expect(only?.definition.operations[0]).toMatchObject({
      response: { wrap: "items" },
      pagination: { linkHeader: true },
    });
    expect(only?.definition.outputSchema).toMatchObject({
      properties: { items: {}, next: { type: "object", properties: { page: { type: "number" } } } },
      required: ["items"],
    });
    expect(only && inputsOf(only)["page"]?.description).toBe(
      "Page to return. For the next page: next.page of the previous result.",
    );
  });

  test("changes nothing without inputs about pages", () => {
    const [only] = plan(listing(linked(PETS), query("sort"))).tools;
    expect(only?.definition.operations[0]?.pagination).toBeUndefined();
    expect(Object.keys((only?.definition.outputSchema as JsonSchema).properties ?? {})).toEqual([
      "items",
    ]);
  });

  test("of a list merged with a get", () => {
    const model = listing(linked(PETS), query("#page"), [
      operation("GET /pets/{petId}", {
        operationId: "getPet",
        responses: [ok(object({ id: text, name: text }))],
      }),
    ]);
    const { definition } = plan(model).tools[0]!;
    expect(definition.operations.map(({ pagination }) => pagination)).toEqual([
      undefined,
      { linkHeader: true, isFollowed: true },
    ]);
    expect(definition.outputSchema).toMatchObject({
      properties: { next: { properties: { page: {} } } },
    });
  });
});
