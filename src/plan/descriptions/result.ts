import { isObject, type JsonSchema } from "../../json.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import { memoize } from "../memoize.js";
import { anyOfPatterns } from "../text/patterns.js";
import { joinWithAnd } from "../text/sentences.js";

const MAX_FIELDS = 6;
/** Fields that identify a resource or state its condition. They are named first. */
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
/** Rank of a field; `Id`, `created_at` and `createdAt` count as their snake_case names. */
const rankOf = memoize(
  (name) => RANK.get(name.replaceAll("_", "").toLowerCase()) ?? KEY_FIELDS.length,
);

/** Fields about paging, which need no description. */
const PAGE_FIELD_NAMES = anyOfPatterns(
  /(?:first|next|prev|previous|last|current)?_?pages?(?:_?(?:ur[il]|token|size|info|number|count))?/,
  /next|prev|previous|first|last|self|start|end|offset|limit|per_?page|(?:next_?)?cursor/,
  /uri|url|href|links?|_links|object|ok|meta|metadata|response_metadata|pagination|paging/,
  /has_?more|more|kind|etag/,
);
const PAGE_FIELD = new RegExp(`^(?:${PAGE_FIELD_NAMES})$`, "i");

/** Fields that hold the payload when the fields beside them only report the outcome of the call. */
const PAYLOAD_FIELD = /^(?:data|results?|payload)$/i;
const STATUS_FIELD_NAMES = anyOfPatterns(
  /errors?|warnings?|success|status|(?:status|result|http)_?(?:code|status)/,
  /code|message|msg|err(?:or)?_?(?:code|message|description|msg|info|no)/,
);
const STATUS_FIELD = new RegExp(`^(?:${STATUS_FIELD_NAMES})$`, "i");

/**
 * Creates a function that writes `Returns items with id, name and status.`, or undefined when the
 * schema has no fields. Named schemas are described once.
 */
export function createResultDescriber(
  schemas: Schemas,
): (output: OutputPlan) => string | undefined {
  const items = new Map<JsonSchema, string>();
  const objects = new Map<JsonSchema, string>();
  return ({ responseSchema, wrap }) => {
    const schema = resolveSchema(schemas, responseSchema);
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
  cache: Map<JsonSchema, string>,
  schema: JsonSchema,
  write: () => string,
): string {
  const text = cache.get(schema) ?? write();
  cache.set(schema, text);
  return text;
}

/** Lists the fields of an object, or of the content of an envelope. */
function objectSentence(schema: JsonSchema, schemas: Schemas): string {
  const fields = keyFields(schema, schemas);
  const payload = onlyPayload(schema, schemas);
  const content = payload ?? onlyList(schema, schemas) ?? onlyObject(schema, schemas);
  const phrase = content && listPhrase(content.name, content.item, schemas, MAX_FIELDS - 2);
  if (!content || !phrase) return fields.length > 0 ? `Returns ${joinWithAnd(fields)}.` : "";
  const isInformative = (name: string): boolean =>
    name !== content.name && !PAGE_FIELD.test(name) && !(payload && STATUS_FIELD.test(name));
  return `Returns ${[phrase, ...fields.filter(isInformative).slice(0, 2)].join("; ")}.`;
}

/** `{incident: {…}}`, `{ok: true, user: {…}}`: the only object in an envelope. */
function onlyObject(schema: JsonSchema, schemas: Schemas): EnvelopeContent | undefined {
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !PAGE_FIELD.test(name),
  );
  const [entry] = entries;
  if (entries.length !== 1 || !entry || !isObject(entry[1])) return undefined;
  const item = resolveSchema(schemas, entry[1]);
  return typesOf(item).includes("array") ? undefined : { name: entry[0], item };
}

/** `{code, message, data}`: the payload beside status fields. */
function onlyPayload(schema: JsonSchema, schemas: Schemas): EnvelopeContent | undefined {
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !PAGE_FIELD.test(name) && !STATUS_FIELD.test(name),
  );
  const [entry] = entries;
  if (entries.length !== 1 || !entry || !PAYLOAD_FIELD.test(entry[0]) || !isObject(entry[1]))
    return undefined;
  const target = resolveSchema(schemas, entry[1]);
  return {
    name: entry[0],
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
  maxFields: number,
): string | undefined {
  const fields = keyFields(item, schemas).slice(0, maxFields);
  return fields.length > 0 ? `${name} with ${joinWithAnd(fields)}` : undefined;
}

/** The only property that is a list of objects, in an object of few properties. */
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
 * Up to six property names: key fields first, then plain values in document order, then nested
 * objects.
 */
function keyFields(schema: JsonSchema, schemas: Schemas): string[] {
  const names = propertyNames(schema, schemas);
  const chosen = [...names.keys()]
    .filter((name) => rankOf(name) < KEY_FIELDS.length)
    .sort((a, b) => rankOf(a) - rankOf(b));
  for (const wantsPlain of [true, false]) {
    for (const [name, isPlain] of names) {
      if (chosen.length >= MAX_FIELDS) return chosen.slice(0, MAX_FIELDS);
      if (
        isPlain === wantsPlain &&
        rankOf(name) === KEY_FIELDS.length &&
        /^[\w.-]{1,40}$/.test(name)
      )
        chosen.push(name);
    }
  }
  return chosen.slice(0, MAX_FIELDS);
}

/** Readable properties, and whether each is a plain value. */
function propertyNames(schema: JsonSchema, schemas: Schemas, depth = 0): Map<string, boolean> {
  const readable = new Map<string, boolean>();
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
        readable.set(name, isPlain);
    if (!isObject(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      if (!isObject(property)) readable.set(name, true);
      else if (property.writeOnly !== true)
        readable.set(name, !isCompound(resolveSchema(schemas, property)));
    }
  }
  return readable;
}

function isCompound(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.includes("object") || types.includes("array");
}
