import type { McpHandlerRequestOptions, McpHttpHandler } from "@modelcontextprotocol/server";
import { isObject } from "../../json.js";

/** What the protocol wants every client to take. */
const requiredAccept = "application/json, text/event-stream";

/**
 * Serves a message to whoever takes JSON, however that is said: the SDK looks for both media types
 * as they are usually written, and refuses the range of everything, which is what most programs
 * send that do not care. RFC 9110, section 12.5.1. Who takes no stream gets the answer as JSON,
 * without what was told on the way.
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
  return accepts(acceptedTypes, "text/event-stream") || isSubscription(message)
    ? response
    : streamToJson(response, Array.isArray(message));
}

/** The media ranges of an Accept header that are wanted at all. */
function parseAccept(accept: string): ReadonlySet<string> {
  const listed = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()));
  return new Set(
    listed.flatMap(([range = "", ...parameters]) =>
      parameters.some((one) => /^q=0(\.0*)?$/.test(one)) ? [] : [range],
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

/** A stream that has no end. */
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
