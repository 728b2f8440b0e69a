import { type JsonSchema, omitUndefined } from "../../json.js";
import { resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";
import type { InputCandidate } from "./candidates.js";

const COMMA =
  /\bcomma[- ]?(?:separated|delimited)\b|\bseparated (?:by|with) (?:an? )?(?:single )?commas?\b/i;
const LIST = /^(?:an? |the |optional )?(?:array|list) of\b/i;
/** Lists that are written in another form. */
const OTHER_FORM = /\bjson\b|\bx?ml\b|\bnew ?lines?\b|\b(?:space|semicolon|pipe|tab)s?\b|;|\||\[/i;

/**
 * Lets an input take a list where its type is text and its description says that the text is a list.
 * The list is joined with commas.
 */
export function acceptList(candidate: InputCandidate, schemas: Schemas): InputCandidate {
  const { description = "", isWholeBody, file, parameter } = candidate;
  const isList =
    COMMA.test(description) || (LIST.test(description) && !OTHER_FORM.test(description));
  if (!isList || isWholeBody || file || parameter?.contentType !== undefined) return candidate;
  const schema = listOrText(candidate.schema, schemas);
  return schema ? { ...candidate, schema, separator: "," } : candidate;
}

/** Text or a list of texts; undefined for schemas that are not plain text. */
function listOrText(schema: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const { $ref: _, ...own } = schema;
  const merged: JsonSchema = { ...resolveSchema(schemas, schema), ...own };
  const types = typesOf(merged);
  const isText = types.includes("string") && types.every((type) => /^(?:string|null)$/.test(type));
  const { type, enum: values, format, pattern, minLength, maxLength, ...annotations } = merged;
  const hasMore = merged.anyOf ?? merged.oneOf ?? merged.allOf ?? merged.const;
  if (!isText || hasMore !== undefined || merged.contentEncoding || format === "binary")
    return undefined;
  const item = omitUndefined({ type: "string", enum: values?.filter(isString), format });
  return {
    ...annotations,
    anyOf: [omitUndefined({ type, pattern, minLength, maxLength }), { type: "array", items: item }],
  };
}

const isString = (value: unknown): boolean => typeof value === "string";
