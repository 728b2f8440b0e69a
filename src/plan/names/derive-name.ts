import type { ClassifiedOperation } from "../classify.js";
import { nameFromOperationId, type NameWords } from "./from-operation-id.js";
import { nameFromPath } from "./from-path.js";
import { isQuantifier, needsComplement, pluralize, singularize } from "./grammar.js";
import { parseOperationId } from "./parse-operation-id.js";
import { parsePathTemplate } from "./path.js";
import { pathInOperationId } from "./tokenize-operation-id.js";

/** A name in words, and where it comes from. */
export interface DerivedName extends NameWords {
  /** Words that would stand behind the verb, for when the name without them is another's. */
  readonly omittedGroup?: readonly string[];
  readonly source: "operationId" | "path";
}

/**
 * Names one operation by itself, from its operationId when that is good, else from its path. Looks
 * at no other operation.
 */
export function deriveName(subject: ClassifiedOperation): DerivedName {
  const id = subject.operation.operationId;
  const path = id === undefined ? undefined : pathInOperationId(id, subject.operation.path);
  if (path !== undefined)
    return {
      ...removeRepeatedWords(nameFromPath({ ...subject, pathParts: parsePathTemplate(path) })),
      source: "operationId",
    };
  const parsed = id === undefined ? undefined : parseOperationId(id, subject);
  if (!parsed) return { ...removeRepeatedWords(nameFromPath(subject)), source: "path" };
  return {
    ...removeRepeatedWords(nameFromOperationId(parsed, subject)),
    ...(parsed.omittedGroup && { omittedGroup: parsed.omittedGroup }),
    source: "operationId",
  };
}

/** What a name says twice, it says once. */
function removeRepeatedWords(wording: NameWords): NameWords {
  const { words, optionalPositions: extra } = wording;
  const kept = positionsWithoutRepeats(words);
  return kept
    ? {
        words: kept.map((i) => words[i] as string),
        optionalPositions: new Set(kept.flatMap((from, to) => (extra?.has(from) ? [to] : []))),
      }
    : wording;
}

/** Verbs of reading, for which `find` says as much. */
const READING_VERBS = new Set(
  "list get search find query fetch retrieve read show browse index".split(" "),
);

/**
 * What a tool that lists, searches and gets is called after the name of its list: `list_pets` →
 * `find_pets`; undefined when that starts with a verb that says more.
 * @param collection words of the last piece of the path, for the number and for names that are
 *   nothing but a verb
 */
export function findToolName(
  words: readonly string[],
  collection: readonly string[],
): string | undefined {
  if (!READING_VERBS.has(words[0] as string)) return undefined;
  const noun = removeQuantifiers(words.slice(1));
  const last = noun.at(-1);
  if (last !== undefined && pluralize(last) === collection.at(-1))
    noun[noun.length - 1] = pluralize(last);
  return ["find", ...(noun.length > 0 ? noun : collection)].join("_");
}

/**
 * What stood before `all` can stand behind it, too: `codes of conduct all codes of conduct`.
 * Otherwise, what a name repeats tells operations apart.
 */
function removeQuantifiers(noun: readonly string[]): string[] {
  const left = noun.filter((word) => !isQuantifier(word));
  return left.length < noun.length ? removeRepeats(["find", ...left]).slice(1) : left;
}

/** Longer names are cut in any case, and rows in them would take long to find. */
const MAX_WORDS = 100;

/**
 * Positions of the words of a name without those that say what stands beside them already: `trips
 * trip details` → trip details; `business unit business unit` once; `port in fetch` behind `fetch`.
 * The verb, at 0, stays. Undefined: all of them stay.
 */
export function positionsWithoutRepeats(words: readonly string[]): readonly number[] | undefined {
  if (words.length > MAX_WORDS || !hasRepeats(words)) return undefined;
  const stems = words.map((word, i) => (i === 0 ? word : singularize(word)));
  let kept = words.map((_, i) => i);
  for (let length = Math.floor((words.length - 1) / 2); length > 0; length--)
    kept = removeRepeatedRow(kept, stems, length);
  const last = kept.at(-1) as number;
  const all =
    kept.length > 2 &&
    words[last] === words[0] &&
    !needsComplement(words[kept.at(-2) as number]) &&
    words[kept.at(-2) as number] !== "by"
      ? kept.slice(0, -1)
      : kept;
  return all.length < words.length ? all : undefined;
}

/** The words of a name without those. */
export function removeRepeats(words: readonly string[]): readonly string[] {
  return positionsWithoutRepeats(words)?.map((i) => words[i] as string) ?? words;
}

/** Hardly any name does: this is asked of every operation. */
function hasRepeats(words: readonly string[]): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    for (let j = i + 1; j < words.length; j++) {
      const other = words[j] as string;
      if (
        word === other ||
        (word.charCodeAt(0) === other.charCodeAt(0) && singularize(word) === singularize(other))
      )
        return true;
    }
  }
  return false;
}

/** Of two equal rows of words in a row, the second stays: it has the number that fits. */
function removeRepeatedRow(
  kept: readonly number[],
  stems: readonly string[],
  length: number,
): number[] {
  const out = [...kept];
  for (let i = 1; i + 2 * length <= out.length; i++) {
    const isRepeat = Array.from(
      { length },
      (_, at) => stems[out[i + at] as number] === stems[out[i + length + at] as number],
    ).every(Boolean);
    if (isRepeat) out.splice(i--, length);
  }
  return out;
}
