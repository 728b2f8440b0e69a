/** HTTP messages of MCP: requests that are read and checked, and replies. */
import {
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { concatBytes } from "../../data/bytes.js";
import { MAX_VALUES } from "../../data/limit-values.js";
import { isObject } from "../../data/values.js";
import { batchRevision, normalizeMessage } from "../../protocol/messages.js";

/** A response instead of serving the request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A reply with a JSON body. */
export function jsonReply(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * A rejection as a JSON-RPC error. It has JSON-RPC's own codes, because -32000 to -32019 are
 * deprecated. MCP 2026-07-28, "Error Codes".
 */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return jsonReply(status, { jsonrpc: "2.0", error: { code, message }, id: null }, headers);
}

/** The Accept header that the protocol requires of clients. */
const requiredAccept = "application/json, text/event-stream";

/**
 * Serves a message to any client that accepts JSON (RFC 9110, section 12.5.1). The SDK requires
 * both media types by name, and rejects the range of all types, which most programs send. A client
 * that does not accept a stream gets the response as JSON, without notifications.
 * @param request its headers are changed
 */
export async function serveMessage(
  handler: McpHttpHandler,
  request: Request,
  options: McpHandlerRequestOptions,
): Promise<Response> {
  const { headers } = request;
  const message = options.parsedBody;
  const acceptedTypes = parseAccept(headers.get("accept") ?? "*/*");
  if (!accepts(acceptedTypes, "application/json")) return handler.fetch(request, options);
  headers.set("accept", requiredAccept);
  const response = await handler.fetch(request, options);
  if (accepts(acceptedTypes, "text/event-stream") || isSubscription(message)) return response;
  return streamToJson(response, Array.isArray(message));
}

/** The media ranges of an Accept header with a quality above 0. */
function parseAccept(accept: string): ReadonlySet<string> {
  const ranges = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()));
  return new Set(
    ranges.flatMap(([range = "", ...parameters]) =>
      parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range],
    ),
  );
}

/** True if a client accepts JSON and streams. */
export function acceptsStream(accept: string): boolean {
  const acceptedTypes = parseAccept(accept);
  return accepts(acceptedTypes, "application/json") && accepts(acceptedTypes, "text/event-stream");
}

function accepts(acceptedTypes: ReadonlySet<string>, type: string): boolean {
  return (
    acceptedTypes.has(type) ||
    acceptedTypes.has("*/*") ||
    acceptedTypes.has(`${type.split("/", 1)[0]}/*`)
  );
}

/** True if a message opens a stream without an end. */
function isSubscription(message: unknown): boolean {
  return isObject(message) && message["method"] === "subscriptions/listen";
}

/** Replaces an event stream by its response messages. Notifications and other requests are dropped. */
async function streamToJson(response: Response, isBatch: boolean): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  const responses = lines
    .map((line) => line.slice("data: ".length))
    .filter((line) => !("method" in (JSON.parse(line) as object)));
  return new Response(isBatch ? `[${responses.join(",")}]` : responses.at(-1), {
    status: response.status,
    headers: { "content-type": "application/json" },
  });
}

/** Maximum size of a request in bytes. */
export const maxRequestBytes = 10 * 1024 * 1024;

/** The reply to a request above the maximum size. */
export function requestTooLarge(): Reply {
  return errorReply(413, `The request is larger than ${maxRequestBytes} bytes.`);
}

/**
 * Maximum number of values outside of the arguments of a call, which have limits of their own. The
 * SDK validates the envelope and the client information itself.
 */
const maxEnvelopeValues = 2_000;

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * A rejected or a parsed message. Without `message`, the body is not JSON; the SDK responds to
 * that.
 */
interface MessageResult {
  readonly reply?: Reply;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly message?: unknown;
}

/**
 * Reads the body of a request once. Messages above the limits are rejected before they are parsed
 * or validated.
 * @param revision value of the `MCP-Protocol-Version` header
 */
export async function readMessage(
  chunks: AsyncIterable<Uint8Array>,
  revision?: string,
): Promise<MessageResult> {
  const body = await readBody(chunks);
  if (!body) return { reply: requestTooLarge() };
  if (isBatch(body) && revision !== batchRevision) {
    return { reply: invalidRequest("batches are not supported; send one message per request") };
  }
  if (countSeparators(body) > MAX_VALUES) {
    return { reply: invalidRequest(`the message has more than ${MAX_VALUES} values`) };
  }
  const message = parseMessage(body);
  if (exceedsEnvelopeLimit(message)) {
    const limit = `${maxEnvelopeValues} values outside of its arguments`;
    return { reply: invalidRequest(`the message has more than ${limit}`) };
  }
  return message === undefined ? { body } : { body, message };
}

function invalidRequest(reason: string): Reply {
  return errorReply(400, `Invalid request: ${reason}.`);
}

/** The body, or `undefined` if it is too large. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const received: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxRequestBytes) return undefined;
    received.push(chunk);
  }
  return concatBytes(received, size);
}

/** True if JSON text is an array. */
function isBatch(body: Uint8Array): boolean {
  const first = body.find(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return first === openList;
}

/**
 * Counts commas and opening brackets outside of strings, which is about the number of values. Stops
 * at the limit.
 */
function countSeparators(body: Uint8Array): number {
  let count = 0;
  let inString = false;
  for (let i = 0; i < body.length && count <= MAX_VALUES; i++) {
    const byte = body[i];
    if (byte === quote) inString = !inString;
    else if (inString) i += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openList || byte === openObject) count++;
  }
  return count;
}

function parseMessage(body: Uint8Array): unknown {
  try {
    return normalizeMessage(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

function exceedsEnvelopeLimit(message: unknown): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  const envelope = isObject(params)
    ? { ...(message as object), params: { ...params, arguments: null } }
    : message;
  const pending: unknown[] = [envelope];
  for (let valueCount = 0; pending.length > 0;) {
    const value = pending.pop();
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    valueCount += parts.length;
    if (valueCount > maxEnvelopeValues) return true;
    for (const part of parts) pending.push(part);
  }
  return false;
}
