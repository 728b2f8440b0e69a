import type { Operation } from "../../model/types.js";
import type { Subject } from "../kind.js";
import type { Claim } from "./collisions.js";
import { fitName, fitSuffixed } from "./fit.js";
import { singular } from "./inflect.js";
import { keptPositions } from "./repeats.js";
import { isVerb } from "./verbs.js";
import { wordsOf } from "./words.js";

/**
 * What an operation can be called when another has the name it wants, the best first: its operationId word for word
 * (`patch_project` beside `update_project`); the name with a word that did not fit; with words of its path that the other
 * has not (`list_users_v2`); with a parameter of its own (`get_user_by_name`), or the lack of one.
 */
export function* otherNames({ subject, base, words, hidden, from }: Claim, winner: Claim, max: number): Generator<string> {
  const samePath = subject.operation.path === winner.subject.operation.path;
  const literal = from === "operationId" ? literalName(subject, max) : undefined;
  if (literal !== undefined && literal !== base) yield literal;
  if (hidden) yield fitName([base.split("_", 1)[0] as string, ...hidden, ...words.slice(1)], max);
  const suffixed = (phrase: readonly string[]): string => (phrase.length === 0 ? "" : fitSuffixed(base, fitName(phrase, 24), max));
  const inBase = new Set(base.split("_"));
  yield suffixed(words.slice(-1).filter((word) => /^[a-z]{3,}$/.test(word) && !inBase.has(word)));
  if (samePath) yield suffixed(subject.operation.body && !winner.subject.operation.body ? ["with", "body"] : []);
  if (samePath) yield methodName(subject, base, max);
  const phrases = pathPhrases(subject, winner.subject, inBase);
  const segments = phrases.filter((phrase) => !isLetter(phrase));
  for (const phrase of segments) yield suffixed(phrase);
  yield suffixed(segments.toReversed().flat());
  const params = byParameter(subject, winner.subject, "by");
  for (const phrase of params) yield suffixed(phrase);
  for (const phrase of params) for (const segment of segments) yield suffixed([...segment, ...phrase]);
  for (const phrase of phrases.filter(isLetter)) yield suffixed(phrase);
  for (const phrase of byParameter(winner.subject, subject, "without")) yield suffixed(phrase);
  if (subject.operation.method !== winner.subject.operation.method) yield methodName(subject, base, max);
  if (subject.operation.deprecated && !winner.subject.operation.deprecated) yield suffixed(["deprecated"]);
  const literally = literalDifference(subject, winner.subject);
  yield suffixed(literally);
  for (const lacking of pathPhrases(winner.subject, subject, inBase)) yield suffixed(["without", ...lacking]);
  for (const phrase of params) yield suffixed([...literally, ...phrase]);
  if (paramsOf(subject).length > paramsOf(winner.subject).length) yield suffixed(["by", ...paramsOf(subject).flat()]);
  yield* lastResorts(subject, winner.subject, suffixed);
  for (const phrase of [...segments, otherPieces(subject.operation.path, winner.subject.operation.path).flat()]) if (phrase.length > 0) yield fitSuffixed(base, fitName(phrase, 36), max);
}

/** What reads less well than all else, but better than a hash. */
function* lastResorts(subject: Subject, winner: Subject, suffixed: (phrase: readonly string[]) => string): Generator<string> {
  for (const words of queryDifference(subject.operation, winner.operation)) yield suffixed(words);
  for (const words of otherPieces(subject.operation.path, winner.operation.path)) yield suffixed(["in", ...words]);
  if (/^[A-Z]+$/.test(subject.operation.method) && subject.operation.method !== winner.operation.method) yield suffixed(["via", subject.operation.method.toLowerCase()]);
}

/** `/items?cmd=copy` beside `/items?cmd=move`: copy; `/weather` by city beside one by position. */
function queryDifference(own: Operation, other: Operation): (readonly string[])[] {
  const known = new Set((other.fixedQuery ?? []).map(([key, value]) => `${key}=${value}`));
  const fixed = (own.fixedQuery ?? []).filter(([key, value]) => !known.has(`${key}=${value}`)).map(([key, value]) => wordsOf(value === "" ? key : value));
  const theirs = new Set(other.parameters.map(({ name }) => name));
  const asked = own.parameters.filter((parameter) => parameter.in === "query" && !theirs.has(parameter.name)).map(({ name }) => ["by", ...wordsOf(name)]);
  return [...fixed.filter((words) => words.length > 0), ...asked.slice(0, 3)];
}

/** Pieces that differ where both paths have one: `clients` where the other has `client-scopes`. */
function otherPieces(own: string, other: string): (readonly string[])[] {
  const theirs = other.split("/");
  const differs = (piece: string, i: number): boolean => !piece.includes("{") && wordsOf(piece).join("_") !== wordsOf(theirs[i] ?? "").join("_");
  return own.split("/").filter((piece) => piece.length < 100).filter(differs).map(wordsOf).filter((words) => words.length > 0);
}

/** The operationId as it is written, when it starts with a verb and fits. */
function literalName({ operation: { operationId, method } }: Subject, max: number): string | undefined {
  const words = operationId === undefined ? [] : wordsOf(operationId);
  const name = words.join("_");
  const isPlain = words.length > 1 && isVerb(words[0]) && words[0] !== "post" && name.length <= max;
  return isPlain && words.at(-1) !== method.toLowerCase() && keptPositions(words) === undefined ? name : undefined;
}

const PLAIN_VERBS = new Set(["get", "list", "create", "update", "replace", "delete", "add", "set"]);
const METHOD_VERBS: Readonly<Record<string, string>> = { PUT: "replace", HEAD: "check" };

/** Operations of one path are told apart by their methods: `replace_file` beside `update_file`. */
function methodName({ operation: { method } }: Subject, base: string, max: number): string {
  if (!/^[A-Z]+$/.test(method)) return "";
  const [verb = "", ...rest] = base.split("_");
  return fitName([METHOD_VERBS[method] ?? method.toLowerCase(), ...(PLAIN_VERBS.has(verb) ? rest : [verb, ...rest])], max);
}

/** New words of each piece of the path, the nearest piece first. */
function pathPhrases(subject: Subject, winner: Subject, inBase: ReadonlySet<string>): string[][] {
  const said = new Set([...inBase, ...staticWords(winner.operation.path).flat()].map(singular));
  const phrases = staticWords(subject.operation.path).map((words) => (words.every((word) => said.has(singular(word))) ? [] : withoutSaid(words, said)));
  return phrases.filter((phrase) => phrase.length > 0).reverse();
}

/** `/b/{bucket}`: a letter says little. */
const isLetter = ([word, more]: readonly string[]): boolean => more === undefined && /^[a-z]$/.test(word ?? "");

/** `oauth v2 access` where `oauth` and `access` are said: v2. */
function withoutSaid(words: readonly string[], said: ReadonlySet<string>): string[] {
  return words.filter((word) => !said.has(singular(word)));
}

function staticWords(path: string): (readonly string[])[] {
  return path.split("/").map((segment) => wordsOf(segment.slice(0, 100).replace(/\{[^{}]*\}/g, " "))).filter((words) => words.length > 0);
}

/** `/persons` beside `/people`: the same word, written differently. */
function literalDifference(subject: Subject, winner: Subject): string[] {
  const theirs = new Set(staticWords(winner.operation.path).flat());
  const own = staticWords(subject.operation.path).flat().filter((word) => !theirs.has(word)).at(-1);
  return own === undefined ? [] : ["in", own];
}

/** Parameters that only the first has: `by name`; `without customer` of the other's. */
function byParameter(subject: Subject, other: Subject, link: "by" | "without"): string[][] {
  const theirs = new Set(paramsOf(other).map((words) => words.join(" ")));
  return paramsOf(subject).filter((words) => !theirs.has(words.join(" "))).reverse().map((words) => [link, ...(words.length > 0 ? words : ["id"])]);
}

function paramsOf({ operation }: Subject): (readonly string[])[] {
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].map((match) => wordsOf(match[1] as string));
}
