import { memoize } from "./memoize.js";

/** Escapes a reference token: `/pets` becomes `~1pets` (RFC 6901). */
export function escapePointerToken(token: string): string {
  return token.includes("/") || token.includes("~") ? escapeSpecial(token) : token;
}

/** Memoized, because every location of an operation has its path. */
const escapeSpecial = memoize((token) => token.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Unescapes a reference token. */
export function unescapePointerToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** Formats a JSON Pointer: `["paths", "/pets"]` becomes `/paths/~1pets`. */
export function formatPointer(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const step of path) pointer += `/${escapePointerToken(String(step))}`;
  return pointer;
}

/** Splits a JSON Pointer into its unescaped reference tokens. */
export function splitPointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapePointerToken);
}

/**
 * Splits a pointer in fragment form: `#/paths/~1pets/get` is `["paths", "/pets", "get"]`. Does not
 * decode percent escapes.
 */
export function parsePointerFragment(pointer: string): string[] {
  const body = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (body === "") return [];
  const parts = body.split("/");
  return parts.slice(parts[0] === "" ? 1 : 0).map(unescapePointerToken);
}

/** Formats a pointer in fragment form: `["paths", "/pets"]` is `#/paths/~1pets`. */
export function formatPointerFragment(tokens: readonly (string | number)[]): string {
  return `#${formatPointer(tokens)}`;
}

/**
 * Resolves a local reference (`#`, `#/a/b`) through own properties; `undefined` without a target.
 * Fragments are percent-encoded by RFC 6901, section 6, but often written unencoded, so both forms
 * are tried.
 */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  const raw = getValueAt(root, parsePointerFragment(pointer));
  if (raw !== undefined || !pointer.includes("%")) return raw;
  const decoded = decodePercent(pointer);
  return decoded === undefined ? undefined : getValueAt(root, parsePointerFragment(decoded));
}

/** Decodes percent-encoded text; undefined for invalid text. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Follows keys and indexes from `root`; `undefined` when one is missing. */
function getValueAt(root: unknown, tokens: readonly string[]): unknown {
  let value = root;
  for (const token of tokens) {
    value = getChild(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Own property of an object, or element of an array. */
export function getChild(value: unknown, token: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d{0,8})$/.test(token) ? (value as unknown[])[Number(token)] : undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
}
