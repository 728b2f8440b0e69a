import { type JsonValue, stepsOf } from "../../json.js";
import {
  asPointer,
  pointersTo,
  type Body,
  type Expression,
  type Replacement,
  type Value,
} from "../../workflow/index.js";

/**
 * What a body is put together from, and how it goes out when it is a text that must stay as it is.
 */
export interface Payload {
  readonly value: Value;
  /** It is text that is written already: XML, or a form that could not be taken apart. */
  readonly isText: boolean;
  /** Why it could not be read as what it says it is. */
  readonly fault?: string;
}

/**
 * The payload of a step. Texts of JSON and of forms are taken apart, so that what is put into them
 * cannot break out of its place; places that are replaced are replaced at once where the payload is
 * known.
 */
export function payloadOf(body: Body, mediaType: string): Payload {
  const base =
    body.payload === undefined
      ? ({ value: { kind: "record", entries: [] }, isText: false } as Payload)
      : written(body.payload, mediaType);
  if (body.replacements.length === 0) return base;
  return base.isText
    ? {
        ...base,
        fault: [base.fault, "is a text, in which nothing can be replaced"]
          .filter(Boolean)
          .join(", and "),
      }
    : { ...base, value: withReplacements(base.value, body.replacements) };
}

/** At once where the payload is known; else when the step runs. */
function withReplacements(payload: Value, replacements: readonly Replacement[]): Value {
  if (!isKnown(payload)) return { kind: "replaced", payload, replacements };
  return replacements.reduce((whole, { target, language, value }) => {
    const pointers =
      language === "jsonpointer"
        ? [target]
        : [asPointer(target) ?? pointersTo(target, skeleton(whole))].flat();
    return pointers.reduce((now, pointer) => set(now, stepsOf(pointer), value), whole);
  }, payload);
}

const isKnown = ({ kind }: Value): boolean =>
  kind === "literal" || kind === "list" || kind === "record";

/** The payload as far as it is known now. */
function skeleton(value: Value): JsonValue {
  if (value.kind === "literal") return value.value;
  if (value.kind === "list") return value.items.map(skeleton);
  return value.kind === "record"
    ? Object.fromEntries(value.entries.map(([key, part]) => [key, skeleton(part)]))
    : null;
}

function set(whole: Value, [step, ...rest]: readonly string[], value: Value): Value {
  if (step === undefined) return value;
  const open = opened(whole);
  if (open.kind === "list") {
    const index = step === "-" ? open.items.length : Number(step);
    if (!Number.isInteger(index) || index < 0 || index > open.items.length) return whole;
    return {
      kind: "list",
      items: open.items.toSpliced(index, 1, set(open.items[index] ?? NOTHING, rest, value)),
    };
  }
  const entries = open.kind === "record" ? open.entries : [];
  const known = entries.some(([key]) => key === step);
  const changed = (part: Value | undefined): Value => set(part ?? NOTHING, rest, value);
  return {
    kind: "record",
    entries: known
      ? entries.map(([key, part]) => [key, key === step ? changed(part) : part] as const)
      : [...entries, [step, changed(undefined)]],
  };
}

const NOTHING: Value = { kind: "literal", value: null };

/** A constant as the parts that it is made of. */
function opened(value: Value): Value {
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

function written(payload: Value, mediaType: string): Payload {
  const parts =
    payload.kind === "template"
      ? payload.parts
      : payload.kind === "literal" && typeof payload.value === "string"
        ? [payload.value]
        : undefined;
  if (!parts) return { value: payload, isText: false };
  if (/[/+]json\b/.test(mediaType)) return jsonText(parts, payload);
  if (mediaType.startsWith("application/x-www-form-urlencoded")) return formText(parts, payload);
  return { value: payload, isText: true };
}

/**
 * Stands for the nth expression while a text is read: private use characters, which texts do not
 * have.
 */
const mark = (n: number): string => `\ue000${n}\ue001`;
const marks = /\ue000(\d+)\ue001/;

/** A text of JSON with expressions in it, inside of strings and in the place of values. */
function jsonText(parts: readonly (string | Expression)[], payload: Value): Payload {
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
        ? mark(expressions.length)
        : JSON.stringify(`\ue002${mark(expressions.length)}`);
      expressions.push(part);
    }
  }
  try {
    return { value: filled(JSON.parse(text) as JsonValue, expressions, payload), isText: false };
  } catch {
    return { value: payload, isText: true, fault: "is no JSON" };
  }
}

function filled(value: JsonValue, expressions: readonly Expression[], payload: Value): Value {
  const place = "place" in payload ? payload.place : { pointer: "#" };
  if (typeof value === "string") {
    if (value.startsWith("\ue002"))
      return {
        kind: "expression",
        expression: expressions[Number(marks.exec(value)?.[1])] as Expression,
        place,
      };
    const parts = value
      .split(/(\ue000\d+\ue001)/)
      .filter(Boolean)
      .map((part) =>
        marks.test(part) ? (expressions[Number(marks.exec(part)?.[1])] as Expression) : part,
      );
    return parts.every((part) => typeof part === "string")
      ? { kind: "literal", value }
      : { kind: "template", parts, inJson: true, place };
  }
  if (typeof value !== "object" || value === null) return { kind: "literal", value };
  if (Array.isArray(value))
    return {
      kind: "list",
      items: value.map((item) => filled(item as JsonValue, expressions, payload)),
    };
  return {
    kind: "record",
    entries: Object.entries(value).map(
      ([key, part]) => [key, filled(part as JsonValue, expressions, payload)] as const,
    ),
  };
}

/** `a={$inputs.a}&b=c`: fields, each with its text. */
function formText(parts: readonly (string | Expression)[], payload: Value): Payload {
  const expressions = parts.filter((part) => typeof part !== "string");
  let n = 0;
  const text = parts.map((part) => (typeof part === "string" ? part : mark(n++))).join("");
  const pairs = text
    .trim()
    .split("&")
    .map((pair) => pair.split("="));
  const names = pairs.map(([name = ""]) => decoded(name));
  const isPlain =
    pairs.every(([name, , more]) => name !== "" && more === undefined) &&
    new Set(names).size === names.length &&
    !names.some((name) => marks.test(name));
  if (!isPlain) return { value: payload, isText: true };
  return {
    value: {
      kind: "record",
      entries: pairs.map(
        ([, value = ""], i) =>
          [names[i] as string, filled(decoded(value), expressions, payload)] as const,
      ),
    },
    isText: false,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
