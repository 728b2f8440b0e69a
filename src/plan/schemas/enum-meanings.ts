import { isObject, type JsonSchema } from "../../json.js";
import { type AnySchema, resolveSchema, type Schemas } from "./refs.js";
import { flattenMarkdown } from "../text/markdown.js";

const MAX_MEANINGS_LENGTH = 300;
const MAX_LABEL_LENGTH = 80;

/**
 * Writes `0 = role, 1 = member.` where a document names its codes one by one; undefined for
 * everything else. Each schema is read once.
 */
export function createEnumMeaningWriter(
  schemas: Schemas,
): (schema: JsonSchema) => string | undefined {
  const known = new Map<JsonSchema, string | undefined>();
  return (schema) => {
    if (known.has(schema)) return known.get(schema);
    const { text } = writeMeanings(collectMeanings(schema, schemas, 0));
    known.set(schema, text);
    return text;
  };
}

/** What a document says of its codes, in a sentence. */
export interface EnumMeanings {
  readonly text?: string;
  /** Nothing that it says is left out. */
  readonly isComplete: boolean;
}

/** The codes of alternatives. */
export function describeAlternatives(
  alternatives: readonly AnySchema[],
  schemas: Schemas,
): EnumMeanings {
  return writeMeanings(
    alternatives.flatMap((part) => (isObject(part) ? meaningsOfPart(part, schemas, 1) : [])),
  );
}

interface CodeMeaning {
  readonly code: string | number;
  /** Empty when there is nothing to say, or too much. */
  readonly label: string;
  readonly isTooLong: boolean;
}

/**
 * Alternatives that are one code each, also behind `null` beside them, a list of them, or a name.
 */
function collectMeanings(
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): readonly CodeMeaning[] {
  if (depth > 3) return [];
  const target = resolveSchema(schemas, schema);
  if (isObject(target.items)) return collectMeanings(target.items, schemas, depth + 1);
  const parts = (target.oneOf ?? target.anyOf ?? []).filter((part): part is JsonSchema =>
    isObject(part),
  );
  return parts.flatMap((part) => meaningsOfPart(part, schemas, depth));
}

function meaningsOfPart(part: JsonSchema, schemas: Schemas, depth: number): readonly CodeMeaning[] {
  const target = resolveSchema(schemas, part);
  const code =
    "const" in target
      ? target.const
      : Array.isArray(target.enum) && target.enum.length === 1
        ? target.enum[0]
        : undefined;
  if (code === undefined)
    return target.type === "null" ? [] : collectMeanings(part, schemas, depth + 1);
  if (typeof code !== "string" && typeof code !== "number") return [];
  const texts = textsOf(part, target, code);
  const label = texts.find((text) => text.length <= MAX_LABEL_LENGTH) ?? "";
  return [{ code, label, isTooLong: texts.length > 0 && texts[0] !== label }];
}

/**
 * The description, else the title: a constant's name, which says nothing more of what is a word
 * itself.
 */
function textsOf(part: JsonSchema, target: JsonSchema, code: string | number): readonly string[] {
  const isWord = typeof code === "string" && !/^\w{1,2}$/.test(code);
  const given = [
    part.description ?? target.description,
    ...(isWord ? [] : [part.title ?? target.title]),
  ];
  return given
    .flatMap((text) =>
      typeof text === "string" && text !== "" ? [flattenMarkdown(text).replace(/[.;]+$/, "")] : [],
    )
    .filter((text) => text !== "");
}

function writeMeanings(found: readonly CodeMeaning[]): EnumMeanings {
  const told = found.filter(({ label }) => label !== "");
  const isComplete = !found.some(({ isTooLong }) => isTooLong);
  if (told.length === 0 || found.length < 2) return { isComplete };
  let text = "";
  for (const [i, { code, label }] of told.entries()) {
    const next = `${text === "" ? "" : `${text}, `}${code} = ${label}`;
    if (next.length > MAX_MEANINGS_LENGTH)
      return { text: `${text} and ${told.length - i} more.`, isComplete: false };
    text = next;
  }
  return { text: `${text}.`, isComplete };
}
