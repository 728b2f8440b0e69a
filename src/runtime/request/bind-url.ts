/** Requests to a URL that the API itself has named. */
import type { RequestMapping } from "../types.js";
import { bindRequest } from "./bind-request.js";
import type { ApiContext, BindResult } from "./types.js";

/**
 * Binds a GET of a URL, with the fixed headers of a mapping.
 * @param url of the origin of the API; see `sameOriginUrl`
 */
export function bindUrl(
  { servers, security, headers = {} }: RequestMapping,
  url: string,
  context: ApiContext,
): BindResult {
  const fixed = Object.entries(headers).filter(([, source]) => typeof source !== "string");
  const mapping = {
    method: "GET",
    path: "/",
    headers: Object.fromEntries(fixed),
    ...(servers && { servers }),
    ...(security && { security }),
  };
  const bound = bindRequest(mapping, {}, context);
  return bound.ok ? { ok: true, request: { ...bound.request, url } } : bound;
}

/** The URL of a header or field, without its fragment. Undefined unless it has the origin of another. */
export function sameOriginUrl(text: unknown, base: string): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const url = new URL(text, base);
    url.hash = "";
    const isOwn = url.origin === new URL(base).origin && url.username + url.password === "";
    return isOwn ? url.href : undefined;
  } catch {
    return undefined;
  }
}
