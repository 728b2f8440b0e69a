import {
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { isObject } from "../../data/values.js";

/** A response in place of serving the request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

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
 * both media types by name and rejects the range of all types, which most programs send. A client that accepts no
 * stream gets the response as JSON, without notifications.
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
