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
 * Creates a function that names the content of a result: `items with id, name and status`.
 * Undefined when the schema has no fields. Named schemas are described once.
 */
export function createResultDescriber(
  schemas: Schemas,
): (output: OutputPlan) => string | undefined {
  const cache = new Map<JsonSchema, Map<string, string>>();
  return ({ responseSchema, wrap, subject, listName = "" }) => {
    const schema = resolveSchema(schemas, responseSchema);
    if (wrap === "value") return scalarPhrase(schema);
    const noun = nounOf(subject);
    if (wrap === undefined)
      return memoized(cache, schema, noun, () => objectPhrase(schema, noun, schemas)) || undefined;
    const item = isObject(schema.items) ? resolveSchema(schemas, schema.items) : {};
    const name = isMoreSpecific(listName, noun) ? `items (${listName})` : "items";
    return memoized(
      cache,
      item,
      `${noun} ${name}`,
      () => phraseOfItem(name, item, noun, schemas, MAX_FIELDS) ?? "a list of items",
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

/** Names the items of a list, with the fields of an object that is all that each contains. */
function phraseOfItem(
  name: string,
  item: JsonSchema,
  noun: string,
  schemas: Schemas,
  max: number,
): string | undefined {
  const inner = wrappedObject(item, schemas);
  return inner
    ? listPhrase(`${name}.${inner.name}`, keyFields(inner.schema, noun, schemas, max))
    : listPhrase(name, keyFields(item, noun, schemas, max));
}

/** The object inside an item that has no other field than links: `{value: {…}, links: […]}`. */
function wrappedObject(
  item: JsonSchema,
  schemas: Schemas,
): { readonly name: string; readonly schema: JsonSchema } | undefined {
  const fields = [...fieldsOf(item, schemas)].filter(([name]) => !isAboutLinks(name));
  const [[name, field] = ["", undefined]] = fields;
  if (fields.length !== 1 || !isObject(field)) return undefined;
  const schema = resolveSchema(schemas, field as JsonSchema);
  const isWrapped = schema.items === undefined && fieldsOf(schema, schemas).size > 1;
  return isWrapped ? { name, schema } : undefined;
}

/** Names the content of an object, inside its envelopes. Empty if nothing is known. */
function objectPhrase(schema: JsonSchema, noun: string, schemas: Schemas): string {
  const { path, schema: content, others } = payloadOf(schema, schemas, noun);
  if (path.length === 0) {
    const fields = contentFields(content, noun, schemas);
    if (fields.length === 0) return mapPhrase(content, noun, schemas);
    return fields.every(isContentName) ? "" : joinWithAnd(fields);
  }
  const name = path.join(".");
  const phrase = phraseOfItem(name, content, noun, schemas, MAX_FIELDS - 2);
  // `data` alone says nothing.
  const isOpaque = phrase === undefined && path.every(isContentName) && others.length === 0;
  return [...(isOpaque ? [] : [phrase ?? name]), ...others.slice(0, 2)].join("; ");
}

/** Names the values of an object whose names are keys. Empty if nothing is known of them. */
function mapPhrase(schema: JsonSchema, noun: string, schemas: Schemas): string {
  const { additionalProperties: values } = schema;
  if (!isObject(values)) return "";
  const value = resolveSchema(schemas, values as JsonSchema);
  const fields = keyFields(value, noun, schemas);
  if (fields.length > 0) return `entries by key, each with ${joinWithAnd(fields)}`;
  const type = typesOf(value).find((name) => name !== "null");
  const plural = PLURALS[type ?? ""];
  return plural === undefined ? "" : `${plural} by key`;
}

const PLURALS: Readonly<Record<string, string>> = {
  array: "lists",
  boolean: "true or false",
  integer: "numbers",
  number: "numbers",
  string: "texts",
};

/** Key fields of a resource; of any other object, those that are not only about the call. */
function contentFields(schema: JsonSchema, noun: string, schemas: Schemas): readonly string[] {
  const names = [...fieldsOf(schema, schemas).keys()];
  return names.some(isIdentity)
    ? keyFields(schema, noun, schemas)
    : keyFields(schema, noun, schemas, MAX_FIELDS, (name) => !isAboutCall(name, names));
}

const listPhrase = (name: string, fields: readonly string[]): string | undefined =>
  fields.length > 0 ? `${name} with ${joinWithAnd(fields)}` : undefined;

function scalarPhrase(schema: JsonSchema): string | undefined {
  const type = typesOf(schema).find((name) => name !== "null");
  return type === undefined || type === "object" || type === "array"
    ? undefined
    : `${type === "integer" ? "an" : "a"} ${type}`;
}

/**
 * The fields by which a model knows a result, at most `max`, and the number of the others: the own
 * ID, key fields, identifiers, states and counts, objects and lists of them, then plain values,
 * each in document order. At least one object or list is named, because it may be the content.
 */
function keyFields(
  schema: JsonSchema,
  noun: string,
  schemas: Schemas,
  max = MAX_FIELDS,
  isUsed: (name: string) => boolean = () => true,
): readonly string[] {
  const fields = [...fieldsOf(schema, schemas)].filter(
    ([name]) => isUsed(name) && /^[\w.-]{1,40}$/.test(name),
  );
  const names = fields.map(([name]) => name);
  const namesOf = (test: (schema: JsonSchema) => boolean): readonly string[] =>
    fields
      .filter(([, field]) => isObject(field) && test(resolveSchema(schemas, field as JsonSchema)))
      .map(([name]) => name);
  const parts = namesOf((field) => holdsObjects(field, schemas)).filter(
    (name) => !isAboutLinks(name),
  );
  const isBrief = names.length > max + 1;
  const named = new Set(isBrief ? parts.slice(0, MAX_PARTS) : []);
  const last = new Set(isBrief ? [] : namesOf(isCompound));
  const ranks = new Map(
    names.map((name) => [name, last.has(name) ? NO_RANK + 3 : fieldRank(name, noun, named)]),
  );
  const sorted = names.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!);
  if (!isBrief) return sorted;
  const shown = sorted.slice(0, max);
  if (parts[0] !== undefined && !parts.some((part) => shown.includes(part)))
    shown[max - 1] = parts[0];
  return [...shown, `${names.length - max} more fields`];
}

/** Maximum number of objects and lists that are preferred to plain values. */
const MAX_PARTS = 2;

function fieldRank(name: string, noun: string, parts: ReadonlySet<string>): number {
  const words = splitWords(name);
  const isOwnId = noun !== "" && words.length > 1 && words.join("") === `${noun}id`;
  if (isOwnId) return -1;
  if (rankOf(name) < NO_RANK) return rankOf(name);
  if (isAboutLinks(name)) return NO_RANK + 4;
  const isTelling = TELLING_WORD.test(words.at(-1) ?? "") || TEXT_FIELD.test(name);
  return NO_RANK + (isTelling ? 0 : parts.has(name) ? 1 : 2);
}

/** Last words of identifiers, states and counts. */
const TELLING_WORD = /^(?:ids?|uuid|sid|kid|name|status|state|count|total)$/;

/** The words of a comment, a message or a page. */
const TEXT_FIELD = /^(?:body|content|contents|message|text)$/i;

/** `_links`, `metadata`: parts of every resource of an API. */
const isAboutLinks = (name: string): boolean => /^_|^(?:links?|meta(?:data)?)$/i.test(name);

/** True for objects and lists. */
const isCompound = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === "object" || type === "array");

/** True for objects, and for lists of them. */
function holdsObjects(schema: JsonSchema, schemas: Schemas): boolean {
  const { items } = schema;
  const item = isObject(items) ? resolveSchema(schemas, items as JsonSchema) : schema;
  return item.properties !== undefined || typesOf(item).includes("object");
}
