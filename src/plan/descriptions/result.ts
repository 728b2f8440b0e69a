import { isObject, type JsonSchema } from "../../json.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import { memoize } from "../memoize.js";
import { joinWithAnd } from "../text/sentences.js";

const MAX_FIELDS = 6;
/** Fields that identify a thing or say how it is: named first. */
export const KEY_FIELDS = [
  "id",
  "sid",
  "uuid",
  "key",
  "name",
  "title",
  "login",
  "slug",
  "email",
  "type",
  "kind",
  "status",
  "state",
  "url",
  "html_url",
  "description",
  "amount",
  "total",
  "count",
  "created_at",
  "created",
];

const RANK = new Map(KEY_FIELDS.map((name, i) => [name.replaceAll("_", ""), i]));
/** `Id`, `created_at` and `createdAt` tell the same. */
const rankOf = memoize(
  (name) => RANK.get(name.replaceAll("_", "").toLowerCase()) ?? KEY_FIELDS.length,
);

/** What says that an answer is a page of a list, and which; nobody needs to be told. */
const PAGE_FIELD =
  /^(?:(?:first|next|prev|previous|last|current)?_?(?:page|pages)(?:_?(?:ur[il]|url|token|size|info|number|count))?|next|prev|previous|first|last|self|start|end|offset|limit|per_?page|(?:next_?)?cursor|uri|url|href|links?|_links|object|ok|meta|metadata|response_metadata|pagination|paging|has_?more|more|kind|etag)$/i;

/** What holds the answer where the fields beside it only say how the call went. */
const PAYLOAD_FIELD = /^(?:data|results?|payload)$/i;
const STATUS_FIELD =
  /^(?:errors?|warnings?|success|status|(?:status|result|http)_?(?:code|status)|code|message|msg|err(?:or)?_?(?:code|message|description|msg|info|no))$/i;

/**
 * Writes `Returns items with id, name and status.`; undefined when there is nothing to say. Named
 * results are looked at once.
 */
export function createResultDescriber(
  schemas: Schemas,
): (output: OutputPlan) => string | undefined {
  const items = new Map<JsonSchema, string>();
  const objects = new Map<JsonSchema, string>();
  return ({ responseSchema: sent, wrap }) => {
    const schema = resolveSchema(schemas, sent);
    if (wrap === "value") return scalarSentence(schema);
    if (wrap === undefined)
      return memoizeBySchema(objects, schema, () => objectSentence(schema, schemas)) || undefined;
    const item = isObject(schema.items) ? resolveSchema(schemas, schema.items) : {};
    return memoizeBySchema(
      items,
      item,
      () => `Returns ${listPhrase("items", item, schemas, MAX_FIELDS) ?? "a list of items"}.`,
    );
  };
}

function memoizeBySchema(
  known: Map<JsonSchema, string>,
  schema: JsonSchema,
  write: () => string,
): string {
  const text = known.get(schema) ?? write();
  known.set(schema, text);
  return text;
}

/** The fields of an object; of an envelope rather those of what is in it. */
function objectSentence(schema: JsonSchema, schemas: Schemas): string {
  const fields = keyFields(schema, schemas);
  const answer = onlyPayload(schema, schemas);
  const inner = answer ?? onlyList(schema, schemas) ?? onlyObject(schema, schemas);
  const phrase = inner && listPhrase(inner.name, inner.item, schemas, MAX_FIELDS - 2);
  if (inner && phrase)
    return `Returns ${[phrase, ...fields.filter((name) => name !== inner.name && !PAGE_FIELD.test(name) && !(answer && STATUS_FIELD.test(name))).slice(0, 2)].join("; ")}.`;
  return fields.length > 0 ? `Returns ${joinWithAnd(fields)}.` : "";
}

/** `{incident: {…}}`, `{ok: true, user: {…}}`: an envelope around one thing. */
function onlyObject(schema: JsonSchema, schemas: Schemas): EnvelopeContent | undefined {
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !PAGE_FIELD.test(name),
  );
  const [only] = entries;
  if (entries.length !== 1 || !only || !isObject(only[1])) return undefined;
  const item = resolveSchema(schemas, only[1]);
  return typesOf(item).includes("array") ? undefined : { name: only[0], item };
}

/** `{code, message, data}`: nobody needs to be told of the code. */
function onlyPayload(schema: JsonSchema, schemas: Schemas): EnvelopeContent | undefined {
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !PAGE_FIELD.test(name) && !STATUS_FIELD.test(name),
  );
  const [only] = entries;
  if (entries.length !== 1 || !only || !PAYLOAD_FIELD.test(only[0]) || !isObject(only[1]))
    return undefined;
  const target = resolveSchema(schemas, only[1]);
  return {
    name: only[0],
    item: isObject(target.items) ? resolveSchema(schemas, target.items) : target,
  };
}

interface EnvelopeContent {
  readonly name: string;
  readonly item: JsonSchema;
}

function listPhrase(
  name: string,
  item: JsonSchema,
  schemas: Schemas,
  most: number,
): string | undefined {
  const fields = keyFields(item, schemas).slice(0, most);
  return fields.length > 0 ? `${name} with ${joinWithAnd(fields)}` : undefined;
}

/** The one property that is a list of objects, in an object of few properties. */
function onlyList(schema: JsonSchema, schemas: Schemas): EnvelopeContent | undefined {
  const lists: EnvelopeContent[] = [];
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !PAGE_FIELD.test(name),
  );
  if (entries.length > 8) return undefined;
  for (const [name, property] of entries) {
    const target = isObject(property) ? resolveSchema(schemas, property) : undefined;
    if (target?.type === "array" && isObject(target.items))
      lists.push({ name, item: resolveSchema(schemas, target.items) });
  }
  return lists.length === 1 ? lists[0] : undefined;
}

function scalarSentence(schema: JsonSchema): string | undefined {
  const type = typesOf(schema).find((name) => name !== "null");
  return type === undefined || type === "object" || type === "array"
    ? undefined
    : `Returns ${type === "integer" ? "an" : "a"} ${type}.`;
}

/**
 * Up to six property names: telling ones first, then as the document orders them; nested objects
 * last.
 */
function keyFields(schema: JsonSchema, schemas: Schemas): string[] {
  const names = propertyNames(schema, schemas);
  const chosen = [...names.keys()]
    .filter((name) => rankOf(name) < KEY_FIELDS.length)
    .sort((a, b) => rankOf(a) - rankOf(b));
  for (const plain of [true, false]) {
    for (const [name, isPlain] of names) {
      if (chosen.length >= MAX_FIELDS) return chosen.slice(0, MAX_FIELDS);
      if (isPlain === plain && rankOf(name) === KEY_FIELDS.length && /^[\w.-]{1,40}$/.test(name))
        chosen.push(name);
    }
  }
  return chosen.slice(0, MAX_FIELDS);
}

/** Names of the properties that can be read, and whether each is a plain value. */
function propertyNames(schema: JsonSchema, schemas: Schemas, depth = 0): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const part of [
    schema,
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? schema.oneOf ?? []).slice(0, 1),
  ]) {
    if (!isObject(part)) continue;
    const target = resolveSchema(schemas, part);
    const { properties } = target;
    if (!properties && depth < 3 && part !== schema)
      for (const [name, isPlain] of propertyNames(target, schemas, depth + 1))
        found.set(name, isPlain);
    if (!isObject(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      if (!isObject(property)) found.set(name, true);
      else if (property.writeOnly !== true)
        found.set(name, !isCompound(resolveSchema(schemas, property)));
    }
  }
  return found;
}

function isCompound(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.includes("object") || types.includes("array");
}
