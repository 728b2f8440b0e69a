import { isObject, type JsonSchema } from "../../json.js";
import { type AnySchema, resolveSchema, type Schemas } from "./refs.js";
import { flattenMarkdown } from "../text/markdown.js";

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

/** Alternatives of one code each, also inside lists, named schemas, and beside `null`. */
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
    const text = flattenMarkdown(meanings[String(value)] ?? "").replace(/[.;]+$/, "");
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
 * Description, else title. The title of a code that is a word itself is a constant's name and adds
 * nothing.
 */
function textsOf(part: JsonSchema, target: JsonSchema, code: string | number): readonly string[] {
  const isWord = typeof code === "string" && !/^\w{1,2}$/.test(code);
  const texts = [
    part.description ?? target.description,
    ...(isWord ? [] : [part.title ?? target.title]),
  ];
  return texts
    .flatMap((text) =>
      typeof text === "string" && text !== "" ? [flattenMarkdown(text).replace(/[.;]+$/, "")] : [],
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
