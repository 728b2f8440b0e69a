import type { Operation } from "../../model/types.js";

/** One `--only` or `--skip` pattern. */
export interface Pattern {
  readonly text: string;
  /** It names exactly one operation, not a group: no wildcard, no tag. */
  namesExactly(operation: Operation): boolean;
  matches(operation: Operation): boolean;
}

/**
 * Reads a pattern: a tag, an operationId, or `METHOD /path` (either alone will do), with `*` for
 * anything within a segment and `**` for anything. Tags compare without case.
 */
export function readPattern(text: string): Pattern {
  const parts = /^(?:([A-Za-z*]+)\s+)?(\/\S*)$/.exec(text.trim());
  if (parts) return pathPattern(text, parts[1], parts[2] as string);
  const glob = compileGlob(text.trim(), "");
  const tag = text.trim().toLowerCase();
  return {
    text,
    namesExactly: (operation) => operation.operationId === text.trim(),
    matches: (operation) =>
      (operation.operationId !== undefined && glob(operation.operationId)) ||
      operation.tags.some((one) => one.toLowerCase() === tag || (text.includes("*") && glob(one))),
  };
}

function pathPattern(text: string, method: string | undefined, path: string): Pattern {
  const glob = compileGlob(path, "/");
  const wanted = method === undefined || method === "*" ? undefined : method.toUpperCase();
  return {
    text,
    namesExactly: (operation) =>
      operation.method.toUpperCase() === wanted && operation.path === path,
    matches: (operation) =>
      (wanted === undefined || operation.method.toUpperCase() === wanted) && glob(operation.path),
  };
}

/**
 * A glob as a test, by hand: patterns of wildcards would make regular expressions that backtrack
 * without end. Walks over the pattern once, with the set of places in the text where it may stand.
 * @param edge what a single `*` does not cross; empty: nothing stops it
 */
function compileGlob(pattern: string, edge: string): (text: string) => boolean {
  const parts = pattern.split(/(\*+)/).filter((part) => part !== "");
  return (text) => {
    let places: readonly number[] = [0];
    for (const part of parts) {
      if (places.length === 0) return false;
      places = part.startsWith("*")
        ? advanceWildcard(places, text, part === "*" ? edge : "")
        : places.filter((at) => text.startsWith(part, at)).map((at) => at + part.length);
    }
    return places.includes(text.length);
  };
}

/** Every place that a wildcard reaches from some places. */
function advanceWildcard(places: readonly number[], text: string, edge: string): readonly number[] {
  const reached: number[] = [];
  let next = 0;
  for (const place of places) {
    if (place < next) continue;
    for (let at = place; at <= text.length; at++) {
      reached.push(at);
      next = at + 1;
      if (edge !== "" && text[at] === edge) break;
    }
  }
  return reached;
}
