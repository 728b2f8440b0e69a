import { pointerTo, unescapeToken } from "../json.js";

export { escapeToken } from "../json.js";

/**
 * The parts of an RFC 6901 pointer: `#/paths/~1pets/get` is `["paths", "/pets", "get"]`. Not
 * percent-decoded.
 */
export function pointerTokens(pointer: string): string[] {
  const body = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (body === "") return [];
  const parts = body.split("/");
  return parts.slice(parts[0] === "" ? 1 : 0).map(unescapeToken);
}

/** The inverse of `pointerTokens`: `["paths", "/pets"]` is `#/paths/~1pets`. */
export function toPointer(tokens: readonly (string | number)[]): string {
  return `#${pointerTo(tokens)}`;
}

/**
 * The value that a local reference (`#`, `#/a/b`) points to; `undefined` when there is none. Only
 * own properties count. Fragments are percent-encoded by the standard (RFC 6901, section 6) but
 * often written raw: both are tried.
 */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  const raw = valueAt(root, pointerTokens(pointer));
  if (raw !== undefined || !pointer.includes("%")) return raw;
  const decoded = percentDecode(pointer);
  return decoded === undefined ? undefined : valueAt(root, pointerTokens(decoded));
}

export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Follows keys and indexes from `root`; `undefined` as soon as one is missing. */
export function valueAt(root: unknown, tokens: readonly string[]): unknown {
  let value = root;
  for (const token of tokens) {
    value = child(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/** An own property of an object or an element of an array. */
export function child(value: unknown, token: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d{0,8})$/.test(token) ? (value as unknown[])[Number(token)] : undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
}
