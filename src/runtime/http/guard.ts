import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { corsHeaders } from "./cors.js";
import { isModernRevision } from "../params.js";
import type { Policy } from "./policy.js";
import { metadataOf } from "./metadata.js";
import { json, refuse, type Reply } from "./reply.js";
import { sameText } from "./same-text.js";

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
export type Verdict =
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
export async function guard(head: RequestHead, policy: Policy): Promise<Verdict> {
  if (head.path === healthPath) return { reply: json(200, { status: "ok" }) };
  const metadata = metadataOf(head.path, policy);
  if (metadata) return { reply: metadata };
  if (head.path.replace(/\/$/, "") !== mcpPath)
    return { reply: refuse(404, `Not found: the protocol is served at ${mcpPath}.`) };
  const foreign = guardOrigin(head, policy);
  if (foreign) return { reply: foreign };
  const headers = corsHeaders(head, policy);
  const caller = isPreflight(head)
    ? { status: 204, headers: {}, body: "" }
    : await guardCaller(head, policy);
  const reply = typeof caller === "string" ? guardRequest(head) : caller;
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

function guardOrigin(head: RequestHead, { hosts, origins }: Policy): Reply | undefined {
  const host = hosts ? validateHostHeader(head.header("host"), [...hosts]) : { ok: true as const };
  if (!host.ok) return refuse(403, host.message);
  const origin = validateOriginHeader(head.header("origin"), [...origins]);
  return origin.ok ? undefined : refuse(403, origin.message);
}

/** @returns who calls, or why nobody may in this way */
async function guardCaller(head: RequestHead, policy: Policy): Promise<Reply | string> {
  const { tokens, verify } = policy;
  if (tokens.length === 0 && !verify) return "";
  const [, shown = ""] = /^Bearer +(\S+) *$/i.exec(head.header("authorization") ?? "") ?? [];
  if (shown === "") return challenge(policy, 401, "A bearer token is required.");
  // Every one is compared, so that the time tells nothing about which it was.
  const which = tokens.map((token) => sameText(shown, token)).indexOf(true);
  if (which !== -1) return `token ${which}`;
  return verify
    ? judge(policy, await verify(shown))
    : challenge(policy, 401, "The bearer token is wrong.", "invalid_token");
}

function judge(
  policy: Policy,
  verdict: Awaited<ReturnType<NonNullable<Policy["verify"]>>>,
): Reply | string {
  switch (verdict.kind) {
    case "granted":
      return `subject ${verdict.subject}`;
    case "invalid":
      return challenge(policy, 401, verdict.why, "invalid_token");
    case "insufficient":
      return challenge(policy, 403, verdict.why, "insufficient_scope");
    case "unknown":
      policy.log.error(`The token of a client could not be checked: ${verdict.why}`);
      return refuse(503, "The token cannot be checked now; try again in a few seconds.", {
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
  return refuse(status, message, { "www-authenticate": `Bearer ${written.join(", ")}`.trim() });
}

function guardRequest(head: RequestHead): Reply | undefined {
  // Clients of older revisions try GET and DELETE, and keep their connection; all others are no
  // clients.
  if (!["POST", "GET", "DELETE"].includes(head.method))
    return refuse(405, "Method not allowed: messages are sent by POST.", { allow: "POST" });
  // Since 2026-07-28 there are no sessions, and the header means nothing.
  if (
    head.header("mcp-session-id") !== undefined &&
    !isModernRevision(head.header("mcp-protocol-version"))
  )
    return refuse(
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
    return refuse(406, "Not acceptable: answers are application/json or text/event-stream.");
  if (!/^(|identity)$/i.test(head.header("content-encoding") ?? ""))
    return refuse(415, "Compressed requests are not supported.");
  if (Number(head.header("content-length") ?? 0) > maxRequestBytes) return tooLarge();
  return undefined;
}

/** The answer to a request that is larger than any is read. */
export function tooLarge(): Reply {
  return refuse(413, `The request is larger than ${maxRequestBytes} bytes.`);
}
