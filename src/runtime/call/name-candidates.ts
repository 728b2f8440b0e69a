/** Candidates for a name: their comparison, their order and their text. */
import { nearestNames, beginningOf } from "../data/values.js";

/** Maximum number of candidates in an error text. */
export const MAX_CANDIDATES = 5;

/** Maximum number of characters of a name in an error text. */
const MAX_CANDIDATE_NAME = 80;

/** A thing with its ID and its name. */
export interface Candidate {
  readonly id: unknown;
  readonly name: string;
  /** Further names, such as its URL. */
  readonly otherNames?: readonly string[];
}

/** True if a thing has a name. URLs are compared without their query and a slash at the end. */
export function hasName({ name, otherNames = [] }: Candidate, text: string): boolean {
  return [name, ...otherNames].some(
    (one) =>
      normalizeName(one) === normalizeName(text) ||
      (isUrl(one) && isUrl(text) && plainUrl(one) === plainUrl(text)),
  );
}

export const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

const plainUrl = (url: string): string =>
  normalizeName((url.split(/[?#]/, 1)[0] ?? "").replace(/(?<!\/)\/+$/, ""));

/** True for a value that a request can take as an ID. */
export function isId(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** A name without differences that do not matter: case, spaces around it, forms of a letter. */
export function normalizeName(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/**
 * Ranks candidates: similar names first, then names that contain the text. A thing without a name is
 * none, because an ID alone does not show which one is meant.
 */
export function rankCandidates(text: string, things: readonly Candidate[]): readonly Candidate[] {
  const items = things.filter(({ name }) => name !== "");
  const near = nearestNames(text, new Set(items.map(({ name }) => name)), MAX_CANDIDATES);
  const searched = normalizeName(text);
  const rank = ({ name }: Candidate): number => {
    if (near.includes(name)) return near.indexOf(name);
    const normalized = normalizeName(name);
    const isPart = normalized.includes(searched) || searched.includes(normalized);
    return isPart ? MAX_CANDIDATES : MAX_CANDIDATES + 1;
  };
  const ranked = items.map((item) => ({ item, rank: rank(item) }));
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_CANDIDATES)
    .map(({ item }) => item);
}

/** Lists candidates with their names. */
export function formatCandidates(items: readonly Candidate[]): string {
  return items.slice(0, MAX_CANDIDATES).map(formatCandidate).join(", ");
}

/** `7 (Rex)`, or `7` without a name. Text of the API stays in one line, and an ID that is no plain word is quoted. */
export function formatCandidate({ id, name }: Candidate): string {
  const text = shorten(String(id));
  const shown = /^[\p{L}\p{N}_.:@/+=-]+$/u.test(text) ? text : JSON.stringify(text);
  const label = name
    .slice(0, 2 * MAX_CANDIDATE_NAME)
    .replace(/\s+/g, " ")
    .trim();
  return label === "" ? shown : `${shown} (${shorten(label)})`;
}

/** The beginning of a name. */
export function shorten(text: string): string {
  return beginningOf(text, MAX_CANDIDATE_NAME);
}
