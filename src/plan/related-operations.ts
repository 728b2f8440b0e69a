/** Operations that belong together: the collection that several read, and methods of one path that do the same. */
import { isSameJson } from "../json.js";
import type { Operation } from "../model/types.js";
import type { ClassifiedOperation } from "./operations/types.js";
import { isPlural } from "../language/grammar.js";
import { endsInParameter } from "./operations/path.js";
import { splitWords } from "../language/words.js";
import { isConstant, objectFields } from "./schemas/flat-object.js";
import { resolveSchema, type Schemas } from "./schemas/refs.js";

/** Operations that read one collection: `/pets`, `/pets/search`, `/pets/{petId}`. */
export interface Collection {
  /** Path of the collection, without a trailing slash or file extension. */
  readonly path: string;
  /** Words of its last segment: `bank`, `accounts`. */
  readonly words: readonly string[];
  readonly list?: ClassifiedOperation;
  readonly searches: readonly ClassifiedOperation[];
  readonly get?: ClassifiedOperation;
}

interface CollectionRole {
  readonly path: string;
  readonly role: "list" | "search" | "get";
}

/**
 * Groups reading operations by the path of their collection, in document order. A collection
 * depends on its own operations alone, so a new path elsewhere changes no tool.
 */
export function collectionsOf(operations: readonly ClassifiedOperation[]): readonly Collection[] {
  const groups = new Map<
    string,
    { list?: ClassifiedOperation; gets: ClassifiedOperation[]; searches: ClassifiedOperation[] }
  >();
  for (const classified of operations) {
    const collection = collectionRole(classified);
    if (!collection) continue;
    const entry = groups.get(collection.path) ?? { gets: [], searches: [] };
    groups.set(collection.path, entry);
    if (collection.role === "search") entry.searches.push(classified);
    else if (collection.role === "list") entry.list ??= classified;
    else entry.gets.push(classified);
  }
  return [...groups].map(([path, { gets: getCandidates, ...entry }]) => {
    const get = primaryGet(getCandidates, entry.list);
    return {
      path,
      words: splitWords(path.slice(path.lastIndexOf("/") + 1)),
      ...entry,
      ...(get && { get }),
    };
  });
}

/**
 * Selects one of several gets (`/users/{id}`, `/users/{name}`): one with a tag of the list, else
 * the first in the document.
 */
function primaryGet(
  getCandidates: readonly ClassifiedOperation[],
  list: ClassifiedOperation | undefined,
): ClassifiedOperation | undefined {
  const tags = new Set(list?.operation.tags);
  return (
    getCandidates.find(({ operation }) => operation.tags.some((tag) => tags.has(tag))) ??
    getCandidates[0]
  );
}

/** Collection and role of a reading operation; undefined for all others. */
function collectionRole({
  operation,
  pathParts,
  kind,
}: ClassifiedOperation): CollectionRole | undefined {
  if (operation.method !== "GET" || operation.fixedQuery) return undefined;
  const path = operation.path.replace(/\/$/, "").replace(/\.(json|xml)$/i, "");
  const slash = path.lastIndexOf("/");
  const [parent, last] = [path.slice(0, slash), path.slice(slash + 1)];
  if (/^\{[^{}]+\}$/.test(last))
    return kind === "get" && endsInParameter(pathParts) && endsInWord(parent)
      ? { path: parent, role: "get" }
      : undefined;
  if (last.includes("{") || last.includes(":")) return undefined;
  const dot = last.lastIndexOf(".");
  if (dot > 0) return methodRole(`${parent}/${last.slice(0, dot)}`, last.slice(dot + 1), kind);
  if (isSearchPath(splitWords(last)))
    return endsInWord(parent) && kind !== "get" ? { path: parent, role: "search" } : undefined;
  return kind === "list" || isPlural(splitWords(last).at(-1) ?? "")
    ? { path, role: "list" }
    : undefined;
}

const METHOD_ROLES: Readonly<Record<string, CollectionRole["role"]>> = {
  list: "list",
  search: "search",
  info: "get",
  get: "get",
  show: "get",
  retrieve: "get",
};

/** `/users.list`, `/users.info`: methods of users. */
function methodRole(
  path: string,
  method: string,
  kind: ClassifiedOperation["kind"],
): CollectionRole | undefined {
  const role = Object.hasOwn(METHOD_ROLES, method.toLowerCase())
    ? METHOD_ROLES[method.toLowerCase()]
    : undefined;
  return role === undefined || (role === "get") !== (kind === "get") ? undefined : { path, role };
}

/** Tests whether the last segment is not a parameter. */
function endsInWord(path: string): boolean {
  return /\/[^/{}]+$/.test(path);
}

/** `search`, `findByStatus`, `find_by_tags`, `lookup`. */
function isSearchPath([first, second]: readonly string[]): boolean {
  return /^(search|query|lookup)$/.test(first ?? "") || (first === "find" && second === "by");
}

/** Words of the last segment that is not a parameter: the resource of the operation. */
export function collectionWords({ pathParts }: ClassifiedOperation): readonly string[] {
  const last = pathParts.findLast((part) => part.kind === "words");
  return last?.kind === "words" ? last.words : [];
}

/** Operations that another method or another spelling of their path replaces, by operation. */
export type MethodDuplicates = ReadonlyMap<ClassifiedOperation, ClassifiedOperation>;

/**
 * Finds operations that a document offers with and without a slash at the end of the path, at
 * several paths under numbered operationIds, by HEAD and by GET, and by GET or PUT and by POST: same
 * path, same words, same result, and inputs of which one method takes all. A GET replaces both if it
 * reads and takes them all, and so does a PUT, which can be repeated; else the POST does.
 */
export function findMethodDuplicates(
  operations: readonly ClassifiedOperation[],
  schemas: Schemas,
): MethodDuplicates {
  const posts = new Map(
    operations
      .filter(({ operation }) => operation.method === "POST")
      .map((classified) => [addressOf(classified.operation), classified]),
  );
  return new Map([
    ...slashTwins(operations),
    ...numberedTwins(operations),
    ...headTwins(operations, schemas),
    ...operations.flatMap((one) => {
      const canReplace = one.operation.method === "GET" || one.operation.method === "PUT";
      const post = canReplace ? posts.get(addressOf(one.operation)) : undefined;
      const pair = post && isSameTask(one, post) && chooseReplacement(one, post, schemas);
      return pair ? [pair] : [];
    }),
  ]);
}

/** Operations whose path and inputs differ from those of another one in a slash at the end alone. */
function slashTwins(
  operations: readonly ClassifiedOperation[],
): readonly (readonly [ClassifiedOperation, ClassifiedOperation])[] {
  const keyOf = (operation: Operation): string =>
    JSON.stringify([operation.path, inputKey(operation)]);
  const all = new Map(operations.map((one) => [keyOf(one.operation), one]));
  return operations.flatMap((one) => {
    const { operation } = one;
    if (!/[^/]\/$/.test(operation.path)) return [];
    const twin = all.get(keyOf({ ...operation, path: operation.path.slice(0, -1) }));
    return twin ? [[one, twin] as const] : [];
  });
}

/**
 * Further paths of one method (`additional_bindings` of gRPC gateways), with the same inputs and
 * texts: `ListLeases2` of `ListLeases`.
 */
function numberedTwins(
  operations: readonly ClassifiedOperation[],
): readonly (readonly [ClassifiedOperation, ClassifiedOperation])[] {
  const numbered = operations.filter(({ operation }) => NUMBERED.test(operation.operationId ?? ""));
  if (numbered.length === 0) return [];
  const all = new Map(operations.map((one) => [one.operation.operationId, one]));
  return numbered.flatMap((one) => {
    const twin = all.get(one.operation.operationId?.replace(/\d$/, ""));
    return twin && isSameMethod(one, twin) ? [[one, twin] as const] : [];
  });
}

const NUMBERED = /[a-z][2-9]$/i;

/**
 * HEADs whose GET tells the same and more (RFC 9110, section 9.3.2). Those of a file stay, because a
 * GET fetches it.
 */
function headTwins(
  operations: readonly ClassifiedOperation[],
  schemas: Schemas,
): readonly (readonly [ClassifiedOperation, ClassifiedOperation])[] {
  const heads = operations.filter(({ operation }) => operation.method === "HEAD");
  return heads.flatMap((head) => {
    const address = addressOf(head.operation);
    const get = operations.find(
      ({ operation }) => operation.method === "GET" && addressOf(operation) === address,
    );
    return get && tellsAll(get, head, schemas) ? [[head, get] as const] : [];
  });
}

/** Words in the text of a HEAD about facts that a GET would not show. */
const ABOUT_HEADERS = /\bheaders?\b|\bmeta(?:data| information)\b|\bmodified\b|\betag\b/i;

/** True if a GET takes the inputs of a HEAD, and returns its headers and at most JSON. */
function tellsAll(get: ClassifiedOperation, head: ClassifiedOperation, schemas: Schemas): boolean {
  const [one, other] = [get.operation, head.operation];
  const [ofGet, ofHead] = [inputsOf(one, schemas), inputsOf(other, schemas)];
  const headers = new Set(headerNames(one));
  const hasFile =
    get.jsonContents.length === 0 && one.responses.some(({ contents }) => contents[0]);
  return (
    !hasFile &&
    !ABOUT_HEADERS.test(`${other.summary} ${other.description}`) &&
    one.deprecated === other.deprecated &&
    isSameJson(one.security, other.security) &&
    isSameJson(one.servers, other.servers) &&
    headerNames(other).every((name) => headers.has(name)) &&
    ofGet !== undefined &&
    ofHead !== undefined &&
    standsFor(ofGet, ofHead)
  );
}

const headerNames = ({ responses }: Operation): readonly string[] =>
  responses.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase()));

function isSameMethod(numbered: ClassifiedOperation, twin: ClassifiedOperation): boolean {
  const [one, other] = [numbered.operation, twin.operation];
  return (
    one.summary === other.summary &&
    one.description === other.description &&
    (one.summary ?? one.description ?? "") !== "" &&
    isSameJson(one.security, other.security) &&
    isSameJson(one.servers, other.servers) &&
    inputKey(one) === inputKey(other) &&
    isSameJson(numbered.jsonContents[0]?.schema, twin.jsonContents[0]?.schema)
  );
}

/** All that a call can set, apart from fixed parts of the path. */
const inputKey = ({ method, parameters, body, deprecated, fixedQuery }: Operation): string =>
  JSON.stringify([
    [method, deprecated, fixedQuery],
    parameters.map(({ in: place, name, required }) => `${place} ${name} ${required}`),
    body?.contents.map(({ mediaType, schema }) => [mediaType, schema]),
  ]);

/** The operation that is left out, and the one that replaces it. */
function chooseReplacement(
  one: ClassifiedOperation,
  post: ClassifiedOperation,
  schemas: Schemas,
): readonly [ClassifiedOperation, ClassifiedOperation] | undefined {
  const [ofOne, ofPost] = [inputsOf(one.operation, schemas), inputsOf(post.operation, schemas)];
  if (!ofOne || !ofPost || !hasCommonInput(ofOne, ofPost)) return undefined;
  const isPreferred = one.effects.isReadOnly || one.operation.method === "PUT";
  if (isPreferred && standsFor(ofOne, ofPost)) return [post, one];
  return standsFor(ofPost, ofOne) ? [one, post] : undefined;
}

const addressOf = ({ path, fixedQuery = [] }: Operation): string =>
  `${path} ${JSON.stringify(fixedQuery)}`;

function isSameTask(get: ClassifiedOperation, post: ClassifiedOperation): boolean {
  const [one, other] = [get.operation, post.operation];
  return (
    one.deprecated === other.deprecated &&
    isSameJson(one.security, other.security) &&
    isSameJson(one.servers, other.servers) &&
    hasSameWords(get, post) &&
    isSameJson(get.jsonContents[0]?.schema, post.jsonContents[0]?.schema)
  );
}

/** Equal operationIds, except for the method at their end, or equal summaries with a verb. */
function hasSameWords(get: ClassifiedOperation, post: ClassifiedOperation): boolean {
  const [one, other] = [get.operation, post.operation];
  const summaries = compareTexts(one.summary, other.summary);
  const operationIds = compareTexts(withoutMethod(one), withoutMethod(other));
  if (summaries === false || operationIds === false) return false;
  return operationIds === true || (summaries === true && get.effects.mainAction !== undefined);
}

/** Undefined when one of the texts is absent. */
const compareTexts = (one: string | undefined, other: string | undefined): boolean | undefined =>
  one === undefined || other === undefined
    ? undefined
    : one.trim().toLowerCase() === other.trim().toLowerCase();

/** `createPadUsingPOST`, `create_pad_post` → `create pad`; undefined for a single word. */
function withoutMethod({ operationId, method }: Operation): string | undefined {
  if (operationId === undefined) return undefined;
  const words = [...splitWords(operationId)];
  if (words.at(-1) === method.toLowerCase()) words.pop();
  if (/^(?:using|via|by|with)$/.test(words.at(-1) ?? "")) words.pop();
  return words.length < 2 ? undefined : words.join(" ");
}

/** Inputs by name, and whether they are required. */
type Inputs = ReadonlyMap<string, boolean>;

/** Inputs of parameters and body; undefined when the fields of the body are unknown. */
function inputsOf({ parameters, body }: Operation, schemas: Schemas): Inputs | undefined {
  const inputs = new Map(
    parameters
      .filter(({ schema }) => !(schema && isConstant(schema, schemas)))
      .map(({ name, required }) => [name, required]),
  );
  if (!body) return inputs;
  const [content] = body.contents;
  const fields = content?.schema && objectFields(content.schema, schemas);
  if (!fields || !content?.schema) return undefined;
  const required = new Set(resolveSchema(schemas, content.schema).required);
  for (const name of fields.keys()) inputs.set(name, body.required && required.has(name));
  return inputs;
}

const hasCommonInput = (one: Inputs, other: Inputs): boolean =>
  one.size + other.size === 0 || [...one.keys()].some((name) => other.has(name));

/** Tests whether every call of the other operation is possible: all is taken, no more required. */
const standsFor = (one: Inputs, other: Inputs): boolean =>
  [...other.keys()].every((name) => one.has(name)) &&
  [...one].every(([name, required]) => !required || other.has(name));
