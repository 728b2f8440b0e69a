import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { ApiModel } from "../../../src/model/types.js";
import { api, inputsOf, json, ok, operation, parameter } from "../fixtures.js";
import { configuredPlan, diagnostics, tool } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const PRODUCT = object({ id: text, name: text, sku: text });
const list = (item: JsonSchema): JsonSchema => ({ type: "array", items: item });
const id = (schema: JsonSchema) => [parameter("path product_id", { schema })];

const shop = (schema: JsonSchema = text): ApiModel =>
  api([
    operation("GET /products", {
      operationId: "listProducts",
      parameters: [parameter("query page", { schema: { type: "integer" } })],
      responses: [ok(list(PRODUCT))],
    }),
    operation("GET /products/search", {
      operationId: "searchProducts",
      parameters: [parameter("query q", { required: true })],
      responses: [ok(list(PRODUCT))],
    }),
    operation("GET /products/{product_id}", {
      operationId: "getProduct",
      parameters: id(schema),
      responses: [ok(PRODUCT)],
    }),
    operation("DELETE /products/{product_id}", {
      operationId: "deleteProduct",
      parameters: id(schema),
      responses: [ok(undefined, "204")],
    }),
    operation("POST /baskets", {
      operationId: "createBasket",
      ...json(object({ product_ids: list(text), product_id: text })),
      responses: [ok(undefined, "204")],
    }),
    operation("GET /brands", {
      operationId: "listBrands",
      responses: [ok(list(object({ brandId: text, title: text })))],
    }),
    operation("GET /shops/{shop_id}/shelves", {
      operationId: "listShelves",
      responses: [ok(list(object({ id: text, name: text })))],
    }),
    operation("GET /catalogue/search", {
      operationId: "searchCatalogue",
      parameters: [parameter("query q", { required: true })],
      responses: [
        ok(
          object({ page: { type: "integer" }, results: list(PRODUCT), total: { type: "integer" } }),
        ),
      ],
    }),
    operation("GET /catalogue/overview", {
      operationId: "getOverview",
      responses: [
        ok(object({ products: list(PRODUCT), brands: list(object({ id: text, name: text })) })),
      ],
    }),
    operation("GET /goods", {
      operationId: "listGoods",
      parameters: [parameter("query cursor")],
      responses: [ok(object({ goods: list(PRODUCT), next_cursor: text }))],
    }),
    operation("GET /names", {
      operationId: "listNames",
      responses: [ok(list(object({ name: text })))],
    }),
  ]);
/** Items whose ID no name shows. */
const labelled = () =>
  api([
    operation("GET /names", {
      operationId: "listNames",
      responses: [ok(list(object({ label: text, entity_id: text })))],
    }),
    operation("DELETE /products/{product_id}", {
      operationId: "deleteProduct",
      responses: [ok(undefined, "204")],
    }),
  ]);
const RESOLVE = (
  via: string,
  match = "name",
  name = "remove_product",
  operationId = "deleteProduct",
  input = "product_id",
): string =>
  `tools:\n  ${name}:\n    operation: ${operationId}\n    inputs: {${input}: {resolve: {via: ${via}, match: ${match}}}}${name === "fill" ? "" : "\n    bulk: false"}`;
const planWithRule = (rule: string, model = shop()) =>
  configuredPlan(rule, { granularity: "task" }, model);

describe("resolve", () => {
  test("takes the ID from the field that `id` names", () => {
    const rule = RESOLVE("list_names").replace("match: name", "match: label, id: entity_id");
    const made = planWithRule(rule, labelled());
    expect(diagnostics(made)).toEqual([]);
    expect(
      tool(made, "remove_product").definition.operations[0]?.resolve?.["product_id"],
    ).toMatchObject({ nameField: "label", idField: "entity_id" });
  });

  test("rejects a field that only the result by ID has", () => {
    const brief = api([
      operation("GET /switches", {
        operationId: "listSwitches",
        responses: [ok(list(object({ id: text })))],
      }),
      operation("GET /switches/{id}", {
        operationId: "getSwitch",
        responses: [ok(object({ id: text, nickname: text }))],
      }),
      operation("DELETE /switches/{id}", {
        operationId: "deleteSwitch",
        responses: [ok(undefined, "204")],
      }),
    ]);
    const rule =
      "tools: {delete_switch: {inputs: {id: {resolve: {via: find_switches, match: nickname}}}}}";
    expect(diagnostics(planWithRule(rule, brief))).toEqual([
      '2:69 config-resolve "id" cannot be looked up with find_switches: its list lacks "nickname", which only the result by ID has.',
    ]);
  });

  test("says which field may be the ID where no name shows it", () => {
    const made = planWithRule(RESOLVE("list_names", "label"), labelled());
    expect(made.diagnostics.find(({ code }) => code === "config-resolve")?.hint).toBe(
      'If it is "entity_id", add id: entity_id to the rule. If `output` drops the ID, keep it.',
    );
  });

  test("looks names up by search, and recognizes IDs by a get", () => {
    const made = planWithRule(RESOLVE("find_products"));
    expect(diagnostics(made)).toEqual([]);
    const { definition, inputs } = tool(made, "remove_product");
    expect(definition.operations[0]?.resolve).toEqual({
      product_id: {
        lookupTool: "find_products",
        nameField: "name",
        idField: "id",
        searchInput: "q",
        idInput: "product_id",
      },
    });
    expect(inputs[0]?.description).toBe(
      "Get it from find_products. Or its exact name, which find_products looks it up.".replace(
        " looks it up",
        " looks up",
      ),
    );
  });

  test("follows renames of the tool and of the input", () => {
    const made = planWithRule(
      "namespace: shop\ntools:\n  goods: {merge: [listProducts, searchProducts, getProduct], inputs: {q: {name: words}, product_id: {name: number}}}\n  remove_product: {operation: deleteProduct, inputs: {product_id: {name: product, resolve: {via: goods, match: sku}}}}",
    );
    expect(tool(made, "remove_product").definition.operations[0]?.resolve).toEqual({
      product: {
        lookupTool: "goods",
        nameField: "sku",
        idField: "id",
        searchInput: "words",
        idInput: "number",
      },
    });
  });

  test("uses the only list of an envelope", () => {
    expect(
      tool(planWithRule(RESOLVE("search_catalogue")), "remove_product").definition.operations[0]
        ?.resolve,
    ).toEqual({
      product_id: {
        lookupTool: "search_catalogue",
        nameField: "name",
        idField: "id",
        searchInput: "q",
        items: "/results",
      },
    });
  });

  test("follows the pages of a list without search", () => {
    const made = planWithRule(RESOLVE("list_products"), {
      ...shop(),
      operations: shop()
        .operations.filter(
          ({ path }) =>
            path !== "/products/search" && !(path.includes("{product_id}") && path.length > 99),
        )
        .filter(({ operationId }) => operationId !== "getProduct"),
    });
    expect(tool(made, "remove_product").definition.operations[0]?.resolve).toEqual({
      product_id: {
        lookupTool: "list_products",
        nameField: "name",
        idField: "id",
        pagination: { maxItems: 1000, page: { input: "page", first: 1 } },
      },
    });
  });

  test("finds the list in an envelope", () => {
    expect(
      tool(planWithRule(RESOLVE("list_goods")), "remove_product").definition.operations[0]?.resolve,
    ).toEqual({
      product_id: {
        lookupTool: "list_goods",
        nameField: "name",
        idField: "id",
        items: "/goods",
        pagination: { maxItems: 1000, cursor: { input: "cursor", pointer: "/next_cursor" } },
      },
    });
  });

  test.each<{
    readonly schema: JsonSchema;
    readonly ids: JsonSchema | undefined;
    readonly accepts: JsonSchema;
  }>([
    {
      schema: { type: "integer", minimum: 1 },
      ids: { type: "integer" },
      accepts: { anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] },
    },
    {
      schema: { type: "string", format: "uuid" },
      ids: { type: "string", format: "uuid" },
      accepts: { type: "string" },
    },
    {
      schema: { type: "string", pattern: "^prd_[0-9a-z]{6}$" },
      ids: { type: "string", pattern: "^prd_[0-9a-z]{6}$" },
      accepts: { type: "string" },
    },
    {
      schema: { anyOf: [{ type: "integer" }, { type: "string" }] },
      ids: { type: "string", pattern: "^-?\\d+$" },
      accepts: { anyOf: [{ type: "integer" }, { type: "string" }] },
    },
    {
      schema: { oneOf: [{ type: "integer" }, { type: "string", format: "uuid" }] },
      ids: {
        anyOf: [
          { type: "string", pattern: "^-?\\d+$" },
          { type: "string", format: "uuid" },
        ],
      },
      accepts: { anyOf: [{ type: "integer" }, { type: "string" }] },
    },
    {
      schema: { anyOf: [{ type: "integer" }, { type: "null" }] },
      ids: { type: "integer" },
      accepts: { anyOf: [{ type: "integer" }, { type: "string" }] },
    },
    {
      schema: { type: "string", pattern: "^[a-z-]+$", minLength: 30 },
      ids: undefined,
      accepts: { type: "string" },
    },
  ])("$schema", ({ schema, ids, accepts }) => {
    const made = tool(planWithRule(RESOLVE("find_products"), shop(schema)), "remove_product");
    expect(made.definition.operations[0]?.resolve?.["product_id"]?.idSchema).toEqual(ids);
    const { description: _, ...own } = inputsOf(made)["product_id"] ?? {};
    expect(own).toEqual(accepts);
  });

  test.each([
    {
      rule: RESOLVE("find_product"),
      want: '5:37 config-resolve The tool "find_product" for the lookup of names does not exist; did you mean find_products?',
    },
    {
      rule: RESOLVE("find_products", "nam"),
      want: '5:57 config-resolve "product_id" cannot be looked up with find_products: the items that it returns have no "nam"; did you mean name?',
    },
    {
      rule: RESOLVE("list_brands", "title", "remove_product", "deleteProduct", "produkt_id"),
      want: '5:14 config-unknown-input "produkt_id" is not an input of remove_product; did you mean product_id?',
    },
    {
      rule: RESOLVE("list_names"),
      want: '5:37 config-resolve "product_id" cannot be looked up with list_names: no name shows which field of its items is the ID.',
    },
    {
      rule: RESOLVE("list_names", "{MATCH}").replace("match: {MATCH}", "match: name, id: nam"),
      want: '5:67 config-resolve "product_id" cannot be looked up with list_names: the items that it returns have no "nam"; did you mean name?',
    },
    {
      rule: RESOLVE("list_shelves"),
      want: '5:37 config-resolve "product_id" cannot be looked up with list_shelves: it needs shop_id, which remove_product does not have.',
    },
    {
      rule: RESOLVE("get_overview"),
      want: '5:37 config-resolve "product_id" cannot be looked up with get_overview: it does not return a list.',
    },
    {
      rule: RESOLVE("create_basket"),
      want: '5:37 config-resolve "product_id" cannot be looked up with create_basket: it is not read-only.',
    },
    {
      rule: RESOLVE("find_products", "name", "fill", "createBasket", "product_ids"),
      want: '5:38 config-resolve "product_ids" cannot be looked up with find_products: it does not take a single value.',
    },
  ])("$want", ({ rule, want }) => expect(diagnostics(planWithRule(rule))).toEqual([want]));
});

describe("resolve: {url}", () => {
  const URL_FORM = "https://shop.example/{shop_id}/items/{item}";
  const item = (schema: JsonSchema): ApiModel =>
    api([
      operation("GET /shops/{shop_id}/items/{item}", {
        operationId: "getItem",
        parameters: [parameter("path shop_id"), parameter("path item", { schema })],
        responses: [ok(PRODUCT)],
      }),
    ]);
  const planned = (rule: string, schema: JsonSchema = { type: "integer" }, inputs = "") =>
    configuredPlan(
      `server: {bulkReads: false}\ntools: {get_item: {inputs: {item: {${rule}}${inputs}}}}`,
      {},
      item(schema),
    );

  test.each<[schema: JsonSchema, type: JsonSchema, isStrict: boolean]>([
    [
      { type: "integer" },
      { anyOf: [{ type: "integer" }, { type: "string", pattern: "^https?://" }] },
      true,
    ],
    [text, text, false],
    [
      { type: "string", format: "uuid" },
      {
        anyOf: [
          { type: "string", format: "uuid" },
          { type: "string", pattern: "^https?://" },
        ],
      },
      true,
    ],
  ])(
    "an input of %j takes it, and the others that it has are optional",
    (schema, type, isStrict) => {
      const made = planned(`resolve: {url: "${URL_FORM}"}`, schema);
      expect(diagnostics(made)).toEqual([]);
      const { definition } = tool(made, "get_item");
      expect(inputsOf(tool(made, "get_item"))).toEqual({
        shop_id: { ...text, description: "Omit it if item is a URL." },
        item: {
          ...type,
          description: expect.stringContaining(`. Or its URL: ${URL_FORM}.`) as string,
        },
      });
      expect(definition.inputSchema["required"]).toEqual(["item"]);
      expect(definition.urls).toEqual({
        item: {
          templates: [URL_FORM],
          needs: ["shop_id"],
          isNumber: schema.type === "integer" ? ["item"] : [],
          ...(isStrict && { isStrict: true }),
        },
      });
    },
  );

  test("follows new names of inputs", () => {
    const made = planned(
      `name: number, resolve: {url: "${URL_FORM}"}`,
      text,
      ", shop_id: {name: shop}",
    );
    expect(tool(made, "get_item").definition.urls?.["number"]?.templates).toEqual([
      "https://shop.example/{shop}/items/{number}",
    ]);
  });

  test("goes with a lookup of names", () => {
    const made = configuredPlan(
      'tools: {delete_product: {inputs: {product_id: {resolve: {via: list_products, match: name, url: "https://shop.example/p/{product_id}"}}}}}',
      {},
      shop({ type: "integer" }),
    );
    const { definition } = tool(made, "delete_product");
    expect(definition.operations[0]?.resolve?.["product_id"]?.lookupTool).toBe("list_products");
    expect(definition.urls?.["product_id"]?.isStrict).toBeUndefined();
  });

  test.each([
    [
      'resolve: {url: "https://shop.example/{shop_id}/{itm}"}',
      '"itm" is not an input of get_item; did you mean item?',
    ],
    [
      'resolve: {url: "https://shop.example/{shop_id}"}',
      '"item" of get_item cannot be read from URLs: "https://shop.example/{shop_id}" does not have {item}.',
    ],
    [
      'resolve: {url: "shop.example/{item}"}',
      '"item" of get_item cannot be read from URLs: "shop.example/{item}" is not a URL with a path and without a query.',
    ],
    [
      'resolve: {url: "https://shop.example/{shop_id}{item}"}',
      '"item" of get_item cannot be read from URLs: two values of "https://shop.example/{shop_id}{item}" follow each other.',
    ],
    [
      'resolve: {url: "https://shop.example/{item}/{item}"}',
      '"item" of get_item cannot be read from URLs: "https://shop.example/{item}/{item}" has a value twice.',
    ],
  ])("%s is an error", (rule, message) =>
    expect(planned(rule).diagnostics.map((one) => one.message)).toContain(message),
  );

  test("does not take values that the server sets", () =>
    expect(
      planned(`resolve: {url: "${URL_FORM}"}`, text, ", shop_id: {env: SHOP}").diagnostics.map(
        (one) => one.message,
      ),
    ).toContain('"shop_id" is not an input of get_item, because the server sets its value.'));
});
