/** Digests by which an approval is bound to what the user saw. */
import { base64Url } from "../data/bytes.js";
import { canonicalJson } from "../data/canonical-json.js";
import type { ApiCall } from "../request/types.js";
import type { RequestMapping } from "../types.js";

/** SHA-256 of JSON values, in base64url. */
export async function digest(...values: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(values));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return base64Url(hash);
}

/**
 * Digest of a request, without its credentials and without values that each call has anew. The
 * input has what is sent in headers and cookies.
 */
export function requestDigest({ tool, mapping, request, input }: ApiCall): Promise<string> {
  const { method, url, body } = request;
  if (hasGeneratedValue(mapping)) return digest(tool.name, method, mapping.path, input);
  return digest(tool.name, method, url, input, typeof body === "string" ? body : null);
}

function hasGeneratedValue({ query, body }: RequestMapping): boolean {
  const sources = [...Object.values(query ?? {}), ...Object.values(body?.fields ?? {})];
  return sources.some((source) => typeof source === "object" && "generate" in source);
}
