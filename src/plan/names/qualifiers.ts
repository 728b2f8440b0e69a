import type { Operation } from "../../model/types.js";
import type { NameCandidate } from "./candidate.js";
import { documentWords, removeGeneratedParts } from "./document-words.js";
import { splitWords } from "../../language/words.js";
import { positionsWithoutRepeats } from "./derive-name.js";
import { isVerb, singularize, singularizeLast } from "../../language/grammar.js";
import { METHOD_VERBS, PLAIN_VERBS } from "../../language/lexicon.js";
import { appendSuffix, shortenName } from "./format-name.js";
import { cleanOperationId } from "./tokenize-operation-id.js";
import { segmentWords } from "../operations/path.js";
import { wordsNotIn } from "./path.js";
import type { ClassifiedOperation } from "../operations/types.js";

/** An operation and the one that has its base name. */
interface NameCollision {
  readonly candidate: NameCandidate;
  readonly classified: ClassifiedOperation;
  readonly holder: ClassifiedOperation;
  readonly baseWords: ReadonlySet<string>;
  readonly maxLength: number;
}

/** Produces names in order of preference; an empty one is skipped. */
type AlternativeRule = (collision: NameCollision) => Iterable<string>;

/** Rules in order of preference. Each runs only when all names before it are taken. */
const ALTERNATIVE_RULES: readonly AlternativeRule[] = [
  operationIdAsName,
  withOmittedGroup,
  withSuffix(droppedLastWord),
  withSuffix(withBody),
  methodNameOnSamePath,
  withOwner,
  withSuffix(distinctSegments),
  withSuffix((collision) => [distinctSegments(collision).toReversed().flat()]),
  withSuffix(distinctParameters),
  withSuffix((collision) =>
    distinctParameters(collision).flatMap((param) =>
      distinctSegments(collision).map((segment) => [...segment, ...param]),
    ),
  ),
  withSuffix(({ classified, holder }) => parameterPhrases(holder, classified, "without")),
  methodNameOnOtherPath,
  withSuffix(viaMethod),
  withSuffix(({ classified, holder }) =>
    classified.operation.deprecated && !holder.operation.deprecated ? [["deprecated"]] : [],
  ),
  withSuffix(({ classified, holder }) => [spellingDifference(classified, holder)]),
  withSuffix(({ classified, holder, baseWords }) =>
    distinctWords(holder, classified, baseWords).map((missing) => ["without", ...missing]),
  ),
  withSuffix((collision) =>
    distinctParameters(collision).map((param) => [
      ...spellingDifference(collision.classified, collision.holder),
      ...param,
    ]),
  ),
  withSuffix(allParameters),
  withSuffix(({ classified, holder }) => queryDifferences(classified.operation, holder.operation)),
  withSuffix(({ classified, holder }) =>
    differingSegments(classified.operation.path, holder.operation.path).map((words) => [
      "in",
      ...words,
    ]),
  ),
  withSuffix(
    (collision) => [
      ...distinctSegments(collision),
      differingSegments(
        collision.classified.operation.path,
        collision.holder.operation.path,
      ).flat(),
    ],
    36,
  ),
];

/**
 * Alternative names of an operation whose base name is taken, best first: the operationId word for
 * word (`patch_project` beside `update_project`); a word that was dropped for length; words of its
 * path that the other lacks (`list_users_v2`); a parameter of its own (`get_user_by_name`) or the
 * lack of one; further differences.
 */
export function* alternativeNames(
  candidate: NameCandidate,
  holder: NameCandidate,
  maxLength: number,
): Generator<string> {
  const collision: NameCollision = {
    candidate,
    classified: candidate.classified,
    holder: holder.classified,
    baseWords: new Set(candidate.base.split("_")),
    maxLength,
  };
  for (const rule of ALTERNATIVE_RULES) yield* rule(collision);
}

/** Creates a rule that appends phrases to the base name, each of at most `limit` characters. */
function withSuffix(
  phrases: (collision: NameCollision) => readonly Phrase[],
  limit = 24,
): AlternativeRule {
  return function* (collision) {
    for (const phrase of phrases(collision))
      yield phrase.length === 0
        ? ""
        : appendSuffix(collision.candidate.base, shortenName(phrase, limit), collision.maxLength);
  };
}

/**
 * The operationId as written, when it starts with a verb and is short enough. It does not differ in
 * the verb of a read alone.
 */
function* operationIdAsName({
  candidate: { source, base, operationId },
  classified,
  maxLength,
}: NameCollision): Generator<string> {
  const { method } = classified.operation;
  const words =
    source === "path" || operationId === ""
      ? []
      : removeGeneratedParts(
          splitWords(cleanOperationId(operationId, method)),
          documentWords(classified),
        );
  const name = words.join("_");
  const isPlain =
    words.length > 1 &&
    isVerb(words[0]) &&
    words[0] !== "post" &&
    words.at(-1) !== method.toLowerCase();
  const isUsable = isPlain && name.length <= maxLength && name !== base;
  if (isUsable && !isSameRead(name, base) && positionsWithoutRepeats(words) === undefined)
    yield name;
}

/** `get_likes` and `list_likes`: nobody can tell which is which. */
const isSameRead = (name: string, base: string): boolean =>
  [name, base].every((one) => SAME_READS.test(one)) &&
  name.replace(SAME_READS, "") === base.replace(SAME_READS, "");

const SAME_READS = /^(?:fetch|get|list|read|retrieve)_/;

/** The name with the groups that it omits. */
function* withOmittedGroup({
  candidate: { base, omittedGroup, words },
  maxLength,
}: NameCollision): Generator<string> {
  if (omittedGroup)
    yield shortenName(
      [base.split("_", 1)[0] as string, ...omittedGroup, ...words.slice(1)],
      maxLength,
    );
}

/** The last word, when it was dropped for length. */
function droppedLastWord({ candidate, baseWords }: NameCollision): readonly Phrase[] {
  return [
    candidate.words.slice(-1).filter((word) => /^[a-z]{3,}$/.test(word) && !baseWords.has(word)),
  ];
}

/** `POST /search` and `GET /search`. */
function withBody({ classified, holder }: NameCollision): readonly Phrase[] {
  return isSamePath(classified, holder) && classified.operation.body && !holder.operation.body
    ? [["with", "body"]]
    : [];
}

const isSamePath = (first: ClassifiedOperation, other: ClassifiedOperation): boolean =>
  first.operation.path === other.operation.path;

/** Operations on one path differ by their methods: `replace_file` and `update_file`. */
function* methodNameOnSamePath(collision: NameCollision): Generator<string> {
  if (isSamePath(collision.classified, collision.holder)) yield methodName(collision);
}

function* methodNameOnOtherPath(collision: NameCollision): Generator<string> {
  if (collision.classified.operation.method !== collision.holder.operation.method)
    yield methodName(collision);
}

/** The base name with the method as its verb. Empty for a POST that reads. */
function methodName({
  classified: {
    operation: { method },
  },
  candidate,
  maxLength,
}: NameCollision): string {
  const [verb = "", ...rest] = candidate.base.split("_");
  if (!isMethodWord(method)) return "";
  // `post_user` hides that users are read, deleted or disabled.
  if (method === "POST" && !/^(?:add|create)$/.test(verb)) return "";
  return shortenName(
    [
      METHOD_VERBS.get(method) ?? method.toLowerCase(),
      ...(PLAIN_VERBS.has(verb) ? rest : [verb, ...rest]),
    ],
    maxLength,
  );
}

/** OpenAPI 3.2 allows methods with any name. */
const isMethodWord = (method: string): boolean => /^[A-Z]+$/.test(method);

function viaMethod({
  classified: {
    operation: { method },
  },
  holder,
}: NameCollision): readonly Phrase[] {
  return isMethodWord(method) && method !== holder.operation.method
    ? [["via", method.toLowerCase()]]
    : [];
}

/**
 * `list_refunds` of `/transactions/{id}/refunds` → list transaction refunds: the object is the last
 * segment, and its nearest owner that the other path lacks comes before it. If that name is taken,
 * further words follow: `list_transaction_refunds_v2`.
 */
function* withOwner(collision: NameCollision): Generator<string> {
  const { candidate, maxLength } = collision;
  const [verb = "", ...object] = candidate.base.split("_");
  const owner = distinctOwner(object, collision);
  if (!owner) return;
  const name = [verb, ...owner, ...object].join("_");
  if (name.length > maxLength) return;
  yield name;
  for (const phrase of distinctSegments(collision))
    if (!phrase.some((word) => owner.includes(singularize(word))))
      yield appendSuffix(name, shortenName(phrase, 24), maxLength);
}

/** Nearest owner of the last segment that the path of the holder lacks, in the singular. */
function distinctOwner(
  object: readonly string[],
  { classified: { pathParts }, holder }: NameCollision,
): readonly string[] | undefined {
  const stem = stemOf(object);
  if (object.length === 0 || stem !== stemOf(segmentWords(pathParts, -1))) return undefined;
  const others = new Set(holder.pathParts.map((_, i) => stemOf(segmentWords(holder.pathParts, i))));
  const owners = pathParts.slice(0, -2).flatMap((part, i) => {
    const isOwner = part.kind === "words" && pathParts[i + 1]?.kind === "param";
    return isOwner && !others.has(stemOf(part.words)) ? [singularizeLast(part.words)] : [];
  });
  const owner = owners.at(-1);
  return owner && wordsNotIn(owner, object).length === owner.length ? owner : undefined;
}

const stemOf = (words: readonly string[]): string => words.map(singularize).join("_");

function distinctSegments({ classified, holder, baseWords }: NameCollision): readonly Phrase[] {
  return distinctWords(classified, holder, baseWords);
}

function distinctParameters({ classified, holder }: NameCollision): readonly Phrase[] {
  return parameterPhrases(classified, holder, "by");
}

/** `GET /a/{id}/{x}/{id}` and `GET /a/{id}/{x}`. */
function allParameters({ classified, holder }: NameCollision): readonly Phrase[] {
  const all = pathParameters(classified);
  return all.length > pathParameters(holder).length ? [["by", ...all.flat()]] : [];
}

type Phrase = readonly string[];

/**
 * Words that only the first path has, by segment, last segment first.
 * @param excluded words to exclude
 */
function distinctWords(
  classified: ClassifiedOperation,
  other: ClassifiedOperation,
  excluded: ReadonlySet<string>,
): readonly Phrase[] {
  const excludedStems = new Set(
    [...excluded, ...staticWords(other.operation.path).flat()].map(singularize),
  );
  const phrases = staticWords(classified.operation.path).map((words) =>
    words.filter((word) => !excludedStems.has(singularize(word))),
  );
  return phrases.filter((phrase) => phrase.length > 0).reverse();
}

/** `/persons` and `/people`: different words with the same stem. */
function spellingDifference(classified: ClassifiedOperation, other: ClassifiedOperation): Phrase {
  const otherWords = new Set(staticWords(other.operation.path).flat());
  const ownWord = staticWords(classified.operation.path)
    .flat()
    .filter((word) => !otherWords.has(word))
    .at(-1);
  return ownWord === undefined ? [] : ["in", ownWord];
}

function staticWords(path: string): readonly Phrase[] {
  return path
    .split("/")
    .map((segment) => splitWords(segment.slice(0, 100).replace(/\{[^{}]*\}/g, " ")))
    .filter((words) => words.length > 0);
}

/**
 * Segments that differ at the same position: `clients` where the other path has `client-scopes`.
 */
function differingSegments(path: string, otherPath: string): readonly Phrase[] {
  const otherSegments = otherPath.split("/");
  const differs = (segment: string, i: number): boolean =>
    !segment.includes("{") &&
    splitWords(segment).join("_") !== splitWords(otherSegments[i] ?? "").join("_");
  return path
    .split("/")
    .filter((segment) => segment.length < 100)
    .filter(differs)
    .map(splitWords)
    .filter((words) => words.length > 0);
}

/**
 * Parameters that only the first path has, last one first: `by name`; `without customer` for the
 * other's.
 */
function parameterPhrases(
  classified: ClassifiedOperation,
  other: ClassifiedOperation,
  preposition: "by" | "without",
): readonly Phrase[] {
  const otherParameters = new Set(pathParameters(other).map((words) => words.join(" ")));
  return pathParameters(classified)
    .filter((words) => !otherParameters.has(words.join(" ")))
    .reverse()
    .map((words) => [preposition, ...(words.length > 0 ? words : ["id"])]);
}

/** Parameters of a path, in words. */
function pathParameters({ operation }: ClassifiedOperation): readonly Phrase[] {
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].map((match) =>
    splitWords(match[1] as string),
  );
}

/**
 * `/items?cmd=copy` and `/items?cmd=move` → copy; `/weather` by city and `/weather` by position.
 */
function queryDifferences(operation: Operation, other: Operation): readonly Phrase[] {
  const otherPairs = new Set((other.fixedQuery ?? []).map(([key, value]) => `${key}=${value}`));
  const fixed = (operation.fixedQuery ?? [])
    .filter(([key, value]) => !otherPairs.has(`${key}=${value}`))
    .map(([key, value]) => splitWords(value === "" ? key : value));
  const otherNames = new Set(other.parameters.map(({ name }) => name));
  const byParameter = operation.parameters
    .filter((parameter) => parameter.in === "query" && !otherNames.has(parameter.name))
    .map(({ name }) => ["by", ...splitWords(name)]);
  return [...fixed.filter((words) => words.length > 0), ...byParameter.slice(0, 3)];
}
