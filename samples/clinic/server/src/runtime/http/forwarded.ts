import type { ForwardedHeader } from "../bind/types.js";
import type { Policy } from "./policy.js";

/** The headers that a client's request may pass on to the API, with what this one has of them. */
export function forwardedFrom(
  request: Request | undefined,
  { forwardHeaders }: Pick<Policy, "forwardHeaders">,
): readonly ForwardedHeader[] {
  return [...forwardHeaders].map(([from, name]) => ({
    from,
    name,
    value: completed(name, request?.headers.get(from) ?? ""),
  }));
}

/**
 * A token without the word before it is a bearer token: hosts ask people for tokens, not for
 * headers.
 */
function completed(name: string, value: string): string {
  return /^authorization$/i.test(name) && /^[\w.~+/-]+=*$/.test(value) ? `Bearer ${value}` : value;
}
