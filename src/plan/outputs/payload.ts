import { isObject, type JsonSchema, typesOf } from "../../json.js";
import type { Content, Response } from "../../model/types.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { memoizeBySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { anyOfPatterns, memoize } from "../../language/patterns.js";

/** Content of a response inside its envelopes. */
export interface Payload {
  /** Names of the fields that lead to it. Empty for the response itself. */
  readonly path: readonly string[];
  /** Resolved schema of the content; of one item if the content is a list. */
  readonly schema: JsonSchema;
  readonly isList: boolean;
  /** Fields next to it that describe it: `total`. */
  readonly others: readonly string[];
}

/** Maximum number of envelopes around each other. */
const MAX_ENVELOPES = 3;
/** Maximum number of fields of an envelope, and of fields next to a list without a known name. */
const [MAX_FIELDS, MAX_BESIDE_LIST] = [8, 1];

/** Fields about paging. */
const PAGE_FIELD_NAMES = anyOfPatterns(
  /(?:first|next|prev|previous|last|current|total)?_?pages?(?:_?(?:ur[il]|token|size|info|number|count))?/,
  /next|prev|previous|offset|skip|take|limit|per_?page|(?:(?:next|prev|previous)_?)?(?:cursor|marker)/,
  /(?:next_?)?page_?token/,
  /response_metadata|pagination|paging|has_?more|more|@odata\..*/,
);
const PAGE_FIELD = new RegExp(`^(?:${PAGE_FIELD_NAMES})$`, "i");
/** Fields about the response itself. */
const SELF_FIELD =
  /^(?:ur[il]|href|links?|_links|object|ok|meta|metadata|kind|etag|included|request_?id|first|last|self|start|end)$/i;

/** Fields with the content of an envelope, of any kind. */
const CONTENT_FIELD = new RegExp(
  "^(?:data|results?|payload|response|items|content|value|records|_embedded|entries|rows|hits)$",
  "i",
);
/** Fields about the outcome of the call. */
const STATUS_FIELD_NAMES = anyOfPatterns(
  /errors?|warnings?|success|status|(?:status|result|http|return)_?(?:code|status)/,
  /code|messages?|msg|err(?:or)?_?(?:code|message|description|msg|info|no)|date_?time|timestamp/,
);
const STATUS_FIELD = new RegExp(`^(?:${STATUS_FIELD_NAMES})$`, "i");
/** Those of them that resources do not have. */
const OUTCOME_FIELD = /^(?:ok|success|errors?|msg|err(?:or)?_?(?:code|message|msg|no))$/i;
/** Fields of an object about the outcome. */
const PROBLEM_FIELD =
  /^(?:code|message|msg|details?|type|title|field|source|status|parameters?|level|text|reason)$/i;
/** Fields of a resource. An object that has one is not an envelope. */
const IDENTITY_FIELD = /^_?(?:id|uuid|guid|gid|sid|key|name|title|slug)$/i;

/** True for fields that identify a resource. */
export const isIdentity = (name: string): boolean => IDENTITY_FIELD.test(name);

/** True for names of fields for any content: `data`, `items`. */
export const isContentName = (name: string): boolean => CONTENT_FIELD.test(name);

/**
 * True for fields about pages and about the outcome of the call. A `message` is one, next to
 * `success` or `data`.
 */
export function isAboutCall(name: string, names: readonly string[]): boolean {
  if (PAGE_FIELD.test(name) || OUTCOME_FIELD.test(name)) return true;
  return (
    /^(?:code|messages?)$/i.test(name) &&
    names.some((other) => OUTCOME_FIELD.test(other) || isContentName(other))
  );
}

/**
 * Finds the content of a response: `{ok, data: {pets: […]}}` → items of `data.pets`.
 * @param noun resource of the operation, which distinguishes fields
 */
export function payloadOf(schema: JsonSchema, schemas: Schemas, noun = ""): Payload {
  const known = payloadsByNoun(schema, schemas);
  const payload = known.get(noun) ?? findPayload(schema, schemas, noun);
  known.set(noun, payload);
  return payload;
}

const payloadsByNoun = memoizeBySchema(() => new Map<string, Payload>());

function findPayload(schema: JsonSchema, schemas: Schemas, noun: string): Payload {
  let payload = step({ path: [], others: [] }, schema, schemas);
  for (let depth = 0; depth < MAX_ENVELOPES && !payload.isList; depth++) {
    const inner = unwrap(payload, noun, schemas);
    if (!inner) break;
    payload = inner;
  }
  return payload;
}

function step(
  { path, others }: Pick<Payload, "path" | "others">,
  schema: unknown,
  schemas: Schemas,
): Payload {
  const target = isObject(schema) ? resolveSchema(schemas, schema as JsonSchema) : {};
  if (!isObject(target.items)) return { path, others, schema: target, isList: false };
  const item = resolveSchema(schemas, target.items as JsonSchema);
  return { path, others, schema: item, isList: true };
}

/** Content of an object that is an envelope; undefined for a resource. */
function unwrap(
  { path, schema, others }: Payload,
  noun: string,
  schemas: Schemas,
): Payload | undefined {
  const fields = fieldsOf(schema, schemas);
  const names = withoutStatus(
    [...fields.keys()].filter(
      (name) => isNamed(name, noun) || isInformative(name, fields, schemas),
    ),
    (name) => isContainer(fields.get(name), schemas),
  );
  if (names.some(isIdentity)) return undefined;
  const name =
    names.length === 0
      ? onlyObject(fields, schemas)
      : contentField(path.length > 0, names, noun, fields, schemas);
  if (name === undefined) return undefined;
  const beside = names.filter((other) => other !== name);
  return step({ path: [...path, name], others: [...others, ...beside] }, fields.get(name), schemas);
}

/** `{status, error, meta: {…}}`: the object in a response that otherwise has only links. */
function onlyObject(fields: ReadonlyMap<string, unknown>, schemas: Schemas): string | undefined {
  const [only, ...others] = [...fields].filter(
    ([name, field]) =>
      !PAGE_FIELD.test(name) &&
      !STATUS_FIELD.test(name) &&
      !/links?$/i.test(name) &&
      isContainer(field, schemas),
  );
  return others.length === 0 ? only?.[0] : undefined;
}

/**
 * The field named like the resource, the list `data`, a list next to at most one object, or the
 * only object.
 * @param isInside the object is inside an envelope
 */
function contentField(
  isInside: boolean,
  names: readonly string[],
  noun: string,
  fields: ReadonlyMap<string, unknown>,
  schemas: Schemas,
): string | undefined {
  const isList = (name: string): boolean => step(EMPTY, fields.get(name), schemas).isList;
  const containers = names.filter((name) => isContainer(fields.get(name), schemas));
  const own = containers.filter((name) => isNamed(name, noun));
  if (own.length === 1 && names.length <= MAX_FIELDS) return own[0];
  const [known, ...otherKnown] = containers.filter(
    (name) => isContentName(name) && (isList(name) || containers.length === 1),
  );
  const beside = names.filter(
    (name) =>
      !containers.includes(name) &&
      (!isNumeric(fields.get(name), schemas) || /[a-z]_?id$/i.test(name)),
  );
  // `data` with `orderId`, `customer` and `items` is an order.
  const isResource = isInside && beside.length > MAX_BESIDE_LIST;
  if (known !== undefined && otherKnown.length === 0 && !isResource) return known;
  if (names.length > MAX_FIELDS || containers.length > 2) return undefined;
  const [list, ...otherLists] = containers.filter(isList);
  if (list === undefined) return names.length === 1 ? containers[0] : undefined;
  return otherLists.length === 0 && beside.length <= MAX_BESIDE_LIST ? list : undefined;
}

/** Counts and times do not describe the kind of an object. */
const isNumeric = (schema: unknown, schemas: Schemas): boolean =>
  typesOf(step(EMPTY, schema, schemas).schema).some((type) => /^(?:integer|number)$/.test(type));

/**
 * Drops `warnings` and `messages` next to another container, because they are not the content then.
 */
function withoutStatus(
  names: readonly string[],
  isFilled: (name: string) => boolean,
): readonly string[] {
  const isContent = (name: string): boolean => !STATUS_FIELD.test(name);
  return names.some((name) => isContent(name) && isFilled(name)) ? names.filter(isContent) : names;
}

const nounOfField = memoize((name) => singularizeLast(splitWords(name)).join(""));
const isNamed = (name: string, noun: string): boolean => noun !== "" && nounOfField(name) === noun;

const EMPTY = { path: [], others: [] };

/** `message` and `status` can be resources, if they have fields. `errors` cannot. */
function isInformative(
  name: string,
  fields: ReadonlyMap<string, unknown>,
  schemas: Schemas,
): boolean {
  if (PAGE_FIELD.test(name) || SELF_FIELD.test(name)) return false;
  if (!STATUS_FIELD.test(name)) return true;
  const inner = [...fieldsOf(step(EMPTY, fields.get(name), schemas).schema, schemas).keys()];
  return !OUTCOME_FIELD.test(name) && inner.some((field) => !PROBLEM_FIELD.test(field));
}

/** True for objects with fields, and for lists of them. */
function isContainer(schema: unknown, schemas: Schemas): boolean {
  const { schema: target, isList } = step(EMPTY, schema, schemas);
  if (fieldsOf(target, schemas).size > 0) return true;
  return isList && typesOf(target).includes("object");
}

/** Readable fields of an object, with those of its parts and of its first alternative. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas): ReadonlyMap<string, unknown> {
  const fields = fieldsBySchema.get(schema) ?? readFields(schema, schemas, 0);
  if (fields !== NO_FIELDS) fieldsBySchema.set(schema, fields);
  return fields;
}

/** Results by schema, because every envelope and description above a schema reads its fields. */
const fieldsBySchema = new WeakMap<JsonSchema, ReadonlyMap<string, unknown>>();
const NO_FIELDS: ReadonlyMap<string, unknown> = new Map();

function readFields(
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): ReadonlyMap<string, unknown> {
  const { properties, allOf = [], anyOf, oneOf } = schema;
  const parts = depth > 3 ? [] : [...allOf, ...(anyOf ?? oneOf ?? []).slice(0, 1)].filter(isObject);
  if (properties === undefined && parts.length === 0) return NO_FIELDS;
  return new Map([
    ...Object.entries(properties ?? {}).filter(
      ([, property]) => !isObject(property) || property["writeOnly"] !== true,
    ),
    ...parts.flatMap((part) => [
      ...readFields(resolveSchema(schemas, part as JsonSchema), schemas, depth + 1),
    ]),
  ]);
}

/**
 * Success responses: `200`…`299`, else `2XX`, else `default` if there is no other success response.
 */
export function successResponses(responses: readonly Response[]): readonly Response[] {
  const numbered = responses.filter((response) => response.status.startsWith("2"));
  // `2XX` sorts after every number.
  if (numbered.length > 0) return numbered.length === 1 ? numbered : numbered.sort(compareStatus);
  return responses.filter((response) => response.status === "default");
}

function compareStatus(a: Response, b: Response): number {
  if (a.status === b.status) return 0;
  return a.status < b.status ? -1 : 1;
}

/**
 * True for `application/json`, `application/problem+json` and `text/json`, and for wildcards,
 * because nearly every API uses them for JSON.
 */
export function isJsonMediaType(mediaType: string): boolean {
  if (mediaType === "application/json") return true;
  return (
    /^(application|text)\/json\b/.test(mediaType) ||
    /^[^;]*\+json\b/.test(mediaType) ||
    /^(\*|application)\/\*/.test(mediaType)
  );
}

const SEQUENTIAL_TYPES = [
  /^text\/event-stream\b/,
  /^[^/;]+\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)\b/,
  /^[^;]*[/+]json-seq\b/,
];

/**
 * True for a sequence of JSON values: lines, records or events (OpenAPI 3.2, "Sequential Media
 * Types").
 */
function isSequentialMediaType(mediaType: string): boolean {
  return SEQUENTIAL_TYPES.some((pattern) => pattern.test(mediaType));
}

/**
 * JSON contents of success responses, one per response. Plain JSON takes precedence over JSON
 * dialects and sequences. Bytes are not JSON, whatever media type a document gives to all
 * responses.
 */
export function successJsonContents(
  success: readonly Response[],
  schemas: Schemas,
): readonly Content[] {
  return success.flatMap(({ contents: declared }) => {
    const contents = declared.filter(({ schema }) => !schema || !isBytes(schema, schemas));
    const json = contents.find(({ mediaType }) => mediaType === "application/json");
    if (json || contents.length === 0) return json ?? [];
    const complete = contents.filter(
      (content) => isJsonMediaType(content.mediaType) && !isSequentialMediaType(content.mediaType),
    );
    if (complete[0]) return complete[0];
    return contents.flatMap((content) => sequenceAsList(content, schemas) ?? [])[0] ?? [];
  });
}

/** True for a string of bytes: a file. */
function isBytes(schema: JsonSchema, schemas: Schemas): boolean {
  const { type, format } = resolveSchema(schemas, schema);
  return type === "string" && format === "binary";
}

/**
 * A sequence as the list that the runtime reads. Up to OpenAPI 3.1, documents describe either one
 * line or the list. Schemas of events mostly describe only their data, which is not enough to read
 * them.
 */
function sequenceAsList(content: Content, schemas: Schemas): Content | undefined {
  if (!content.schema || !isSequentialMediaType(content.mediaType)) return undefined;
  const schema = resolveSchema(schemas, content.schema);
  const types = typesOf(schema);
  // A string is the text of all lines, not of each one.
  const line = types.length === 1 && types[0] === "string" ? {} : content.schema;
  const list = types.includes("array") ? content.schema : { type: "array", items: line };
  const items = resolveSchema(schemas, list).items;
  if (!content.mediaType.startsWith("text/")) return { ...content, schema: list };
  const event = isObject(items) ? resolveSchema(schemas, items as JsonSchema) : {};
  return event.properties && Object.hasOwn(event.properties, "data") && list === content.schema
    ? content
    : undefined;
}
