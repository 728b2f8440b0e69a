import {
  describeType,
  diagnostic,
  type Diagnostic,
  type SourceLocation,
} from "../diagnostics/index.js";
import { isObject, type JsonObject } from "../json.js";
import { failure, type Outcome, type SpecVersion } from "./types.js";
import { getChild, resolvePointer, formatPointerFragment } from "../json-pointer.js";

/** Fields that must be objects, in addition to `paths`. */
const OBJECT_FIELDS = [
  ["info"],
  ["webhooks"],
  ["components"],
  ["definitions"],
  ["parameters"],
  ["responses"],
  ["securityDefinitions"],
  ...[
    ...["schemas", "responses", "parameters", "examples", "requestBodies", "headers"],
    ...["securitySchemes", "links", "callbacks", "pathItems", "mediaTypes"],
  ].map((kind) => ["components", kind]),
];

/** Reports `paths` of the wrong type. Nothing can be generated from such a document. */
export function validatePaths(root: JsonObject, file: string): Outcome<never> | undefined {
  const paths = getChild(root, "paths");
  if (paths === undefined || paths === null || isObject(paths)) return undefined;
  const message = describeMismatch(["paths"], "an object", paths);
  return failure("load-wrong-type", message, { file, pointer: "#/paths" }, "Correct its type.");
}

/** Removes other top-level fields with the wrong type, each with a warning. */
export function omitInvalidParts(root: JsonObject, file: string): readonly Diagnostic[] {
  const expectations = [
    ...OBJECT_FIELDS.map((path) => ({ path, expected: "an object", isValid: isObject })),
    { path: ["servers"], expected: "an array", isValid: Array.isArray },
  ];
  return expectations.flatMap(({ path, expected, isValid }) => {
    const owner = path.slice(0, -1).reduce<unknown>(getChild, root);
    const key = path.at(-1) ?? "";
    const value = getChild(owner, key);
    if (value === undefined || value === null || isValid(value)) return [];
    delete (owner as Record<string, unknown>)[key];
    const message = `${describeMismatch(path, expected, value)}; it is left out`;
    const location = { file, pointer: formatPointerFragment(path) };
    return [diagnostic("load-part-omitted", message, location, "Correct its type.")];
  });
}

function describeMismatch(path: readonly string[], expected: string, value: unknown): string {
  return `"${path.at(-1)}" must be ${expected}, but is ${describeType(value)}`;
}

const httpMethods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** True when `paths` is absent or empty, without following references. */
export function hasNoPaths(root: JsonObject): boolean {
  const paths = getChild(root, "paths");
  return !isObject(paths) || Object.keys(paths).length === 0;
}

/** Reports a document without operations; `undefined` when there is at least one. */
export function requireOperations(
  root: JsonObject,
  version: SpecVersion,
  file: string,
): Outcome<never> | undefined {
  const paths = getChild(root, "paths");
  if (
    isObject(paths) &&
    Object.keys(paths).some((path) => hasOperation(root, paths[path], version))
  )
    return undefined;
  const location: SourceLocation = { file, pointer: paths === undefined ? "#" : "#/paths" };
  const [message, hint] = explainEmpty(root, paths);
  return failure("load-no-operations", message, location, hint);
}

function hasOperation(root: JsonObject, pathItem: unknown, version: SpecVersion): boolean {
  let item = pathItem;
  for (
    let hops = 0;
    hops < 10 && isObject(item) && typeof item.$ref === "string" && item.$ref.startsWith("#");
    hops++
  ) {
    if (hasMethod(item, version)) return true;
    item = resolvePointer(root, item.$ref);
  }
  return hasMethod(item, version);
}

function hasMethod(item: unknown, version: SpecVersion): boolean {
  if (!isObject(item)) return false;
  if (
    version === "3.2" &&
    (isObject(item.query) ||
      (isObject(item.additionalOperations) && Object.keys(item.additionalOperations).length > 0))
  )
    return true;
  return Object.keys(item).some((key) => httpMethods.has(key) && isObject(item[key]));
}

/** Message and hint for a document without operations. */
function explainEmpty(root: JsonObject, paths: unknown): readonly [string, string] {
  const add = "Add operations under paths, or pass another document.";
  if (isObject(paths) && Object.keys(paths).length > 0)
    return [
      "The document has no operations: no path has a method such as get or post",
      "Add operations to the paths, or pass another document.",
    ];
  if (isObject(root.webhooks) && Object.keys(root.webhooks).length > 0)
    return [
      "The document has no operations: it has only webhooks, which are requests by the API",
      add,
    ];
  if (isObject(root.components) || isObject(root.definitions))
    return [
      "The document has no operations: it has only components",
      "Pass the document that uses them.",
    ];
  return [
    paths === undefined
      ? "The document has no operations: it has no paths"
      : "The document has no operations: its paths are empty",
    add,
  ];
}
