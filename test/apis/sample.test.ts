/** The sample with two APIs as a project: a custom tool calls both, each with its own credentials. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { generateApis } from "../../src/generate-apis.js";
import { startUpstream } from "./server.js";

test("a custom tool and a workflow call two APIs with the credentials of each", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-deliveries-"));
  cpSync("samples/deliveries/server/src/custom", join(folder, "src/custom"), { recursive: true });
  const { configuration } = await readConfiguration("samples/deliveries/mcp-gen.yaml");
  const apis = configuration!.apis!.map((api) => ({
    name: api.name,
    source: api.configuration.settings.spec!,
    configuration: api.configuration,
  }));
  const { ok } = await generateApis(apis, folder, { configuration: configuration!, force: true });
  expect(ok).toBe(true);
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  execFileSync(process.execPath, ["bundle.mjs"], { cwd: folder });
  const orders = await startUpstream({ id: "o1", status: "shipped", trackingNumber: "T 7" });
  const courier = await startUpstream({
    trackingNumber: "T 7",
    state: "in transit",
    place: " Graz ",
  });
  const client = new Client({ name: "test", version: "1" });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(folder, "dist/server.js")],
        env: {
          DELIVERIES_ORDERS_BASE_URL: `${orders.url}/v1`,
          DELIVERIES_ORDERS_TOKEN: "s3cret-of-orders",
          DELIVERIES_COURIER_BASE_URL: `${courier.url}/api`,
          DELIVERIES_COURIER_API_KEY: "s3cret-of-courier",
        },
        stderr: "ignore",
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "find_orders",
      "cancel_order",
      "get_parcel",
      "redirect_parcel",
      "redirect_order",
      "locate_order",
      "read_result",
    ]);
    const { content, isError } = await client.callTool({
      name: "locate_order",
      arguments: { orderId: "o1" },
    });
    expect(isError).not.toBe(true);
    expect(JSON.stringify(content)).toContain("Graz");
    const [order, parcel] = [orders.received[0]!, courier.received[0]!];
    expect([order.url, parcel.url]).toEqual(["/v1/orders/o1", "/api/parcels/T%207"]);
    expect(order.headers.authorization).toBe("Bearer s3cret-of-orders");
    expect(parcel.headers["x-courier-key"]).toBe("s3cret-of-courier");
    expect(order.text).not.toContain("s3cret-of-courier");
    expect(parcel.text).not.toContain("s3cret-of-orders");
    const redirected = await client.callTool({
      name: "redirect_order",
      arguments: { orderId: "o1", parcelShop: "shop 4" },
    });
    expect(redirected.structuredContent).toEqual({ trackingNumber: "T 7", state: "in transit" });
    const [read, redirect] = [orders.received[1]!, courier.received[1]!];
    expect([read.method, read.url]).toEqual(["GET", "/v1/orders/o1"]);
    expect([redirect.method, redirect.url]).toEqual(["POST", "/api/parcels/T%207/redirect"]);
    expect(redirect.text).toContain('{"parcelShop":"shop 4"}');
    expect(read.headers.authorization).toBe("Bearer s3cret-of-orders");
    expect(redirect.headers["x-courier-key"]).toBe("s3cret-of-courier");
    expect(read.text).not.toContain("s3cret-of-courier");
    expect(redirect.text).not.toContain("s3cret-of-orders");
    // The failure of a step names its API.
    courier.respond = (_, response) => void response.writeHead(401).end();
    const refused = await client.callTool({
      name: "redirect_order",
      arguments: { orderId: "o1", parcelShop: "shop 4" },
    });
    expect(JSON.stringify(refused.content)).toContain("401 Unauthorized (Courier: POST http://");
    // An order that the courier does not have yet: the step that failed is named, no write was
    // sent.
    orders.respond = (_, response) => response.end(JSON.stringify({ id: "o2", status: "open" }));
    const open = await client.callTool({
      name: "redirect_order",
      arguments: { orderId: "o2", parcelShop: "shop 4" },
    });
    expect(open.isError).toBe(true);
    expect(JSON.stringify(open.content)).toContain("readOrder");
    expect(courier.received).toHaveLength(3);
  } finally {
    await client.close();
    await Promise.all([orders.stop(), courier.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
});
