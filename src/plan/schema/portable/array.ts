import { isObject, type JsonSchema } from "../../../json.js";
import { oneLine, quoteText } from "../../../diagnostics/clean.js";
import { resolve, typesOf } from "../refs.js";
import { anyOf } from "./any-of.js";
import { isForbidden } from "./keywords.js";
import { LEVEL, type Writing } from "./writing.js";

/** More places are not put into words. */
const MOST_PLACES = 6;

/** What a list holds. A schema for each place is one that any item may satisfy. */
export function writeArray(
  schema: JsonSchema,
  { out, said, where, below, findings, schemas }: Writing,
): void {
  const tuple = schema.prefixItems;
  if (tuple) {
    const all =
      isObject(schema.items) && !isForbidden(schema.items) ? [...tuple, schema.items] : tuple;
    out.items = anyOf(all.map((item) => below(item, LEVEL + 1, where.label).schema));
    if (schema.items === false) out.maxItems ??= tuple.length;
    if (tuple.length <= MOST_PLACES)
      said.push(
        `In this order: ${tuple.map((item) => (isObject(item) ? placeName(resolve(schemas, item as JsonSchema)) : "anything")).join(", ")}.`,
      );
    findings.add(
      "plan-schema-keyword",
      `${quoteText(where.label)} is a list with a schema for each place; every item may be any of them now.`,
      where.place,
    );
  } else if (isObject(schema.items)) {
    out.items = below(schema.items, LEVEL, where.label).schema;
  } else if (typesOf(schema).includes("array")) {
    // OpenAI refuses a tool with a list that does not say what it holds.
    out.items = {};
  }
}

/** What stands at one place of a list, in a few words. */
function placeName(schema: JsonSchema): string {
  const said = [schema.title, schema.description].find(
    (words) =>
      typeof words === "string" && words !== "" && words.length <= 40 && !/[.,;:\n]/.test(words),
  );
  return said === undefined ? typesOf(schema).join(" or ") || "anything" : oneLine(said);
}
