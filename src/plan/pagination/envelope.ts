import { isObject, type JsonSchema } from "../../json.js";
import { singularize } from "../names/grammar.js";
import { splitWords } from "../names/words.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import { objectFields, isConstant, objectListItem, pointerStep } from "../schema-fields.js";

/** Something in an answer beside what was asked for. */
export interface EnvelopeField {
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
}

/** Where in an answer the list, or the one thing, stands. */
export interface Envelope {
  readonly pointer: string;
  /** Of one item. */
  readonly item: JsonSchema;
  readonly otherFields: readonly EnvelopeField[];
}

const LIST_FIELDS = new Set(
  "items data results result records entries values list content rows hits elements nodes docs resources objects".split(
    " ",
  ),
);
/** Objects that are wrapped around an answer's list, or around the one thing. */
const WRAPPER_FIELD = /^(_?embedded|data|results?|response|payload|hits|body|item|object|page)$/i;

/**
 * Finds the list in the answer of a collection: the answer itself, or one of its lists: the one
 * that is called like the collection, or `data`, `items` and such, or its only one, also inside one
 * more object (`hits.hits`).
 * @param words of the collection: `bank`, `accounts`
 */
export function findListEnvelope(
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
  const root = objectListItem(schema, schemas);
  if (root) return { pointer: "", item: root, otherFields: [] };
  const fields = objectFields(schema, schemas);
  if (!fields) return undefined;
  const name = listFieldName(fields, words, schemas);
  if (name !== undefined)
    return {
      pointer: pointerStep(name),
      item: objectListItem(fields.get(name) as JsonSchema, schemas) as JsonSchema,
      otherFields: otherFields(fields, name, schemas),
    };
  return depth > 0 ? undefined : findInWrapper(fields, words, schemas);
}

function listFieldName(
  fields: ReadonlyMap<string, JsonSchema>,
  words: readonly string[],
  schemas: Schemas,
): string | undefined {
  const lists = [...fields.keys()].filter((name) =>
    objectListItem(fields.get(name) as JsonSchema, schemas),
  );
  const own = lists.find((name) => samePhrase(splitWords(name), words));
  return (
    own ??
    lists.find((name) => LIST_FIELDS.has(name.toLowerCase())) ??
    (lists.length === 1 ? lists[0] : undefined)
  );
}

function findInWrapper(
  fields: ReadonlyMap<string, JsonSchema>,
  words: readonly string[],
  schemas: Schemas,
): Envelope | undefined {
  for (const [name, field] of fields) {
    if (!WRAPPER_FIELD.test(name)) continue;
    const inner = findList(field, words, schemas, 1);
    if (!inner || inner.pointer === "") continue;
    const rest = inner.otherFields.map((one) => ({
      ...one,
      pointer: pointerStep(name) + one.pointer,
    }));
    return {
      pointer: pointerStep(name) + inner.pointer,
      item: inner.item,
      otherFields: [...otherFields(fields, name, schemas), ...rest],
    };
  }
  return undefined;
}

/**
 * Where the one thing may stand in the answer to a get: the answer itself first, then a field that
 * is called like it, or `data` and such, or its only object.
 */
export function itemEnvelopeCandidates(
  schema: JsonSchema,
  words: readonly string[],
  schemas: Schemas,
): readonly Envelope[] {
  const root: Envelope = { pointer: "", item: schema, otherFields: [] };
  const fields = objectFields(schema, schemas);
  if (!fields || fields.size > 8) return [root];
  const objects = [...fields].filter(([, field]) => isResource(field, schemas));
  const named = objects.filter(
    ([name]) =>
      objects.length === 1 || samePhrase(splitWords(name), words) || WRAPPER_FIELD.test(name),
  );
  return [
    root,
    ...named.map(([name, field]): Envelope => ({
      pointer: pointerStep(name),
      item: field,
      otherFields: otherFields(fields, name, schemas),
    })),
  ];
}

/** An object, or one of several. */
function isResource(schema: JsonSchema, schemas: Schemas): boolean {
  const { anyOf, oneOf } = resolveSchema(schemas, schema);
  const parts = [...(anyOf ?? []), ...(oneOf ?? [])];
  return parts.length === 0
    ? (objectFields(schema, schemas)?.size ?? 0) > 0
    : parts.every((part) => isObject(part) && (objectFields(part, schemas)?.size ?? 0) > 0);
}

function otherFields(
  fields: ReadonlyMap<string, JsonSchema>,
  taken: string,
  schemas: Schemas,
): readonly EnvelopeField[] {
  return [...fields].flatMap(([name, schema]) =>
    name === taken || isSelfReference(name, schema, schemas) || isConstant(schema, schemas)
      ? []
      : [{ name, pointer: pointerStep(name), schema }],
  );
}

/** The list's own address and type say nothing about what is in it. */
function isSelfReference(name: string, schema: JsonSchema, schemas: Schemas): boolean {
  return (
    /^(url|uri|self|href|object|kind)$/.test(name) &&
    typesOf(resolveSchema(schemas, schema)).includes("string")
  );
}

/** `bankAccount` is called like `bank accounts`, and like `accounts`. */
function samePhrase(name: readonly string[], words: readonly string[]): boolean {
  return (
    name.length > 0 &&
    name.length <= words.length &&
    name.every(
      (word, i) =>
        singularize(word) === singularize(words[words.length - name.length + i] as string),
    )
  );
}
