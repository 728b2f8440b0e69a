/** Checks of HTTP requests before they are served: host, origin, credentials, and size. */
import { canParseUrl } from "../../data/urls.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../auth/types.js";
import { sha256, timingSafeEqual } from "../../data/bytes.js";
import { joinFirst } from "../../data/values.js";
import { isModernRevision } from "../../protocol/messages.js";
import type { ServerContext } from "../../server/context.js";
import { listViews } from "../../tools/selection.js";
import type { Log } from "../../server/telemetry.js";
import type { ConsentPages } from "./caller-settings.js";
import { challenge, type OAuthRules } from "./challenge.js";
import { type HttpSettings, readHttpSettings } from "./http-settings.js";
import { metadataReply, oauthRules } from "./oauth-resource-server.js";
import type { Readiness } from "./readiness.js";
import {
  createRefusalReport,
  createRejectionReport,
  type ReportRefusal,
  type ReportRejection,
} from "./report-rejections.js";
import { errorReply, jsonReply, maxRequestBytes, type Reply, requestTooLarge } from "./messages.js";
import { readSession } from "../../protocol/session.js";
import type { OpenExchanges } from "./open-exchanges.js";

/** Path of the protocol. */
export const mcpPath = "/mcp";

/** Paths of the checks of engines, which need no credentials. */
const healthPath = "/health";
const readyPath = "/ready";

interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Query of the target, without `?`. */
  readonly query: string;
  header(name: string): string | undefined;
}

/** The reply to a request that is not served, or the caller of one that is. */
type GuardResult =
  | { readonly reply: Reply }
  | {
      readonly reply?: undefined;
      /** CORS headers of the response. */
      readonly headers: Readonly<Record<string, string>>;
      /** Its identity is empty without authentication. */
      readonly caller: Caller;
    };

/** Checks the caller of a request, and whether it can be served. */
export async function guard(head: RequestHead, policy: Policy): Promise<GuardResult> {
  if (head.path === healthPath) return { reply: jsonReply(200, { status: "ok" }) };
  if (head.path === readyPath && policy.readiness) return { reply: await policy.readiness.reply() };
  const metadata = metadataReply(head.path, policy);
  if (metadata) return { reply: metadata };
  const consentPage = checkOrigin(head, policy) ? undefined : policy.consents?.answer(head);
  if (consentPage) return { reply: await consentPage };
  const view = viewName(head.path);
  if (view === undefined) {
    return { reply: errorReply(404, `Not found: the protocol is served at ${mcpPath}.`) };
  }
  const originReply = checkOrigin(head, policy);
  if (originReply) return { reply: originReply };
  const headers = corsHeaders(head, policy);
  const withCors = (reply: Reply): GuardResult => ({
    reply: { ...reply, headers: { ...reply.headers, ...headers } },
  });
  if (isPreflight(head)) return withCors({ status: 204, headers: {}, body: "" });
  const caller = await checkCaller(head, policy);
  if ("status" in caller) return withCors(caller);
  const rejection = checkView(view, policy) ?? checkRequest(head, policy);
  if (rejection) return withCors(rejection);
  return { headers, caller: view === "" ? caller : { ...caller, view } };
}

/** Name of the API or toolset in a path: `billing` in `/mcp/billing`. Undefined for other paths. */
function viewName(path: string): string | undefined {
  const plain = path.replace(/\/$/, "");
  if (plain === mcpPath) return "";
  return plain.startsWith(`${mcpPath}/`) ? plain.slice(mcpPath.length + 1) : undefined;
}

/** Maximum number of addresses in a message. */
const maxAddresses = 30;

/** The rejection of a path whose name is not that of an API or toolset, for authenticated callers. */
function checkView(view: string, { views }: Policy): Reply | undefined {
  const names = views();
  if (view === "" || names.includes(view)) return undefined;
  const addresses = [mcpPath, ...names.map((name) => `${mcpPath}/${name}`)];
  const served = joinFirst(addresses, maxAddresses);
  return errorReply(404, `Not found: the protocol is served at ${served}.`);
}

/** True for a preflight request of a browser. Such a request has no credentials. */
function isPreflight({ method, header }: RequestHead): boolean {
  return (
    method === "OPTIONS" &&
    header("origin") !== undefined &&
    header("access-control-request-method") !== undefined
  );
}

function checkOrigin(head: RequestHead, policy: Policy): Reply | undefined {
  const { hosts, origins, reportRejection } = policy;
  const host = hosts ? validateHostHeader(head.header("host"), [...hosts]) : { ok: true as const };
  if (!host.ok) {
    reportRejection("Host", head.header("host") ?? "");
    return errorReply(403, host.message);
  }
  const header = head.header("origin");
  // The SDK takes an empty value for an absent header. RFC 6454, section 7, has no empty value.
  if (header === "") return errorReply(403, "Invalid Origin header: it is empty.");
  const local = validateOriginHeader(header, localhostAllowedOrigins());
  if (local.ok || (header !== undefined && origins.includes(header.toLowerCase())))
    return undefined;
  reportRejection("Origin", header ?? "");
  return errorReply(403, local.message);
}

/** An allowed host as `URL` writes it: a name in lower case, without a port. */
function toHostname(allowed: string): string {
  const text = allowed.includes("://") ? allowed : `http://${allowed}`;
  return canParseUrl(text) ? new URL(text).hostname : allowed;
}

/** An allowed origin as browsers write it. A host name alone means `https:` and the default port. */
function toOrigin(allowed: string): string {
  const text = allowed.includes("://") ? allowed : `https://${allowed}`;
  return canParseUrl(text) ? new URL(text).origin : text.toLowerCase();
}

/**
 * Authenticates the caller.
 * @returns the caller, or the rejection
 */
async function checkCaller(head: RequestHead, policy: Policy): Promise<Reply | Caller> {
  const { tokens, verify, reportRefusal } = policy;
  if (tokens.length === 0 && !verify) return { id: "" };
  const [, presented = ""] = /^Bearer +(\S+) *$/i.exec(head.header("authorization") ?? "") ?? [];
  if (presented === "") return challenge(policy, 401, "A bearer token is required.");
  // All tokens are compared, so that the time does not depend on the token.
  const index = tokens.map((token) => timingSafeEqual(presented, token)).indexOf(true);
  if (index !== -1) return { id: `token ${index}`, realm: await sha256(presented), isShared: true };
  if (verify) return callerOrReply(policy, presented, await verify(presented));
  const reason = "The bearer token is wrong.";
  reportRefusal(401, reason);
  return challenge(policy, 401, reason, "invalid_token");
}

function callerOrReply(
  policy: Policy,
  token: string,
  verdict: Awaited<ReturnType<NonNullable<Policy["verify"]>>>,
): Reply | Caller {
  switch (verdict.kind) {
    case "granted":
      return {
        id: `subject ${verdict.subject}`,
        ...(policy.issuer !== undefined && { realm: policy.issuer }),
        token,
        scopes: verdict.scopes,
        user: verdict.user,
      };
    case "invalid":
      policy.reportRefusal(401, verdict.reason);
      return challenge(policy, 401, verdict.reason, "invalid_token");
    case "insufficient":
      policy.reportRefusal(403, verdict.reason);
      return challenge(policy, 403, verdict.reason, "insufficient_scope");
    case "unknown":
      policy.log.error(`The token of a client could not be checked: ${verdict.reason}`);
      return errorReply(503, "The token cannot be checked now; try again in a few seconds.", {
        "retry-after": "5",
      });
  }
}

/**
 * True for a server that gives session IDs: to ask clients during a call, or to send their users to
 * a sign-in. For the latter the ID has all that any process needs.
 */
export const hasSessions = ({
  consents,
  exchanges,
}: Pick<Policy, "consents" | "exchanges">): boolean =>
  consents !== undefined || exchanges !== undefined;

/** Media ranges of which a client must accept one; see `serveMessage`. */
const acceptable = /\*\/\*|application\/(?:\*|json)|text\/(?:\*|event-stream)/i;

function checkRequest(head: RequestHead, policy: Policy): Reply | undefined {
  // The SDK replies to GET and DELETE, which clients of older revisions send.
  if (!["POST", "GET", "DELETE"].includes(head.method)) {
    return errorReply(405, "Method not allowed: messages are sent by POST.", { allow: "POST" });
  }
  // Revisions from 2026-07-28 on have no sessions and ignore the header.
  const isModern = isModernRevision(head.header("mcp-protocol-version"));
  const session = head.header("mcp-session-id");
  const isKnown = hasSessions(policy) && readSession(session) !== undefined;
  if (session !== undefined && !isModern && !isKnown) {
    const message =
      "Session not found: this server has no sessions; initialize again without Mcp-Session-Id.";
    return errorReply(404, message);
  }
  const accept = head.header("accept") ?? "*/*";
  if (head.method === "POST" && !acceptable.test(accept)) {
    const message = "Not acceptable: responses are application/json or text/event-stream.";
    return errorReply(406, message);
  }
  if (!/^(|identity)$/i.test(head.header("content-encoding") ?? "")) {
    const message = "Compressed requests are not supported.";
    // RFC 9110, section 15.5.16.
    return errorReply(415, message, { "accept-encoding": "identity" });
  }
  if (Number(head.header("content-length") ?? 0) > maxRequestBytes) return requestTooLarge();
  return undefined;
}

/** Headers of the protocol that pages may send. */
const allowedHeaders = (
  "authorization content-type accept mcp-protocol-version mcp-method mcp-name mcp-session-id " +
  "last-event-id"
).split(" ");

/** CORS headers for a page whose origin is allowed. Fetch Standard, section 3.2. */
function corsHeaders(
  { header }: RequestHead,
  {
    forwardHeaders,
    forwardHeadersOfApis,
    ...policy
  }: Pick<Policy, "forwardHeaders" | "forwardHeadersOfApis" | "consents" | "exchanges">,
): Readonly<Record<string, string>> {
  const origin = header("origin");
  if (origin === undefined) return {};
  const forwarded = [forwardHeaders, ...(forwardHeadersOfApis?.values() ?? [])];
  const names = new Set(forwarded.flatMap((headers) => [...headers.keys()]));
  const exposedHeaders = ["www-authenticate", ...(hasSessions(policy) ? ["mcp-session-id"] : [])];
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": [...allowedHeaders, ...names].join(", "),
    "access-control-expose-headers": exposedHeaders.join(", "),
    "access-control-max-age": "600",
    vary: "origin",
  };
}

const MIN_TOKEN_LENGTH = 16;
const MIN_TOKEN_CHARACTERS = 6;

/** True for a token that can be guessed: a short one, or one of few different characters. */
function isWeakToken(token: string): boolean {
  return token.length < MIN_TOKEN_LENGTH || new Set(token).size < MIN_TOKEN_CHARACTERS;
}

function weakTokenProblem(variable: string, count: number): string {
  const subject = count === 1 ? "a token" : `${count} tokens`;
  return (
    `${variable} has ${subject} that can be guessed. Use at least ${MIN_TOKEN_LENGTH} random ` +
    "characters, such as the output of `openssl rand -hex 32`."
  );
}

/** Access rules: authentication, hosts and origins, and forwarded headers. */
export interface Policy extends OAuthRules {
  /** Names of the APIs and toolsets, each of which has an address of its own. */
  views(): readonly string[];
  /** Bearer tokens, of which a caller must present one. Empty: only `verify` decides. */
  readonly tokens: readonly string[];
  /**
   * Allowed host names of the server; `undefined` allows any. Prevents DNS rebinding, by which web
   * pages could reach a server on this machine.
   */
  readonly hosts?: readonly string[];
  /** Allowed origins of web pages: scheme, host and port. Pages of this machine are allowed, too. */
  readonly origins: readonly string[];
  readonly forwardHeaders: HttpSettings["forwardHeaders"];
  readonly forwardHeadersOfApis?: HttpSettings["forwardHeadersOfApis"];
  readonly callerHeader?: HttpSettings["callerHeader"];
  readonly trustedProxies: HttpSettings["trustedProxies"];
  /** Tests whether a connection may name the caller. Absent: none may. */
  readonly isTrustedProxy?: (address: string) => boolean;
  readonly tokenExchanges?: HttpSettings["tokenExchanges"];
  readonly signIn?: HttpSettings["signIn"];
  /** Pages on which callers consent. */
  readonly consents?: ConsentPages;
  /** Calls in flight of clients with a session. Absent: clients are not asked during a call. */
  readonly exchanges?: OpenExchanges;
  readonly readiness?: Pick<Readiness, "reply">;
  readonly reportRejection: ReportRejection;
  readonly reportRefusal: ReportRefusal;
  readonly log: Log;
}

type PolicyResult =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reachability of a server, and consent that is not in the environment. */
interface Exposure {
  /** True if only this machine can reach the server. */
  readonly isLocal: boolean;
  readonly allowUnauthenticated: boolean;
  /** The flag or variable that allows access without authentication, for messages. */
  readonly optIn: string;
}

/**
 * Reads the access rules. Access is denied by default: other machines need a token, unless the
 * administrator allows open access.
 */
export function createPolicy(
  context: ServerContext,
  { isLocal, allowUnauthenticated, optIn }: Exposure,
): PolicyResult {
  const { api, apiContext, log } = context;
  const result = readHttpSettings(api.envPrefix, apiContext.env, api.apis);
  if (!result.ok) return result;
  const { settings } = result;
  const { tokens, oauth, allowedHosts, allowedOrigins, forwardHeaders, tokenExchanges } = settings;
  const isOpen = tokens.length === 0 && !oauth;
  if (isOpen && !isLocal && !allowUnauthenticated && !settings.allowUnauthenticated) {
    const variables = `${api.envPrefix}_HTTP_TOKEN or ${api.envPrefix}_HTTP_OAUTH_ISSUER`;
    const problem =
      `Refusing to serve other machines without authentication: set ${variables}, ` +
      `or allow it with ${optIn}.`;
    return { ok: false, problems: [problem] };
  }
  const weak = tokens.filter(isWeakToken).length;
  if (weak > 0) {
    const problem = weakTokenProblem(`${api.envPrefix}_HTTP_TOKEN`, weak);
    if (!isLocal) return { ok: false, problems: [`Refusing to serve other machines: ${problem}`] };
    log.warn(problem);
  }
  const namesHosts = isLocal || allowedHosts.length > 0;
  const policy: Policy = {
    // The tools of a context may be replaced while the server runs.
    views: () => listViews(context.offeredTools),
    tokens,
    ...(oauth
      ? oauthRules(oauth, api.title, apiContext.platform?.fetch)
      : { scopes: [], toolScopes: "never" }),
    hosts: namesHosts
      ? [
          ...localhostAllowedHostnames(),
          ...[oauth?.publicUrl ?? [], ...allowedHosts].flat().map(toHostname),
        ]
      : undefined,
    origins: allowedOrigins.map(toOrigin),
    forwardHeaders,
    ...(settings.forwardHeadersOfApis && { forwardHeadersOfApis: settings.forwardHeadersOfApis }),
    ...(settings.callerHeader && { callerHeader: settings.callerHeader }),
    trustedProxies: settings.trustedProxies,
    ...(tokenExchanges && { tokenExchanges }),
    ...(settings.signIn && { signIn: settings.signIn }),
    reportRejection: createRejectionReport(api.envPrefix, log),
    reportRefusal: createRefusalReport(log),
    log,
  };
  return { ok: true, policy };
}
