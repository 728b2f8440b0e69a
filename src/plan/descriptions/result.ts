import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { fieldsOf, isAboutCall, isContentName, isIdentity, payloadOf } from "../outputs/payload.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { joinWithAnd } from "../text/sentences.js";
import { keyFieldRank, NO_RANK } from "../../key-fields.js";
import { memoize } from "../../language/patterns.js";

const MAX_FIELDS = 6;
const rankOf = memoize(keyFieldRank);

/**
 * Creates a function that writes `Returns items with id, name and status.`, or undefined when the
 * schema has no fields. Named schemas are described once.
 */
export function createResultDescriber(
  schemas: Schemas,
): (output: OutputPlan) => string | undefined {
  const cache = new Map<JsonSchema, Map<string, string>>();
  return ({ responseSchema, wrap, subject, listName = "" }) => {
    const schema = resolveSchema(schemas, responseSchema);
    if (wrap === "value") return scalarSentence(schema);
    const noun = nounOf(subject);
    if (wrap === undefined)
      return (
        memoized(cache, schema, noun, () => objectSentence(schema, noun, schemas)) || undefined
      );
    const item = isObject(schema.items) ? resolveSchema(schemas, schema.items) : {};
    const name = isMoreSpecific(listName, noun) ? `items (${listName})` : "items";
    return memoized(
      cache,
      item,
      name,
      () => `Returns ${listPhrase(name, keyFields(item, schemas)) ?? "a list of items"}.`,
    );
  };
}

/** Tests whether the name of a list is more specific than the resource: the `channels` of users. */
const isMoreSpecific = (listName: string, noun: string): boolean =>
  listName !== "" && !isContentName(listName) && nounOf(splitWords(listName)) !== noun;

const nounOf = (words: readonly string[]): string => singularizeLast(words).join("");

function memoized(
  cache: Map<JsonSchema, Map<string, string>>,
  schema: JsonSchema,
  key: string,
  write: () => string,
): string {
  const texts = cache.get(schema) ?? new Map<string, string>();
  const text = texts.get(key) ?? write();
  cache.set(schema, texts.set(key, text));
  return text;
}

/** Names the content of an object, inside its envelopes. Empty if nothing is known. */
function objectSentence(schema: JsonSchema, noun: string, schemas: Schemas): string {
  const { path, schema: content, others } = payloadOf(schema, schemas, noun);
  if (path.length === 0) {
    const fields = contentFields(content, schemas);
    return fields.length > 0 ? `Returns ${joinWithAnd(fields)}.` : "";
  }
  const name = path.join(".");
  const phrase = listPhrase(name, keyFields(content, schemas).slice(0, MAX_FIELDS - 2));
  return `Returns ${[phrase ?? name, ...others.slice(0, 2)].join("; ")}.`;
}

/** Key fields of a resource; of any other object, those that are not only about the call. */
function contentFields(schema: JsonSchema, schemas: Schemas): readonly string[] {
  const names = [...fieldsOf(schema, schemas).keys()];
  return names.some(isIdentity)
    ? keyFields(schema, schemas)
    : keyFields(schema, schemas, (name) => !isAboutCall(name, names));
}

const listPhrase = (name: string, fields: readonly string[]): string | undefined =>
  fields.length > 0 ? `${name} with ${joinWithAnd(fields)}` : undefined;

function scalarSentence(schema: JsonSchema): string | undefined {
  const type = typesOf(schema).find((name) => name !== "null");
  return type === undefined || type === "object" || type === "array"
    ? undefined
    : `Returns ${type === "integer" ? "an" : "a"} ${type}.`;
}

/**
 * Up to six property names: key fields first, then plain values in document order, then nested
 * objects.
 */
function keyFields(
  schema: JsonSchema,
  schemas: Schemas,
  isUsed: (name: string) => boolean = () => true,
): readonly string[] {
  const fields = [...fieldsOf(schema, schemas)].filter(([name]) => isUsed(name));
  const names = fields.map(([name]) => name);
  const known = names
    .filter((name) => rankOf(name) < NO_RANK)
    .sort((a, b) => rankOf(a) - rankOf(b));
  if (known.length >= MAX_FIELDS) return known.slice(0, MAX_FIELDS);
  const others = fields.filter(([name]) => rankOf(name) === NO_RANK && /^[\w.-]{1,40}$/.test(name));
  const plain = others.filter(([, field]) => !isCompound(field, schemas));
  const nested = others.filter((field) => !plain.includes(field));
  const unranked = [...plain, ...nested].map(([name]) => name);
  return [...known, ...unranked].slice(0, MAX_FIELDS);
}

/** True for objects and lists. */
function isCompound(field: unknown, schemas: Schemas): boolean {
  const types = isObject(field) ? typesOf(resolveSchema(schemas, field as JsonSchema)) : [];
  return types.includes("object") || types.includes("array");
}
