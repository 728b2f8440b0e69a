import { isObject, type JsonSchema } from "../../json.js";
import { singular } from "../name/inflect.js";
import { wordsOf } from "../name/words.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";
import { fieldsOf, isConstant, itemOf, step } from "./fields.js";

/** Something in an answer beside what was asked for. */
export interface Field {
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
}

/** Where in an answer the list, or the one thing, stands. */
export interface Envelope {
  readonly pointer: string;
  /** Of one item. */
  readonly item: JsonSchema;
  readonly rest: readonly Field[];
}

const LIST_KEYS = new Set(
  "items data results result records entries values list content rows hits elements nodes docs resources objects".split(
    " ",
  ),
);
/** Objects that are wrapped around an answer's list, or around the one thing. */
const WRAPPERS = /^(_?embedded|data|results?|response|payload|hits|body|item|object|page)$/i;

/**
 * Finds the list in the answer of a collection: the answer itself, or one of its lists: the one
 * that is called like the collection, or `data`, `items` and such, or its only one, also inside one
 * more object (`hits.hits`).
 * @param words of the collection: `bank`, `accounts`
 */
export function listEnvelope(
  schema: JsonSchema,
  words: readonly string[],
  schemas: Schemas,
): Envelope | undefined {
  return findList(schema, words, schemas, 0);
}

function findList(
  schema: JsonSchema,
  words: readonly string[],
  schemas: Schemas,
  depth: number,
): Envelope | undefined {
  const root = itemOf(schema, schemas);
  if (root) return { pointer: "", item: root, rest: [] };
  const fields = fieldsOf(schema, schemas);
  if (!fields) return undefined;
  const name = listName(fields, words, schemas);
  if (name !== undefined)
    return {
      pointer: step(name),
      item: itemOf(fields.get(name) as JsonSchema, schemas) as JsonSchema,
      rest: others(fields, name, schemas),
    };
  return depth > 0 ? undefined : insideWrapper(fields, words, schemas);
}

function listName(
  fields: ReadonlyMap<string, JsonSchema>,
  words: readonly string[],
  schemas: Schemas,
): string | undefined {
  const lists = [...fields.keys()].filter((name) =>
    itemOf(fields.get(name) as JsonSchema, schemas),
  );
  const own = lists.find((name) => samePhrase(wordsOf(name), words));
  return (
    own ??
    lists.find((name) => LIST_KEYS.has(name.toLowerCase())) ??
    (lists.length === 1 ? lists[0] : undefined)
  );
}

function insideWrapper(
  fields: ReadonlyMap<string, JsonSchema>,
  words: readonly string[],
  schemas: Schemas,
): Envelope | undefined {
  for (const [name, field] of fields) {
    if (!WRAPPERS.test(name)) continue;
    const inner = findList(field, words, schemas, 1);
    if (!inner || inner.pointer === "") continue;
    const rest = inner.rest.map((one) => ({ ...one, pointer: step(name) + one.pointer }));
    return {
      pointer: step(name) + inner.pointer,
      item: inner.item,
      rest: [...others(fields, name, schemas), ...rest],
    };
  }
  return undefined;
}

/**
 * Where the one thing may stand in the answer to a get: the answer itself first, then a field that
 * is called like it, or `data` and such, or its only object.
 */
export function itemEnvelopes(
  schema: JsonSchema,
  words: readonly string[],
  schemas: Schemas,
): readonly Envelope[] {
  const root: Envelope = { pointer: "", item: schema, rest: [] };
  const fields = fieldsOf(schema, schemas);
  if (!fields || fields.size > 8) return [root];
  const objects = [...fields].filter(([, field]) => isThing(field, schemas));
  const named = objects.filter(
    ([name]) => objects.length === 1 || samePhrase(wordsOf(name), words) || WRAPPERS.test(name),
  );
  return [
    root,
    ...named.map(([name, field]) => ({
      pointer: step(name),
      item: field,
      rest: others(fields, name, schemas),
    })),
  ];
}

/** An object, or one of several. */
function isThing(schema: JsonSchema, schemas: Schemas): boolean {
  const { anyOf, oneOf } = resolve(schemas, schema);
  const parts = [...(anyOf ?? []), ...(oneOf ?? [])];
  return parts.length === 0
    ? (fieldsOf(schema, schemas)?.size ?? 0) > 0
    : parts.every((part) => isObject(part) && (fieldsOf(part, schemas)?.size ?? 0) > 0);
}

function others(
  fields: ReadonlyMap<string, JsonSchema>,
  taken: string,
  schemas: Schemas,
): readonly Field[] {
  return [...fields].flatMap(([name, schema]) =>
    name === taken || isAddress(name, schema, schemas) || isConstant(schema, schemas)
      ? []
      : [{ name, pointer: step(name), schema }],
  );
}

/** The list's own address and type say nothing about what is in it. */
function isAddress(name: string, schema: JsonSchema, schemas: Schemas): boolean {
  return (
    /^(url|uri|self|href|object|kind)$/.test(name) &&
    typesOf(resolve(schemas, schema)).includes("string")
  );
}

/** `bankAccount` is called like `bank accounts`, and like `accounts`. */
function samePhrase(name: readonly string[], words: readonly string[]): boolean {
  return (
    name.length > 0 &&
    name.length <= words.length &&
    name.every(
      (word, i) => singular(word) === singular(words[words.length - name.length + i] as string),
    )
  );
}
