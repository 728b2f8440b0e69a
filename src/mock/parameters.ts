import { coerce, readPairs, readText } from "./deserialize.js";
import {
  decodeForm,
  type Decoder,
  decodeUri,
  noDecoding,
  type Pair,
  pairOf,
  type RawValue,
} from "./pairs.js";
import { propertiesOf, shapesOf } from "./inspect-schema.js";
import type { SchemaSet } from "./schema-set.js";
import { apiKeyNames } from "./security.js";
import type { MockApi, MockOperation, MockParameter, Violation } from "./types.js";
import { parseForm } from "./form.js";

/** Undecoded parts of a request with parameters and credentials. */
export interface RawRequest {
  /** Percent-encoded path parameters, by name. */
  readonly path: ReadonlyMap<string, string>;
  /** Without the leading `?`. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DecodedParameters {
  readonly values: ReadonlyMap<string, unknown>;
  readonly violations: readonly Violation[];
}

/**
 * Headers that are not parameters. Declarations of the first three are ignored (OpenAPI "Parameter
 * Object"). HTTP clients set the others, whatever the document declares.
 */
const NOT_PARAMETERS = new Set([
  "accept",
  "content-type",
  "authorization",
  "accept-encoding",
  "user-agent",
]);

/**
 * Decodes and validates every declared parameter of an operation. Undeclared query parameters are
 * violations, except API keys and constant parameters of the path. An operation that states no
 * security takes the keys of all schemes.
 */
export function decodeParameters(
  operation: MockOperation,
  request: RawRequest,
  api: MockApi,
  schemas: SchemaSet,
): DecodedParameters {
  const values = new Map<string, unknown>();
  const violations: Violation[] = [];
  const unread = new Set<Pair>(declarablePairs(operation, request.query, api));
  for (const parameter of inReadingOrder(operation.parameters)) {
    const found = read(parameter, request, [...unread], operation, schemas);
    for (const pair of found.used) unread.delete(pair);
    if ("value" in found && !values.has(parameter.name)) values.set(parameter.name, found.value);
    violations.push(...found.violations);
  }
  violations.push(...[...unread].map(undeclared));
  return { values, violations };
}

export const undeclared = ([name]: Pair): Violation => ({
  at: `query ${decodeForm(name)}`,
  problem: "is not declared",
});

interface ParameterReading {
  readonly value?: unknown;
  readonly used: readonly Pair[];
  readonly violations: readonly Violation[];
}

/** Parameters with fixed names first. An exploded object takes the remaining pairs. */
function inReadingOrder(parameters: readonly MockParameter[]): readonly MockParameter[] {
  const rank = (p: MockParameter): number =>
    p.in !== "query" ? 0 : p.style === "form" && p.explode && p.contentType === undefined ? 2 : 1;
  return [...parameters]
    .filter((p) => !(p.in === "header" && NOT_PARAMETERS.has(p.name.toLowerCase())))
    .sort((a, b) => rank(a) - rank(b));
}

/** Pairs of a query, without the keys of security schemes and the constants of the path. */
export function declarablePairs(
  operation: MockOperation,
  query: string,
  api: MockApi,
): readonly Pair[] {
  const keys = apiKeyNames(operation, api);
  const fixed = (operation.fixedQuery ?? []).map(([name, value]) => `${name}=${value}`);
  const pairs = query
    .split("&")
    .filter((p) => p !== "")
    .map(pairOf);
  return pairs.filter(
    ([name, value]) =>
      !keys.has(decodeForm(name)) && !fixed.includes(`${decodeForm(name)}=${decodeForm(value)}`),
  );
}

function read(
  parameter: MockParameter,
  request: RawRequest,
  pairs: readonly Pair[],
  operation: MockOperation,
  schemas: SchemaSet,
): ParameterReading {
  switch (parameter.in) {
    case "path":
      return readOne(parameter, request.path.get(parameter.name), decodeUri, schemas);
    case "header":
      return readOne(parameter, request.headers[parameter.name.toLowerCase()], noDecoding, schemas);
    case "querystring":
      return {
        ...readOne(
          parameter,
          request.query === "" ? undefined : request.query,
          decodeForm,
          schemas,
        ),
        used: pairs,
      };
    case "query":
      return readMany(parameter, pairs, decodeForm, operation, schemas);
    case "cookie":
      return readMany(
        parameter,
        cookiePairs(request.headers["cookie"], parameter),
        parameter.style === "cookie" ? noDecoding : decodeUri,
        operation,
        schemas,
      );
  }
}

/**
 * Pairs of a `Cookie` header: `a=1; b=2`. The style table joins exploded `form` values with `&`,
 * which is invalid in cookies, so both separators are read (OpenAPI 3.2, Appendix D).
 */
function cookiePairs(header: string | undefined, parameter: MockParameter): readonly Pair[] {
  const separator = parameter.style === "form" && parameter.explode ? /; ?|&/u : /; ?/u;
  return (header ?? "")
    .split(separator)
    .filter((p) => p !== "")
    .map(pairOf);
}

function readOne(
  parameter: MockParameter,
  text: string | undefined,
  decode: Decoder,
  schemas: SchemaSet,
): ParameterReading {
  if (text === undefined) return missing(parameter);
  if (parameter.contentType !== undefined)
    return { used: [], ...readContent(parameter, decode(text), schemas, text) };
  const { name, style, explode } = parameter;
  return readBestShape(parameter, schemas, (shape) => {
    const raw = readText(text, name, style, explode, shape, decode);
    return raw === undefined ? undefined : { raw, used: [] };
  });
}

function readMany(
  parameter: MockParameter,
  pairs: readonly Pair[],
  decode: Decoder,
  operation: MockOperation,
  schemas: SchemaSet,
): ParameterReading {
  const { name, style, explode } = parameter;
  const named = pairs.filter(([key]) => decode(key) === name);
  if (parameter.contentType !== undefined)
    return named[0]
      ? { used: named, ...readContent(parameter, decode(named[0][1]), schemas, named[0][1]) }
      : missing(parameter);
  const claims = claimedNames(parameter, operation, schemas);
  const candidates = readBestShape(parameter, schemas, (shape) =>
    readPairs(pairs, name, style, explode, shape, decode, claims),
  );
  return candidates.used.length === 0 && named.length > 0
    ? { ...candidates, used: named, violations: [unreadable(parameter)] }
    : candidates;
}

/**
 * Tests whether a name belongs to an exploded object: its properties, and for an open object also
 * any name that is not another parameter.
 */
function claimedNames(
  parameter: MockParameter,
  operation: MockOperation,
  schemas: SchemaSet,
): (property: string) => boolean {
  const { schemas: properties, open } = propertiesOf(parameter.schema, schemas);
  const others = new Set(
    operation.parameters.filter((p) => p !== parameter && p.in === parameter.in).map((p) => p.name),
  );
  return (name) => properties.has(name) || (open && !others.has(name));
}

/** The first shape of the schema whose value is valid, otherwise the first readable one. */
function readBestShape(
  parameter: MockParameter,
  schemas: SchemaSet,
  readAs: (
    shape: "scalar" | "array" | "object",
  ) => { readonly raw: RawValue; readonly used: readonly Pair[] } | undefined,
): ParameterReading {
  let first: ParameterReading | undefined;
  for (const shape of shapesOf(parameter.schema, schemas)) {
    const found = readAs(shape);
    if (!found) continue;
    const value = coerce(found.raw, parameter.schema, schemas);
    const violations = schemas.check(value, parameter.schema, locationOf(parameter));
    if (violations.length === 0) return { value, used: found.used, violations };
    first ??= { value, used: found.used, violations };
  }
  return (
    first ??
    (parameter.in === "path" || parameter.in === "header"
      ? { used: [], violations: [unreadable(parameter)] }
      : missing(parameter))
  );
}

function readContent(
  parameter: MockParameter,
  text: string,
  schemas: SchemaSet,
  encoded: string,
): { readonly value?: unknown; readonly violations: readonly Violation[] } {
  const type = parameter.contentType ?? "";
  if (type.includes("x-www-form-urlencoded"))
    return validated(
      parseForm(parameter.in === "querystring" ? encoded : text, parameter, schemas),
      parameter,
      schemas,
    );
  if (!/[/+]json$/u.test(type))
    return validated(coerce(text, parameter.schema, schemas), parameter, schemas);
  try {
    return validated(JSON.parse(text), parameter, schemas);
  } catch {
    return { violations: [{ at: locationOf(parameter), problem: "is not JSON" }] };
  }
}

function validated(
  value: unknown,
  parameter: MockParameter,
  schemas: SchemaSet,
): { readonly value: unknown; readonly violations: readonly Violation[] } {
  return { value, violations: schemas.check(value, parameter.schema, locationOf(parameter)) };
}

function missing(parameter: MockParameter): ParameterReading {
  return {
    used: [],
    violations: parameter.required ? [{ at: locationOf(parameter), problem: "is required" }] : [],
  };
}

function unreadable(parameter: MockParameter): Violation {
  return {
    at: locationOf(parameter),
    problem: `cannot be read as style ${parameter.style}, explode ${String(parameter.explode)}`,
  };
}

function locationOf(parameter: MockParameter): string {
  return `${parameter.in} ${parameter.name}`;
}
