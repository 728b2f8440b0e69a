/** MCP as a handler of another server of Node: Express, Koa, Fastify, Connect, or `node:http`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { fetchHandler, type FetchHandlerOptions } from "./fetch-handler.js";
import { type RequestBody, toRequest, writeResponse } from "./serve-http.js";

/** A request whose body the other server may have read. */
interface ReadableRequest extends IncomingMessage {
  /** Path with the part that a router has removed, as in Express. */
  readonly originalUrl?: string;
  /** Parsed, or as bytes or text. */
  readonly body?: unknown;
}

/** Handles a request, and sends its response. */
export type NodeHandler = (request: ReadableRequest, response: ServerResponse) => Promise<void>;

/**
 * The server as a handler for another server of Node. The router of that server chooses the path.
 * @throws Error for an invalid setting, or if access would be open without consent
 */
export function nodeHandler(options: FetchHandlerOptions): NodeHandler {
  const handle = fetchHandler({ path: "*", ...options });
  return async (incoming, outgoing) => {
    const disconnected = new AbortController();
    outgoing.on("close", () => outgoing.writableFinished || disconnected.abort());
    const request = toRequest(
      incoming,
      bodyOf(incoming),
      disconnected.signal,
      incoming.originalUrl,
    );
    await writeResponse(await handle(request), outgoing);
  };
}

function bodyOf(incoming: ReadableRequest): RequestBody | undefined {
  const { method = "GET", body } = incoming;
  if (method === "GET" || method === "HEAD") return undefined;
  // What a body parser has read cannot be read again.
  if (incoming.readableEnded) return textOf(body);
  return Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>;
}

function textOf(body: unknown): RequestBody | undefined {
  if (body === undefined || typeof body === "string") return body;
  return body instanceof Uint8Array ? body : JSON.stringify(body);
}
