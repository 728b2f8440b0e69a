/** A server of several APIs in this process, with an upstream for each of them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ToolPlan } from "../../src/plan/index.js";
import { fetchHandler } from "../../src/runtime/index.js";
import type { Hooks, StoredTool } from "../../src/runtime/tools/definitions.js";
import type { Platform } from "../../src/runtime/auth/types.js";
import { testNodePlatform } from "../runtime/support/by-node.js";

/** A request that an upstream received, as one text with everything that it carries. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** An HTTP server that stands for an API. */
export interface Upstream {
  readonly url: string;
  readonly received: Received[];
  respond: (request: Received, response: ServerResponse) => void;
  stop(): Promise<void>;
}

export async function startUpstream(body: unknown): Promise<Upstream> {
  const received: Received[] = [];
  const upstream = {
    received,
    respond: (_: Received, response: ServerResponse): void => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    },
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const content = Buffer.concat(chunks).toString("utf8");
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, text: `${url} ${JSON.stringify(headers)} ${content}` };
      received.push(one);
      upstream.respond(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(upstream, {
    url,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** The address, the headers of the client, and the code of the project. */
interface ServerParts {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly more?: readonly StoredTool[];
  readonly custom?: Hooks;
  readonly platform?: Platform;
}

/** Serves the tools of a plan over HTTP to a client of the SDK, without a socket between them. */
export async function connect(
  plan: ToolPlan,
  env: Readonly<Record<string, string>>,
  { path = "/mcp", headers = {}, more = [], custom = {}, platform = {} }: ServerParts = {},
): Promise<Client> {
  const handle = fetchHandler({
    api: plan.api,
    tools: [...plan.tools.map(({ definition }) => definition), ...more],
    custom,
    env: { LOG_LEVEL: "silent", ...env },
    platform: { ...testNodePlatform, ...platform },
    allowUnauthenticated: true,
    write: () => undefined,
  });
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1${path}`), {
    fetch: (input, init) => handle(new Request(input, init)),
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}
