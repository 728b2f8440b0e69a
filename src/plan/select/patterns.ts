import type { Operation } from "../../model/types.js";

/** Pattern of `--only` or `--skip`. */
export interface Pattern {
  readonly text: string;
  /** Tests whether it names exactly this operation, without wildcard or tag. */
  namesExactly(operation: Operation): boolean;
  matches(operation: Operation): boolean;
}

/**
 * Reads a pattern: a tag, an operationId, a method, a path, or `METHOD /path`. `*` matches anything
 * within a segment, `**` anything. Tags are compared without case.
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
      operation.tags.some(
        (candidate) => candidate.toLowerCase() === tag || (text.includes("*") && glob(candidate)),
      ),
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
 * Compiles a glob without regular expressions, which would backtrack. The test walks over the
 * pattern once, with the set of possible positions in the text.
 * @param boundary character that a single `*` does not cross; empty for none
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

/** All positions that a wildcard reaches. */
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
