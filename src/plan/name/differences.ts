import type { Operation } from "../../model/types.js";
import type { Subject } from "../kind.js";
import { singular } from "./inflect.js";
import { wordsOf } from "./words.js";

export type Phrase = readonly string[];

/**
 * Words that only the first has, of each piece of its path, the last piece first. @param said words
 * that are none of them
 */
export function newWords(
  own: Subject,
  other: Subject,
  said: ReadonlySet<string>,
): readonly Phrase[] {
  const known = new Set([...said, ...staticWords(other.operation.path).flat()].map(singular));
  const phrases = staticWords(own.operation.path).map((words) =>
    words.filter((word) => !known.has(singular(word))),
  );
  return phrases.filter((phrase) => phrase.length > 0).reverse();
}

/** `/persons` beside `/people`: the same word, written differently. */
export function literalDifference(subject: Subject, other: Subject): Phrase {
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
    .map((segment) => wordsOf(segment.slice(0, 100).replace(/\{[^{}]*\}/g, " ")))
    .filter((words) => words.length > 0);
}

/** Pieces that differ where both paths have one: `clients` where the other has `client-scopes`. */
export function otherPieces(own: string, other: string): readonly Phrase[] {
  const theirs = other.split("/");
  const differs = (piece: string, i: number): boolean =>
    !piece.includes("{") && wordsOf(piece).join("_") !== wordsOf(theirs[i] ?? "").join("_");
  return own
    .split("/")
    .filter((piece) => piece.length < 100)
    .filter(differs)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

/**
 * Parameters that only the first has, the last one first: `by name`; `without customer` of the
 * other's.
 */
export function byParameter(
  subject: Subject,
  other: Subject,
  link: "by" | "without",
): readonly Phrase[] {
  const theirs = new Set(paramsOf(other).map((words) => words.join(" ")));
  return paramsOf(subject)
    .filter((words) => !theirs.has(words.join(" ")))
    .reverse()
    .map((words) => [link, ...(words.length > 0 ? words : ["id"])]);
}

/** The parameters of a path, in words. */
export function paramsOf({ operation }: Subject): readonly Phrase[] {
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].map((match) => wordsOf(match[1] as string));
}

/** `/items?cmd=copy` beside `/items?cmd=move`: copy; `/weather` by city beside one by position. */
export function queryDifference(own: Operation, other: Operation): readonly Phrase[] {
  const known = new Set((other.fixedQuery ?? []).map(([key, value]) => `${key}=${value}`));
  const fixed = (own.fixedQuery ?? [])
    .filter(([key, value]) => !known.has(`${key}=${value}`))
    .map(([key, value]) => wordsOf(value === "" ? key : value));
  const theirs = new Set(other.parameters.map(({ name }) => name));
  const asked = own.parameters
    .filter((parameter) => parameter.in === "query" && !theirs.has(parameter.name))
    .map(({ name }) => ["by", ...wordsOf(name)]);
  return [...fixed.filter((words) => words.length > 0), ...asked.slice(0, 3)];
}
