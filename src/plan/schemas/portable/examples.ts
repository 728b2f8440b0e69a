import { isObject, type JsonSchema } from "../../../json.js";
import { matchesSchema } from "../values.js";
import type { Schemas } from "../refs.js";
import { estimateSize } from "./size.js";

/** Maximum length of an example in characters. */
export const MAX_EXAMPLE_LENGTH = 80;

/** Maximum length of an example of a list or an object. */
const MAX_COMPOUND_LENGTH = 120;

/** One short example that satisfies the schema; that of a list is shortened to its first items. */
export function shortExample(schema: JsonSchema, schemas: Schemas): unknown {
  const examples: readonly unknown[] = Array.isArray(schema.examples) ? schema.examples : [];
  return examples
    .filter((example) => isNeeded(example, schema))
    .flatMap((example) => [shorten(example), example])
    .find((example) => isShort(example) && matchesSchema(example, schema, schemas));
}

/** The fields of an object and the values of an enum say more than an example. */
function isNeeded(example: unknown, { properties, items }: JsonSchema): boolean {
  if (example === null || example === "") return false;
  if (Array.isArray(example))
    return example.length > 0 && !(isObject(items) && (items.enum ?? items.examples));
  return !isObject(example) || (!properties && Object.keys(example).length > 0);
}

const MAX_ITEMS = 2;

function shorten(example: unknown): unknown {
  if (!Array.isArray(example)) return example;
  return example.slice(0, typeof example[0] === "object" ? 1 : MAX_ITEMS);
}

/** Tests whether a value is short enough for an example. */
export const isShort = (value: unknown): boolean =>
  estimateSize(value) <= (typeof value === "object" ? MAX_COMPOUND_LENGTH : MAX_EXAMPLE_LENGTH);
