import type { ServerResponse } from "node:http";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { startServer } from "../e2e/in-process.js";
import { startUpstream, type ReceivedRequest } from "../runtime/support/upstream.js";
import type { RealResponse, ResponseRow } from "./row.js";
import { documentOf } from "./snippets.js";

/** A call of a generated tool, and the requests that it sent. */
export interface Replay {
  readonly result: CallToolResult;
  readonly requests: readonly ReceivedRequest[];
}

/** Milliseconds until a call gives up. Long enough for a busy machine. */
const deadline = "1500";

/** Generates a server from the row's document, and calls it while the API sends the response. */
export async function replay(row: ResponseRow): Promise<Replay> {
  const server = await startServer(documentOf([row.endpoint, ...(row.others ?? [])]));
  const upstream = await startUpstream((response) => send(row.response, response));
  try {
    server.useBaseUrl(upstream.url);
    const isSlow = row.response.open === true || row.response.status === 202;
    const variables = { ...(isSlow && { TIMEOUT_MS: deadline }), ...row.env };
    const result = await server.call(server.toolOf("call"), { ...row.input }, variables);
    return { result, requests: upstream.requests };
  } finally {
    await upstream.close();
  }
}

function send(real: RealResponse, response: ServerResponse): void {
  const bytes = bytesOf(real.body);
  const isJson = real.body !== undefined && bytes !== real.body && typeof real.body !== "string";
  const type = real.type ?? (isJson ? "application/json" : undefined);
  response.writeHead(real.status, { ...(type && { "content-type": type }), ...real.headers });
  response.flushHeaders();
  if (real.open) return void response.write(bytes);
  if (real.broken) return void response.write(bytes, () => response.destroy());
  response.end(bytes);
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
