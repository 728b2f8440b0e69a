import { describeType } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { Context } from "./context.js";
import { Pointer } from "./pointer.js";
import { type Problem, quote } from "./diagnostics.js";
import { isToken } from "./header-names.js";
import { isMethodKey } from "./methods.js";
import { isExtension, ownProperty, type RawObject, readObject } from "./raw-object.js";
import { locateObject } from "./references.js";

/** One usable entry of `paths`. */
export interface PathItem {
  readonly template: PathTemplate;
  readonly raw: RawObject;
  /** Pointer of a field, which may be next to a `$ref` or in its target. */
  readonly pointerTo: (key: string) => Pointer;
}

/** An operation before it is read. */
export interface LocatedOperation {
  readonly method: string;
  readonly raw: RawObject;
  readonly pointer: Pointer;
}

/**
 * Reads the usable path items in document order. Others are left out with a warning. OpenAPI 3.2,
 * "Paths Object".
 */
export function readPathItems(c: Context): readonly PathItem[] {
  const paths = readObject(c, c.document.root, "paths", Pointer.root) ?? {};
  return Object.keys(paths).flatMap((key) =>
    isExtension(key) ? [] : (readPathItem(c, key, paths[key]) ?? []),
  );
}

function readPathItem(c: Context, key: string, value: unknown): PathItem | undefined {
  const pointer = Pointer.root.child("paths").child(key);
  const template = parsePathKey(key);
  if ("problem" in template) {
    c.diagnostics.addOmission(
      {
        code: "model-path",
        location: pointer.location,
        message: `The path ${quote(key)} ${template.problem}`,
      },
      "its operations are left out",
    );
    return undefined;
  }
  if (!isObject(value)) {
    c.diagnostics.addOmission(
      {
        code: "model-path",
        location: pointer.location,
        message: `The path item of ${quote(key)} must be an object, but is ${describeType(value)}`,
      },
      "it is left out",
    );
    return undefined;
  }
  reportQueryAndFragment(c, key, template, pointer);
  return { template, ...resolvePathItem(c, value, pointer) };
}

/** Resolves a path item that is a reference. Fields next to the `$ref` override them. */
function resolvePathItem(
  c: Context,
  value: RawObject,
  pointer: Pointer,
): Omit<PathItem, "template"> {
  if (typeof value.$ref !== "string") return { raw: value, pointerTo: (key) => pointer.child(key) };
  const target = locateObject(c, { $ref: value.$ref }, pointer, "path item");
  const { $ref: _, ...siblings } = value;
  if ("problem" in target) {
    const effect = `the operations of ${quote(pointer.key)} are left out`;
    c.diagnostics.addOmission(target.problem, effect);
    return { raw: siblings, pointerTo: (key) => pointer.child(key) };
  }
  return {
    raw: { ...target.raw, ...siblings },
    pointerTo: (key) => (Object.hasOwn(siblings, key) ? pointer : target.pointer).child(key),
  };
}

function reportQueryAndFragment(
  c: Context,
  key: string,
  { query, fragment, queryExpressionNames }: PathTemplate,
  pointer: Pointer,
): void {
  if (query.length > 0)
    c.diagnostics.add(
      "model-path-query",
      pointer,
      `The path ${quote(key)} has a query; it is sent with every request.`,
    );
  if (queryExpressionNames.length > 0)
    c.diagnostics.add(
      "model-path-query",
      pointer,
      `The path ${quote(key)} has a query expression; its variables are sent if parameters declare them.`,
    );
  if (fragment !== "")
    c.diagnostics.add(
      "model-path-fragment",
      pointer,
      `The path ${quote(key)} has a fragment, which is never sent; it is removed.`,
    );
}

const FIELDS = new Set(["summary", "description", "servers", "parameters", "$ref"]);

/** The operations of a path item, in document order. */
export function operationsOf(
  c: Context,
  { raw, pointerTo }: PathItem,
): readonly LocatedOperation[] {
  return Object.keys(raw).flatMap((key) => {
    if (isMethod(c, key))
      return locateOperation(c, key.toUpperCase(), raw[key], pointerTo(key)) ?? [];
    if (key === "additionalOperations" && c.version === "3.2")
      return readAdditionalOperations(c, raw, pointerTo(key));
    if (!FIELDS.has(key) && !isExtension(key))
      c.diagnostics.add(
        "model-method",
        pointerTo(key),
        `${quote(key)} is not an HTTP method of OpenAPI ${c.version}; it is left out.`,
      );
    return [];
  });
}

function isMethod(c: Context, key: string): boolean {
  return isMethodKey(key) && (key !== "query" || c.version === "3.2");
}

/**
 * Reads OpenAPI 3.2's operations with any other method, in the case that is sent. Standard methods
 * belong in their own fields.
 */
function readAdditionalOperations(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
): readonly LocatedOperation[] {
  const owner = pointer.parent ?? Pointer.root;
  const operations = readObject(c, raw, "additionalOperations", owner) ?? {};
  return Object.keys(operations).flatMap((key) => {
    const method = additionalMethod(c, key, raw, pointer.child(key));
    return method === undefined
      ? []
      : (locateOperation(c, method, ownProperty(operations, key), pointer.child(key)) ?? []);
  });
}

function additionalMethod(
  c: Context,
  method: string,
  item: RawObject,
  pointer: Pointer,
): string | undefined {
  const field = method.toLowerCase();
  if (isToken(method) && !isMethod(c, field)) return method;
  const isFree = isMethod(c, field) && ownProperty(item, field) === undefined;
  const problem = isFree
    ? `belongs under \`${field}\`, and is read as such`
    : isToken(method)
      ? `duplicates \`${field}\`; the operation is left out`
      : "is not a valid HTTP method; the operation is left out";
  c.diagnostics.add("model-method", pointer, `${quote(method)} ${problem}.`);
  return isFree ? field.toUpperCase() : undefined;
}

/** Methods that `fetch` refuses. */
const UNSENDABLE = new Set(["TRACE", "CONNECT", "TRACK"]);

function locateOperation(
  c: Context,
  method: string,
  value: unknown,
  declaredAt: Pointer,
): LocatedOperation | undefined {
  // No version allows an operation to be a reference, but documents of several files contain them.
  const located = locateObject(c, value, declaredAt, "operation");
  const problem: Problem | undefined =
    "problem" in located
      ? located.problem
      : UNSENDABLE.has(method.toUpperCase())
        ? {
            code: "model-method",
            location: located.pointer.location,
            message: `${method} requests cannot be sent by HTTP clients`,
          }
        : undefined;
  if (problem) c.diagnostics.addOmission(problem, "the operation is left out");
  return problem || "problem" in located ? undefined : { method, ...located };
}

/** A parsed key of `paths`. */
export interface PathTemplate {
  /** Without query and fragment. */
  readonly path: string;
  /** Template variables, each once, in order. */
  readonly parameterNames: readonly string[];
  /** Decoded pairs of a query in the key. A value `{x}` is a template. */
  readonly query: readonly (readonly [string, string])[];
  readonly fragment: string;
  /** Names of RFC 6570 query expressions (`{?a,b}`), which are not part of the path. */
  readonly queryExpressionNames: readonly string[];
}

/** The reason why a key of `paths` is invalid, as a clause for a message. */
interface InvalidTemplate {
  readonly problem: string;
}

/**
 * Parses a key of `paths`. Anything that could lead a request off the server's base path is
 * invalid: another origin, empty, `.` or `..` segments, and backslashes, which URLs turn into
 * slashes. OpenAPI 3.1, "Paths Object" and "Path Templating".
 */
export function parsePathKey(key: string): PathTemplate | InvalidTemplate {
  if (SIMPLE_PATH.test(key))
    return {
      path: key,
      parameterNames: templateNames(key),
      query: [],
      fragment: "",
      queryExpressionNames: [],
    };
  if (!key.startsWith("/"))
    return {
      problem: /^[a-z][a-z0-9+.-]*:/i.test(key)
        ? "is an absolute URL"
        : "does not start with a slash",
    };
  const { path: pathText, query, fragment } = splitPathKey(key);
  const queryExpressionNames: string[] = [];
  const path = pathText.replace(
    /\{[?&]([^{}]*)\}/g,
    (_, names: string) => (
      queryExpressionNames.push(...names.split(",").filter((name) => name !== "")),
      ""
    ),
  );
  const problem = braceProblem(path) ?? segmentProblem(path);
  if (problem !== undefined) return { problem };
  return {
    path,
    parameterNames: templateNames(path),
    query: parseQuery(query),
    fragment,
    queryExpressionNames,
  };
}

/** The usual form: words and template variables between slashes. */
const SIMPLE_PATH = /^(?:\/(?:[A-Za-z0-9_-]+|\{[A-Za-z0-9_-]+\}))+$/;

export function templateNames(path: string): readonly string[] {
  if (!path.includes("{")) return [];
  return [...new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ""))];
}

/** Splits off query and fragment. Inside braces their characters are part of a name. */
function splitPathKey(key: string): {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
} {
  const hash = indexOutsideBraces(key, "#");
  const before = hash < 0 ? key : key.slice(0, hash);
  const mark = indexOutsideBraces(before, "?");
  return {
    path: mark < 0 ? before : before.slice(0, mark),
    query: mark < 0 ? "" : before.slice(mark + 1),
    fragment: hash < 0 ? "" : key.slice(hash + 1),
  };
}

function indexOutsideBraces(text: string, char: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}") depth--;
    else if (text[i] === char && depth <= 0) return i;
  }
  return -1;
}

function braceProblem(path: string): string | undefined {
  let isOpen = false;
  for (const char of path) {
    if (char === "{" && isOpen) return "has nested braces";
    if (char === "}" && !isOpen) return "has a closing brace without an opening one";
    if (char === "{" || char === "}") isOpen = char === "{";
  }
  if (isOpen) return "has an opening brace without a closing one";
  return path.includes("{}") ? "has braces without a name" : undefined;
}

function segmentProblem(path: string): string | undefined {
  const fixed = path.replace(/\{[^{}]*\}/g, "{}");
  if (/[\u0000-\u001f\u007f\\]/.test(fixed)) return "has a control character or a backslash";
  const segments = fixed.slice(1).split("/");
  if (segments.slice(0, -1).includes("")) return "has an empty segment (`//`)";
  const dots = segments.map((segment) => segment.replace(/%2e/gi, "."));
  return dots.includes(".") || dots.includes("..") ? "has a `.` or `..` segment" : undefined;
}

function parseQuery(query: string): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(query)];
}
