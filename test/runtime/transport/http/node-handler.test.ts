/** The server inside other servers, called by the clients of the SDK over HTTP. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, expect, test } from "vitest";
import { defineApi, defineCustomTool, fetchHandler } from "../../../../src/runtime/index.js";
import { nodeHandler } from "../../../../src/runtime/transport/http/node-handler.js";

const api = defineApi({
  name: "pets",
  title: "Pets",
  version: "1",
  envPrefix: "PETS",
  servers: [],
  securitySchemes: {},
});

const greet = defineCustomTool<{ name: string }, { text: string }>({
  name: "greet_pet",
  title: "Greet a pet",
  description: "Greet a pet.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  run: ({ name }) => ({ text: `Hello ${name}` }),
});

const options = {
  api,
  tools: [greet],
  env: { PETS_ALLOW_UNAUTHENTICATED: "1", LOG_LEVEL: "error" },
};

const running: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls the tool with the clients of both SDKs. */
async function callBoth(url: string, headers: Readonly<Record<string, string>> = {}) {
  const init = { requestInit: { headers } };
  const current = new Client({ name: "test", version: "1" });
  await current.connect(new StreamableHTTPClientTransport(new URL(url), init));
  const old = new ClientV1({ name: "test", version: "1" });
  await old.connect(new TransportV1(new URL(url), init));
  running.push(
    () => current.close(),
    () => old.close(),
  );
  const call = { name: "greet_pet", arguments: { name: "Rex" } };
  return [
    (await current.callTool(call)).structuredContent,
    (await old.callTool(call)).structuredContent,
  ];
}

const greeted = [{ text: "Hello Rex" }, { text: "Hello Rex" }];

test("node:http", async () => {
  const mcp = nodeHandler(options);
  const url = await listen(createServer((request, response) => void mcp(request, response)));
  expect(await callBoth(`${url}/any/path`)).toEqual(greeted);
});

/** Express has no types of its own. It is installed with the SDK, like Hono. */
interface Express {
  (): RequestListener & { use(path: string, ...handlers: unknown[]): void };
  json(): unknown;
}

test("Express, with and without a body parser", async () => {
  const name = "express";
  const { default: express } = (await import(name)) as { default: Express };
  const mcp = nodeHandler(options);
  const app = express();
  app.use("/raw", mcp);
  app.use("/parsed", express.json(), mcp);
  const url = await listen(createServer(app));
  expect(await callBoth(`${url}/raw`)).toEqual(greeted);
  expect(await callBoth(`${url}/parsed`)).toEqual(greeted);
});

test("Fastify", async () => {
  const { default: fastify } = await import("fastify");
  const mcp = nodeHandler(options);
  const app = fastify();
  app.all("/mcp", async (request, reply) => {
    reply.hijack();
    await mcp(Object.assign(request.raw, { body: request.body }), reply.raw);
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  running.push(() => app.close());
  expect(await callBoth(`${url}/mcp`)).toEqual(greeted);
});

test("Hono, as a fetch handler", async () => {
  const { Hono } = await import("hono");
  const { getRequestListener } = await import("@hono/node-server");
  const mcp = fetchHandler({ ...options, path: "*" });
  const app = new Hono();
  app.all("/tools/mcp", (context) => mcp(context.req.raw));
  const url = await listen(createServer(getRequestListener(app.fetch)));
  expect(await callBoth(`${url}/tools/mcp`)).toEqual(greeted);
});

test("the server that embeds it authenticates callers", async () => {
  const seen: string[] = [];
  const mcp = nodeHandler({
    ...options,
    env: { LOG_LEVEL: "error" },
    authenticate: (request) => {
      const user = request.headers.get("x-user");
      if (user !== null) seen.push(user);
      return user === null ? undefined : { id: user };
    },
  });
  const url = await listen(createServer((request, response) => void mcp(request, response)));
  expect(await callBoth(url, { "x-user": "ada" })).toEqual(greeted);
  expect(new Set(seen)).toEqual(new Set(["ada"]));
  const refused = await fetch(url, { method: "POST", body: "{}" });
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 401,
    body: { error: { message: "The caller is not authenticated." } },
  });
});

test("access that nobody allows is refused at the start", () => {
  expect(() => nodeHandler({ ...options, env: {} })).toThrow("without authentication");
});

test.each([
  [{}, "/mcp", 200],
  [{}, "/other", 404],
  [{ path: "/tools" }, "/tools", 200],
  [{ path: "/tools" }, "/mcp", 404],
  [{ path: "*" }, "/other", 200],
  [{ path: "*" }, "/.well-known/oauth-protected-resource", 404],
])("with %j, %s responds with %d", async (more, path, status) => {
  const handle = fetchHandler({ ...options, ...more });
  const message = { jsonrpc: "2.0", id: 1, method: "ping" };
  const response = await handle(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
    }),
  );
  expect(response.status).toBe(status);
});
