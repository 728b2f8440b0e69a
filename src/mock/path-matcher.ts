import { decodeUri } from "./deserialize.js";
import type { MockApi, MockOperation } from "./types.js";

/** An operation with a matching path, and the percent-encoded path parameters. */
export interface OperationMatch {
  readonly operation: MockOperation;
  readonly path: ReadonlyMap<string, string>;
}

interface SegmentPattern {
  readonly names: readonly string[];
  /**
   * Returns the parameters of a percent-encoded segment, or undefined without a match. Literal
   * segments are compared decoded.
   */
  readonly test: (segment: string) => readonly string[] | undefined;
}

interface PathPattern {
  readonly operation: MockOperation;
  readonly segments: readonly SegmentPattern[];
  /**
   * One digit per segment: `0` literal, `1` mixed, `2` a parameter. Literal paths come first
   * (OpenAPI "Path Templating Matching").
   */
  readonly rank: string;
}

/** Operations of an API by number of path segments, most specific first. */
export class PathMatcher {
  readonly #byLength = new Map<number, PathPattern[]>();

  constructor(api: MockApi) {
    for (const operation of api.operations) {
      const pattern = toPattern(operation);
      const bucket = this.#byLength.get(pattern.segments.length);
      if (bucket) bucket.push(pattern);
      else this.#byLength.set(pattern.segments.length, [pattern]);
    }
    for (const bucket of this.#byLength.values())
      bucket.sort((a, b) => compare(a.rank, b.rank) || fixedPairCount(b) - fixedPairCount(a));
  }

  /**
   * The candidate operations of a request. A document may have several for one method and path
   * (`/files#copy`, `/files#move`). `allowed`: methods of the path when no operation has this
   * method.
   */
  find(
    method: string,
    path: string,
    query: string,
  ): { readonly matches: readonly OperationMatch[]; readonly allowed: readonly string[] } {
    const segments = path.split("/");
    const fitting = (this.#byLength.get(segments.length) ?? []).flatMap((pattern) =>
      matchPattern(pattern, segments),
    );
    const sameMethod = fitting.filter(
      ({ match }) => match.operation.method === method && hasFixedQuery(match.operation, query),
    );
    const best = sameMethod[0]?.pattern.rank;
    const matches = sameMethod
      .filter(({ pattern }) => pattern.rank === best)
      .map(({ match }) => match);
    return { matches, allowed: [...new Set(fitting.map(({ match }) => match.operation.method))] };
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fixedPairCount(pattern: PathPattern): number {
  return pattern.operation.fixedQuery?.length ?? 0;
}

function hasFixedQuery(operation: MockOperation, query: string): boolean {
  if (!operation.fixedQuery?.length) return true;
  const sent = new URLSearchParams(query);
  return operation.fixedQuery.every(([name, value]) => sent.getAll(name).includes(value));
}

function matchPattern(
  pattern: PathPattern,
  segments: readonly string[],
): { readonly pattern: PathPattern; readonly match: OperationMatch }[] {
  const path = new Map<string, string>();
  for (const [index, segment] of pattern.segments.entries()) {
    const texts = segment.test(segments[index] ?? "");
    if (!texts) return [];
    for (const [at, name] of segment.names.entries()) path.set(name, texts[at] ?? "");
  }
  return [{ pattern, match: { operation: pattern.operation, path } }];
}

function toPattern(operation: MockOperation): PathPattern {
  const segments = operation.path.split("/").map((segment) => toSegment(segment, operation));
  const rank = operation.path
    .split("/")
    .map((s) => (!s.includes("{") ? "0" : /^\{[^{}]*\}$/u.test(s) ? "2" : "1"))
    .join("");
  return { operation, segments, rank };
}

const PARAMETER = /\{([^{}]*)\}/u;

function toSegment(template: string, operation: MockOperation): SegmentPattern {
  const pieces = template.split(PARAMETER);
  if (pieces.length === 1) {
    const literal = decodeUri(template);
    return {
      names: [],
      test: (segment) =>
        segment === literal || (segment.includes("%") && decodeUri(segment) === literal)
          ? []
          : undefined,
    };
  }
  const names = pieces.filter((_, index) => index % 2 === 1);
  const literals = pieces.filter((_, index) => index % 2 === 0);
  const prefixes = names.map((name) => stylePrefix(name, operation));
  return { names, test: (segment) => textsBetween(segment, literals, prefixes) };
}

/** First character of a path parameter of style `label` or `matrix` (RFC 6570, 3.2.5 and 3.2.7). */
function stylePrefix(name: string, { parameters }: MockOperation): "" | "." | ";" {
  const style = parameters.find((one) => one.in === "path" && one.name === name)?.style;
  return style === "label" ? "." : style === "matrix" ? ";" : "";
}

/**
 * Texts between the literals of a segment, none of them empty: `x...y` for `{a}...{b}` gives `["x",
 * "y"]`.
 * @param prefixes first character of each text, which separates it from an adjacent one
 */
function textsBetween(
  segment: string,
  literals: readonly string[],
  prefixes: readonly string[],
): readonly string[] | undefined {
  const [first = "", ...rest] = literals;
  if (!segment.startsWith(first)) return undefined;
  const texts: string[] = [];
  let at = first.length;
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast
      ? segment.length - literal.length
      : segment.indexOf(`${literal}${prefixes[index + 1] ?? ""}`, at + 1);
    if (end <= at || !segment.startsWith(literal, end)) return undefined;
    texts.push(segment.slice(at, end));
    at = end + literal.length;
  }
  return texts;
}
