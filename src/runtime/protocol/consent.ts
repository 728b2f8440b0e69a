/** Consent of users, asked for through their clients. MCP, Elicitation, "URL Mode". */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type Result,
  type Server,
  type ServerContext as RequestContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { SignInLink, ToolConsent, UserConsent } from "../auth/consent-types.js";
import { raceWithAbort } from "../data/abort.js";
import { isObject } from "../data/values.js";
import { toolOf } from "../response/call-reference.js";
import type { ServerContext } from "../server/context.js";
import { isModernRequest, type Params } from "./messages.js";
import { declaresUrls } from "./session.js";

/** Key of the request in results of 2026-07-28. */
const consentKey = "sign_in";

/** Longest wait, in milliseconds, for a user who has opened the link. */
const maxWaitMs = 20_000;

interface CallConsent {
  readonly consent: ToolConsent;
  /** The link of the last request; undefined if consent was not needed. */
  link(): SignInLink | undefined;
}

/** The tool of a call: the one that `call_tool` names, or the one whose result is read. */
function calledTool(
  { tools, resultReader }: Pick<ServerContext, "tools" | "resultReader">,
  { name, arguments: args }: Params,
): unknown {
  const called = typeof name === "string" ? tools.lookUp(name) : undefined;
  if (!called || !isObject(args)) return name;
  if ("forward" in called) return args["name"];
  return called.name === resultReader ? toolOf(String(args["resource"])) : name;
}

/** Prepares the consent of one call. */
export function prepareConsent(
  server: Pick<ServerContext, "tools" | "resultReader">,
  user: UserConsent,
  params: Params,
): CallConsent {
  const inner = calledTool(server, params);
  const tool = typeof inner === "string" ? inner : "";
  let link: SignInLink | undefined;
  const consent: ToolConsent = {
    replacesSharedTokens: user.replacesSharedTokens,
    token: user.token,
    tool,
    async request(request) {
      const requested = await user.request(request, tool);
      if (typeof requested === "object") link = requested;
      return requested;
    },
    settled: () => user.settled(tool),
  };
  return { consent, link: () => link };
}

/** The user's response to the link, which the client sends when it repeats its request. */
function answerOf({ mcpReq }: RequestContext): unknown {
  const answer = mcpReq.inputResponses?.[consentKey];
  return isObject(answer) ? answer["action"] : undefined;
}

/**
 * Waits until the user has signed in, if the request is repeated after the user accepted the link.
 * The wait ends with the request.
 */
export async function awaitConsent(
  { consent }: CallConsent,
  request: RequestContext,
): Promise<void> {
  if (answerOf(request) !== "accept") return;
  let timeout: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => (timeout = setTimeout(resolve, maxWaitMs)));
  const settled = Promise.race([consent.settled(), expired]);
  await raceWithAbort(settled, request.mcpReq.signal).catch(() => {});
  clearTimeout(timeout);
}

/**
 * Asks for consent through the client, instead of returning the error result of a call. Clients
 * without URL elicitation get the result, which has the link; so do calls that may have taken
 * effect.
 * @param supportsUrls true if an earlier request of the client declared it
 * @throws UrlElicitationRequiredError for clients of 2025-11-25
 */
export function elicitConsent(
  { api, tools }: Pick<ServerContext, "api" | "tools">,
  { consent, link }: CallConsent,
  result: CallToolResult,
  client: { readonly server: Server; readonly request: RequestContext; supportsUrls: boolean },
): Result {
  const { request } = client;
  const requested = link();
  const tool = tools.get(consent.tool);
  if (!requested || !result.isError || !tool || !("operations" in tool)) return result;
  if (answerOf(request) !== undefined || !supportsUrlElicitation(client)) return result;
  const { id, url } = requested;
  const { title } = api.apis?.[tool.api ?? ""] ?? api;
  const message = `${title} needs your consent for ${consent.tool}.`;
  if (isModernRequest(request))
    return inputRequired({
      inputRequests: { [consentKey]: inputRequired.elicitUrl({ url, message }) },
    });
  notifyWhenComplete(client, consent, id);
  throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: id, url, message }]);
}

/** Notifies a connected client of 2025-11-25. Over HTTP, such clients have no stream for it. */
function notifyWhenComplete(
  { server }: { readonly server: Server },
  consent: ToolConsent,
  id: string,
): void {
  if (!declaresUrls(server.getClientCapabilities())) return;
  const notify = server.createElicitationCompletionNotifier(id);
  void consent
    .settled()
    .then(notify)
    .catch(() => {});
}

function supportsUrlElicitation({
  server,
  request,
  supportsUrls,
}: Parameters<typeof elicitConsent>[3]): boolean {
  if (supportsUrls) return true;
  const envelope = request.mcpReq.envelope as Params | undefined;
  const capabilities = isModernRequest(request)
    ? envelope?.[CLIENT_CAPABILITIES_META_KEY]
    : server.getClientCapabilities();
  return declaresUrls(capabilities);
}
