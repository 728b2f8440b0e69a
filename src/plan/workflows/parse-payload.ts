import type { JsonValue } from "../../json.js";
import type { Expression, Value } from "../../workflow/types.js";

/** Content of a body. */
export interface Payload {
  readonly value: Value;
  /** True when it is text that stays as it is: XML, or a form that cannot be parsed. */
  readonly isText: boolean;
  /** Reason why it could not be parsed. */
  readonly fault?: string;
}

export function parsePayload(payload: Value, mediaType: string): Payload {
  const parts =
    payload.kind === "template"
      ? payload.parts
      : payload.kind === "literal" && typeof payload.value === "string"
        ? [payload.value]
        : undefined;
  if (!parts) return { value: payload, isText: false };
  if (/[/+]json\b/.test(mediaType)) return parseJsonPayload(parts, payload);
  if (mediaType.startsWith("application/x-www-form-urlencoded"))
    return parseFormPayload(parts, payload);
  return { value: payload, isText: true };
}

/** Placeholder of the nth expression while a text is parsed, in private use characters. */
const placeholder = (n: number): string => `\ue000${n}\ue001`;

const PLACEHOLDER = /\ue000(\d+)\ue001/;

/** Parses a JSON text with expressions inside strings and as values. */
function parseJsonPayload(parts: readonly (string | Expression)[], payload: Value): Payload {
  const expressions: Expression[] = [];
  let text = "";
  let inString = false;
  for (const part of parts) {
    if (typeof part === "string") {
      for (const token of part.match(/\\[^]|"|[^"\\]+/g) ?? [])
        if (token === '"') inString = !inString;
      text += part;
    } else {
      text += inString
        ? placeholder(expressions.length)
        : JSON.stringify(`\ue002${placeholder(expressions.length)}`);
      expressions.push(part);
    }
  }
  try {
    return {
      value: fillPlaceholders(JSON.parse(text) as JsonValue, expressions, payload),
      isText: false,
    };
  } catch {
    return { value: payload, isText: true, fault: "is not JSON" };
  }
}

function fillPlaceholders(
  value: JsonValue,
  expressions: readonly Expression[],
  payload: Value,
): Value {
  const location = "location" in payload ? payload.location : { pointer: "#" };
  if (typeof value === "string") {
    if (value.startsWith("\ue002"))
      return {
        kind: "expression",
        expression: expressions[Number(PLACEHOLDER.exec(value)?.[1])] as Expression,
        location,
      };
    const parts = value
      .split(/(\ue000\d+\ue001)/)
      .filter(Boolean)
      .map((part) =>
        PLACEHOLDER.test(part)
          ? (expressions[Number(PLACEHOLDER.exec(part)?.[1])] as Expression)
          : part,
      );
    return parts.every((part) => typeof part === "string")
      ? { kind: "literal", value }
      : { kind: "template", parts, inJson: true, location };
  }
  if (typeof value !== "object" || value === null) return { kind: "literal", value };
  if (Array.isArray(value))
    return {
      kind: "list",
      items: value.map((item) => fillPlaceholders(item as JsonValue, expressions, payload)),
    };
  return {
    kind: "record",
    entries: Object.entries(value).map(
      ([key, part]) => [key, fillPlaceholders(part as JsonValue, expressions, payload)] as const,
    ),
  };
}

/** Parses `a={$inputs.a}&b=c` into fields. */
function parseFormPayload(parts: readonly (string | Expression)[], payload: Value): Payload {
  const expressions = parts.filter((part) => typeof part !== "string");
  let n = 0;
  const text = parts.map((part) => (typeof part === "string" ? part : placeholder(n++))).join("");
  const pairs = text
    .trim()
    .split("&")
    .map((pair) => pair.split("="));
  const names = pairs.map(([name = ""]) => decodeFormText(name));
  const isPlain =
    pairs.every(([name, , more]) => name !== "" && more === undefined) &&
    new Set(names).size === names.length &&
    !names.some((name) => PLACEHOLDER.test(name));
  if (!isPlain) return { value: payload, isText: true };
  return {
    value: {
      kind: "record",
      entries: pairs.map(
        ([, value = ""], i) =>
          [
            names[i] as string,
            fillPlaceholders(decodeFormText(value), expressions, payload),
          ] as const,
      ),
    },
    isText: false,
  };
}

function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
