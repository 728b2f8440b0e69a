import type { McpHandlerRequestOptions, McpHttpHandler } from "@modelcontextprotocol/server";
import { isObject } from "../../json.js";

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

/** Whether a message opens a stream without an end. */
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
