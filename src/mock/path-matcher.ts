import { decodeUri, encodeUri } from "./pairs.js";
import { toList } from "./inspect-schema.js";
import type { SchemaSet } from "./schema-set.js";
import type { MockApi, MockOperation, MockParameter } from "./types.js";

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

  /** @param schemas the schemas of the API for requests */
  constructor(api: MockApi, schemas: SchemaSet) {
    for (const operation of api.operations) {
      const pattern = toPattern(operation, schemas);
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

function toPattern(operation: MockOperation, schemas: SchemaSet): PathPattern {
  const segments = operation.path
    .split("/")
    .map((segment) => toSegment(segment, operation, schemas));
  const rank = operation.path
    .split("/")
    .map((s) => (!s.includes("{") ? "0" : /^\{[^{}]*\}$/u.test(s) ? "2" : "1"))
    .join("");
  return { operation, segments, rank };
}

const PARAMETER = /\{([^{}]*)\}/u;

function toSegment(template: string, operation: MockOperation, schemas: SchemaSet): SegmentPattern {
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
  const parameters = names.map((name) =>
    operation.parameters.find((one) => one.in === "path" && one.name === name),
  );
  const expressionOf = (text: (parameter: MockParameter | undefined) => string): RegExp => {
    const texts = parameters.map((parameter, at) => (at === 0 ? ".+?" : text(parameter)));
    const parts = pieces.map((piece, index) =>
      index % 2 === 0 ? escapeExpression(piece) : `(${texts[(index - 1) / 2] ?? ""})`,
    );
    return new RegExp(`^${parts.join("")}$`, "su");
  };
  const expected = expressionOf((parameter) => enumeratedText(parameter, schemas));
  const readable = expressionOf(styledText);
  return {
    names,
    test: (segment) =>
      isCheap(names.length, segment)
        ? (expected.exec(segment) ?? readable.exec(segment))?.slice(1)
        : undefined,
  };
}

/** Limits the time of a match, which grows with the length to the power of the parameters. */
const isCheap = (parameters: number, { length }: string): boolean =>
  parameters <= 2 || (parameters <= 4 && length <= 200);

/**
 * A regular expression of a path parameter that follows another one. It is one of the enumerated
 * values, which find the end of the other one: `a.b.json` for `{name}.{format}`.
 */
function enumeratedText(parameter: MockParameter | undefined, schemas: SchemaSet): string {
  const schema = schemas.resolve(parameter?.schema);
  const values = typeof schema === "object" ? toList(schema["enum"]) : [];
  const texts = values.flatMap((value) => [String(value), encodeUri(String(value))]);
  return texts.map(escapeExpression).join("|") || styledText(parameter);
}

/** The same without its values: the first character of a style (RFC 6570, 3.2.5 and 3.2.7). */
function styledText(parameter: MockParameter | undefined): string {
  if (parameter?.style === "label") return "\\..*?";
  return parameter?.style === "matrix" ? ";.*?" : ".+?";
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
