import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { type Mock, type MockRequest, startMock } from "../../src/mock/index.js";
import type { JsonValue } from "../../src/json.js";
import { type AnyClient, clients, onProgress } from "./clients.js";
import { generateProject, type Project } from "./project.js";

/**
 * The shop sample: its document, overlay and configuration become the server that `mcp-gen.yaml`
 * describes.
 */
let project: Project;
let mock: Mock;
const seen: {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}[] = [];

beforeAll(async () => {
  const { configuration, diagnostics } = await readConfiguration("samples/shop/mcp-gen.yaml");
  if (!configuration) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  project = await generateProject(configuration.settings.spec ?? "", {
    configuration,
    granularity: "task",
  });
  await project.run("bundle");
  mock = await startMock(project.plan.mock, { basePath: "/v2", respond: answer });
});
afterAll(async () => {
  await mock?.close();
  await project?.remove();
});

function answer({
  operation = "",
  parameters,
}: MockRequest): { readonly status: number; readonly body: JsonValue } | undefined {
  seen.push({ operation, parameters: Object.fromEntries(parameters) });
  if (parameters.get("productId") === "prd_000000")
    return { status: 404, body: { title: "Not Found", status: 404 } };
  if (operation === "GET /products") return pageAfter(String(parameters.get("after") ?? "0"));
  const product = {
    id: "prd_8f3k2a",
    name: "Red shoes",
    price: 49,
    stock: 3,
    warehouse_slot: "B7",
    supplier_ref: "s-1",
  };
  if (operation === "GET /products/search")
    return { status: 200, body: { data: [product], next: null } };
  return operation === "GET /products/{productId}" ? { status: 200, body: product } : undefined;
}

/** A hundred products in pages of twenty. */
function pageAfter(after: string): { readonly status: number; readonly body: JsonValue } {
  const data = Array.from({ length: 20 }, (_, i) => ({
    id: `prd_${String(Number(after) + i).padStart(6, "0")}`,
    name: "Hat",
    price: 9,
  }));
  return {
    status: 200,
    body: { data, next: Number(after) < 80 ? String(Number(after) + 20) : null },
  };
}

test("has the configured tools", () => {
  const tools = project.plan.tools.map(
    ({ definition, toolset, inputs }) =>
      `${toolset}/${definition.name}(${inputs.map(({ name, required }) => (required ? name : `${name}?`)).join(", ")})`,
  );
  expect(tools).toEqual([
    "catalogue/shop_find_products(product_id?, category?, limit?, after?, text?)",
    "catalogue/shop_remove_product(product_id)",
    "orders/shop_list_orders(status?)",
    "orders/shop_cancel_order(orderId)",
    "orders/shop_save_coupon(percent, code?, ends?)",
    "admin/shop_get_stats()",
    "checkout/shop_place_order(lines, note?)",
  ]);
});

test.each([
  {
    tool: "shop_find_products",
    want: "Find products by ID, words or category. Use when the user names or describes a product. Returns items with id, name, price and stock. Collects up to 50 items, from several pages where needed.",
  },
  {
    tool: "shop_remove_product",
    want: "Take a product out of the shop. Ask the user to confirm first.",
  },
  {
    tool: "shop_cancel_order",
    want: expect.stringMatching(
      /^Cancel an order\. Use when the customer changed their mind and the order has not been shipped\. Returns /,
    ) as string,
  },
  { tool: "shop_place_order", want: "Place an order. Returns id, status, total and lines." },
])("$tool has the configured description", ({ tool, want }) => {
  expect(
    project.plan.tools.find(({ definition }) => definition.name === tool)?.definition.description,
  ).toEqual(want);
});

test("the tools do not mention hidden inputs and fields", () => {
  const text = JSON.stringify(
    project.plan.tools.map(({ definition }) => [
      definition.description,
      definition.inputSchema,
      definition.outputSchema,
      definition.onError,
    ]),
  );
  for (const word of [
    "X-Api-Version",
    "x_api_version",
    "tenant_id",
    "warehouse_slot",
    "fraud_score",
    "expand",
    "channel",
    "reindex",
    "{tool:",
  ])
    expect(text).not.toContain(word);
});

test("the environment has the configured variable", () => {
  expect(
    project.plan.environment.map(({ name, required, secret }) => [name, required, secret]),
  ).toContainEqual(["SHOP_TENANT_ID", true, false]);
});

describe("the server", () => {
  test("type-checks, and passes its own tests", async () => {
    await project.run("typecheck");
    expect(await project.run("test")).toMatch(/^# fail 0$|ℹ fail 0/mu);
  });

  let client: AnyClient;
  beforeAll(async () => {
    const [, connect] = clients[0] as (typeof clients)[number];
    const env = { SHOP_BASE_URL: mock.url, SHOP_TOKEN: "made-up", SHOP_TENANT_ID: "corner" };
    client = await connect({ command: process.execPath, args: [project.server], env });
  });
  afterAll(() => client?.close());

  test("sends fixed values and returns the picked fields", async () => {
    const found = await client.callTool({
      name: "shop_find_products",
      arguments: { text: "red shoes" },
    });
    expect(found.structuredContent).toEqual({
      items: [{ id: "prd_8f3k2a", name: "Red shoes", price: 49, stock: 3 }],
    });
    expect(seen.at(-1)).toMatchObject({
      operation: "GET /products/search",
      parameters: { "X-Api-Version": "2026-01-01", tenant_id: "corner", q: "red shoes" },
    });
    const one = await client.callTool({
      name: "shop_find_products",
      arguments: { product_id: "prd_8f3k2a" },
    });
    expect(one.structuredContent).toEqual({
      items: [{ id: "prd_8f3k2a", name: "Red shoes", price: 49, stock: 3 }],
    });
    const gone = await client.callTool({
      name: "shop_find_products",
      arguments: { product_id: "prd_000000" },
    });
    expect(gone.isError).toBe(true);
    expect(JSON.stringify(gone.content)).toContain(
      "No product prd_000000. Call shop_find_products with text instead.",
    );
  });

  test("collects pages up to maxItems", async () => {
    const { structuredContent } = await client.callTool({
      name: "shop_find_products",
      arguments: { category: "hats" },
    });
    const { items, next } = structuredContent as { items: { id: string }[]; next: unknown };
    expect([items.length, items.at(-1)?.id, next]).toEqual([50, "prd_000049", { after: "40" }]);
  });

  test.each(clients.slice(1, 3))("%s gets progress notifications per page", async (_, connect) => {
    const own = await connect({
      command: process.execPath,
      args: [project.server],
      env: { SHOP_BASE_URL: mock.url, SHOP_TOKEN: "made-up", SHOP_TENANT_ID: "corner" },
    });
    const told: (string | undefined)[] = [];
    try {
      onProgress(own, (message) => told.push(message));
      await own.callTool({ name: "shop_find_products", arguments: {} }, { onprogress: () => {} });
      expect(told).toEqual(["20 items from 1 page so far.", "40 items from 2 pages so far."]);
    } finally {
      await own.close();
    }
  });

  test("one tool creates a product or replaces the one with the same code", async () => {
    seen.length = 0;
    for (const input of [{ percent: 5 }, { percent: 6, code: "MAY" }])
      expect(
        (await client.callTool({ name: "shop_save_coupon", arguments: input })).isError ?? false,
      ).toBe(false);
    expect(seen.map(({ operation }) => operation)).toEqual([
      "POST /coupons",
      "PUT /coupons/{code}",
    ]);
  });

  test("resolves a name to an ID, and lists candidates if it is ambiguous", async () => {
    seen.length = 0;
    const gone = await client.callTool({
      name: "shop_remove_product",
      arguments: { product_id: "red SHOES" },
    });
    expect(gone.isError ?? false).toBe(false);
    expect(
      seen.map(({ operation, parameters }) => [
        operation,
        parameters["q"] ?? parameters["productId"],
      ]),
    ).toEqual([
      ["GET /products/search", "red SHOES"],
      ["DELETE /products/{productId}", "prd_8f3k2a"],
      // Confirms that it is gone.
      ["GET /products/{productId}", "prd_8f3k2a"],
    ]);
    const unclear = await client.callTool({
      name: "shop_remove_product",
      arguments: { product_id: "Green shoes" },
    });
    expect(unclear.isError).toBe(true);
    expect(JSON.stringify(unclear.content)).toContain(
      "Candidates for product_id: prd_8f3k2a (Red shoes).",
    );
    expect(seen.filter(({ operation }) => operation.startsWith("DELETE"))).toHaveLength(1);
  });
});
