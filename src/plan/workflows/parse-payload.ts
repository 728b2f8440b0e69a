import { splitPointer } from "../../json-pointer.js";
import type { JsonValue } from "../../json.js";
import { selectPointers, toJsonPointer } from "../../workflow/json-path.js";
import type { Expression, Replacement, Value } from "../../workflow/types.js";

/** Content of a body. */
export interface StepPayload {
  readonly value: Value;
  /** True for a text that is not changed: XML, or a form that cannot be parsed. */
  readonly isText: boolean;
  /** Reason why it could not be parsed. */
  readonly fault?: string;
}

export function parsePayload(payload: Value, mediaType: string): StepPayload {
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
function parseJsonPayload(parts: readonly (string | Expression)[], payload: Value): StepPayload {
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
function parseFormPayload(parts: readonly (string | Expression)[], payload: Value): StepPayload {
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

/** Applies replacements to a known payload, and otherwise when the step runs. */
export function applyReplacements(payload: Value, replacements: readonly Replacement[]): Value {
  const later: Value = { kind: "replaced", payload, replacements };
  if (!isStatic(payload)) return later;
  let document = payload;
  for (const { target, language, value } of replacements) {
    const pointer = language === "jsonpointer" ? target : toJsonPointer(target);
    const pointers =
      pointer === undefined ? selectPointers(target, staticValue(document)) : [pointer];
    if (!pointers) return later;
    for (const place of pointers) document = replaceAt(document, splitPointer(place), value);
  }
  return document;
}

const isStatic = ({ kind }: Value): boolean =>
  kind === "literal" || kind === "list" || kind === "record";

/** Known part of a payload. */
function staticValue(value: Value): JsonValue {
  if (value.kind === "literal") return value.value;
  if (value.kind === "list") return value.items.map(staticValue);
  return value.kind === "record"
    ? Object.fromEntries(value.entries.map(([key, part]) => [key, staticValue(part)]))
    : null;
}

function replaceAt(document: Value, [step, ...rest]: readonly string[], value: Value): Value {
  if (step === undefined) return value;
  const expanded = expandLiteral(document);
  if (expanded.kind === "list") {
    const index = step === "-" ? expanded.items.length : Number(step);
    if (!Number.isInteger(index) || index < 0 || index > expanded.items.length) return document;
    return {
      kind: "list",
      items: expanded.items.toSpliced(
        index,
        1,
        replaceAt(expanded.items[index] ?? NOTHING, rest, value),
      ),
    };
  }
  const entries = expanded.kind === "record" ? expanded.entries : [];
  const exists = entries.some(([key]) => key === step);
  const replaced = (part: Value | undefined): Value => replaceAt(part ?? NOTHING, rest, value);
  return {
    kind: "record",
    entries: exists
      ? entries.map(([key, part]) => [key, key === step ? replaced(part) : part] as const)
      : [...entries, [step, replaced(undefined)]],
  };
}

const NOTHING: Value = { kind: "literal", value: null };

/** Constant as a list or record of constants. */
function expandLiteral(value: Value): Value {
  if (value.kind !== "literal" || typeof value.value !== "object" || value.value === null)
    return value;
  if (Array.isArray(value.value))
    return {
      kind: "list",
      items: value.value.map((item) => ({ kind: "literal", value: item as JsonValue })),
    };
  return {
    kind: "record",
    entries: Object.entries(value.value).map(
      ([key, part]) => [key, { kind: "literal", value: part as JsonValue }] as const,
    ),
  };
}
