import { parseConfiguration } from "../../../src/configuration/parse-configuration.js";
import type { ApiModel } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import type { ToolPlan } from "../../../src/plan/types.js";
import { api, json, ok, operation, parameter } from "../fixtures.js";
import type { PlanOptions } from "../../../src/plan/options.js";

const PRODUCT = {
  type: "object",
  properties: { id: { type: "string" }, name: { type: "string" }, cost: { type: "number" } },
} as const;
const limit = parameter("query limit", { schema: { type: "integer", maximum: 100 } });

/** A small shop with a target for every rule. */
export const shop: ApiModel = api(
  [
    operation("GET /products", {
      operationId: "listProducts",
      tags: ["catalogue"],
      summary: "List products",
      parameters: [limit, parameter("query q"), parameter("header X-Version", { required: true })],
      responses: [ok({ type: "array", items: PRODUCT })],
    }),
    operation("GET /products/{product_id}", {
      operationId: "getProduct",
      tags: ["catalogue"],
      summary: "Get a product",
      responses: [ok(PRODUCT)],
    }),
    operation("DELETE /products/{product_id}", {
      operationId: "deleteProduct",
      tags: ["catalogue"],
      summary: "Delete a product",
      responses: [ok(undefined, "204")],
    }),
    operation("POST /orders", {
      operationId: "createOrder",
      tags: ["orders"],
      summary: "Create an order",
      ...json({
        type: "object",
        required: ["product_id", "channel"],
        properties: {
          product_id: { type: "string" },
          channel: { type: "string", enum: ["web", "agent"] },
          note: { type: "string" },
        },
      }),
      responses: [
        ok(
          {
            type: "object",
            properties: { total: { type: "number" }, lines: { type: "array", items: PRODUCT } },
          },
          "201",
        ),
      ],
    }),
    operation("GET /admin/stats", {
      operationId: "getStats",
      tags: ["admin"],
      responses: [ok({ type: "object" })],
    }),
    operation("GET /internal/health", { operationId: "getHealth", responses: [ok(undefined)] }),
    operation("GET /old", {
      operationId: "listOld",
      deprecated: true,
      tags: ["catalogue"],
      responses: [ok(undefined)],
    }),
  ],
  { tags: [{ name: "catalogue" }, { name: "orders" }, { name: "admin" }] },
);

/**
 * The plan of an API with `mcp-gen.yaml` as text; one tool per operation unless the options say
 * otherwise.
 */
export function configuredPlan(
  text: string,
  options: PlanOptions = {},
  model: ApiModel = shop,
): ToolPlan {
  const { content, locationOf, diagnostics } = parseConfiguration(
    `version: 1\n${text}`,
    "mcp-gen.yaml",
  );
  if (!content) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return plan(model, {
    granularity: "operation",
    ...options,
    configuration: { content, locationOf },
  });
}

/** Diagnostics of the configuration: `4:7 config-unknown-input "limti" is not an input…`. */
export function diagnostics(made: ToolPlan): string[] {
  return made.diagnostics
    .filter(({ code }) => code.startsWith("config-"))
    .map(
      ({ code, message, location }) =>
        `${location?.line ?? location?.pointer}:${location?.column ?? ""} ${code} ${message}`,
    );
}

export function tool(made: ToolPlan, name: string): ToolPlan["tools"][number] {
  const found = made.tools.find(({ definition }) => definition.name === name);
  if (!found)
    throw new Error(
      `no ${name} among ${made.tools.map(({ definition }) => definition.name).join(", ")}`,
    );
  return found;
}
