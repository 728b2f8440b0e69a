/** Settings about workflows in a server of several APIs, whose tools belong to no API. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { readConfiguration } from "../../src/configuration/index.js";
import { generateApis } from "../../src/generate-apis.js";
import { plant, scratch } from "../write/tree.js";

const root = scratch();
for (const name of ["orders.yaml", "courier.yaml", "redirect.arazzo.yaml"])
  plant(root, { [name]: readFileSync(join("samples/deliveries", name), "utf8") });

const server = {
  version: 1,
  apis: { orders: { spec: "./orders.yaml" }, courier: { spec: "./courier.yaml" } },
};
const workflows = ["./redirect.arazzo.yaml"];

async function planWith(settings: object) {
  plant(root, { "mcp-gen.yaml": stringify({ ...server, ...settings }) });
  const { configuration, diagnostics } = await readConfiguration(join(root, "mcp-gen.yaml"));
  if (!configuration) return { messages: diagnostics.map(({ message }) => message) };
  const apis = configuration.apis!.map(({ name, configuration: own }) => ({
    name,
    source: own.settings.spec!,
    configuration: own,
  }));
  const result = await generateApis(apis, undefined, { configuration, planOnly: true });
  const found = result.diagnostics.filter(({ severity }) => severity !== "info");
  const tool = result.plan?.tools.find(({ workflow }) => workflow !== undefined);
  return { messages: found.map(({ message, hint = "" }) => `${message} ${hint}`), tool };
}

test("rules of the file apply to the tools of workflows, and may name tools of the APIs", async () => {
  const { messages, tool } = await planWith({
    workflows,
    errors: { 404: "The order or its parcel does not exist." },
    tools: {
      send_order: {
        workflow: "redirect-order",
        title: "Send an order elsewhere",
        notFor: "finding it; use {tool:find_orders}",
        keywords: ["divert"],
        inputs: { orderId: { name: "order" } },
      },
    },
  });
  expect(messages).toEqual([]);
  expect(tool?.definition).toMatchObject({
    name: "send_order",
    title: "Send an order elsewhere",
    description: expect.stringContaining("Not for finding it; use find_orders.") as string,
    keywords: ["divert"],
    inputSchema: { required: ["order", "parcelShop"] },
  });
  expect(tool?.definition.onError).toEqual({ 404: "The order or its parcel does not exist." });
});

test("a switch for all tools is about the workflows, too", async () => {
  const { messages, tool } = await planWith({ workflows, server: { openWorld: false } });
  expect(messages).toEqual([]);
  expect(tool?.definition.annotations.openWorldHint).toBe(false);
});

test.each<[settings: object, message: string]>([
  [
    { tools: { find_orders: { title: "Orders" } } },
    "`tools.find_orders` is about one API, and the file has several: orders, courier.",
  ],
  [
    { tools: { send: { workflow: "redirect-order" } } },
    'The workflow "redirect-order" does not exist. Name its document under workflows, or by --workflow.',
  ],
  [
    { workflows, tools: { send: { workflow: "redirect-orders" } } },
    'The workflow "redirect-orders" does not exist; did you mean redirect-order? Name it by its workflowId.',
  ],
  [
    { workflows, tools: { send: { workflow: "redirect-order", notFor: "{tool:find_order}" } } },
    "{tool:find_order} is not the name of a tool; did you mean find_orders? Correct the name.",
  ],
  // Only a switch that changes nothing of any API changes nothing.
  [
    { server: { countOnly: false, bulkReads: false } },
    "`server.countOnly` changes nothing. No tool has a list with a total and a page size. Remove it.",
  ],
])("%j is reported", async (settings, message) => {
  expect((await planWith(settings)).messages).toEqual([message]);
});

test("a switch that has an effect on one API is not reported for the others", async () => {
  const ping = { get: { operationId: "ping", responses: { 200: { description: "OK" } } } };
  const document = {
    openapi: "3.1.0",
    info: { title: "Ping", version: "1" },
    paths: { "/": ping },
  };
  plant(root, {
    "ping.json": JSON.stringify({ ...document, servers: [{ url: "https://ping.example" }] }),
  });
  const apis = { ...server.apis, ping: { spec: "./ping.json" } };
  expect((await planWith({ apis, server: { bulkReads: false } })).messages).toEqual([]);
});
