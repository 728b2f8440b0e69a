/**
 * URIs of results. The query of a URI states the call of a tool that only reads, so that the full
 * result can be read without a store, and after it has expired: the call is repeated.
 *
 *     result://find_pets/0b9f…?status=sold&limit=100#3f2a9c01
 *
 * The last part of the path is that of a stored result, and the fragment is the start of the digest
 * of the result.
 */
import { parseJsonText } from "../data/json-text.js";
import { sha256 } from "../data/bytes.js";
import { isObject } from "../data/values.js";
import type { ToolInput } from "../types.js";

/** Maximum length of a URI that states a call. Models copy them. */
const MAX_URI = 600;

/** Number of characters of a digest. */
const DIGEST_LENGTH = 8;

/** A call whose result can be read again. */
interface CallReference {
  readonly tool: string;
  readonly input: ToolInput;
  /** Start of the digest of the result. */
  readonly digest: string;
}

const uriPattern = /^result:\/\/([^/?#]+)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/;

/**
 * Adds a call to the URI of its result; `undefined` if the URI would be too long.
 * @param uri `result://TOOL`, or the URI of a stored result
 */
export function withCall(uri: string, input: ToolInput, digest: string): string | undefined {
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]) => [name, valueText(value)] as [string, string]),
  );
  const whole = `${uri}?${query.toString()}#${digest}`;
  return whole.length <= MAX_URI ? whole : undefined;
}

/** Reads the call of a URI; `undefined` if it states none. */
export function readCall(uri: string): CallReference | undefined {
  const [, tool, , query, digest = ""] = uriPattern.exec(uri) ?? [];
  if (tool === undefined || query === undefined) return undefined;
  const pairs = [...new URLSearchParams(query)].map(([name, text]) => [name, valueOf(text)]);
  return { tool, input: Object.fromEntries(pairs) as ToolInput, digest };
}

/** The tool of a URI. */
export function toolOf(uri: string): string | undefined {
  return uriPattern.exec(uri)?.[1];
}

/** The part of a URI that identifies a stored result. */
export function withoutCall(uri: string): string {
  return uri.split(/[?#]/, 1)[0]!;
}

/** The start of the digest of a result. */
export async function digestOf(text: string): Promise<string> {
  return (await sha256(text)).slice(0, DIGEST_LENGTH);
}

/** A text as it is, unless it reads like another value; any other value as JSON. */
function valueText(value: unknown): string {
  return typeof value === "string" && valueOf(value) === value ? value : JSON.stringify(value);
}

function valueOf(text: string): unknown {
  const value = parseJsonText(text);
  // `1e3` and `0.10` are texts: their numbers are written differently.
  const isExact = typeof value === "string" || isObject(value) || Array.isArray(value);
  return isExact || (value !== undefined && String(value) === text) ? value : text;
}
