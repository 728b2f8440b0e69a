import type { McpHandlerRequestOptions, McpHttpHandler } from "@modelcontextprotocol/server";
import { isObject } from "../object.js";

/** What the protocol wants every client to take. */
const both = "application/json, text/event-stream";

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
  const taken = ranges(headers.get("accept") ?? "*/*");
  if (!takes(taken, "application/json")) return handler.fetch(request, options);
  headers.set("accept", both);
  const response = await handler.fetch(request, options);
  return takes(taken, "text/event-stream") || isSubscription(message)
    ? response
    : withoutStream(response, Array.isArray(message));
}

/** The media ranges of an Accept header that are wanted at all. */
function ranges(accept: string): ReadonlySet<string> {
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

function takes(taken: ReadonlySet<string>, type: string): boolean {
  return taken.has(type) || taken.has("*/*") || taken.has(`${type.split("/", 1)[0]}/*`);
}

/** A stream that has no end. */
function isSubscription(message: unknown): boolean {
  return isObject(message) && message["method"] === "subscriptions/listen";
}

async function withoutStream(response: Response, isBatch: boolean): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  const answers = lines
    .map((line) => line.slice("data: ".length))
    .filter((line) => !("method" in (JSON.parse(line) as object)));
  return new Response(isBatch ? `[${answers.join(",")}]` : answers.at(-1), {
    status: response.status,
    headers: { "content-type": "application/json" },
  });
}
