/** `send_request`: the way out for what no other tool covers. */
import type { ApiDefinition, SecurityRequirement } from "../api-definition.js";
import { resolveBaseUrl } from "../request/base-url.js";
import type { ApiContext } from "../request/types.js";
import { RAW_METHODS } from "../request/raw-request.js";
import type { Redact } from "../response/redact.js";
import type { ToolDefinition } from "../types.js";
import { ownToolName } from "./own-tool-name.js";
import type { AnyTool } from "./definitions.js";

/** Sentence for the user who asks for raw requests, if they are left out. */
export const rawRequestsProblem: string | undefined = undefined;

/** True for `send_request`. */
export function sendsAnyRequest(tool: AnyTool): boolean {
  return "operations" in tool && tool.operations.some(({ request }) => request.isRaw);
}

/**
 * Creates the tool that sends any request to the API. It is its own toolset, so that a server that
 * is narrowed to other toolsets does not have it.
 * @param context API with its environment, whose base URL the description states
 * @param isTaken true if another tool has the name
 */
export function createSendRequest(
  context: Pick<ApiContext, "api" | "env">,
  redact: Redact,
  isTaken: (name: string) => boolean,
): ToolDefinition {
  const { api } = context;
  const base = resolveBaseUrl(api.servers, context);
  const baseUrl = base.ok ? `the base URL, ${redact(base.url)}` : "the base URL of the API";
  const name = ownToolName(api.namespace, isTaken, [
    "send_request",
    "send_api_request",
    "send_raw_api_request",
    "send_any_api_request",
  ]);
  return {
    name,
    title: "Send a request",
    description:
      `Send any HTTP request to ${api.title}, with the credentials of this server. ` +
      `The path is appended to ${baseUrl}. ` +
      "Only for what no other tool does: the input is not checked, and the request may change or delete anything.",
    toolset: name,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    inputSchema: {
      type: "object",
      properties: {
        method: { type: "string", enum: RAW_METHODS },
        path: {
          type: "string",
          minLength: 1,
          maxLength: 8000,
          description: "Path below the base URL, percent-encoded: /pets/42.",
        },
        query: {
          type: "object",
          description: "Query parameters. A list repeats its name.",
          additionalProperties: true,
        },
        body: { description: "Body: a JSON value, or text of the contentType." },
        contentType: {
          type: "string",
          pattern: "^[\\w!#$&^.+-]+/[\\w!#$&^.+-]+(;.*)?$",
          description:
            "Media type of the body. Default: application/json, text/plain for other text.",
        },
      },
      required: ["method", "path"],
      additionalProperties: false,
    },
    operations: [
      {
        whenProvided: [],
        request: { method: "POST", path: "/", isRaw: true, security: requirementsFor(api) },
        response: {},
      },
    ],
  };
}

/** The API's default requirements; without a default, any of its schemes, or none. */
function requirementsFor({
  security,
  securitySchemes,
}: ApiDefinition): readonly SecurityRequirement[] {
  const any = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
  return security ?? [...any, {}];
}
