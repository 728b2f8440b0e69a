import type { Context } from "./context.js";
import { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { dereference, type LocatedObject } from "./references.js";
import { readParameter, type LocatedParameter } from "./parameter.js";
import { ownProperty, readArray, type RawObject } from "./raw-object.js";
import { type PathTemplate, templateNames } from "./paths.js";
import type { Parameter, ParameterLocation } from "./types.js";
import { isAuthorizationHeader } from "./security-requirements.js";

interface OperationParameters {
  /** The path template, with the names of its parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Constant pairs from the query of the path key. */
  readonly fixedQuery: readonly (readonly [string, string])[];
  /** Swagger 2.0: the parameters that make up the body. */
  readonly bodyParameters: readonly LocatedObject[];
  /** The `Authorization` header parameter. It is a credential, not a parameter. */
  readonly authorization?: LocatedObject;
}

const LOCATIONS: ReadonlySet<unknown> = new Set<ParameterLocation>([
  "path",
  "query",
  "header",
  "cookie",
]);

/** A parameter list and its owner's position. */
interface ParameterList {
  readonly owner: RawObject;
  readonly pointer: Pointer;
}

/**
 * Merges the parameters of a path item and its operation, and aligns them with the path template.
 * With the same name and location, the operation's parameter overrides. OpenAPI 3.1, "Operation
 * Object", `parameters`.
 */
export function mergeParameters(
  c: Context,
  key: PathTemplate,
  lists: readonly ParameterList[],
  pointer: Pointer,
): OperationParameters {
  const declarations = [...mergeDeclarations(c, lists)];
  const template = useDeclaredNames(key, declarations);
  const parameters: Parameter[] = [];
  const bodyParameters: LocatedObject[] = [];
  const located: LocatedParameter[] = [];
  let authorization: LocatedObject | undefined;
  for (const declared of declarations) {
    if (!isNamed(declared)) {
      bodyParameters.push(declared);
      continue;
    }
    if (isAuthorizationHeader(declared)) {
      authorization = declared;
      continue;
    }
    const moved = template.query.length === 0 ? declared : moveToQuery(declared, template);
    located.push(moved);
    const parameter = checkPlacement(c, moved, template) ? readParameter(c, moved) : undefined;
    if (parameter)
      parameters.push(template.query.length === 0 ? parameter : useQueryName(parameter, template));
  }
  addUndeclaredParameters(c, template, located, parameters, pointer);
  return {
    path: template.path,
    parameters: withoutMixedQuery(c, parameters),
    fixedQuery: fixedPairs(template).filter((pair) => !isNamedOnly(pair, parameters)),
    bodyParameters,
    ...(authorization && { authorization }),
  };
}

/** A variable with the operator or the modifier of RFC 6570, or with the `+` of API gateways. */
const EXPRESSION = /^[+.;/]?([^{}*+]+)[*+]?$/;

/** A variable as routers of web frameworks write it, as a whole segment. */
const ROUTE_VARIABLE = /(?<=\/):(\w+)(?=\/|$)/g;

/**
 * Names the variables of a template as the path parameters are: `{.ids*}`, `{proxy+}` and `:id` as
 * `{ids}`, `{proxy}` and `{id}`. OpenAPI has no operators there; the style of the parameter says
 * the same.
 */
function useDeclaredNames(
  template: PathTemplate,
  declarations: readonly DeclaredParameter[],
): PathTemplate {
  const declared = new Set(
    declarations.flatMap((declaration) => (declaration.in === "path" ? [declaration.name] : [])),
  );
  const plainName = (name: string): string => {
    const plain = EXPRESSION.exec(name)?.[1];
    return !declared.has(name) && plain !== undefined && declared.has(plain) ? plain : name;
  };
  const path = template.path
    .replace(/\{([^{}]*)\}/g, (_, name: string) => `{${plainName(name)}}`)
    .replace(ROUTE_VARIABLE, (text, name: string) => (declared.has(name) ? `{${name}}` : text));
  return path === template.path
    ? template
    : { ...template, path, parameterNames: templateNames(path) };
}

/**
 * Merges declarations by name and location. A later list overrides in the position of the earlier.
 */
function mergeDeclarations(
  c: Context,
  lists: readonly ParameterList[],
): Iterable<DeclaredParameter> {
  const merged = new Map<string, DeclaredParameter>();
  for (const { owner, pointer } of lists)
    if ("parameters" in owner) addDeclarations(c, owner, pointer, merged);
  return merged.values();
}

/** A named parameter, or one of Swagger 2.0's `body` and `formData`. */
type DeclaredParameter = LocatedParameter | (LocatedObject & { readonly in: "body" });

function isNamed(declared: DeclaredParameter): declared is LocatedParameter {
  return declared.in !== "body";
}

/** Adds the usable parameters of one list. Duplicates within the list are reported. */
function addDeclarations(
  c: Context,
  owner: RawObject,
  pointer: Pointer,
  merged: Map<string, DeclaredParameter>,
): void {
  const listPointer = pointer.child("parameters");
  const keysInList = new Set<string>();
  let index = 0;
  for (const value of readArray(c, owner, "parameters", pointer)) {
    const itemPointer = listPointer.child(index++);
    const located = dereference(c, value, itemPointer, "parameter");
    const declared = located && identify(c, located);
    if (!declared) continue;
    const key = parameterKey(declared);
    if (!keysInList.has(key)) merged.set(key, declared);
    else
      c.diagnostics.add(
        "model-duplicate-parameter",
        itemPointer,
        `The parameter ${isNamed(declared) ? quote(declared.name) : "for the body"} is ` +
          "declared twice; the first is used.",
      );
    keysInList.add(key);
  }
}

function identify(c: Context, { raw, pointer }: LocatedObject): DeclaredParameter | undefined {
  const name = ownProperty(raw, "name");
  const location = ownProperty(raw, "in");
  if (c.version === "2.0" && (location === "body" || location === "formData"))
    return { raw, pointer, in: "body" };
  if (typeof name !== "string" || name === "")
    return reportLeftOut(c, pointer, "A parameter without a name is left out.");
  if (LOCATIONS.has(location) || (location === "querystring" && c.version === "3.2"))
    return { raw, pointer, name, in: location as ParameterLocation };
  const where =
    typeof location === "string" ? `in ${quote(location)}` : "without a location (`in`)";
  return reportLeftOut(
    c,
    pointer,
    `The parameter ${quote(name)} ${where} is left out: OpenAPI ${c.version} does not have this location.`,
  );
}

function reportLeftOut(c: Context, pointer: Pointer, message: string): undefined {
  c.diagnostics.add("model-parameter", pointer, message);
}

/** Key for duplicates. Header names are case-insensitive. */
function parameterKey(declared: DeclaredParameter): string {
  const { name } = declared.raw;
  if (!isNamed(declared))
    return declared.raw.in === "body" ? "body" : `formData ${typeof name === "string" ? name : ""}`;
  return `${declared.in} ${declared.in === "header" ? declared.name.toLowerCase() : declared.name}`;
}

/** `/x?id={id}`: a path parameter that occurs only in the key's query becomes a query parameter. */
function moveToQuery(
  declared: LocatedParameter,
  { parameterNames, query }: PathTemplate,
): LocatedParameter {
  const moves =
    declared.in === "path" &&
    !parameterNames.includes(declared.name) &&
    query.some(([, value]) => value === `{${declared.name}}`);
  return moves ? { ...declared, in: "query" } : declared;
}

/** Names such a parameter by the query key, which is its name in requests. */
function useQueryName(parameter: Parameter, { query }: PathTemplate): Parameter {
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

/** True for a name without a value in the path, such as `copyid` of `?comp=copy&copyid`, of a parameter. */
const isNamedOnly = (
  [key, value]: readonly [string, string],
  parameters: readonly Parameter[],
): boolean => value === "" && parameters.some((one) => one.in === "query" && one.name === key);

/** Checks that the path template has room for a declared parameter. */
function checkPlacement(
  c: Context,
  { name, in: location, pointer }: LocatedParameter,
  { path, parameterNames, query }: PathTemplate,
): boolean {
  if (location === "path" && !parameterNames.includes(name)) {
    c.diagnostics.add(
      "model-path-parameter",
      pointer,
      `The path parameter ${quote(name)} does not occur in the path ${quote(path)}; it is left out.`,
    );
    return false;
  }
  if (
    location === "query" &&
    query.some(([key, value]) => key === name && value !== "" && !TEMPLATED.test(value))
  ) {
    c.diagnostics.add(
      "model-parameter-ignored",
      pointer,
      `The query parameter ${quote(name)} has a constant value in the path ${quote(path)}; that value is sent.`,
    );
    return false;
  }
  return true;
}

/** Adds a required string parameter for each template variable that no parameter declares. */
function addUndeclaredParameters(
  c: Context,
  { path, parameterNames, query }: PathTemplate,
  located: readonly LocatedParameter[],
  parameters: Parameter[],
  pointer: Pointer,
): void {
  const isDeclared = (location: string, name: string): boolean =>
    located.some((parameter) => parameter.in === location && parameter.name === name);
  for (const name of parameterNames)
    if (!isDeclared("path", name))
      parameters.push(synthesizeParameter(c, path, name, name, "path", pointer));
  for (const [key, value] of query) {
    const name = TEMPLATED.exec(value)?.[1];
    if (name !== undefined && !isDeclared("query", name))
      parameters.push(synthesizeParameter(c, path, name, key, "query", pointer));
  }
}

function synthesizeParameter(
  c: Context,
  path: string,
  variable: string,
  name: string,
  location: "path" | "query",
  pointer: Pointer,
): Parameter {
  c.diagnostics.add(
    "model-path-parameter",
    pointer,
    `The path ${quote(path)} has ${quote(`{${variable}}`)}, which no parameter declares; ` +
      "it is read as a required string.",
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
    location: pointer.location,
  };
}

/**
 * OpenAPI 3.2: `querystring` is the whole query. It excludes `query` parameters and a second
 * `querystring`.
 */
function withoutMixedQuery(c: Context, parameters: readonly Parameter[]): readonly Parameter[] {
  if (c.version !== "3.2") return parameters;
  const querystrings = parameters.filter((parameter) => parameter.in === "querystring");
  const [first] = querystrings;
  const isMixed = parameters.some((parameter) => parameter.in === "query");
  const dropped = querystrings.filter((parameter) => isMixed || parameter !== first);
  for (const parameter of dropped)
    c.diagnostics.add(
      "model-parameter",
      Pointer.of(parameter.location.pointer),
      `${quote(parameter.name)} is the whole query and cannot be combined with other query parameters; it is left out.`,
    );
  return dropped.length === 0
    ? parameters
    : parameters.filter((parameter) => !dropped.includes(parameter));
}
