import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { formatDiagnostic } from "../../src/diagnostics/index.js";
import { generate } from "../../src/generate.js";
import { CURATION, OVERLAY, SHOP } from "./document.js";

/**
 * A configuration with every key and its document, and the diagnostics of wrong values.
 */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-gen-configuration-"));
  writeFileSync(join(folder, "openapi.yaml"), SHOP);
  writeFileSync(join(folder, "fixes.overlay.yaml"), OVERLAY);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(text: string) {
  const file = join(folder, "mcp-gen.yaml");
  writeFileSync(file, text);
  const { configuration, diagnostics } = await readConfiguration(file);
  if (!configuration) return { diagnostics, plan: undefined, written: false };
  const made = await generate(configuration.settings.spec ?? "", configuration.settings.output, {
    configuration,
  });
  return { ...made, written: existsSync(join(folder, "server")) };
}

describe("a configuration with every key", () => {
  test("generates the configured tools", async () => {
    const { plan, diagnostics } = await run(CURATION);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const [find, order, remove] = [
      "shop_find_products",
      "shop_create_order",
      "shop_remove_product",
    ].map((name) => plan?.tools.find(({ definition }) => definition.name === name));
    expect(plan?.tools).toHaveLength(3);
    expect(order).toBeDefined();
    expect(find?.definition).toMatchObject({
      title: "Find products",
      description:
        "Find products by ID, text or category. Use when the user names or describes a product. Returns items with id, name, price and stock. Collects up to 50 items, from several pages where needed.",
      onError: {
        "401": expect.stringContaining("check SHOP_TOKEN") as string,
        "404": "No product {product_id}. Call shop_find_products with text instead.",
      },
    });
    expect(find?.inputs.map(({ name }) => name)).toEqual([
      "product_id",
      "category",
      "offset",
      "limit",
      "text",
    ]);
    expect(
      find?.definition.operations.map(({ whenProvided, pagination }) => [
        whenProvided,
        pagination?.maxItems,
      ]),
    ).toEqual([
      [["product_id"], undefined],
      [["text"], 50],
      [[], 50],
    ]);
    expect(find?.definition.operations[2]?.request).toMatchObject({
      query: {
        tenant_id: { env: "SHOP_TENANT_ID", required: true },
        category: { from: "category", default: "all" },
      },
      headers: { "X-Api-Version": { value: "2026-01-01" } },
    });
    expect(find?.definition.outputSchema).toMatchObject({
      properties: {
        items: { items: { properties: { id: {}, name: {}, price: {}, stock: {} } } },
        next: { properties: { offset: { type: "number" } } },
      },
    });
    expect(JSON.stringify(find?.definition.outputSchema)).not.toContain("cost");
    expect(remove?.definition.operations[0]?.resolve).toEqual({
      product_id: {
        lookupTool: "shop_find_products",
        nameField: "name",
        idField: "id",
        searchInput: "text",
        idInput: "product_id",
      },
    });
    rmSync(join(folder, "server"), { recursive: true });
  });

  test.each<{ readonly from: string; readonly to: string; readonly says: string }>([
    {
      from: "deleteProduct",
      to: "deleteProdukt",
      says: '31:5 (#/tools/remove_product/operation): The document has no operation "deleteProdukt"; did you mean deleteProduct?',
    },
    {
      from: "getProduct]",
      to: "getProdct]",
      says: '20:43 (#/tools/find_products/merge/2): The document has no operation "getProdct"; did you mean getProduct?',
    },
    {
      from: "getProduct]",
      to: "createOrder]",
      says: "20:43 (#/tools/find_products/merge/2): The operations of find_products cannot be one tool: listProducts only reads and createOrder writes",
    },
    {
      from: "pagination:",
      to: "pagnation:",
      says: "28:5 (#/tools/find_products/pagnation): Unknown key `pagnation`; did you mean pagination?",
    },
    {
      from: "maxItems",
      to: "maxItem",
      says: "28:18 (#/tools/find_products/pagination/maxItem): Unknown key `maxItem`; did you mean maxItems?",
    },
    {
      from: "overlays:",
      to: "overlay:",
      says: "5:1 (#/overlay): Unknown key `overlay`; did you mean overlays?",
    },
    {
      from: "maxItems: 50",
      to: "maxItems: 0",
      says: "28:18 (#/tools/find_products/pagination/maxItems): `tools.find_products.pagination.maxItems` is not valid",
    },
    {
      from: "      category: {",
      to: "      categry: {",
      says: '26:7 (#/tools/find_products/inputs/categry): "categry" is not an input of shop_find_products; did you mean category?',
    },
    {
      from: "default: all",
      to: "default: everything",
      says: '26:18 (#/tools/find_products/inputs/category/default): The default of "category" does not satisfy the schema of the input, which takes one of',
    },
    {
      from: "name: text,",
      to: "name: limit,",
      says: '25:11 (#/tools/find_products/inputs/q/name): shop_find_products already has an input "limit".',
    },
    {
      from: "pick: [id, name",
      to: "pick: [id, nane",
      says: '27:25 (#/tools/find_products/output/pick/1): "nane" is not a field of the items that shop_find_products returns; did you mean name?',
    },
    {
      from: "{tool:find_products}",
      to: "{tool:find_product}",
      says: "29:14 (#/tools/find_products/errors/404): {tool:find_product} is not the name of a tool; did you mean find_products?",
    },
    {
      from: "No product {product_id}",
      to: "No product {produkt_id}",
      says: "29:14 (#/tools/find_products/errors/404): {produkt_id} is not an input of shop_find_products; did you mean product_id?",
    },
    {
      from: "via: find_products",
      to: "via: find_product",
      says: '32:37 (#/tools/remove_product/inputs/product_id/resolve/via): The tool "find_product" for the lookup of names does not exist; did you mean find_products?',
    },
    {
      from: "match: name",
      to: "match: nane",
      says: '32:57 (#/tools/remove_product/inputs/product_id/resolve/match): "product_id" cannot be looked up with shop_find_products: the items that it returns have no "nane"; did you mean name?',
    },
    {
      from: "  remove_product:",
      to: "  create_order:",
      says: "30:3 (#/tools/create_order): Two tools are called shop_create_order: that of DELETE /products/{product_id} and that of POST /orders.",
    },
    {
      from: "    operation: deleteProduct",
      to: "    title: Remove",
      says: "30:3 (#/tools/remove_product): The tool remove_product does not exist",
    },
    {
      from: "X-Api-Version",
      to: "X-Api-Versio",
      says: '14:3 (#/parameters/X-Api-Versio): No operation has a parameter "X-Api-Versio"; did you mean X-Api-Version?',
    },
    { from: '  "401"', to: '  "4O1"', says: "17:3 (#/errors/4O1): `errors.4O1` is not valid" },
    {
      from: "operation: deleteProduct",
      to: "operation: getProduct",
      says: '31:5 (#/tools/remove_product/operation): "getProduct" already has a rule: find_products.',
    },
    { from: "spec: ./openapi.yaml ", to: "spec: ./openapi.yml ", says: "The file does not exist" },
    { from: "version: 1\n", to: "version: 1\n  x: {\n", says: "Not valid YAML" },
  ])(
    "$to is an error with its location and a suggestion, and nothing is written",
    async ({ from, to, says }) => {
      expect(CURATION.split(from).length).toBeGreaterThan(1);
      const { diagnostics, written } = await run(CURATION.replace(from, to));
      const errors = diagnostics
        .filter(({ severity }) => severity === "error")
        .map((one) => formatDiagnostic(one).replace(folder, ""));
      expect(errors.join("\n")).toContain(says);
      expect(written).toBe(false);
    },
  );
});
