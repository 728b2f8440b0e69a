/** Candidates for a name: their comparison, their order and their text. */
import { nearestNames } from "../data/values.js";

/** Maximum number of candidates in an error text. */
export const MAX_CANDIDATES = 5;

/** Maximum number of characters of a name in an error text. */
const MAX_NAME = 80;

/** A thing with its ID and its name. */
export interface Candidate {
  readonly id: unknown;
  readonly name: string;
}

/** A name without differences that do not matter: case, spaces around it, forms of a letter. */
export function normalizeName(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/** Ranks candidates: similar names first, then names that contain the text. */
export function rankCandidates(text: string, items: readonly Candidate[]): readonly Candidate[] {
  const near = nearestNames(text, new Set(items.map(({ name }) => name)), MAX_CANDIDATES);
  const searched = normalizeName(text);
  const rank = ({ name }: Candidate): number => {
    if (near.includes(name)) return near.indexOf(name);
    const normalized = normalizeName(name);
    const isPart = normalized.includes(searched) || searched.includes(normalized);
    return name !== "" && isPart ? MAX_CANDIDATES : MAX_CANDIDATES + 1;
  };
  return [...items].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_CANDIDATES);
}

/** Lists candidates with their names. */
export function formatCandidates(items: readonly Candidate[]): string {
  return items.slice(0, MAX_CANDIDATES).map(formatCandidate).join(", ");
}

/** `7 (Rex)`. */
export function formatCandidate({ id, name }: Candidate): string {
  return `${String(id)} (${shorten(name.trim())})`;
}

/** The beginning of a name. */
export function shorten(text: string): string {
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
}
