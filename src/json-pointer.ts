/** A step of a JSON pointer as it is written there: `/pets` → `~1pets` (RFC 6901). */
export function escapePointerToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

/** The inverse of `escapeToken`. */
export function unescapePointerToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** The pointer to what stands at a path: `["paths", "/pets"]` → `/paths/~1pets`. */
export function formatPointer(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const step of path) pointer += `/${escapePointerToken(String(step))}`;
  return pointer;
}

/** The inverse of `pointerTo`. */
export function splitPointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapePointerToken);
}

/**
 * The parts of an RFC 6901 pointer: `#/paths/~1pets/get` is `["paths", "/pets", "get"]`. Not
 * percent-decoded.
 */
export function parsePointerFragment(pointer: string): string[] {
  const body = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (body === "") return [];
  const parts = body.split("/");
  return parts.slice(parts[0] === "" ? 1 : 0).map(unescapePointerToken);
}

/** The inverse of `pointerTokens`: `["paths", "/pets"]` is `#/paths/~1pets`. */
export function formatPointerFragment(tokens: readonly (string | number)[]): string {
  return `#${formatPointer(tokens)}`;
}

/**
 * The value that a local reference (`#`, `#/a/b`) points to; `undefined` when there is none. Only
 * own properties count. Fragments are percent-encoded by the standard (RFC 6901, section 6) but
 * often written raw: both are tried.
 */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  const raw = getValueAt(root, parsePointerFragment(pointer));
  if (raw !== undefined || !pointer.includes("%")) return raw;
  const decoded = decodePercent(pointer);
  return decoded === undefined ? undefined : getValueAt(root, parsePointerFragment(decoded));
}

export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Follows keys and indexes from `root`; `undefined` as soon as one is missing. */
export function getValueAt(root: unknown, tokens: readonly string[]): unknown {
  let value = root;
  for (const token of tokens) {
    value = getChild(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/** An own property of an object or an element of an array. */
export function getChild(value: unknown, token: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d{0,8})$/.test(token) ? (value as unknown[])[Number(token)] : undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
}
