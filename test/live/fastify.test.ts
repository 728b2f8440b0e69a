import { resolve } from "node:path";
import { testServer } from "./live-test.js";
import type { LiveCall, Variant } from "./types.js";

const create = (sku: string, name: string, save: string): LiveCall => ({
  kind: "create",
  tool: "create_part",
  arguments: { sku, name, category: "fastener", stock: 5, price: 0.2 },
  save: { [save]: "/id" },
});

const plain: Variant = {
  name: "plain",
  calls: [
    { kind: "list", tool: "find_parts", says: ['"items":[]'] },
    create("BO-0001", "Bolt M4", "bolt"),
    create("BO-0002", "Bolt M5", "bolt5"),
    create("NU-0001", "Nut M4", "nut"),
    {
      kind: "wrong input",
      tool: "create_part",
      arguments: { sku: "bo1", category: "fasteners", stock: -1, colour: "red" },
      expect: "error",
      says: ["sku", "name", '"fastener"', "stock", "colour"],
    },
    {
      kind: "conflict",
      tool: "create_part",
      arguments: { sku: "BO-0001", name: "Bolt", category: "fastener" },
      expect: "error",
      says: ["409", "has the SKU BO-0001 already"],
    },
    { kind: "find", tool: "find_parts", arguments: { q: "Nut" }, says: ["Nut M4"] },
    { kind: "find", tool: "find_parts", arguments: { partId: "$bolt" }, says: ["Bolt M4"] },
    {
      kind: "wrong ID",
      tool: "find_parts",
      arguments: { partId: "part_99" },
      expect: "error",
      says: ["404"],
    },
    {
      kind: "page",
      tool: "find_parts",
      arguments: { limit: 2 },
      says: ["Bolt M5"],
      save: { cursor: "/next/cursor" },
    },
    {
      kind: "page",
      tool: "find_parts",
      arguments: { limit: 2, cursor: "$cursor" },
      says: ["Nut M4"],
    },
    {
      kind: "wrong input",
      tool: "find_parts",
      arguments: { cursor: "nowhere" },
      expect: "error",
      says: ["400", "The cursor is not one of this list"],
    },
    {
      kind: "change",
      tool: "update_part",
      arguments: { partId: "$bolt", price: "0.25", stock: 4 },
      says: ['"price":0.25'],
    },
    {
      kind: "conflict",
      tool: "update_part",
      arguments: { partId: "$bolt", sku: "NU-0001" },
      expect: "error",
      says: ["409"],
    },
    {
      kind: "upload",
      tool: "upload_part_manual",
      arguments: { partId: "$bolt", file: "file:manual.txt" },
      says: ['"bytes":'],
    },
    {
      kind: "download",
      tool: "download_part_manual",
      arguments: { partId: "$bolt" },
      says: ["Turn right."],
    },
    {
      kind: "wrong ID",
      tool: "download_part_manual",
      arguments: { partId: "$nut" },
      expect: "error",
      says: ["404"],
    },
    {
      kind: "wrong input",
      tool: "upload_part_manual",
      arguments: { partId: "$bolt", file: "file:missing.txt" },
      expect: "error",
      says: ["file"],
    },
    {
      kind: "create",
      tool: "order_part",
      arguments: { partId: "$bolt", quantity: 2 },
      save: { order: "/id" },
    },
    {
      kind: "wrong input",
      tool: "order_part",
      arguments: { partId: "$bolt", quantity: 9 },
      expect: "error",
      says: ["422", "Only 2 in the store"],
    },
    {
      kind: "conflict",
      tool: "delete_part",
      arguments: { partId: "$bolt" },
      expect: "error",
      says: ["409", "needs this part"],
    },
    { kind: "page", tool: "list_orders", arguments: { pageSize: 1 }, says: ['"total":1'] },
    { kind: "page", tool: "list_orders", arguments: { pageSize: 1, page: 2 } },
    { kind: "change", tool: "cancel_order", arguments: { orderId: "$order" } },
    {
      kind: "conflict",
      tool: "cancel_order",
      arguments: { orderId: "$order" },
      expect: "error",
      says: ["409", "cancelled"],
    },
    {
      kind: "other",
      tool: "print_order_label",
      arguments: { orderId: "$order" },
      expect: "error",
      says: ["503", "60 s"],
    },
    { kind: "delete", tool: "delete_part", arguments: { partId: "$nut" } },
    { kind: "delete", tool: "delete_part", arguments: { partId: "$nut" }, expect: "error" },
    {
      kind: "no credentials",
      tool: "find_parts",
      credentials: "none",
      expect: "error",
      says: ["WORKSHOP_STORE_TOKEN"],
    },
    {
      kind: "no credentials",
      tool: "delete_part",
      arguments: { partId: "$bolt" },
      credentials: "wrong",
      expect: "error",
      says: ["401"],
    },
    { kind: "server stopped", tool: "find_parts" },
    { kind: "server stopped", tool: "delete_part", arguments: { partId: "$bolt" } },
  ],
};

const workflows = `arazzo: 1.0.1
info: {title: Tasks of the store, version: 1.0.0}
sourceDescriptions: [{name: store, type: openapi, url: "{url}/openapi.json"}]
workflows:
  - workflowId: order-by-name
    summary: Order a part by words of its name.
    inputs:
      type: object
      required: [name, quantity]
      properties:
        name: {type: string, description: Words in the name of the part.}
        quantity: {type: integer, minimum: 1}
    steps:
      - stepId: find
        description: Find the part.
        operationPath: "{$sourceDescriptions.store.url}#/paths/~1parts/get"
        parameters: [{name: q, in: query, value: $inputs.name}]
        successCriteria: [{condition: $statusCode == 200}, {condition: "$response.body#/items/0/id != null"}]
        outputs: {partId: $response.body#/items/0/id}
      - stepId: order
        description: Order it.
        operationPath: "{$sourceDescriptions.store.url}#/paths/~1orders/post"
        requestBody:
          payload: {partId: $steps.find.outputs.partId, quantity: $inputs.quantity}
        outputs: {orderId: $response.body#/id}
    outputs: {order_id: $steps.order.outputs.orderId, part_id: $steps.find.outputs.partId}
`;

const configured: Variant = {
  name: "configured",
  workflows,
  configuration: `version: 1
workflows: [./tasks.arazzo.yaml]
select:
  rules: [{match: {path: /health}, include: false}]
tools:
  order_by_name: {workflow: order-by-name}
  list_orders: {pagination: {maxItems: 3}, output: {pick: [id, status]}}
  order_part: {inputs: {partId: {name: part, resolve: {via: find_parts, match: name}}}}
`,
  calls: [
    create("BO-0001", "Bolt M4", "bolt"),
    create("NU-0001", "Nut M4", "nut"),
    {
      kind: "workflow",
      tool: "order_by_name",
      arguments: { name: "Bolt", quantity: 1 },
      save: { order: "/order_id" },
    },
    {
      kind: "workflow",
      tool: "order_by_name",
      arguments: { name: "Screw", quantity: 1 },
      expect: "error",
    },
    {
      kind: "workflow",
      tool: "order_by_name",
      arguments: { name: "Bolt", quantity: 50 },
      expect: "error",
      says: ["422", "Only 4 in the store"],
    },
    { kind: "create", tool: "order_part", arguments: { part: "Nut M4", quantity: 1 } },
    { kind: "create", tool: "order_part", arguments: { part: "$bolt", quantity: 1 } },
    {
      kind: "wrong ID",
      tool: "order_part",
      arguments: { part: "Rivet", quantity: 1 },
      expect: "error",
    },
    { kind: "page", tool: "list_orders", arguments: { pageSize: 2 } },
    {
      kind: "no credentials",
      tool: "order_by_name",
      arguments: { name: "Bolt", quantity: 1 },
      credentials: "wrong",
      expect: "error",
      says: ["401"],
    },
    { kind: "server stopped", tool: "order_by_name", arguments: { name: "Bolt", quantity: 1 } },
  ],
};

testServer({
  name: "fastify",
  start: ({ port }) => ({
    command: process.execPath,
    args: [resolve("test/live/apps/workshop/server.mjs"), String(port)],
  }),
  ready: "/health",
  document: "/openapi.json",
  credentials: { WORKSHOP_STORE_TOKEN: "writer" },
  files: { "manual.txt": "Manual of the bolt. Turn right.\n" },
  variants: [plain, configured],
});
