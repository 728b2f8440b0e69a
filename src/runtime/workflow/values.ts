import { percentEncode } from "../request/percent-encoding.js";

/** What the code of workflows does with values of which nobody knows much. */

/**
 * The value at a JSON pointer; `undefined` when there is none. Its type is what the API's
 * description says, which nothing checks here: whatever leaves the workflow is checked as the
 * tool's result. RFC 6901.
 */
export function valueAt<Value = unknown>(root: unknown, pointer = ""): Value | undefined {
  let value = root;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (
      typeof value !== "object" ||
      value === null ||
      !Object.hasOwn(value, key) ||
      (Array.isArray(value) && !/^\d+$/.test(key))
    )
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value as Value | undefined;
}

/**
 * A text put together from texts and values. Arazzo 1.1, "Runtime Expressions": objects and lists
 * become JSON.
 */
export function concatText(...parts: readonly unknown[]): string {
  return parts.map(toText).join("");
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return value === null ? "null" : "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * A value inside quotes of a text that is JSON: text where it can be, but objects and lists stay
 * what they are.
 */
export function embedInJson(value: unknown): unknown {
  return typeof value === "object" ? value : value === undefined ? undefined : toText(value);
}

/** A value inside XML: text is escaped, unless it is XML already. */
export function embedInXml(value: unknown): string {
  const inside = toText(value);
  return inside.trimStart().startsWith("<")
    ? inside
    : inside.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** A value inside a query or a form. */
export function embedInQuery(value: unknown): string {
  return percentEncode(toText(value));
}

/** A value inside a string of a JSONPath query: its quotes end nothing. */
export function embedInJsonPath(value: unknown): string {
  return toText(value).replace(/[\\'"]/g, "\\$&");
}

/**
 * A copy without what is absent: an input that was not given, or an output of a step that did not
 * run, is not sent.
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
 * A copy of a payload with other values at some places; places that do not exist are made. Arazzo
 * 1.1, "Payload Replacement Object".
 */
export function applyReplacements(
  payload: unknown,
  replacements: Readonly<Record<string, unknown>>,
): unknown {
  return Object.entries(replacements).reduce<unknown>(
    (whole, [pointer, value]) => replaceAt(whole, pointer.split("/").slice(1), value),
    payload,
  );
}

function replaceAt(whole: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  if (Array.isArray(whole)) {
    const index = key === "-" ? whole.length : Number(key);
    return Number.isInteger(index) && index >= 0 && index <= whole.length
      ? [...whole.slice(0, index), replaceAt(whole[index], rest, value), ...whole.slice(index + 1)]
      : whole;
  }
  const entries = typeof whole === "object" && whole !== null ? Object.entries(whole) : [];
  const before = entries.find(([name]) => name === key)?.[1] as unknown;
  return Object.fromEntries([
    ...entries.filter(([name]) => name !== key),
    [key, replaceAt(before, rest, value)],
  ]);
}
