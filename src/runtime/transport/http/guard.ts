import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { isModernRevision } from "../../protocol/request-params.js";
import { metadataReply } from "./oauth-resource-server.js";
import type { Policy } from "./policy.js";
import { errorReply, jsonReply, type Reply } from "./reply.js";

/** Where the protocol is served. */
export const mcpPath = "/mcp";

/** Answers to load balancers, without credentials. */
export const healthPath = "/health";

/** Largest request that is read. */
export const maxRequestBytes = 10 * 1024 * 1024;

/** As much of a request as is looked at before anything else of it is read. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  header(name: string): string | undefined;
}

/** What is to be done with a request: answer it at once, or serve it. */
export type GuardResult =
  | { readonly reply: Reply }
  /**
   * `headers`: to be added to the answer, so that a page that may call can read it. `caller`: who
   * calls, in words of our own; empty when anybody may.
   */
  | {
      readonly reply?: undefined;
      readonly headers: Readonly<Record<string, string>>;
      readonly caller: string;
    };

/** Checks who calls, and whether the request can be served at all. */
export async function guard(head: RequestHead, policy: Policy): Promise<GuardResult> {
  if (head.path === healthPath) return { reply: jsonReply(200, { status: "ok" }) };
  const metadata = metadataReply(head.path, policy);
  if (metadata) return { reply: metadata };
  if (head.path.replace(/\/$/, "") !== mcpPath)
    return { reply: errorReply(404, `Not found: the protocol is served at ${mcpPath}.`) };
  const originReply = checkOrigin(head, policy);
  if (originReply) return { reply: originReply };
  const headers = corsHeaders(head, policy);
  const caller = isPreflight(head)
    ? { status: 204, headers: {}, body: "" }
    : await checkCaller(head, policy);
  const reply = typeof caller === "string" ? checkRequest(head) : caller;
  return typeof caller === "string" && !reply
    ? { headers, caller }
    : { reply: { ...(reply as Reply), headers: { ...reply?.headers, ...headers } } };
}

/** A browser asks whether its page may call. It shows no credentials. */
function isPreflight({ method, header }: RequestHead): boolean {
  return (
    method === "OPTIONS" &&
    header("origin") !== undefined &&
    header("access-control-request-method") !== undefined
  );
}

function checkOrigin(head: RequestHead, { hosts, origins }: Policy): Reply | undefined {
  const host = hosts ? validateHostHeader(head.header("host"), [...hosts]) : { ok: true as const };
  if (!host.ok) return errorReply(403, host.message);
  const origin = validateOriginHeader(head.header("origin"), [...origins]);
  return origin.ok ? undefined : errorReply(403, origin.message);
}

/** @returns who calls, or why nobody may in this way */
async function checkCaller(head: RequestHead, policy: Policy): Promise<Reply | string> {
  const { tokens, verify } = policy;
  if (tokens.length === 0 && !verify) return "";
  const [, presented = ""] = /^Bearer +(\S+) *$/i.exec(head.header("authorization") ?? "") ?? [];
  if (presented === "") return challenge(policy, 401, "A bearer token is required.");
  // Every one is compared, so that the time tells nothing about which it was.
  const index = tokens.map((token) => timingSafeEqual(presented, token)).indexOf(true);
  if (index !== -1) return `token ${index}`;
  return verify
    ? callerOrReply(policy, await verify(presented))
    : challenge(policy, 401, "The bearer token is wrong.", "invalid_token");
}

function callerOrReply(
  policy: Policy,
  verdict: Awaited<ReturnType<NonNullable<Policy["verify"]>>>,
): Reply | string {
  switch (verdict.kind) {
    case "granted":
      return `subject ${verdict.subject}`;
    case "invalid":
      return challenge(policy, 401, verdict.reason, "invalid_token");
    case "insufficient":
      return challenge(policy, 403, verdict.reason, "insufficient_scope");
    case "unknown":
      policy.log.error(`The token of a client could not be checked: ${verdict.reason}`);
      return errorReply(503, "The token cannot be checked now; try again in a few seconds.", {
        "retry-after": "5",
      });
  }
}

/**
 * RFC 6750, section 3: no error code for a request that shows no token. RFC 9728, section 5.1:
 * where to learn how to get one.
 */
function challenge(
  { metadata, scopes }: Policy,
  status: number,
  message: string,
  error?: string,
): Reply {
  const parameters = {
    error,
    error_description: error && message,
    scope: scopes.join(" ") || undefined,
    resource_metadata: metadata?.url,
  };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "")}"`],
  );
  return errorReply(status, message, { "www-authenticate": `Bearer ${written.join(", ")}`.trim() });
}

function checkRequest(head: RequestHead): Reply | undefined {
  // Clients of older revisions try GET and DELETE, and keep their connection; all others are no
  // clients.
  if (!["POST", "GET", "DELETE"].includes(head.method))
    return errorReply(405, "Method not allowed: messages are sent by POST.", { allow: "POST" });
  // Since 2026-07-28 there are no sessions, and the header means nothing.
  if (
    head.header("mcp-session-id") !== undefined &&
    !isModernRevision(head.header("mcp-protocol-version"))
  )
    return errorReply(
      404,
      "Session not found: this server keeps none; initialize again without Mcp-Session-Id.",
    );
  const accept = head.header("accept");
  // What is accepted of these, the SDK looks at.
  if (
    head.method === "POST" &&
    accept !== undefined &&
    !/\*\/\*|application\/(?:\*|json)|text\/(?:\*|event-stream)/i.test(accept)
  )
    return errorReply(406, "Not acceptable: answers are application/json or text/event-stream.");
  if (!/^(|identity)$/i.test(head.header("content-encoding") ?? ""))
    return errorReply(415, "Compressed requests are not supported.");
  if (Number(head.header("content-length") ?? 0) > maxRequestBytes) return requestTooLarge();
  return undefined;
}

/** The answer to a request that is larger than any is read. */
export function requestTooLarge(): Reply {
  return errorReply(413, `The request is larger than ${maxRequestBytes} bytes.`);
}

/** Headers of the protocol that pages send. */
const allowedHeaders = [
  "authorization",
  "content-type",
  "accept",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "last-event-id",
];

/**
 * Lets the page that calls, which has been found to be one that may, read the answer. Fetch
 * Standard, section 3.2.
 */
export function corsHeaders(
  { header }: RequestHead,
  { forwardHeaders }: Pick<Policy, "forwardHeaders">,
): Readonly<Record<string, string>> {
  const origin = header("origin");
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": [...allowedHeaders, ...forwardHeaders.keys()].join(", "),
    "access-control-expose-headers": "www-authenticate",
    "access-control-max-age": "600",
    vary: "origin",
  };
}

/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function timingSafeEqual(given: string, secret: string): boolean {
  const [a, b] = [new TextEncoder().encode(given), new TextEncoder().encode(secret)];
  let different = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) different |= (a[i % Math.max(1, a.length)] ?? 0) ^ b[i]!;
  return different === 0;
}
