/** Headers that `mcp-gen.yaml` adds to every request. */
import { headerValue, mayHoldCredential, receivesCredentials } from "../request/origins.js";
import { type BoundRequest, headerIn } from "../request/types.js";
import type { ServerContext } from "../server/context.js";

/**
 * Adds the configured headers and `User-Agent`, unless the request has them. Requests to other
 * origins get no header that can hold a credential.
 */
export function withServerHeaders(
  request: BoundRequest,
  { api, apiContext, userAgent }: ServerContext,
): BoundRequest {
  const headers = [...request.headers];
  const configured = Object.entries(api.headers ?? {});
  const isTrusted = configured.length === 0 || receivesCredentials(request.url, apiContext);
  for (const [name, source] of [
    ...configured.filter((header) => isTrusted || !mayHoldCredential(header, api)),
    ["User-Agent", userAgent] as const,
  ]) {
    const value = headerValue(source, apiContext.env);
    if (value && headerIn(headers, name) === undefined) headers.unshift([name, value]);
  }
  return { ...request, headers };
}
