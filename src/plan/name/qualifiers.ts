import type { Subject } from "../kind.js";
import type { Claim } from "./collisions.js";
import {
  byParameter,
  literalDifference,
  newWords,
  otherPieces,
  paramsOf,
  type Phrase,
  queryDifference,
} from "./differences.js";
import { fitName, fitSuffixed } from "./fit.js";
import { keptPositions } from "./repeats.js";
import { isVerb } from "./verbs.js";
import { wordsOf } from "./words.js";

/** An operation and the one that has the name it wants. */
interface Contest {
  readonly claim: Claim;
  readonly own: Subject;
  readonly winner: Subject;
  readonly inBase: ReadonlySet<string>;
  readonly max: number;
}

/** Names that an operation can have instead, the best first. An empty one is none. */
type Way = (contest: Contest) => Iterable<string>;

/** The best first: each is asked only when all names of those before it are taken. */
const WAYS: readonly Way[] = [
  asWritten,
  withHiddenGroup,
  suffixed(cutOffWord),
  suffixed(withBody),
  methodOfPath,
  suffixed(segments),
  suffixed((contest) => [segments(contest).toReversed().flat()]),
  suffixed(params),
  suffixed((contest) =>
    params(contest).flatMap((param) => segments(contest).map((segment) => [...segment, ...param])),
  ),
  suffixed((contest) => newWordsOf(contest).filter(isLetter)),
  suffixed(({ own, winner }) => byParameter(winner, own, "without")),
  otherMethod,
  suffixed(({ own, winner }) =>
    own.operation.deprecated && !winner.operation.deprecated ? [["deprecated"]] : [],
  ),
  suffixed(({ own, winner }) => [literalDifference(own, winner)]),
  suffixed(({ own, winner, inBase }) =>
    newWords(winner, own, inBase).map((lacking) => ["without", ...lacking]),
  ),
  suffixed((contest) =>
    params(contest).map((param) => [...literalDifference(contest.own, contest.winner), ...param]),
  ),
  suffixed(allParams),
  suffixed(({ own, winner }) => queryDifference(own.operation, winner.operation)),
  suffixed(({ own, winner }) =>
    otherPieces(own.operation.path, winner.operation.path).map((words) => ["in", ...words]),
  ),
  suffixed(viaMethod),
  suffixed(
    (contest) => [
      ...segments(contest),
      otherPieces(contest.own.operation.path, contest.winner.operation.path).flat(),
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
export function* otherNames(claim: Claim, winner: Claim, max: number): Generator<string> {
  const contest: Contest = {
    claim,
    own: claim.subject,
    winner: winner.subject,
    inBase: new Set(claim.base.split("_")),
    max,
  };
  for (const way of WAYS) yield* way(contest);
}

/** The name with a phrase behind it, of at most `room` characters. */
function suffixed(phrases: (contest: Contest) => readonly Phrase[], room = 24): Way {
  return function* (contest) {
    for (const phrase of phrases(contest))
      yield phrase.length === 0
        ? ""
        : fitSuffixed(contest.claim.base, fitName(phrase, room), contest.max);
  };
}

/** The operationId as it is written, when it starts with a verb and fits. */
function* asWritten({
  claim: { from, base },
  own: {
    operation: { operationId, method },
  },
  max,
}: Contest): Generator<string> {
  const words = from === "path" || operationId === undefined ? [] : wordsOf(operationId);
  const name = words.join("_");
  const isPlain =
    words.length > 1 &&
    isVerb(words[0]) &&
    words[0] !== "post" &&
    words.at(-1) !== method.toLowerCase();
  if (isPlain && name.length <= max && name !== base && keptPositions(words) === undefined)
    yield name;
}

/** With the group of the operationId that its path does not name. */
function* withHiddenGroup({ claim: { base, hidden, words }, max }: Contest): Generator<string> {
  if (hidden) yield fitName([base.split("_", 1)[0] as string, ...hidden, ...words.slice(1)], max);
}

/** The last word, where there was no room for it. */
function cutOffWord({ claim, inBase }: Contest): readonly Phrase[] {
  return [claim.words.slice(-1).filter((word) => /^[a-z]{3,}$/.test(word) && !inBase.has(word))];
}

/** `POST /search` beside `GET /search`. */
function withBody({ own, winner }: Contest): readonly Phrase[] {
  return isSamePath(own, winner) && own.operation.body && !winner.operation.body
    ? [["with", "body"]]
    : [];
}

const isSamePath = (one: Subject, other: Subject): boolean =>
  one.operation.path === other.operation.path;

const PLAIN_VERBS = new Set(["get", "list", "create", "update", "replace", "delete", "add", "set"]);
const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ["PUT", "replace"],
  ["HEAD", "check"],
]);

/** Operations of one path are told apart by their methods: `replace_file` beside `update_file`. */
function* methodOfPath(contest: Contest): Generator<string> {
  if (isSamePath(contest.own, contest.winner)) yield methodName(contest);
}

function* otherMethod(contest: Contest): Generator<string> {
  if (contest.own.operation.method !== contest.winner.operation.method) yield methodName(contest);
}

/** A POST that reads posts nothing. */
function methodName({
  own: {
    operation: { method },
  },
  claim,
  max,
}: Contest): string {
  if (!isWord(method)) return "";
  const [verb = "", ...rest] = claim.base.split("_");
  if (method === "POST" && /^(?:get|list)$/.test(verb)) return "";
  return fitName(
    [
      METHOD_VERBS.get(method) ?? method.toLowerCase(),
      ...(PLAIN_VERBS.has(verb) ? rest : [verb, ...rest]),
    ],
    max,
  );
}

/** Methods of OpenAPI 3.2 may have any name. */
const isWord = (method: string): boolean => /^[A-Z]+$/.test(method);

function viaMethod({
  own: {
    operation: { method },
  },
  winner,
}: Contest): readonly Phrase[] {
  return isWord(method) && method !== winner.operation.method
    ? [["via", method.toLowerCase()]]
    : [];
}

const newWordsOf = ({ own, winner, inBase }: Contest): readonly Phrase[] =>
  newWords(own, winner, inBase);

/** `/b/{bucket}`: a letter says little. */
const isLetter = ([word, more]: Phrase): boolean =>
  more === undefined && /^[a-z]$/.test(word ?? "");

function segments(contest: Contest): readonly Phrase[] {
  return newWordsOf(contest).filter((phrase) => !isLetter(phrase));
}

function params({ own, winner }: Contest): readonly Phrase[] {
  return byParameter(own, winner, "by");
}

/** `GET /a/{id}/{x}/{id}` beside `GET /a/{id}/{x}`. */
function allParams({ own, winner }: Contest): readonly Phrase[] {
  const all = paramsOf(own);
  return all.length > paramsOf(winner).length ? [["by", ...all.flat()]] : [];
}
