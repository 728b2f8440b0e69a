// The reference: a server written by hand for the same tools, over stdio or, with --http, over
// HTTP. It uses the low-level v2 server, ready-made definitions and `fetch`, and returns the JSON.
// It has no validation, limits, retries, redaction or logs.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import catalogue from "./catalogue.json";

const base = process.env.BENCH_BASE_URL;
const byName = new Map(catalogue.map((tool) => [tool.definition.name, tool]));
const pageSize = 100;

function list(cursor) {
  const from = cursor === undefined ? 0 : Number(cursor);
  const tools = catalogue.slice(from, from + pageSize).map((tool) => tool.definition);
  return from + pageSize < catalogue.length
    ? { tools, nextCursor: String(from + pageSize) }
    : { tools };
}

async function call(name, input) {
  const tool = byName.get(name);
  const url = new URL(
    base + tool.path.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(input[key])),
  );
  for (const key of tool.query)
    if (input[key] !== undefined)
      for (const value of [input[key]].flat()) url.searchParams.append(key, value);
  const response = await fetch(url, { headers: { accept: "application/json" } });
  const structuredContent = await response.json();
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}

function connect() {
  const server = new Server(
    { name: "reference", version: "1.0.0" },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler("tools/list", async (request) => list(request.params?.cursor));
  server.setRequestHandler("tools/call", async (request) =>
    call(request.params.name, request.params.arguments ?? {}),
  );
  return server;
}

if (process.argv.includes("--http")) {
  const server = createServer(toNodeHandler(createMcpHandler(connect)));
  server.listen(0, "127.0.0.1", () =>
    console.error(`http://127.0.0.1:${server.address().port}/mcp`),
  );
} else serveStdio(connect);
