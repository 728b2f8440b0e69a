import { At } from "./at.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { quote } from "./findings.js";
import { readParameter, type NamedParameter } from "./parameter.js";
import { neededList, own, type Raw } from "./read.js";
import type { PathTemplate } from "./template.js";
import type { Parameter, ParameterLocation } from "./types.js";
import { isAuthorization } from "./undeclared-scheme.js";

/** The parameters of one operation. */
export interface OperationParameters {
  readonly parameters: readonly Parameter[];
  /** Constant pairs of the path key's query. */
  readonly fixedQuery: readonly (readonly [string, string])[];
  /** Swagger 2.0: the parameters that make up the body. */
  readonly bodyParameters: readonly Located[];
  /** The header of this name, which is for credentials and no parameter. */
  readonly authorization?: Located;
}

const LOCATIONS: ReadonlySet<unknown> = new Set<ParameterLocation>([
  "path",
  "query",
  "header",
  "cookie",
]);

/** A list of parameters and where it stands. */
export interface ParameterList {
  readonly owner: Raw;
  readonly at: At;
}

/**
 * Merges the parameters of a path item and its operation (same name and place: the operation's
 * counts), and makes them agree with the path template. OpenAPI 3.1, "Operation Object",
 * `parameters`.
 */
export function readParameters(
  c: Context,
  template: PathTemplate,
  lists: readonly ParameterList[],
  at: At,
): OperationParameters {
  const parameters: Parameter[] = [];
  const bodyParameters: Located[] = [];
  const named: NamedParameter[] = [];
  let authorization: Located | undefined;
  for (const declared of mergedDeclarations(c, lists)) {
    if (!isNamed(declared)) {
      bodyParameters.push(declared);
      continue;
    }
    if (isAuthorization(declared)) {
      authorization = declared;
      continue;
    }
    const placed = template.query.length === 0 ? declared : inQuery(declared, template);
    named.push(placed);
    const parameter = isPlaced(c, placed, template) ? readParameter(c, placed) : undefined;
    if (parameter)
      parameters.push(template.query.length === 0 ? parameter : renamed(parameter, template));
  }
  addUndeclared(c, template, named, parameters, at);
  return {
    parameters: withoutMixedQuery(c, parameters),
    fixedQuery: fixedPairs(template),
    bodyParameters,
    ...(authorization && { authorization }),
  };
}

/** Declarations by name and place; the later list counts, in the position of the earlier. */
function mergedDeclarations(c: Context, lists: readonly ParameterList[]): Iterable<Declared> {
  const merged = new Map<string, Declared>();
  for (const { owner, at } of lists)
    if ("parameters" in owner) addDeclarations(c, owner, at, merged);
  return merged.values();
}

/** A parameter with a name, or one of 2.0's `body` and `formData`. */
type Declared = NamedParameter | (Located & { readonly in: "body" });

function isNamed(declared: Declared): declared is NamedParameter {
  return declared.in !== "body";
}

/** Adds the usable parameters of one list. Within the list each may stand once. */
function addDeclarations(c: Context, owner: Raw, at: At, merged: Map<string, Declared>): void {
  const place = at.child("parameters");
  const here = new Set<string>();
  let index = 0;
  for (const value of neededList(c, owner, "parameters", at)) {
    const itemAt = place.child(index++);
    const located = deref(c, value, itemAt, "parameter", true);
    const declared = located && identify(c, located);
    if (!declared) continue;
    const key = keyOf(declared);
    if (!here.has(key)) merged.set(key, declared);
    else
      c.findings.add(
        "model-parameter-repeated",
        itemAt,
        `The parameter ${isNamed(declared) ? quote(declared.name) : "that makes up the body"} is declared twice; the first is used.`,
      );
    here.add(key);
  }
}

function identify(c: Context, { raw, at }: Located): Declared | undefined {
  const name = own(raw, "name");
  const location = own(raw, "in");
  if (c.version === "2.0" && (location === "body" || location === "formData"))
    return { raw, at, in: "body" };
  if (typeof name !== "string" || name === "")
    return leaveOut(c, at, "A parameter without a name is left out.");
  if (LOCATIONS.has(location) || (location === "querystring" && c.version === "3.2"))
    return { raw, at, name, in: location as ParameterLocation };
  const where = typeof location === "string" ? `in ${quote(location)}` : "without a place (`in`)";
  return leaveOut(
    c,
    at,
    `The parameter ${quote(name)} ${where} is left out: OpenAPI ${c.version} has no such place.`,
  );
}

function leaveOut(c: Context, at: At, message: string): undefined {
  c.findings.add("model-parameter", at, message);
}

/** Names of headers are the same in any case. */
function keyOf(declared: Declared): string {
  const { name } = declared.raw;
  if (!isNamed(declared))
    return declared.raw.in === "body" ? "body" : `formData ${typeof name === "string" ? name : ""}`;
  return `${declared.in} ${declared.in === "header" ? declared.name.toLowerCase() : declared.name}`;
}

/**
 * `/x?id={id}`: a parameter that is declared in the path, and stands in its query, is one of the
 * query.
 */
function inQuery(declared: NamedParameter, { names, query }: PathTemplate): NamedParameter {
  const moves =
    declared.in === "path" &&
    !names.includes(declared.name) &&
    query.some(([, value]) => value === `{${declared.name}}`);
  return moves ? { ...declared, in: "query" } : declared;
}

/** The wire name of such a parameter is the one before the equals sign. */
function renamed(parameter: Parameter, { query }: PathTemplate): Parameter {
  const pair =
    parameter.in === "query"
      ? query.find(([, value]) => value === `{${parameter.name}}`)
      : undefined;
  return pair && pair[0] !== parameter.name
    ? { ...parameter, name: pair[0], required: true }
    : parameter;
}

const TEMPLATED = /^\{([^{}]+)\}$/;

function fixedPairs({ query }: PathTemplate): readonly (readonly [string, string])[] {
  return query.filter(([, value]) => !TEMPLATED.test(value));
}

/** Whether a declared parameter has a place to go to. */
function isPlaced(
  c: Context,
  { name, in: location, at }: NamedParameter,
  { path, names, query }: PathTemplate,
): boolean {
  if (location === "path" && !names.includes(name)) {
    c.findings.add(
      "model-path-parameter",
      at,
      `The path parameter ${quote(name)} does not occur in the path ${quote(path)}; it is left out.`,
    );
    return false;
  }
  if (
    location === "query" &&
    query.some(([key, value]) => key === name && !TEMPLATED.test(value))
  ) {
    c.findings.add(
      "model-parameter-ignored",
      at,
      `The query parameter ${quote(name)} has a constant value in the path ${quote(path)}, which is sent.`,
    );
    return false;
  }
  return true;
}

/** Names in braces that no parameter declares: something must be sent there. */
function addUndeclared(
  c: Context,
  { path, names, query }: PathTemplate,
  named: readonly NamedParameter[],
  parameters: Parameter[],
  at: At,
): void {
  const isDeclared = (location: string, name: string): boolean =>
    named.some((one) => one.in === location && one.name === name);
  for (const name of names)
    if (!isDeclared("path", name)) parameters.push(synthesised(c, path, name, name, "path", at));
  for (const [key, value] of query) {
    const name = TEMPLATED.exec(value)?.[1];
    if (name !== undefined && !isDeclared("query", name))
      parameters.push(synthesised(c, path, name, key, "query", at));
  }
}

function synthesised(
  c: Context,
  path: string,
  written: string,
  name: string,
  location: "path" | "query",
  at: At,
): Parameter {
  c.findings.add(
    "model-path-parameter",
    at,
    `The path ${quote(path)} has ${quote(`{${written}}`)}, which no parameter declares; it is taken as a required string.`,
  );
  const style =
    location === "path"
      ? ({ style: "simple", explode: false } as const)
      : ({ style: "form", explode: true } as const);
  return {
    name,
    in: location,
    required: true,
    deprecated: false,
    schema: { type: "string" },
    ...style,
    allowReserved: false,
    place: at.place,
  };
}

/** 3.2: `querystring` is the whole query; it cannot stand beside parts of one, and only once. */
function withoutMixedQuery(c: Context, parameters: readonly Parameter[]): readonly Parameter[] {
  if (c.version !== "3.2") return parameters;
  const whole = parameters.filter((one) => one.in === "querystring");
  const [first] = whole;
  const isMixed = parameters.some((one) => one.in === "query");
  const dropped = whole.filter((one) => isMixed || one !== first);
  for (const one of dropped)
    c.findings.add(
      "model-parameter",
      At.of(one.place.pointer),
      `${quote(one.name)} is the whole query and stands beside other query parameters; it is left out.`,
    );
  return dropped.length === 0 ? parameters : parameters.filter((one) => !dropped.includes(one));
}
