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
  const expectedMethod = method === undefined || method === "*" ? undefined : method.toUpperCase();
  return {
    text,
    namesExactly: (operation) =>
      operation.method.toUpperCase() === expectedMethod && operation.path === path,
    matches: (operation) =>
      (expectedMethod === undefined || operation.method.toUpperCase() === expectedMethod) &&
      glob(operation.path),
  };
}

/**
 * A glob as a test, by hand: patterns of wildcards would make regular expressions that backtrack
 * without end. Walks over the pattern once, with the set of places in the text where it may stand.
 * @param boundary what a single `*` does not cross; empty: nothing stops it
 */
function compileGlob(pattern: string, boundary: string): (text: string) => boolean {
  const parts = pattern.split(/(\*+)/).filter((part) => part !== "");
  return (text) => {
    let positions: readonly number[] = [0];
    for (const part of parts) {
      if (positions.length === 0) return false;
      positions = part.startsWith("*")
        ? advanceWildcard(positions, text, part === "*" ? boundary : "")
        : positions.filter((at) => text.startsWith(part, at)).map((at) => at + part.length);
    }
    return positions.includes(text.length);
  };
}

/** Every place that a wildcard reaches from some places. */
function advanceWildcard(
  positions: readonly number[],
  text: string,
  boundary: string,
): readonly number[] {
  const reachable: number[] = [];
  let next = 0;
  for (const position of positions) {
    if (position < next) continue;
    for (let at = position; at <= text.length; at++) {
      reachable.push(at);
      next = at + 1;
      if (boundary !== "" && text[at] === boundary) break;
    }
  }
  return reachable;
}
