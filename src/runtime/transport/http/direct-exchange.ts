/**
 * Requests of revisions before 2026-07-28 that `node:http` serves without `Request`, `Response` and
 * streams of the web. They take a fifth of the time of a call. Only plain requests are served so;
 * the SDK serves everything else, and a response has the same form.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import {
  type AuthInfo,
  isJsonContentType,
  type JSONRPCMessage,
  type McpRequestContext,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";
import { isObject } from "../../data/values.js";
import { isModernRevision } from "../../protocol/messages.js";
import { acceptsStream } from "./messages.js";
import type { OpenExchange, OpenExchanges } from "./open-exchanges.js";

/** Creates the MCP server of one request. */
export type ConnectServer = (request: McpRequestContext) => Server;

interface PlainRequest {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

/**
 * The message, if it is one request of a client before 2026-07-28 that accepts JSON and streams.
 * `initialize` and everything that is unusual is left to the SDK.
 */
export function plainRequest(
  message: unknown,
  headers: IncomingHttpHeaders,
): PlainRequest | undefined {
  const { accept = "*/*", "content-type": contentType, "mcp-protocol-version": revision } = headers;
  if (!isObject(message) || !Object.keys(message).every((key) => MEMBERS.has(key)))
    return undefined;
  const { jsonrpc, id, method, params } = message;
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  if (jsonrpc !== "2.0" || !hasId || typeof method !== "string") return undefined;
  if (method === "initialize" || !isPlainMeta(params)) return undefined;
  const isSupported = revision === undefined || isSupportedRevision(revision);
  if (!isSupported || !isJsonContentType(contentType ?? null)) return undefined;
  return acceptsStream(accept) ? (message as unknown as PlainRequest) : undefined;
}

function isSupportedRevision(revision: string | readonly string[]): boolean {
  return (
    typeof revision === "string" &&
    SUPPORTED_PROTOCOL_VERSIONS.includes(revision) &&
    !isModernRevision(revision)
  );
}

/** True for parameters without metadata, or with a progress token only. */
function isPlainMeta(params: unknown): boolean {
  if (params === undefined) return true;
  if (!isObject(params)) return false;
  const { _meta: meta } = params;
  if (meta === undefined) return true;
  if (!isObject(meta) || !Object.keys(meta).every((key) => key === "progressToken")) return false;
  const { progressToken: token } = meta;
  return typeof token === "string" || (typeof token === "number" && Number.isSafeInteger(token));
}

/** The caller of a request, its connection, and its session if it has one. */
interface DirectOptions {
  readonly authInfo: AuthInfo;
  readonly signal: AbortSignal;
  readonly session?: { readonly exchanges: OpenExchanges; readonly key: string } | undefined;
}

/**
 * Serves a plain request.
 * @param signal aborted when the client disconnects
 */
export async function serveDirectly(
  connect: ConnectServer,
  message: PlainRequest,
  headers: IncomingHttpHeaders,
  { authInfo, signal, session }: DirectOptions,
  outgoing: ServerResponse,
): Promise<void> {
  const request = { headers: { get: (name: string) => headerOf(headers, name) } } as Request;
  const server = connect({ era: "legacy", authInfo, requestInfo: request });
  const transport = new ResponseTransport(outgoing, message.id);
  await server.connect(transport);
  const close = (): void => void server.close().catch(() => undefined);
  signal.addEventListener("abort", close, { once: true });
  transport.onmessage?.(message as JSONRPCMessage, { authInfo, request });
  const remove = session?.exchanges.add(session.key, transport);
  await transport.completion;
  remove?.();
  signal.removeEventListener("abort", close);
  close();
}

/** Value of a header, as `Headers` has it. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (typeof value === "string" ? value : value?.join(", ")) ?? null;
}

/** Headers of the SDK for a stream, without `Connection`. */
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Milliseconds between two comments that keep a connection open, as in the SDK. */
const KEEP_ALIVE_MS = 15_000;

const eventOf = (message: JSONRPCMessage): string =>
  `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** Writes the messages about one request as server-sent events. */
class ResponseTransport implements Transport, OpenExchange {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves after the response, or when the transport is closed. */
  readonly completion: Promise<void>;
  readonly #outgoing: ServerResponse;
  readonly requestId: string | number;
  /** Questions to the client: the IDs that it sees, and those of the server. */
  readonly #questions = new Map<string, string | number>();
  readonly #timer: NodeJS.Timeout;
  #complete: () => void = () => undefined;
  #isClosed = false;

  constructor(outgoing: ServerResponse, id: string | number) {
    this.#outgoing = outgoing;
    this.requestId = id;
    this.completion = new Promise((resolve) => (this.#complete = resolve));
    this.#timer = setInterval(() => this.#write(": keepalive\n\n"), KEEP_ALIVE_MS);
  }

  async start(): Promise<void> {}

  /** Drops messages about other requests, for which a client has no stream. */
  async send(
    message: JSONRPCMessage,
    options?: { readonly relatedRequestId?: string | number },
  ): Promise<void> {
    if (this.#isClosed) return;
    if ("method" in message) {
      if (options?.relatedRequestId === this.requestId) this.#write(eventOf(this.#asSent(message)));
      return;
    }
    this.#startResponse();
    this.#outgoing.end(eventOf(message));
    this.#end();
  }

  answer(message: object): boolean {
    const { id } = message as { readonly id?: unknown };
    const own = this.#questions.get(String(id));
    if (own === undefined) return false;
    this.#questions.delete(String(id));
    this.onmessage?.({ ...message, id: own } as JSONRPCMessage);
    return true;
  }

  cancel(message: object): void {
    this.onmessage?.(message as JSONRPCMessage);
    if (!this.#isClosed) this.#startResponse();
    void this.close();
  }

  /** A question gets an ID that is unique in the session: each call counts from 0. */
  #asSent(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || !("id" in message)) return message;
    const id = crypto.randomUUID();
    this.#questions.set(id, message.id);
    return { ...message, id };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end();
    this.#outgoing.end();
    this.onclose?.();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#complete();
  }

  #startResponse(): void {
    if (!this.#outgoing.headersSent) this.#outgoing.writeHead(200, STREAM_HEADERS);
  }

  #write(text: string): void {
    if (this.#outgoing.writableEnded || this.#outgoing.destroyed) return;
    this.#startResponse();
    this.#outgoing.write(text);
  }
}
