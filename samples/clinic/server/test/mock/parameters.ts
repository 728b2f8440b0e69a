import { parseForm } from "./body.js";
import {
  coerce,
  decodeForm,
  type Decoder,
  decodeUri,
  noDecoding,
  type Pair,
  pairOf,
  type RawValue,
  readPairs,
  readText,
} from "./deserialize.js";
import { propertiesOf, shapesOf } from "./inspect-schema.js";
import type { SchemaSet } from "./schema-set.js";
import type { MockApi, MockOperation, MockParameter, Violation } from "./types.js";

/** The raw parts of a request that parameters are read from. */
export interface RawRequest {
  /** Encoded text of each path parameter. */
  readonly path: ReadonlyMap<string, string>;
  /** Without `?`. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DecodedParameters {
  readonly values: ReadonlyMap<string, unknown>;
  readonly violations: readonly Violation[];
}

/**
 * Names that other parts of a document describe; parameters of these names are ignored (OpenAPI
 * "Parameter Object").
 */
const NOT_PARAMETERS = new Set(["accept", "content-type", "authorization"]);

/**
 * Reads every declared parameter of an operation and holds it against its schema. What the query
 * has besides them, besides the pairs that stand in the path and besides API keys, is a violation.
 */
export function decodeParameters(
  operation: MockOperation,
  wire: RawRequest,
  api: MockApi,
  schemas: SchemaSet,
): DecodedParameters {
  const values = new Map<string, unknown>();
  const violations: Violation[] = [];
  const unread = new Set<Pair>(declarablePairs(operation, wire.query, api));
  for (const parameter of inReadingOrder(operation.parameters)) {
    const found = read(parameter, wire, [...unread], operation, schemas);
    for (const pair of found.used) unread.delete(pair);
    if ("value" in found && !values.has(parameter.name)) values.set(parameter.name, found.value);
    violations.push(...found.violations);
  }
  for (const [name] of unread)
    violations.push({ at: `query ${decodeForm(name)}`, problem: "is not declared" });
  return { values, violations };
}

interface ParameterReading {
  readonly value?: unknown;
  readonly used: readonly Pair[];
  readonly violations: readonly Violation[];
}

/** Those with names of their own first; an exploded object takes what is left. */
function inReadingOrder(parameters: readonly MockParameter[]): readonly MockParameter[] {
  const rank = (p: MockParameter): number =>
    p.in !== "query" ? 0 : p.style === "form" && p.explode && p.contentType === undefined ? 2 : 1;
  return [...parameters]
    .filter((p) => !(p.in === "header" && NOT_PARAMETERS.has(p.name.toLowerCase())))
    .sort((a, b) => rank(a) - rank(b));
}

function declarablePairs(operation: MockOperation, query: string, api: MockApi): readonly Pair[] {
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

function apiKeyNames(operation: MockOperation, api: MockApi): ReadonlySet<string> {
  const schemes = new Map(Object.entries(api.securitySchemes));
  const names = (operation.security ?? []).flatMap((alternative) => Object.keys(alternative));
  const keys = names
    .map((n) => schemes.get(n))
    .flatMap((s) => (s?.kind === "apiKey" && s.in === "query" ? [s.name] : []));
  return new Set(
    keys.filter(
      (key) =>
        !operation.parameters.some(
          (parameter) => parameter.in === "query" && parameter.name === key,
        ),
    ),
  );
}

function read(
  parameter: MockParameter,
  wire: RawRequest,
  pairs: readonly Pair[],
  operation: MockOperation,
  schemas: SchemaSet,
): ParameterReading {
  switch (parameter.in) {
    case "path":
      return readOne(parameter, wire.path.get(parameter.name), decodeUri, schemas);
    case "header":
      return readOne(parameter, wire.headers[parameter.name.toLowerCase()], noDecoding, schemas);
    case "querystring":
      return {
        ...readOne(parameter, wire.query === "" ? undefined : wire.query, decodeForm, schemas),
        used: pairs,
      };
    case "query":
      return readMany(parameter, pairs, decodeForm, operation, schemas);
    case "cookie":
      return readMany(
        parameter,
        cookiePairs(wire.headers["cookie"], parameter),
        parameter.style === "cookie" ? noDecoding : decodeUri,
        operation,
        schemas,
      );
  }
}

/**
 * `a=1; b=2`. Exploded `form` values are joined by `&` when the style table is followed to the
 * letter, which is no legal cookie syntax; both ways are read (OpenAPI 3.2, Appendix D).
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
  const own = pairs.filter(([key]) => decode(key) === name);
  if (parameter.contentType !== undefined)
    return own[0]
      ? { used: own, ...readContent(parameter, decode(own[0][1]), schemas, own[0][1]) }
      : missing(parameter);
  const claims = claimedNames(parameter, operation, schemas);
  const candidates = readBestShape(parameter, schemas, (shape) =>
    readPairs(pairs, name, style, explode, shape, decode, claims),
  );
  return candidates.used.length === 0 && own.length > 0
    ? { ...candidates, used: own, violations: [unreadable(parameter)] }
    : candidates;
}

/**
 * Which query names an exploded object owns: its properties, or, when it is open, all that no other
 * parameter has.
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

/** Reads in each shape the schema allows, and takes the first that satisfies it. */
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
