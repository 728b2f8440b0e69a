import type { RequestHead } from "./guard.js";
import type { Policy } from "./policy.js";

/** Headers of the protocol that pages send. */
const sent = [
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
    "access-control-allow-headers": [...sent, ...forwardHeaders.keys()].join(", "),
    "access-control-expose-headers": "www-authenticate",
    "access-control-max-age": "600",
    vary: "origin",
  };
}
