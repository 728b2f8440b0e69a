import { percentEncode } from "../request/percent-encoding.js";

/**
 * The value at a JSON pointer, or `undefined`. Its type comes from the API description and is not
 * checked here: the result of the tool is validated later. RFC 6901.
 */
export function valueAt<Value = unknown>(root: unknown, pointer = ""): Value | undefined {
  let value = root;
  for (const step of pointer.split("/").slice(1)) {
    const key = unescapeToken(step);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value as Value | undefined;
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * Concatenates values as text. Objects and arrays become JSON. Arazzo 1.1, "Runtime Expressions".
 */
export function concatText(...parts: readonly unknown[]): string {
  return parts.map(toText).join("");
}

/** A value as text: JSON for objects and arrays, the empty string for an absent value. */
export function toText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A value for a string inside a JSON text. Objects and arrays replace the whole string. */
export function embedInJson(value: unknown): unknown {
  return typeof value === "object" || value === undefined ? value : toText(value);
}

/** A value for an XML text. It is escaped, unless it is XML itself. */
export function embedInXml(value: unknown): string {
  const text = toText(value);
  if (text.trimStart().startsWith("<")) return text;
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** A value for a query or a form, percent-encoded. */
export function embedInQuery(value: unknown): string {
  return percentEncode(toText(value));
}

/** A value for a string literal of a JSONPath query, with escaped quotes. */
export function embedInJsonPath(value: unknown): string {
  return toText(value).replace(/[\\'"]/g, "\\$&");
}

/**
 * A deep copy without undefined members and items. These are inputs that were not provided and
 * outputs of steps that did not run.
 */
export function withoutUndefined<Value>(value: Value): Value {
  if (Array.isArray(value))
    return value.filter((item) => item !== undefined).map(withoutUndefined) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [key, withoutUndefined<unknown>(part)]),
  ) as Value;
}

/**
 * A copy of a payload with replaced values, by JSON pointer. Missing members are added. Arazzo 1.1,
 * "Payload Replacement Object".
 */
export function applyReplacements(
  payload: unknown,
  replacements: Readonly<Record<string, unknown>>,
): unknown {
  return Object.entries(replacements).reduce<unknown>(
    (replaced, [pointer, value]) => replaceAt(replaced, pointer.split("/").slice(1), value),
    payload,
  );
}

function replaceAt(target: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  const key = unescapeToken(token);
  if (Array.isArray(target)) return replaceItem(target, key, rest, value);
  const entries = typeof target === "object" && target !== null ? Object.entries(target) : [];
  const member = entries.find(([name]) => name === key)?.[1] as unknown;
  return Object.fromEntries([
    ...entries.filter(([name]) => name !== key),
    [key, replaceAt(member, rest, value)],
  ]);
}

/** `-` is the position after the last item. An invalid index changes nothing. */
function replaceItem(
  items: readonly unknown[],
  key: string,
  rest: readonly string[],
  value: unknown,
): readonly unknown[] {
  const index = key === "-" ? items.length : Number(key);
  if (!Number.isInteger(index) || index < 0 || index > items.length) return items;
  const item = replaceAt(items[index], rest, value);
  return [...items.slice(0, index), item, ...items.slice(index + 1)];
}
