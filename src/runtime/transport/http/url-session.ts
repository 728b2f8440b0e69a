import { isObject } from "../../data/values.js";
import { declaresUrlElicitation } from "../../protocol/consent.js";

/**
 * Session ID that records a capability of a client. The server keeps no sessions, and clients before
 * 2026-07-28 state their capabilities only once.
 */
const urlSession = /^[0-9a-f-]{36}\.url$/;

/** True if a session ID says that the client opens addresses for its user. */
export function isUrlSession(id: string | null | undefined): boolean {
  return urlSession.test(id ?? "");
}

/** The session ID for a client that initializes; undefined if it needs none. */
export function sessionFor(message: unknown): string | undefined {
  if (!isObject(message) || message["method"] !== "initialize") return undefined;
  const params = message["params"];
  const capabilities = isObject(params) ? params["capabilities"] : undefined;
  return declaresUrlElicitation(capabilities) ? `${crypto.randomUUID()}.url` : undefined;
}
