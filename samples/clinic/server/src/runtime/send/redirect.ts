import type { BoundRequest } from "../bind/types.js";
import type { Failure } from "./failure.js";
import type { Incoming } from "./incoming.js";

/** Redirects followed before giving up. */
export const mostRedirects = 5;

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a response asks for the request to be sent elsewhere. */
export function isRedirect({ status, headers }: Pick<Incoming, "status" | "headers">): boolean {
  return redirecting.has(status) && headers.has("location");
}

/**
 * The request that a redirect asks for. Only within the origin: the request carries credentials,
 * and a body that was not meant for anybody else. RFC 9110, section 15.4.
 */
export function redirected(
  request: BoundRequest,
  { status, headers }: Pick<Incoming, "status" | "headers">,
): BoundRequest | Failure {
  const location = addressIn(headers.get("location") ?? "");
  const from = new URL(request.url);
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to) return { kind: "redirect", cause: "the API redirected to an address that is no URL" };
  if (to.origin !== from.origin || to.username || to.password) {
    return {
      kind: "redirect",
      cause: `the API redirected to another origin (${to.origin === "null" ? to.protocol : to.origin}), which is not followed`,
    };
  }
  return changesToGet(status, request.method) ? asGet(request, to) : { ...request, url: to.href };
}

/**
 * An address is ASCII. Where it is not, its bytes, which came as Latin-1, are UTF-8 if they can be,
 * as in every browser.
 */
function addressIn(location: string): string {
  if (/^[\0-\x7f]*$/.test(location)) return location;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(location, (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return location;
  }
}

function changesToGet(status: number, method: string): boolean {
  return (
    (status === 303 && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST")
  );
}

function asGet({ headers }: BoundRequest, to: URL): BoundRequest {
  return {
    method: "GET",
    url: to.href,
    headers: headers.filter(([name]) => !/^content-/i.test(name)),
  };
}
