/** Values of schemas: the accepted ones, and the meanings of enum values. */
import { TYPE_PHRASES } from "../../diagnostics/index.js";
import { isObject, isOfType, isSameJson, type JsonSchema, typesOf } from "../../json.js";
import { flattenMarkdown } from "../text/markdown.js";
import { type AnySchema, resolveSchema, type Schemas } from "./refs.js";

const MAX_VALUE_DEPTH = 6;

/**
 * True when a value of the document (`default`, `examples`, `const`) satisfies type, enum, const,
 * bounds and required properties of its schema. Other keywords are ignored, because the result
 * decides what is shown and not what is accepted.
 */
export function matchesSchema(
  value: unknown,
  schema: unknown,
  schemas: Schemas,
  depth = 0,
): boolean {
  if (!isObject(schema) || depth > MAX_VALUE_DEPTH) return schema !== false;
  const s = resolveSchema(schemas, schema);
  const types = typesOf(s);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return false;
  if (Array.isArray(s.enum) && !s.enum.some((accepted) => isSameJson(accepted, value)))
    return false;
  if ("const" in s && !isSameJson(s.const, value)) return false;
  const matchesAny = (list: readonly unknown[]): boolean =>
    list.some((candidate) => matchesSchema(value, candidate, schemas, depth + 1));
  if (!alternatives(s).every(matchesAny)) return false;
  if (typeof value === "number") return inBounds(value, s);
  if (typeof value === "string") return withinLength([...value].length, s.minLength, s.maxLength);
  if (Array.isArray(value))
    return (
      withinLength(value.length, s.minItems, s.maxItems) &&
      value.every((item) => matchesSchema(item, s.items ?? true, schemas, depth + 1))
    );
  return !isObject(value) || objectMatches(value, s, schemas, depth);
}

function alternatives(schema: JsonSchema): readonly (readonly unknown[])[] {
  return [schema.anyOf, schema.oneOf].filter((list) => Array.isArray(list));
}

function objectMatches(
  value: Record<string, unknown>,
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): boolean {
  const properties = schema.properties ?? {};
  if (schema.required?.some((name) => !Object.hasOwn(value, name) && !isReadOnly(properties, name)))
    return false;
  return Object.entries(value).every(
    ([name, item]) =>
      !Object.hasOwn(properties, name) || matchesSchema(item, properties[name], schemas, depth + 1),
  );
}

function isReadOnly(properties: NonNullable<JsonSchema["properties"]>, name: string): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(property) && property.readOnly === true;
}

function inBounds(value: number, s: JsonSchema): boolean {
  const exclusiveMinimum = s.exclusiveMinimum as number | undefined;
  const exclusiveMaximum = s.exclusiveMaximum as number | undefined;
  if (s.minimum !== undefined && value < s.minimum) return false;
  if (s.maximum !== undefined && value > s.maximum) return false;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return false;
  return !(typeof exclusiveMaximum === "number" && value >= exclusiveMaximum);
}

function withinLength(length: number, min: number | undefined, max: number | undefined): boolean {
  return length >= (min ?? 0) && length <= (max ?? Number.POSITIVE_INFINITY);
}

const MAX_LISTED_VALUES = 8;

/**
 * Describes accepted values in a few words, for error messages: `text`, `a list of one of "a",
 * "b"`, `an integer from 1 to 100`.
 */
export function describeAcceptedValues(schema: unknown, schemas: Schemas, depth = 0): string {
  if (typeof schema !== "object" || schema === null || depth > 4) return "something else";
  const s = resolveSchema(schemas, schema as JsonSchema);
  if (Array.isArray(s.enum)) {
    const values = s.enum.slice(0, MAX_LISTED_VALUES).map((accepted) => JSON.stringify(accepted));
    return `one of ${values.join(", ")}${s.enum.length > MAX_LISTED_VALUES ? " …" : ""}`;
  }
  if ("const" in s) return JSON.stringify(s.const);
  const forms = s.anyOf ?? s.oneOf;
  if (forms) {
    const texts = forms.map((form) => describeAcceptedValues(form, schemas, depth + 1));
    return [...new Set(texts)].join(" or ");
  }
  const types = [s.type ?? []].flat().map((type) => TYPE_PHRASES[type] ?? type);
  if (s.type === "array" && s.items !== undefined)
    return `a list of ${describeAcceptedValues(s.items, schemas, depth + 1)}`;
  return types.length === 0 ? "something else" : `${types.join(" or ")}${describeRange(s)}`;
}

function describeRange({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const [min, max, unit] = [
    minimum ?? minLength,
    maximum ?? maxLength,
    minimum === undefined && maximum === undefined ? " characters" : "",
  ];
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}${unit}`;
  if (min !== undefined) return ` from ${min}${unit}`;
  return max === undefined ? "" : ` up to ${max}${unit}`;
}

/**
 * Estimated length of a JSON value in characters, without serializing it. Deep values count as
 * large.
 */
export function estimateSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (depth > 16) return 1000;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += estimateSize(item, depth + 1) + 1;
    return size;
  }
  for (const key in value) {
    size +=
      key.length + 4 + estimateSize((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  }
  return size;
}

const MAX_MEANINGS_LENGTH = 300;
const MAX_LABEL_LENGTH = 80;

/**
 * Creates a function that writes `0 = role, 1 = member.` for documents that describe their codes
 * one by one, else undefined. Each schema is read once.
 */
export function createEnumMeaningWriter(
  schemas: Schemas,
): (schema: JsonSchema) => string | undefined {
  const cache = new Map<JsonSchema, string | undefined>();
  return (schema) => {
    if (cache.has(schema)) return cache.get(schema);
    const { text } = writeMeanings(collectMeanings(schema, schemas, 0));
    cache.set(schema, text);
    return text;
  };
}

/** The meanings that the document states for an enum, unless its description has them all. */
export function describeStatedMeanings(schema: JsonSchema): string | undefined {
  const meanings = schema["x-enum-meanings"];
  if (!meanings || !schema.enum) return undefined;
  const description = flattenMarkdown(schema.description ?? "");
  const codes = stated(schema.enum, meanings);
  return codes.every(({ label }) => description.includes(label))
    ? undefined
    : writeMeanings(codes).text;
}

/** Meanings of codes in one sentence. */
export interface EnumMeanings {
  readonly text?: string;
  /** No meaning was left out. */
  readonly isComplete: boolean;
}

/** Describes the codes of alternatives. */
export function describeAlternatives(
  alternatives: readonly AnySchema[],
  schemas: Schemas,
): EnumMeanings {
  return writeMeanings(
    alternatives.flatMap((part) => (isObject(part) ? meaningsOfPart(part, schemas, 1) : [])),
  );
}

/** A code and the document's text about it. */
interface CodeMeaning {
  readonly code: string | number;
  /** Empty when there is no text or it is too long. */
  readonly label: string;
  readonly isTooLong: boolean;
}

/** Alternatives of one code each, also inside lists, named schemas, and with `null`. */
function collectMeanings(
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): readonly CodeMeaning[] {
  if (depth > 3) return [];
  const target = resolveSchema(schemas, schema);
  if (isObject(target.items)) return collectMeanings(target.items, schemas, depth + 1);
  if (depth > 0 && target["x-enum-meanings"])
    return stated(target.enum ?? [], target["x-enum-meanings"]);
  const parts = (target.oneOf ?? target.anyOf ?? []).filter((part): part is JsonSchema =>
    isObject(part),
  );
  return parts.flatMap((part) => meaningsOfPart(part, schemas, depth));
}

/** Meanings that the document states for the values of one enum. */
function stated(
  values: readonly unknown[],
  meanings: Readonly<Record<string, string>>,
): readonly CodeMeaning[] {
  return values.flatMap((value) => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    const text = flattenMarkdown(meanings[String(value)] ?? "").replace(/(?<![.;])[.;]+$/, "");
    const isTooLong = text.length > MAX_LABEL_LENGTH;
    return [{ code: value, label: isTooLong ? "" : text, isTooLong }];
  });
}

function meaningsOfPart(part: JsonSchema, schemas: Schemas, depth: number): readonly CodeMeaning[] {
  const target = resolveSchema(schemas, part);
  const values = "const" in target ? [target.const] : target.enum;
  const code = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
  if (code === undefined)
    return target.type === "null" ? [] : collectMeanings(part, schemas, depth + 1);
  if (typeof code !== "string" && typeof code !== "number") return [];
  const texts = textsOf(part, target, code);
  const label = texts.find((text) => text.length <= MAX_LABEL_LENGTH) ?? "";
  return [{ code, label, isTooLong: texts.length > 0 && texts[0] !== label }];
}

/**
 * Description, else title. The title of a code that is a word is a constant's name, and is ignored.
 */
function textsOf(part: JsonSchema, target: JsonSchema, code: string | number): readonly string[] {
  const isWord = typeof code === "string" && !/^\w{1,2}$/.test(code);
  const texts = [
    part.description ?? target.description,
    ...(isWord ? [] : [part.title ?? target.title]),
  ];
  return texts
    .flatMap((text) =>
      typeof text === "string" && text !== ""
        ? [flattenMarkdown(text).replace(/(?<![.;])[.;]+$/, "")]
        : [],
    )
    .filter((text) => text !== "");
}

function writeMeanings(meanings: readonly CodeMeaning[]): EnumMeanings {
  const labeled = meanings.filter(({ label }) => label !== "");
  const isComplete = !meanings.some(({ isTooLong }) => isTooLong);
  if (labeled.length === 0 || meanings.length < 2) return { isComplete };
  let text = "";
  for (const [i, { code, label }] of labeled.entries()) {
    const next = `${text === "" ? "" : `${text}, `}${code} = ${label}`;
    if (next.length > MAX_MEANINGS_LENGTH)
      return { text: `${text} and ${labeled.length - i} more.`, isComplete: false };
    text = next;
  }
  return { text: `${text}.`, isComplete };
}
