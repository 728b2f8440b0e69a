import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { isIdentity } from "../outputs/payload.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { isConstant, objectFields, objectListItem, pointerStep } from "../schemas/flat-object.js";

/** Field of a response next to its list or item. */
export interface EnvelopeField {
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
}

/** Position of the list, or of the single item, in a response. */
export interface Envelope {
  /** JSON pointer; empty for the response itself. */
  readonly pointer: string;
  readonly item: JsonSchema;
  readonly otherFields: readonly EnvelopeField[];
}

const LIST_FIELDS = new Set(
  "items data results result records entries values list content rows hits elements nodes docs resources objects".split(
    " ",
  ),
);
/** Names of fields that contain the list or the item of a response. */
const WRAPPER_FIELD = /^(_?embedded|data|results?|response|payload|hits|body|item|object|page)$/i;

/**
 * Finds the list in the response of a collection. Candidates, in this order: the response itself, a
 * field named like the collection, a field such as `data` or `items`, its only list. The list may
 * be inside one more object (`hits.hits`).
 * @param words words of the collection: `bank`, `accounts`
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
  const sameName = lists.find((name) => samePhrase(splitWords(name), words));
  return (
    sameName ??
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
    if (!WRAPPER_FIELD.test(name) && !wrapsKnownList(fields, name, words, schemas)) continue;
    const inner = findList(field, words, schemas, 1);
    if (!inner || inner.pointer === "") continue;
    const fieldsInside = inner.otherFields.map((otherField) => ({
      ...otherField,
      pointer: pointerStep(name) + otherField.pointer,
    }));
    return {
      pointer: pointerStep(name) + inner.pointer,
      item: inner.item,
      otherFields: [...otherFields(fields, name, schemas), ...fieldsInside],
    };
  }
  return undefined;
}

/**
 * `{datasets: {results: […]}}`: the only object, or one named like the collection, that has no ID
 * and a list with a telling name.
 */
function wrapsKnownList(
  fields: ReadonlyMap<string, JsonSchema>,
  name: string,
  words: readonly string[],
  schemas: Schemas,
): boolean {
  const inside = objectFields(fields.get(name) as JsonSchema, schemas);
  if (!inside || [...inside.keys()].some(isIdentity)) return false;
  const objects = [...fields.values()].filter((field) => objectFields(field, schemas));
  const list = listFieldName(inside, words, schemas) ?? "";
  return (
    (objects.length === 1 || samePhrase(splitWords(name), words)) &&
    (LIST_FIELDS.has(list.toLowerCase()) || samePhrase(splitWords(list), words))
  );
}

/**
 * Possible positions of the item in the response of a get: the response itself first, then a field
 * named like the resource, a field such as `data`, or its only object.
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

/** An object with fields, or alternatives that all are. */
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

/** URL or type of the list itself, which does not describe its items. */
function isSelfReference(name: string, schema: JsonSchema, schemas: Schemas): boolean {
  return (
    /^(url|uri|self|href|object|kind)$/.test(name) &&
    typesOf(resolveSchema(schemas, schema)).includes("string")
  );
}

/** Compares a name with the last words of a collection: `accounts` matches `bank accounts`. */
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
