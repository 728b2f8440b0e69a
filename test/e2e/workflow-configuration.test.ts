import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { type Lab, type Reply, startLab } from "./workflow-lab.js";
import { aboutShop, ofId, record, shopApi, step } from "./workflow-shop.js";

/** Rules of `mcp-gen.yaml` apply to workflow tools as to all others. */
const rules = `version: 1
tools:
  buy_it:
    workflow: buy
    useWhen: the user wants one thing
    inputs:
      product_id: {name: product, resolve: {via: find_products, match: name}}
      n: {default: 2}
      note: {fixed: from an agent}
      secret: {hide: true}
    output: {pick: [order]}
    errors: {"409": "Sold out: {product}. Call {tool:find_products}."}
  audit:
    workflow: audit
    include: false
`;
const text = { type: "string" };
const workflows = [
  {
    workflowId: "buy",
    inputs: record(
      { product_id: text, n: { type: "integer" }, note: text, secret: text },
      { required: ["product_id"] },
    ),
    steps: [
      step("look", "getProduct", {
        parameters: [ofId("$inputs.product_id")],
        outputs: { id: "$response.body#/id", price: "$response.body#/price" },
      }),
      step("order", "createOrder", {
        requestBody: {
          payload: {
            product: "$steps.look.outputs.id",
            n: "$inputs.n",
            note: "$inputs.note",
            secret: "$inputs.secret",
          },
        },
        outputs: { id: "$response.body#/id" },
      }),
    ],
    outputs: { order: "$steps.order.outputs.id", price: "$steps.look.outputs.price" },
  },
  {
    workflowId: "audit",
    inputs: record({ id: text }),
    steps: [step("look", "getOrder", { parameters: [ofId("$inputs.id")] })],
  },
  {
    workflowId: "check",
    inputs: record({ id: text }),
    steps: [
      { stepId: "audit", workflowId: "audit", parameters: [{ name: "id", value: "$inputs.id" }] },
    ],
  },
];

let lab: Lab;
let fault: Reply | undefined;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-rules-"));
  writeFileSync(join(folder, "mcp-gen.yaml"), rules);
  const { configuration, diagnostics } = await readConfiguration(join(folder, "mcp-gen.yaml"));
  rmSync(folder, { recursive: true });
  if (!configuration) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  lab = await startLab({
    files: { "shop.json": shopApi, "tasks.arazzo.json": aboutShop(workflows) },
    options: { configuration },
    reply: ({ method, path, query }) => {
      if (method === "POST") return fault ?? { status: 201, body: { id: "o1" } };
      if (path === "/products")
        return {
          body: [
            { id: "p1", name: "Hat" },
            { id: "p2", name: "Cap" },
          ].filter(({ name }) => query["q"] === undefined || name === query["q"]),
        };
      return path === "/products/p1"
        ? { body: { id: "p1", name: "Hat", price: 9 } }
        : path === "/orders/o1"
          ? {}
          : { status: 404 };
    },
  });
});
afterEach(() => ((fault = undefined), (lab.asked.length = 0)));
afterAll(() => lab?.close());

test("renames, hides, fixes and defaults inputs", () => {
  const found = lab.plan.tools.find(({ workflow }) => workflow?.id === "buy");
  expect(found?.inputs.map(({ name, required }) => (required ? name : `${name}?`))).toEqual([
    "product",
    "n?",
  ]);
  expect(found?.definition).toMatchObject({
    name: "buy_it",
    description: expect.stringContaining("Use when the user wants one thing.") as string,
  });
});

describe("an input that accepts a name", () => {
  test.each([
    {
      what: "a name",
      given: "Hat",
      sent: ["GET /products", "GET /products/p1", "POST /orders"],
      output: { order: "o1" },
    },
    {
      what: "an ID",
      given: "p1",
      sent: ["GET /products/p1", "GET /products/p1", "POST /orders"],
      output: { order: "o1" },
    },
    {
      what: "an unknown name",
      given: "Boot",
      sent: ["GET /products", "GET /products/Boot", "GET /products"],
      output: undefined,
    },
  ])("$what", async ({ given, sent, output }) => {
    const found = await lab.call("buy_it", { product: given });
    expect({ output: found.output, sent: lab.sent() }).toEqual({ output, sent });
    if (output === undefined)
      expect(found.text).toBe(
        'Not sent: no result of find_products has the name "Boot".\nCandidates for product: p1 (Hat), p2 (Cap).\nNext: call buy_it again with the ID of the right one; if none of them matches, call find_products to find it, or ask the user.',
      );
    else
      expect(JSON.parse(lab.asked.at(-1)?.body ?? "")).toEqual({
        product: "p1",
        n: 2,
        note: "from an agent",
      });
  });

  test("a look-up reports progress and is cancelled with the call", async () => {
    const told: string[] = [];
    const controller = new AbortController();
    const { text: said } = await lab.call(
      "buy_it",
      { product: "Hat" },
      {
        signal: controller.signal,
        progress: (message) => (told.push(message), controller.abort()),
      },
    );
    expect(told).toEqual(["Looking it up with find_products."]);
    expect(lab.sent().some((one) => one.startsWith("POST"))).toBe(false);
    expect(said).toContain("could not be looked up");
  });
});

test("configured error messages", async () => {
  fault = { status: 409, body: {} };
  expect((await lab.call("buy_it", { product: "p1" })).text).toContain(
    "Sold out: p1. Call find_products.",
  );
});

test("a workflow without a tool can still be called by others", async () => {
  expect(lab.plan.tools.map(({ definition }) => definition.name)).toEqual([
    "find_products",
    "create_order",
    "get_order",
    "delete_order",
    "buy_it",
    "check",
  ]);
  expect([(await lab.call("check", { id: "o1" })).isError, lab.sent()]).toEqual([
    false,
    ["GET /orders/o1"],
  ]);
});
