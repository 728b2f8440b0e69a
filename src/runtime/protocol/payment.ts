/** Pages on which users pay, shown by their clients. MCP, Elicitation, "URL Mode". */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type Result,
  type Server,
  type ServerContext as RequestContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { PaymentRequests } from "../call/send-authenticated.js";
import { fnv1a } from "../data/fnv.js";
import { isObject } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import { isModernRequest, type Params } from "./messages.js";
import { declaresUrls } from "./session.js";

/** Key of the request in results of 2026-07-28. */
const paymentKey = "payment";

/** A call that ended with a demand for payment, and its client. */
interface UnpaidCall {
  readonly params: Params;
  /** ID of the caller. */
  readonly id: string | undefined;
  readonly server: Server;
  readonly request: RequestContext;
  /** True if an earlier request of the client declared it. */
  readonly supportsUrls: boolean;
}

/**
 * Text for the agent about a call that is repeated although the user has not opened the page;
 * undefined for other calls.
 */
export function unpaidText({ mcpReq }: RequestContext): string | undefined {
  const answer = paymentAnswer({ mcpReq });
  if (answer === undefined || answer === "accept") return undefined;
  return "Not sent: the user did not open the page to pay. Do not repeat the call unless the user asks for it.";
}

function paymentAnswer({ mcpReq }: Pick<RequestContext, "mcpReq">): unknown {
  const answer = mcpReq.inputResponses?.[paymentKey];
  return isObject(answer) ? answer["action"] : undefined;
}

/**
 * Shows the page through the client, instead of returning the error result of a call. Clients
 * without URL elicitation get the result, which has the link. So do calls for which the page was
 * shown before: the API still demands payment.
 * @throws UrlElicitationRequiredError for clients before 2026-07-28
 */
export function elicitPayment(
  { api, tools, shownPages }: Pick<ServerContext, "api" | "tools" | "shownPages">,
  { url, tool }: NonNullable<PaymentRequests["page"]>,
  result: CallToolResult,
  call: UnpaidCall,
): Result {
  const { request } = call;
  if (!result.isError || paymentAnswer(request) !== undefined || !supportsUrls(call)) return result;
  const found = tools.get(tool);
  const { title } = (found && "api" in found && api.apis?.[found.api ?? ""]) || api;
  const message = `${title} requires payment for ${tool}. Call again when it is paid.`;
  if (isModernRequest(request))
    return inputRequired({
      inputRequests: { [paymentKey]: inputRequired.elicitUrl({ url, message }) },
    });
  if (!shownPages.add(fnv1a(`${call.id ?? ""} ${JSON.stringify(call.params)}`))) return result;
  const elicitationId = crypto.randomUUID();
  throw new UrlElicitationRequiredError([{ mode: "url", elicitationId, url, message }]);
}

function supportsUrls({ server, request, supportsUrls: isDeclared }: UnpaidCall): boolean {
  if (isDeclared) return true;
  const envelope = request.mcpReq.envelope as Params | undefined;
  return declaresUrls(
    isModernRequest(request)
      ? envelope?.[CLIENT_CAPABILITIES_META_KEY]
      : server.getClientCapabilities(),
  );
}
