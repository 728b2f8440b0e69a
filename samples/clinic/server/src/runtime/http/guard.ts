import { localhostAllowedHostnames, localhostAllowedOrigins, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { sameText } from "./same-text.js";

/** Where the protocol is served. */
export const mcpPath = "/mcp";

/** Answers to load balancers, without credentials. */
export const healthPath = "/health";

/** Largest request that is read. */
export const maxRequestBytes = 10 * 1024 * 1024;

/** As much of a request as is looked at before anything else of it is read. */
export interface RequestHead {
  readonly path: string;
  header(name: string): string | undefined;
}

/** Who may call. */
export interface Policy {
  /** Bearer token that is wanted; empty: none. */
  readonly token: string;
  /** Host names that the server may be called by; `undefined`: any. Keeps web pages from reaching a server on this machine by DNS rebinding. */
  readonly hosts?: readonly string[];
  /** Host names of the pages that may call. */
  readonly origins: readonly string[];
}

/** An answer given instead of serving the request. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A policy that lets this machine in, and whoever else the settings name. */
export function localPolicy(token: string, hosts: readonly string[], origins: readonly string[]): Policy {
  return { token, hosts: [...localhostAllowedHostnames(), ...hosts], origins: [...localhostAllowedOrigins(), ...origins] };
}

/** Checks who calls, and whether the request can be served at all. `undefined`: it can. */
export function guard(head: RequestHead, policy: Policy): Rejection | undefined {
  if (head.path === healthPath) return json(200, { status: "ok" });
  if (head.path !== mcpPath) return refuse(404, `Not found: the protocol is served at ${mcpPath}.`);
  return guardCaller(head, policy) ?? guardRequest(head);
}

function guardCaller(head: RequestHead, { token, hosts, origins }: Policy): Rejection | undefined {
  const host = hosts ? validateHostHeader(head.header("host"), [...hosts]) : { ok: true as const };
  if (!host.ok) return refuse(403, host.message);
  const origin = validateOriginHeader(head.header("origin"), [...origins]);
  if (!origin.ok) return refuse(403, origin.message);
  const [, shown = ""] = /^Bearer +(\S+) *$/i.exec(head.header("authorization") ?? "") ?? [];
  return token === "" || sameText(shown, token) ? undefined : refuse(401, "A valid bearer token is required.", { "www-authenticate": 'Bearer error="invalid_token"' });
}

function guardRequest(head: RequestHead): Rejection | undefined {
  if (head.header("mcp-session-id") !== undefined) return refuse(404, "Session not found: this server keeps none; initialize again without Mcp-Session-Id.");
  if (!/^(|identity)$/i.test(head.header("content-encoding") ?? "")) return refuse(415, "Compressed requests are not supported.");
  if (Number(head.header("content-length") ?? 0) > maxRequestBytes) return tooLarge();
  return undefined;
}

/** The answer to a request that is larger than any is read. */
export function tooLarge(): Rejection {
  return refuse(413, `The request is larger than ${maxRequestBytes} bytes.`);
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Rejection {
  return json(status, { jsonrpc: "2.0", error: { code: -32000, message }, id: null }, headers);
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Rejection {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
