import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation } from "../classify.js";
import type { NameCandidate } from "./collisions.js";
import { positionsWithoutRepeats } from "./derive-name.js";
import { isVerb, singularize } from "./grammar.js";
import { appendSuffix, shortenName } from "./name-length.js";
import { splitWords } from "./words.js";

/** An operation and the one that has the name it wants. */
interface NameCollision {
  readonly candidate: NameCandidate;
  readonly classified: ClassifiedOperation;
  readonly holder: ClassifiedOperation;
  readonly baseWords: ReadonlySet<string>;
  readonly maxLength: number;
}

/** Names that an operation can have instead, the best first. An empty one is none. */
type AlternativeRule = (contest: NameCollision) => Iterable<string>;

/** The best first: each is asked only when all names of those before it are taken. */
const ALTERNATIVE_RULES: readonly AlternativeRule[] = [
  operationIdAsName,
  withOmittedGroup,
  withSuffix(droppedLastWord),
  withSuffix(withBody),
  methodNameOnSamePath,
  withSuffix(distinctSegments),
  withSuffix((contest) => [distinctSegments(contest).toReversed().flat()]),
  withSuffix(distinctParameters),
  withSuffix((contest) =>
    distinctParameters(contest).flatMap((param) =>
      distinctSegments(contest).map((segment) => [...segment, ...param]),
    ),
  ),
  withSuffix((contest) => distinctPathWords(contest).filter(isSingleLetter)),
  withSuffix(({ classified: own, holder: winner }) => parameterPhrases(winner, own, "without")),
  methodNameOnOtherPath,
  withSuffix(({ classified: own, holder: winner }) =>
    own.operation.deprecated && !winner.operation.deprecated ? [["deprecated"]] : [],
  ),
  withSuffix(({ classified: own, holder: winner }) => [spellingDifference(own, winner)]),
  withSuffix(({ classified: own, holder: winner, baseWords: inBase }) =>
    distinctWords(winner, own, inBase).map((lacking) => ["without", ...lacking]),
  ),
  withSuffix((contest) =>
    distinctParameters(contest).map((param) => [
      ...spellingDifference(contest.classified, contest.holder),
      ...param,
    ]),
  ),
  withSuffix(allParameters),
  withSuffix(({ classified: own, holder: winner }) =>
    queryDifferences(own.operation, winner.operation),
  ),
  withSuffix(({ classified: own, holder: winner }) =>
    differingSegments(own.operation.path, winner.operation.path).map((words) => ["in", ...words]),
  ),
  withSuffix(viaMethod),
  withSuffix(
    (contest) => [
      ...distinctSegments(contest),
      differingSegments(contest.classified.operation.path, contest.holder.operation.path).flat(),
    ],
    36,
  ),
];

/**
 * What an operation can be called when another has the name it wants, the best first: its
 * operationId word for word (`patch_project` beside `update_project`); the name with a word that
 * did not fit; with words of its path that the other has not (`list_users_v2`); with a parameter of
 * its own (`get_user_by_name`), or the lack of one; and so on, until only a hash is left.
 */
export function* alternativeNames(
  claim: NameCandidate,
  winner: NameCandidate,
  max: number,
): Generator<string> {
  const contest: NameCollision = {
    candidate: claim,
    classified: claim.classified,
    holder: winner.classified,
    baseWords: new Set(claim.base.split("_")),
    maxLength: max,
  };
  for (const way of ALTERNATIVE_RULES) yield* way(contest);
}

/** The name with a phrase behind it, of at most `room` characters. */
function withSuffix(
  phrases: (contest: NameCollision) => readonly Phrase[],
  room = 24,
): AlternativeRule {
  return function* (contest) {
    for (const phrase of phrases(contest))
      yield phrase.length === 0
        ? ""
        : appendSuffix(contest.candidate.base, shortenName(phrase, room), contest.maxLength);
  };
}

/** The operationId as it is written, when it starts with a verb and fits. */
function* operationIdAsName({
  candidate: { source: from, base },
  classified: {
    operation: { operationId, method },
  },
  maxLength: max,
}: NameCollision): Generator<string> {
  const words = from === "path" || operationId === undefined ? [] : splitWords(operationId);
  const name = words.join("_");
  const isPlain =
    words.length > 1 &&
    isVerb(words[0]) &&
    words[0] !== "post" &&
    words.at(-1) !== method.toLowerCase();
  if (
    isPlain &&
    name.length <= max &&
    name !== base &&
    positionsWithoutRepeats(words) === undefined
  )
    yield name;
}

/** With the group of the operationId that its path does not name. */
function* withOmittedGroup({
  candidate: { base, omittedGroup: hidden, words },
  maxLength: max,
}: NameCollision): Generator<string> {
  if (hidden)
    yield shortenName([base.split("_", 1)[0] as string, ...hidden, ...words.slice(1)], max);
}

/** The last word, where there was no room for it. */
function droppedLastWord({
  candidate: claim,
  baseWords: inBase,
}: NameCollision): readonly Phrase[] {
  return [claim.words.slice(-1).filter((word) => /^[a-z]{3,}$/.test(word) && !inBase.has(word))];
}

/** `POST /search` beside `GET /search`. */
function withBody({ classified: own, holder: winner }: NameCollision): readonly Phrase[] {
  return isSamePath(own, winner) && own.operation.body && !winner.operation.body
    ? [["with", "body"]]
    : [];
}

const isSamePath = (one: ClassifiedOperation, other: ClassifiedOperation): boolean =>
  one.operation.path === other.operation.path;

const PLAIN_VERBS = new Set(["get", "list", "create", "update", "replace", "delete", "add", "set"]);
const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ["PUT", "replace"],
  ["HEAD", "check"],
]);

/** Operations of one path are told apart by their methods: `replace_file` beside `update_file`. */
function* methodNameOnSamePath(contest: NameCollision): Generator<string> {
  if (isSamePath(contest.classified, contest.holder)) yield methodName(contest);
}

function* methodNameOnOtherPath(contest: NameCollision): Generator<string> {
  if (contest.classified.operation.method !== contest.holder.operation.method)
    yield methodName(contest);
}

/** A POST that reads posts nothing. */
function methodName({
  classified: {
    operation: { method },
  },
  candidate: claim,
  maxLength: max,
}: NameCollision): string {
  if (!isMethodWord(method)) return "";
  const [verb = "", ...rest] = claim.base.split("_");
  if (method === "POST" && /^(?:get|list)$/.test(verb)) return "";
  return shortenName(
    [
      METHOD_VERBS.get(method) ?? method.toLowerCase(),
      ...(PLAIN_VERBS.has(verb) ? rest : [verb, ...rest]),
    ],
    max,
  );
}

/** Methods of OpenAPI 3.2 may have any name. */
const isMethodWord = (method: string): boolean => /^[A-Z]+$/.test(method);

function viaMethod({
  classified: {
    operation: { method },
  },
  holder: winner,
}: NameCollision): readonly Phrase[] {
  return isMethodWord(method) && method !== winner.operation.method
    ? [["via", method.toLowerCase()]]
    : [];
}

const distinctPathWords = ({
  classified: own,
  holder: winner,
  baseWords: inBase,
}: NameCollision): readonly Phrase[] => distinctWords(own, winner, inBase);

/** `/b/{bucket}`: a letter says little. */
const isSingleLetter = ([word, more]: Phrase): boolean =>
  more === undefined && /^[a-z]$/.test(word ?? "");

function distinctSegments(contest: NameCollision): readonly Phrase[] {
  return distinctPathWords(contest).filter((phrase) => !isSingleLetter(phrase));
}

function distinctParameters({ classified: own, holder: winner }: NameCollision): readonly Phrase[] {
  return parameterPhrases(own, winner, "by");
}

/** `GET /a/{id}/{x}/{id}` beside `GET /a/{id}/{x}`. */
function allParameters({ classified: own, holder: winner }: NameCollision): readonly Phrase[] {
  const all = pathParameters(own);
  return all.length > pathParameters(winner).length ? [["by", ...all.flat()]] : [];
}

export type Phrase = readonly string[];

/**
 * Words that only the first has, of each piece of its path, the last piece first. @param said words
 * that are none of them
 */
export function distinctWords(
  own: ClassifiedOperation,
  other: ClassifiedOperation,
  said: ReadonlySet<string>,
): readonly Phrase[] {
  const known = new Set([...said, ...staticWords(other.operation.path).flat()].map(singularize));
  const phrases = staticWords(own.operation.path).map((words) =>
    words.filter((word) => !known.has(singularize(word))),
  );
  return phrases.filter((phrase) => phrase.length > 0).reverse();
}

/** `/persons` beside `/people`: the same word, written differently. */
export function spellingDifference(
  subject: ClassifiedOperation,
  other: ClassifiedOperation,
): Phrase {
  const theirs = new Set(staticWords(other.operation.path).flat());
  const own = staticWords(subject.operation.path)
    .flat()
    .filter((word) => !theirs.has(word))
    .at(-1);
  return own === undefined ? [] : ["in", own];
}

function staticWords(path: string): readonly Phrase[] {
  return path
    .split("/")
    .map((segment) => splitWords(segment.slice(0, 100).replace(/\{[^{}]*\}/g, " ")))
    .filter((words) => words.length > 0);
}

/** Pieces that differ where both paths have one: `clients` where the other has `client-scopes`. */
export function differingSegments(own: string, other: string): readonly Phrase[] {
  const theirs = other.split("/");
  const differs = (piece: string, i: number): boolean =>
    !piece.includes("{") && splitWords(piece).join("_") !== splitWords(theirs[i] ?? "").join("_");
  return own
    .split("/")
    .filter((piece) => piece.length < 100)
    .filter(differs)
    .map(splitWords)
    .filter((words) => words.length > 0);
}

/**
 * Parameters that only the first has, the last one first: `by name`; `without customer` of the
 * other's.
 */
export function parameterPhrases(
  subject: ClassifiedOperation,
  other: ClassifiedOperation,
  link: "by" | "without",
): readonly Phrase[] {
  const theirs = new Set(pathParameters(other).map((words) => words.join(" ")));
  return pathParameters(subject)
    .filter((words) => !theirs.has(words.join(" ")))
    .reverse()
    .map((words) => [link, ...(words.length > 0 ? words : ["id"])]);
}

/** The parameters of a path, in words. */
export function pathParameters({ operation }: ClassifiedOperation): readonly Phrase[] {
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].map((match) =>
    splitWords(match[1] as string),
  );
}

/** `/items?cmd=copy` beside `/items?cmd=move`: copy; `/weather` by city beside one by position. */
export function queryDifferences(own: Operation, other: Operation): readonly Phrase[] {
  const known = new Set((other.fixedQuery ?? []).map(([key, value]) => `${key}=${value}`));
  const fixed = (own.fixedQuery ?? [])
    .filter(([key, value]) => !known.has(`${key}=${value}`))
    .map(([key, value]) => splitWords(value === "" ? key : value));
  const theirs = new Set(other.parameters.map(({ name }) => name));
  const asked = own.parameters
    .filter((parameter) => parameter.in === "query" && !theirs.has(parameter.name))
    .map(({ name }) => ["by", ...splitWords(name)]);
  return [...fixed.filter((words) => words.length > 0), ...asked.slice(0, 3)];
}
