import { wordsOf } from "../name/words.js";
import type { Schemas } from "../schema/refs.js";
import type { Field } from "./envelope.js";
import { fieldsOf, step } from "./fields.js";

/**
 * What of an answer leads to the next page, by the name of the input that wants it, and what else
 * there is.
 */
export interface Paging {
  readonly next: readonly Field[];
  readonly rest: readonly Field[];
}

/** Objects that hold what leads to the next page. */
const HOLDERS =
  /^(_?links?|meta(data)?|paging|pagination|page_?info|cursors?|response_?metadata)$/i;
/** Inputs that take a cursor, the usual ones first. */
const CURSOR_INPUTS = [
  "cursor",
  "page_token",
  "next_token",
  "pageToken",
  "nextToken",
  "continuation_token",
  "marker",
  "after",
  "start_cursor",
  "page_cursor",
];

/**
 * Recognises cursors and links for the next page, at the top of an answer or in `meta`, `paging`
 * and their like.
 * @param inputs names of the inputs of the list
 */
export function pagingOf(
  fields: readonly Field[],
  inputs: readonly string[],
  schemas: Schemas,
): Paging {
  const next: Field[] = [];
  const rest: Field[] = [];
  const take = (field: Field): boolean => {
    const name = nextName(field.name, inputs);
    if (name === undefined || next.some((known) => known.name === name)) return false;
    next.push({ ...field, name });
    return true;
  };
  for (const field of fields) {
    if (take(field)) continue;
    const inner = HOLDERS.test(field.name) ? [...(fieldsOf(field.schema, schemas) ?? [])] : [];
    const left = inner.filter(
      ([name, schema]) => !take({ name, pointer: field.pointer + step(name), schema }),
    );
    if (inner.length === 0 || left.length > 0) rest.push(field);
  }
  return { next, rest };
}

/**
 * The input that a field of an answer is for; the field's own name when it leads to the next page
 * by itself; else undefined.
 */
function nextName(name: string, inputs: readonly string[]): string | undefined {
  const words = wordsOf(name);
  const isCursor =
    words.join(" ") === "cursor" ||
    words.join(" ") === "end cursor" ||
    words.join(" ") === "continuation token";
  if (!words.includes("next") && !isCursor) return undefined;
  if (/^(has|is|more)$/.test(words[0] ?? "")) return undefined;
  const bare = words.filter((word) => word !== "next" && word !== "end").join(" ");
  const same =
    inputs.find((input) => wordsOf(input).join(" ") === bare) ??
    inputs.find((input) => input === name);
  if (same !== undefined) return same;
  const isLink = /\b(url|uri|link|href|page)\b/.test(bare);
  return (isLink ? undefined : CURSOR_INPUTS.find((input) => inputs.includes(input))) ?? name;
}
