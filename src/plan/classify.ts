/** Operations with their inferred properties: kind, effects, path and contents. */
import { isObject, type JsonSchema, typesOf } from "../json.js";
import type { Content, Operation } from "../model/types.js";
import { decideEffects } from "./effects/decide.js";
import { isCreatedByRequest } from "./effects/phrases.js";
import type {
  Evidence,
  OperationEffects,
  ClassifiedOperation,
  OperationFacts,
  OperationKind,
  PathSegment,
} from "./operations/types.js";
import {
  isAdverb,
  isPlural,
  isReadingVerb,
  isUnambiguousVerb,
  isVerb,
  singularize,
  singularizeLast,
} from "../language/grammar.js";
import { NOISE_GROUPS, PLAIN_VERBS } from "../language/lexicon.js";
import { isObjectOfAction } from "./names/object-noun.js";
import { parseOperationId } from "./names/parse-operation-id.js";
import {
  endsInParameter,
  endsInTopic,
  parsePathTemplate,
  segmentWords,
} from "./operations/path.js";
import { pushTo } from "../groups.js";
import { wordIn } from "../language/patterns.js";
import { lettersOf, splitCompound, splitWords } from "../language/words.js";
import { COMPUTING_VERBS, effectOfVerb } from "../language/verb-effects.js";
import {
  fieldsOf,
  isIdentity,
  payloadOf,
  successJsonContents,
  successResponses,
} from "./outputs/payload.js";
import { resolveSchema, type Schemas } from "./schemas/refs.js";

/**
 * Classifies an operation by its method, path and success response.
 * @param sharedStart segments with which all paths of the document begin
 * @param ownPartOf removes from an operationId what those of the document share
 */
export function classifyOperation(
  operation: Operation,
  schemas: Schemas,
  sharedStart = "",
  ownPartOf = (operationId: string): string => operationId,
): ClassifiedOperation {
  const own = parsePathTemplate(operation.path.slice(sharedStart.length));
  const pathParts = splitCompounds(own, operation, schemas);
  const pathVerb = endsInVerb(pathParts, operation.method);
  const success = successResponses(operation.responses);
  const jsonContents = successJsonContents(success, schemas);
  const base: OperationFacts = {
    operation,
    pathParts,
    endsInVerb: pathVerb,
    successResponses: success,
    jsonContents,
  };
  const { operationId } = operation;
  const parsedId =
    operationId === undefined ? undefined : parseOperationId(ownPartOf(operationId), base);
  const facts = { ...base, ...(parsedId && { parsedId }) };
  const effects = decideEffects(facts, schemas);
  const isWritingGet = operation.method === "GET" && !effects.isReadOnly;
  const read = {
    ...facts,
    endsInVerb:
      (pathVerb &&
        !isObjectOfAction(segmentWords(pathParts, -1)[0], effects) &&
        !isReadObject(pathParts, effects) &&
        !isContradictedByRead(base, effects)) ||
      endsInComputation(facts, effects) ||
      (isWritingGet && endsInWritingVerb(effects)) ||
      endsInStatedVerb(facts, effects),
  };
  return { ...read, effects, kind: kindOf(isWritingGet ? facts : read, effects, schemas) };
}

function splitCompounds(
  pathParts: readonly PathSegment[],
  operation: Operation,
  schemas: Schemas,
): readonly PathSegment[] {
  return pathParts.map((part) => {
    const words =
      part.kind === "words" && part.words.length === 1
        ? wordsOfCompound(part.words[0] as string, operation, schemas)
        : undefined;
    return words ? ({ ...part, words } as PathSegment) : part;
  });
}

/**
 * Splits a word by the spelling of a tag, the summary or a schema: `downloadclient` by
 * `DownloadClient`, `teammembers` by "List team members". A word that the texts have as one stays.
 */
function wordsOfCompound(
  word: string,
  { tags, summary = "", description = "" }: Operation,
  schemas: Schemas,
): readonly string[] | undefined {
  const byTag = splitCompound(word, tags);
  if (byTag || isVerb(word)) return byTag;
  const bySummary = summary.length > MAX_LABEL ? undefined : splitCompound(word, [summary]);
  const compound = bySummary ?? compoundOfSchema(word, schemas);
  if (!compound || !isCompoundNoun(compound)) return undefined;
  const written = `${summary} ${description.slice(0, 300)}`.match(/\b[A-Za-z][a-z]*\b/g) ?? [];
  const isWord = written.some((one) => singularize(one.toLowerCase()) === singularize(word));
  return isWord ? undefined : compound;
}

/** False for `pay slips` and `spell check`, whose parts would be read as verbs, and for `api keys`. */
const isCompoundNoun = ([first = "", ...others]: readonly string[]): boolean =>
  !isVerb(first) && !NOISE_GROUPS.has(first) && !isVerb(others.at(-1));

/** Longer summaries are sentences. */
const MAX_LABEL = 60;

/** `orgunits` of the schema `OrgUnit` → org, units. */
function compoundOfSchema(word: string, schemas: Schemas): readonly string[] | undefined {
  const names = compoundNames(schemas).get(singularize(word));
  return names && splitCompound(word, names);
}

/** Names of schemas of several words, by their letters in the singular. */
function compoundNames(schemas: Schemas): ReadonlyMap<string, string[]> {
  const known = namesBySchemas.get(schemas);
  if (known) return known;
  const named = new Map<string, string[]>();
  for (const name of Object.keys(schemas))
    if (splitWords(name).length > 1) pushTo(named, singularize(lettersOf(name)), name);
  namesBySchemas.set(schemas, named);
  return named;
}

const namesBySchemas = new WeakMap<Schemas, ReadonlyMap<string, string[]>>();

/** `/write-permissions` of "Return the write permissions": what is read. */
function isReadObject(
  pathParts: readonly PathSegment[],
  { mainAction: action }: OperationEffects,
): boolean {
  const words = segmentWords(pathParts, -1);
  return action?.effect === "reads" && words.length > 1 && action.object.includes(words.join(" "));
}

/** `/tools/include_remote` of "List all tools": the texts of a GET read, and not with this verb. */
function isContradictedByRead(
  { operation: { method }, pathParts }: OperationFacts,
  { isReadOnly, mainAction: action }: OperationEffects,
): boolean {
  const [word = ""] = segmentWords(pathParts, -1);
  return (
    method === "GET" &&
    isReadOnly &&
    action !== undefined &&
    /^(?:get|list|retrieve|return)$/.test(action.verb) &&
    !isReadingVerb(word) &&
    effectOfVerb(word) !== "reads"
  );
}

/** `GET /skills/normalize`, `GET /phone/generate`: the verb of a computation ends the path. */
function endsInComputation(
  { operation, pathParts }: OperationFacts,
  { isReadOnly }: OperationEffects,
): boolean {
  const [word = "", second] = segmentWords(pathParts, -1);
  const isSafe = operation.method === "GET" && isReadOnly && !endsInTopic(pathParts);
  const computes = effectOfVerb(word) === "reads" || COMPUTING_VERBS.has(word);
  return (
    isSafe && pathParts.length > 1 && second === undefined && isUnambiguousVerb(word) && computes
  );
}

/** The path of a GET that writes ends in its verb: `/sms/send`. */
const endsInWritingVerb = ({ evidence }: OperationEffects): boolean =>
  evidence.some(({ source, effect }) => source === "path" && effect !== "reads");

/** `GET /auth/validate` of "Validate the credentials". */
function endsInStatedVerb(
  { pathParts }: OperationFacts,
  { mainAction }: OperationEffects,
): boolean {
  const words = segmentWords(pathParts, -1);
  return (
    pathParts.length > 1 &&
    words.length === 1 &&
    words[0] === mainAction?.verb &&
    isUnambiguousVerb(words[0])
  );
}

function kindOf(facts: OperationFacts, effects: OperationEffects, schemas: Schemas): OperationKind {
  const { operation, pathParts, endsInVerb: pathVerb } = facts;
  const last = pathParts.at(-1);
  if (
    last?.kind === "words" &&
    operation.method !== "DELETE" &&
    /^(search|query|lookup)$/.test(last.words[0] ?? "") &&
    last.words.length === 1
  )
    return "search";
  switch (operation.method) {
    case "GET":
      return kindOfRead(facts, schemas);
    case "HEAD":
    case "OPTIONS":
      return "get";
    case "QUERY":
      return "search";
    case "DELETE":
      return "delete";
    case "PATCH":
      return "update";
    case "PUT":
      if (!operation.body || pathVerb) return "action";
      return bodyRequiresFields(operation, schemas) ? "replace" : "update";
    case "POST":
      if (pathVerb) return "action";
      if (effects.isReadOnly) return kindOfRead(facts, schemas);
      if (isCall(facts, effects, schemas)) return "action";
      return endsInParameter(pathParts) ? kindOfPostToItem(effects) : "create";
    default:
      return "action";
  }
}

/**
 * `POST /company/overview`: nothing says what it does, the path names no collection, and the result
 * is not a new thing with an ID.
 */
function isCall(
  { pathParts, jsonContents }: OperationFacts,
  { evidence }: OperationEffects,
  schemas: Schemas,
): boolean {
  const noun = segmentWords(pathParts, -1).at(-1) ?? "";
  const isUnknown = evidence.some((one) => one.isUnknown);
  const isFixed = pathParts.every(({ kind }) => kind === "words");
  if (!isUnknown || isCreatedByRequest(noun) || isPlural(noun) || !isFixed) return false;
  if (NOUN_OF_ACTION.test(noun)) return true;
  const [content] = jsonContents;
  const fields = content?.schema
    ? [...fieldsOf(resolveSchema(schemas, content.schema), schemas).keys()]
    : [];
  return fields.length > 0 && !fields.some(isIdentity);
}

/** Nouns of actions and of the programs that perform them. */
const NOUN_OF_ACTION = wordIn(
  "analysis calculation classification conversion detection estimation evaluation extraction " +
    "generation moderation prediction recognition segmentation simulation translation validation " +
    "verification analyzer calculator checker converter generator translator validator",
);

const kindOfRead = (facts: OperationFacts, schemas: Schemas): OperationKind =>
  returnsList(facts, schemas) ? "list" : "get";

/** `POST /things/{id}` adds or updates only if the texts or names state it. */
function kindOfPostToItem({ evidence }: OperationEffects): OperationKind {
  const says = (effect: Evidence["effect"]): boolean =>
    evidence.some((one) => one.source !== "method" && one.effect === effect);
  if (says("changes")) return "update";
  return says("adds") ? "create" : "action";
}

/** Tests whether the body of a PUT has required fields. A PUT of optional fields is an update. */
function bodyRequiresFields({ body }: Operation, schemas: Schemas): boolean {
  return (body?.contents ?? []).some(({ schema }) => {
    const target = schema && resolveSchema(schemas, schema);
    return target === undefined || target.type !== "object" || (target.required ?? []).length > 0;
  });
}

/** A weak verb counts if the method writes, or if the verb reads. */
function endsInVerb(pathParts: readonly PathSegment[], method: string): boolean {
  const last = pathParts.at(-1);
  if (last?.kind !== "words" || pathParts.length < 2) return false;
  if (method === "GET" && endsInTopic(pathParts)) return false;
  const word = last.words[0];
  if (
    last.words.length === 1 &&
    (word === "find" || PLAIN_VERBS.has(word as string)) &&
    pathParts.at(-2)?.kind === "words"
  )
    return true;
  // `/recipes/bulk_destroy`
  if (isAdverb(word)) return isUnambiguousVerb(last.words[1]) && last.words.length === 2;
  if (method === "GET" || method === "HEAD" || method === "DELETE")
    return (
      (method !== "DELETE" && isReadingVerb(word)) ||
      (isUnambiguousVerb(word) && last.words.length > 1)
    );
  return isVerb(word) && !isCollectionName(last.words);
}

/**
 * `/comments` and `/upload_sessions` are collections, though their first word can be a verb.
 * `/add-labels` is not. A login link does not log in.
 */
function isCollectionName(words: readonly string[]): boolean {
  return (
    isPlural(words.at(-1) as string) &&
    (words.length === 1 || !isUnambiguousVerb(words[0]) || /^(login|logout)$/.test(words[0] ?? ""))
  );
}

function returnsList(
  { jsonContents, successResponses: success, pathParts }: OperationFacts,
  schemas: Schemas,
): boolean {
  const [content] = jsonContents;
  const isFile = !content && success.some(({ contents }) => contents.some(isFileContent));
  if (isFile) return false;
  if (!content?.schema) return !endsInParameter(pathParts) && endsInPlural(pathParts);
  const schema = resolveSchema(schemas, content.schema);
  if (typesOf(schema).includes("array")) return true;
  if (endsInParameter(pathParts)) return false;
  const noun = singularizeLast(segmentWords(pathParts, -1)).join("");
  return (
    hasListField(schema, schemas) ||
    (isCollectionPath(pathParts) && payloadOf(schema, schemas, noun).isList)
  );
}

const isFileContent = ({ mediaType }: Content): boolean =>
  /^(?:text\/plain|audio|image|video)|octet-stream|raw-stream|pdf|zip/.test(mediaType);

function endsInPlural(pathParts: readonly PathSegment[]): boolean {
  const last = pathParts.at(-1);
  return (
    last?.kind === "words" &&
    (isPlural(last.words.at(-1) as string) ||
      (last.text.includes(".") && last.words.at(-1) === "list"))
  );
}

const LIST_FIELD =
  /^(items|data|results?|records|entries|values|list|content|rows|hits|elements|edges|nodes|docs|resources|objects)$/i;

/** `/pets`, and the root of an API. */
const isCollectionPath = (pathParts: readonly PathSegment[]): boolean =>
  pathParts.length === 0 || endsInPlural(pathParts);

/** Tests whether an object is an envelope: it has an array named like a list. */
function hasListField(schema: JsonSchema, schemas: Schemas): boolean {
  return Object.entries(schema.properties ?? {}).some(
    ([name, property]) =>
      LIST_FIELD.test(name) &&
      isObject(property) &&
      typesOf(resolveSchema(schemas, property)).includes("array"),
  );
}
