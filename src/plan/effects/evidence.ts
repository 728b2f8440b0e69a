/** Statements of the texts about an operation, as evidence of its effect. */
import { typesOf } from "../../json.js";
import { anyOfPatterns } from "../../language/patterns.js";
import type { Content } from "../../model/types.js";
import type {
  OperationFacts,
  PathSegment,
  Action,
  Effect,
  EvidenceSource,
} from "../operations/types.js";
import { stripLeadingIdentifier } from "../../language/preamble.js";
import { isAmbiguousVerb, isPlural, isUnambiguousVerb } from "../../language/grammar.js";
import { CONNECTIVES } from "../../language/lexicon.js";
import { endsInTopic, pathHasCollection, segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { flattenMarkdown } from "../text/markdown.js";
import { FREE_CODE_FIELD, FREE_CODE_PATH, FREE_CODE_TEXT, RECORDED_ACTIVITY } from "./phrases.js";
import {
  firstStatements,
  furtherStatements,
  NOUN_HEAD,
  sentencesOf,
  statementsOf,
} from "./statements.js";
import { refineByObject } from "./verb-rules.js";
import { COMPUTING_VERBS, effectOfVerb, isPureRead } from "../../language/verb-effects.js";

/** A statement and the part of the document that makes it. */
export interface SourcedStatement extends Action {
  readonly source: EvidenceSource;
}

/** Statements about one operation. */
export interface OperationStatements {
  /** The method is safe (RFC 9110, section 9.2.1). */
  readonly isSafe: boolean;
  /** Of summary and description, the main one first. */
  readonly stated: readonly SourcedStatement[];
  /** Of operationId and path. */
  readonly named: readonly SourcedStatement[];
  /** Sentences of summary and description in lower case. */
  readonly sentences: readonly string[];
}

/** Collects the statements of the texts, the operationId and the path. */
export function collectStatements(facts: OperationFacts): OperationStatements {
  const { method, summary = "", description = "", operationId } = facts.operation;
  const isSafe = /^(?:GET|HEAD|OPTIONS|QUERY)$/.test(method);
  const plain = (text: string): string =>
    stripLeadingIdentifier(flattenMarkdown(text), operationId);
  const title = plain(summary);
  const sentences = sentencesOf(plain(description));
  const from =
    (source: EvidenceSource) =>
    (statement: Action): SourcedStatement =>
      refineByObject({ ...statement, source }, isSafe);
  const texts: TextStatements = {
    title: statementsOf(title, isSafe).map(from("summary")),
    opening: firstStatements(sentences[0] ?? "", isSafe).map(from("description")),
    further: sentences.slice(1).flatMap(furtherStatements).map(from("description")),
  };
  const stated = isSafe ? countedOnSafeMethod(texts) : countedOnUnsafeMethod(texts);
  // `/remove-token` of "Create a remove token" is a noun.
  const isNoun = ({ verb, object }: Action): boolean =>
    object !== "" && (stated[0]?.object ?? "").includes(`${verb} ${object}`);
  return {
    isSafe,
    stated,
    named: [
      ...statementsOfOperationId(facts, isSafe)
        .map(from("operationId"))
        .filter((one) => !isContradictedNoun(one, stated, facts)),
      ...statementsOfPath(facts, isSafe)
        .filter((one) => !isNoun(one))
        .map(from("path")),
    ],
    sentences: [...(title === "" ? [title] : sentencesOf(title)), ...sentences].map((text) =>
      text.toLowerCase(),
    ),
  };
}

/** Statements by the sentences that make them. */
interface TextStatements {
  /** Of the summary. */
  readonly title: readonly SourcedStatement[];
  /** Of the first sentence of the description. */
  readonly opening: readonly SourcedStatement[];
  readonly further: readonly SourcedStatement[];
}

/** `quote` of `quoteShipmentEstimation`, where all texts read and the path does not end in it. */
const isContradictedNoun = (
  { verb, effect }: Action,
  stated: readonly Action[],
  { pathParts }: OperationFacts,
): boolean =>
  effect !== "reads" &&
  isAmbiguousVerb(verb) &&
  stated.length > 0 &&
  stated.every(isRead) &&
  !segmentWords(pathParts, -1).includes(verb);

const isRead = ({ effect }: Action): boolean => effect === "reads";

/**
 * Of a safe method, only the first text that states an action states a write. Later sentences speak
 * of the meaning of the result, of parameters and of other operations: `This endpoint accepts …`.
 */
function countedOnSafeMethod({
  title,
  opening,
  further,
}: TextStatements): readonly SourcedStatement[] {
  const texts = [title, opening, further];
  const first = texts.find(({ length }) => length > 0);
  return texts.flatMap((text) => (text === first ? text : text.filter(isRead)));
}

/** `Resolve IDs to names` below the summary "Get names" describes the computation of the result. */
const countedOnUnsafeMethod = ({
  title,
  opening,
  further,
}: TextStatements): readonly SourcedStatement[] => {
  const isReading = title.length > 0 && title.every(({ verb }) => isPureRead(verb));
  const counts = ({ verb, effect }: Action): boolean =>
    !isReading || effect !== "changes" || !COMPUTING_VERBS.has(verb);
  return [...title, ...[...opening, ...further].filter(counts)];
};

/** Verb of the operationId, unless it is only the method. */
function statementsOfOperationId(
  { operation: { method, operationId = "" }, parsedId: parsed, pathParts }: OperationFacts,
  isSafe: boolean,
): readonly Action[] {
  if (!parsed || QUESTION.test(splitWords(operationId)[0] ?? "")) return [];
  // `patch.one` of `GET /patches/{id}`.
  if (isSafe && pathHasCollection(pathParts, parsed.verb[0] ?? "")) return [];
  // `settings_update` of `GET /settings/update`.
  if (
    isSafe &&
    endsInTopic(pathParts) &&
    segmentWords(pathParts, -1).join("_") === parsed.verb.join("_")
  )
    return [];
  const verbs = new Set([parsed.verb.join("_"), ...parsed.verb]);
  verbs.delete(method.toLowerCase());
  return [...verbs].flatMap((verb) => statementOf(verb, [...parsed.rest, ...parsed.group]));
}

/** First words of questions: `canMoveSubTask`. */
const QUESTION = /^(?:are|can|has|have|is|should)$/;

/** Verb at the end of the path, and of constant query parameters: `?action=delete`. */
function statementsOfPath(
  { pathParts, endsInVerb, operation }: OperationFacts,
  isSafe: boolean,
): readonly Action[] {
  const isVerbal = isSafe ? endsInVerbOfGet(pathParts) : endsInVerb || isRemoteCall(pathParts);
  const phrases = [
    ...(isVerbal ? [segmentWords(pathParts, -1)] : []),
    ...(operation.fixedQuery ?? []).map(([name, value]) => splitWords(value || name)),
  ];
  return phrases.flatMap(([first = "", second = "", ...rest]) => {
    const phrasal = statementOf(`${first}_${second}`, rest);
    return phrasal.length > 0 ? phrasal : statementOf(first, [second, ...rest]);
  });
}

function statementOf(verb: string, object: readonly string[]): readonly Action[] {
  // `endUserLicense`, `endDate`: a noun.
  const isNoun = verb === "end" && /^(?:customer|date|point|time|user)s?$/.test(object[0] ?? "");
  const effect: Effect | undefined = isNoun ? undefined : effectOfVerb(verb);
  return effect === undefined ? [] : [{ verb, effect, object: object.join(" ").trim() }];
}

/** Verbs that are adjectives or nouns at the end of a path: `/tasks/open`. */
const NO_VERB_OF_GET =
  /^(?:open|close|complete|clear|clean|empty|select|duplicate|set|place|commit|dispute|invite|leave|patch|split)$/;

/** `/logout`, `/deletePad`, `/users.delete` of a GET. */
function endsInVerbOfGet(pathParts: readonly PathSegment[]): boolean {
  const [first = "", second] = segmentWords(pathParts, -1);
  if (NO_VERB_OF_GET.test(first) || endsInTopic(pathParts)) return false;
  return second === undefined ? isUnambiguousVerb(first) : isRemoteCall(pathParts);
}

/** `/listTargets`, `/copyPad`: the segment has the form of a function name. `/orderDetails` is a noun. */
function isRemoteCall(pathParts: readonly PathSegment[]): boolean {
  const last = pathParts.at(-1);
  if (
    last?.kind !== "words" ||
    !/[a-z][A-Z]|\.(?!(?:csv|docx?|geojson|gz|html?|ics|jpe?g|json|kml|p12|pdf|php|png|rss|svc|svg|tsv|txt|xlsx?|xml|ya?ml|zip)$)/.test(
      last.text,
    )
  )
    return false;
  const [first = ""] = last.words;
  return (
    isUnambiguousVerb(first) || (isAmbiguousVerb(first) && !NOUN_HEAD.test(headOf(last.words)))
  );
}

/** `pad` of `copy pad without history`: the last word before a connective. */
function headOf(words: readonly string[]): string {
  const end = words.findIndex((word) => CONNECTIVES.has(word));
  return words[(end > 1 ? end : words.length) - 1] ?? "";
}

/**
 * Tests whether the request contains code of any effect: SQL, GraphQL, a script. A field `query`
 * contains code if its description states it.
 */
export function sendsCode({ operation }: OperationFacts, schemas: Schemas): boolean {
  if (FREE_CODE_PATH.test(operation.path)) return true;
  const fields = (operation.body?.contents ?? []).flatMap(({ schema }) =>
    Object.entries((schema && resolveSchema(schemas, schema).properties) ?? {}),
  );
  const parameters = operation.parameters.map((parameter) => [parameter.name, parameter] as const);
  return [...fields, ...parameters].some(([name, field]) => {
    if (FREE_CODE_FIELD.test(name)) return true;
    const { description } = field as { readonly description?: unknown };
    return /^(?:q|query|queries)$/i.test(name) && FREE_CODE_TEXT.test(String(description));
  });
}

/** Fields of started jobs and of issued credentials. */
const NO_RESULT_FIELD = new RegExp(
  `^(?:${anyOfPatterns(
    /(?:job|task|operation|execution|workflow)_?id/,
    /(?:(?:access|refresh|identity|auth)_?)?token|session_?(?:id|token)/,
  )})$`,
  "i",
);

/** Tests whether a success response can be the result of a read: it is not empty, and not a job. */
export function returnsResult(
  { successResponses, jsonContents }: OperationFacts,
  schemas: Schemas,
): boolean {
  if (successResponses.length === 0) return true;
  const answers = successResponses.filter(({ contents }) => contents.length > 0);
  const isUndescribed = successResponses.some(({ status }) => /^(?:200|2XX|default)$/.test(status));
  if (answers.every(({ status }) => status === "202") && !isUndescribed) return false;
  const schema = jsonContents[0]?.schema;
  const fields = Object.keys((schema && resolveSchema(schemas, schema).properties) ?? {});
  // A long-running operation: its `response` comes later.
  const isPending = fields.includes("done") && fields.includes("response");
  return !isPending && !fields.some((name) => NO_RESULT_FIELD.test(name));
}

/**
 * Tests whether the request contains the data to process, and the response returns it: `Remove
 * pages from a PDF` of a POST that takes a file and returns one.
 */
export function transformsInput({
  operation,
  pathParts,
  successResponses,
}: OperationFacts): boolean {
  return (
    operation.method === "POST" &&
    pathParts.every(({ kind }) => kind === "words") &&
    takesFile({ operation }) &&
    returnsFile({ successResponses })
  );
}

const isFile = ({ mediaType }: Content): boolean => FILE.test(mediaType);

/** Tests whether the body of a request is a file, or a form with files. */
export const takesFile = ({ operation }: Pick<OperationFacts, "operation">): boolean =>
  (operation.body?.contents ?? []).some((one) => isFile(one) || /^multipart\//.test(one.mediaType));

/** Tests whether a success response is a file. */
export const returnsFile = ({
  successResponses,
}: Pick<OperationFacts, "successResponses">): boolean =>
  successResponses.some(({ contents }) => contents.some(isFile));

const FILE =
  /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|octet-stream|vnd\.(?:open|ms-))/;

/** Tests whether a PUT sets all items of a collection: `Set the tags` with a list of tags. */
export function setsWholeList(
  { operation: { method, body }, pathParts }: OperationFacts,
  schemas: Schemas,
  actions: readonly Action[],
): boolean {
  const writing = actions.filter(({ effect }) => effect !== "reads");
  return (
    method === "PUT" &&
    isPlural(segmentWords(pathParts, -1).at(-1) ?? "") &&
    writing.length > 0 &&
    writing.every(({ verb }) => verb === "set") &&
    (body?.contents ?? []).some(
      ({ schema }) => schema && typesOf(resolveSchema(schemas, schema)).includes("array"),
    )
  );
}

/** Tests whether the operation ends an activity that the API only records: `/trips/{id}/end`. */
export const endsRecordedActivity = (
  { pathParts, operation: { summary = "" } }: OperationFacts,
  { object }: SourcedStatement,
): boolean =>
  RECORDED_ACTIVITY.test(
    object ||
      [...pathParts.map((part) => wordsOf(part).join(" ")), summary.toLowerCase()].join(" / "),
  );

const wordsOf = (part: PathSegment): readonly string[] => (part.kind === "words" ? part.words : []);
