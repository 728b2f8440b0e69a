import { type JsonSchema, omitUndefined } from "../../json.js";
import { isPlural } from "../names/grammar.js";
import { splitWords } from "../names/words.js";
import { resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";
import type { InputCandidate } from "./candidates.js";

const COMMA =
  /\bcsv of\b|\bcomma[- ]?(?:separated|delimited)\b|\bseparated (?:by|with) (?:an? )?(?:single )?commas?\b/i;
const LIST = /^(?:an? |the |optional )?(?:array|list) of\b/i;
/** `JSON array of IDs` */
const JSON_LIST =
  /\bjson[- ](?:(?:encoded|formatted|serialized|stringified) )?(?:array|list)\b(?! of (?:objects|json))/i;
/** Of a list: `as JSON`, or an example such as `[1, 2]`. */
const JSON_FORM = /\b(?:as|in) json\b|\[\s*(?:"|\d)[^\]]*\]/i;
/** Lists that are written in another form. */
const OTHER_FORM = /\bjson\b|\bx?ml\b|\bnew ?lines?\b|\b(?:space|semicolon|pipe|tab)s?\b|;|\||\[/i;

/**
 * Lets an input take a list where its type is text and its description or example says that the text
 * is a list. The list is joined with commas, or written as a JSON array.
 */
export function acceptList(candidate: InputCandidate, schemas: Schemas): InputCandidate {
  const { description = "", isWholeBody, file, parameter } = candidate;
  const separator = separatorOf(description) ?? (givesList(candidate, schemas) ? "," : undefined);
  if (!separator || isWholeBody || file || parameter?.contentType !== undefined) return candidate;
  const isNumeric = separator === "json" && /\[\s*\d/.test(description);
  const schema = listOrText(candidate.schema, schemas, isNumeric ? "number" : "string");
  return schema ? { ...candidate, schema, separator } : candidate;
}

function separatorOf(description: string): InputCandidate["separator"] {
  const isList = LIST.test(description);
  if (JSON_LIST.test(description) || (isList && JSON_FORM.test(description))) return "json";
  return COMMA.test(description) || (isList && !OTHER_FORM.test(description)) ? "," : undefined;
}

/** Tests whether the example of a value with a plural name is a list: `ids`, `a1,b2`. */
function givesList({ wireName, schema }: InputCandidate, schemas: Schemas): boolean {
  const { examples = [] } = { ...resolveSchema(schemas, schema), ...schema };
  const [example] = examples as readonly unknown[];
  const name = splitWords(wireName).at(-1) ?? "";
  return isPlural(name) && typeof example === "string" && /^[\w-]+(?:,[\w-]+)+$/.test(example);
}

/** Text or a list; undefined for schemas that are not plain text. */
function listOrText(
  schema: JsonSchema,
  schemas: Schemas,
  itemType: "string" | "number",
): JsonSchema | undefined {
  const { $ref: _, ...own } = schema;
  const merged: JsonSchema = { ...resolveSchema(schemas, schema), ...own };
  const types = typesOf(merged);
  const isText = types.includes("string") && types.every((type) => /^(?:string|null)$/.test(type));
  const { type, enum: values, format, pattern, minLength, maxLength, ...annotations } = merged;
  const hasMore = merged.anyOf ?? merged.oneOf ?? merged.allOf ?? merged.const;
  if (!isText || hasMore !== undefined || merged.contentEncoding || format === "binary")
    return undefined;
  const item = omitUndefined({ type: itemType, enum: values?.filter(isString), format });
  return {
    ...annotations,
    anyOf: [omitUndefined({ type, pattern, minLength, maxLength }), { type: "array", items: item }],
  };
}

const isString = (value: unknown): boolean => typeof value === "string";
