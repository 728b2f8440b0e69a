import type { Operation } from "../../model/types.js";

/** One `--only` or `--skip` pattern. */
export interface Pattern {
  readonly text: string;
  /** It names exactly one operation, not a group: no wildcard, no tag. */
  names(operation: Operation): boolean;
  matches(operation: Operation): boolean;
}

/**
 * Reads a pattern: a tag, an operationId, or `METHOD /path` (either alone will do), with `*` for anything within a segment
 * and `**` for anything. Tags compare without case.
 */
export function readPattern(text: string): Pattern {
  const parts = /^(?:([A-Za-z*]+)\s+)?(\/\S*)$/.exec(text.trim());
  if (parts) return pathPattern(text, parts[1], parts[2] as string);
  const glob = toRegExp(text.trim(), "");
  const tag = text.trim().toLowerCase();
  return {
    text,
    names: (operation) => operation.operationId === text.trim(),
    matches: (operation) => (operation.operationId !== undefined && glob(operation.operationId)) || operation.tags.some((one) => one.toLowerCase() === tag || (text.includes("*") && glob(one))),
  };
}

function pathPattern(text: string, method: string | undefined, path: string): Pattern {
  const glob = toRegExp(path, "/");
  const wanted = method === undefined || method === "*" ? undefined : method.toUpperCase();
  return {
    text,
    names: (operation) => operation.method === wanted && operation.path === path,
    matches: (operation) => (wanted === undefined || operation.method === wanted) && glob(operation.path),
  };
}

/**
 * A glob as a test, by hand: patterns of wildcards would make regular expressions that backtrack without end.
 * @param edge what a single `*` does not cross; empty: nothing stops it
 */
function toRegExp(pattern: string, edge: string): (text: string) => boolean {
  const parts = pattern.split(/(\*+)/).filter((part) => part !== "");
  return (text) => matchFrom(parts, 0, text, 0, edge, new Set());
}

function matchFrom(parts: readonly string[], part: number, text: string, at: number, edge: string, failed: Set<number>): boolean {
  const piece = parts[part];
  if (piece === undefined) return at === text.length;
  const key = part * (text.length + 1) + at;
  if (failed.has(key)) return false;
  failed.add(key);
  if (!piece.startsWith("*")) return text.startsWith(piece, at) && matchFrom(parts, part + 1, text, at + piece.length, edge, failed);
  for (let end = at; end <= text.length; end++) {
    if (matchFrom(parts, part + 1, text, end, edge, failed)) return true;
    if (piece === "*" && edge !== "" && text[end] === edge) return false;
  }
  return false;
}
