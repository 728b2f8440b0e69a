import type { Draft } from "./leaf.js";
import { oneTypeEach, typeOf, withAlternatives } from "./one-type.js";

/**
 * The last touch to a schema that every host takes: each says its one type, lists of values too; a
 * list says what it holds; both booleans are no list of values; and the empty text stands apart
 * from other values, because Gemini refuses it among them.
 */
export function withPlainTypes(draft: Draft): Draft {
  const { enum: values, ...rest } = draft;
  if (!Array.isArray(values)) return withItems(oneTypeEach(draft));
  const typed = oneTypeEach(
    draft.type === undefined ? { ...draft, type: typesOfValues(values) } : draft,
  );
  return typed.type === "boolean" && new Set(values).size === 2
    ? { ...rest, type: "boolean" }
    : withItems(withEmptyApart(typed));
}

/** OpenAI refuses a tool with a list that does not say what it holds. */
function withItems(schema: Draft): Draft {
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some(lacksItems))
    return {
      ...schema,
      anyOf: anyOf.map((one: Draft) => (lacksItems(one) ? { ...one, items: {} } : one)),
    };
  return lacksItems(schema) ? { ...schema, items: {} } : schema;
}

const lacksItems = ({ type, items }: Draft): boolean => type === "array" && items === undefined;

function typesOfValues(values: readonly unknown[]): readonly string[] {
  const areIntegers = values.every((value) => typeof value !== "number" || Number.isInteger(value));
  return [...new Set(values.map(typeOf))].map((type) =>
    type === "number" && areIntegers ? "integer" : type,
  );
}

/** `["", a]`: `a`, or a text without letters. */
function withEmptyApart(schema: Draft): Draft {
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some(holdsEmpty))
    return {
      ...schema,
      anyOf: anyOf.flatMap((one: Draft) => (holdsEmpty(one) ? apart(one) : [one])),
    };
  if (!holdsEmpty(schema)) return schema;
  const { type, enum: values, minLength, maxLength, pattern, format, ...beside } = schema;
  const parts = apart({ type, enum: values });
  return parts.length === 1 ? { ...parts[0], ...beside } : withAlternatives(beside, parts);
}

const holdsEmpty = ({ enum: values }: Draft): boolean =>
  Array.isArray(values) && values.includes("");

const EMPTY: Draft = { type: "string", maxLength: 0 };

/** What else a list of values says of its texts goes without saying. */
function apart({ enum: values, type }: Draft): readonly Draft[] {
  const others = (values as readonly unknown[]).filter((value) => value !== "");
  return others.length === 0 ? [EMPTY] : [{ type, enum: others }, EMPTY];
}

const OF_VALUES = new Set(["enum", "type", "description", "examples"]);

/** A list of values, and nothing else that anybody checks. */
export function isValues(schema: Draft): boolean {
  for (const key in schema) if (!OF_VALUES.has(key)) return false;
  return schema.enum !== undefined;
}
