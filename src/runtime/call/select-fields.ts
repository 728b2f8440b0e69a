/** The input `fields`: the fields of a result that a call asks for. */
import { joinFirst, nearestNames } from "../data/values.js";
import type { InputProblem } from "../request/types.js";
import { expandSchemas, memberSchemas, propertiesOf } from "../schema/subschemas.js";
import type {
  FieldSelection,
  JsonSchema,
  OperationBinding,
  ToolDefinition,
  ToolInput,
} from "../types.js";

type SelectedFields =
  | { readonly ok: true; readonly operation: OperationBinding }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** Entry that asks for all fields. */
const ALL = "*";

/** Limits of what a call asks for: fields, and characters of each name. No result of use has more. */
const [MAX_FIELDS, MAX_FIELD_NAME] = [500, 1_000];

/** Maximum number of names in a problem. */
const MAX_KNOWN_FIELDS = 20;

/**
 * Adds the fields that a call asks for to the mapping of its response. Names that the result cannot
 * have are problems.
 */
export function selectFields(
  { outputSchema }: ToolDefinition,
  operation: OperationBinding,
  input: ToolInput,
): SelectedFields {
  const { fields: selection } = operation.response;
  if (!selection) return { ok: true, operation };
  const names = requestedNames(input[selection.input]);
  if (names.includes(ALL)) return { ok: true, operation };
  const excess = excessProblem(names);
  if (excess !== undefined)
    return { ok: false, problems: [{ input: selection.input, problem: excess }] };
  const item = itemSchemas(outputSchema, selection);
  const paths = names.map((name) => parsePath(name, selection, item, outputSchema));
  const problems = selection.isOpen
    ? []
    : paths.flatMap((path, i) => problemOf(path, names[i]!, selection, item, outputSchema));
  if (problems.length > 0) return { ok: false, problems };
  const picked = paths.length > 0 ? paths : selection.default;
  if (!picked) return { ok: true, operation };
  const { list, kept } = selection;
  const selected = { ...(list !== undefined && { list }), pick: [...kept, ...picked] };
  return {
    ok: true,
    operation: { ...operation, response: { ...operation.response, selected } },
  };
}

function excessProblem(names: readonly string[]): string | undefined {
  if (names.length > MAX_FIELDS) return `names more than ${MAX_FIELDS} fields; pass "*" for all`;
  const isLong = names.some((name) => name.length > MAX_FIELD_NAME);
  return isLong ? `has a name of more than ${MAX_FIELD_NAME} characters` : undefined;
}

/** The operation with a result of all fields, for lookups. */
export function withAllFields(operation: OperationBinding): OperationBinding {
  const { fields: _, ...response } = operation.response;
  return { ...operation, response };
}

/** Names in a list, or separated by commas. */
function requestedNames(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === "string",
  );
  const names = texts.flatMap((text) => text.split(",")).flatMap((text) => text.trim() || []);
  return [...new Set(names)];
}

type Schemas = readonly JsonSchema[];

/** Schemas of the objects whose fields are selected. */
function itemSchemas(root: JsonSchema | undefined, { list }: FieldSelection): Schemas {
  if (!root) return [];
  const top = expandSchemas([root], root);
  return withoutLists(list === undefined ? top : memberSchemas(top, list, root), root);
}

/** Schemas of the items of lists, for those that are lists. */
function withoutLists(schemas: Schemas, root: JsonSchema, depth = 0): Schemas {
  const items = memberSchemas(schemas, 0, root);
  return items.length > 0 && depth < MAX_LISTS ? withoutLists(items, root, depth + 1) : schemas;
}

/** Maximum number of nested lists. */
const MAX_LISTS = 4;

/** `items[].labels[].name` → labels, name. */
function parsePath(
  text: string,
  { list }: FieldSelection,
  item: Schemas,
  root: JsonSchema | undefined,
): readonly string[] {
  if (fieldNames(item).includes(text)) return [text];
  const path = text.split(".").map((step) => step.replace(/(?:\[\d*\])+$/, ""));
  const isFromTop = root !== undefined && path.length > 1 && path[0] === list;
  return isFromTop && !fieldNames(item).includes(path[0]!) ? path.slice(1) : path;
}

const fieldNames = (schemas: Schemas): readonly string[] => [
  ...new Set(schemas.flatMap((schema) => Object.keys(propertiesOf(schema)))),
];

/** The problem of a name that no object can have, with the nearest one. */
function problemOf(
  path: readonly string[],
  text: string,
  { input }: FieldSelection,
  item: Schemas,
  root: JsonSchema | undefined,
): readonly InputProblem[] {
  let schemas = item;
  for (const [depth, name] of path.entries()) {
    const known = fieldNames(schemas);
    if (known.length === 0 || root === undefined) return []; // anything may be here
    if (!known.includes(name))
      return [{ input, problem: unknownField(text, path.slice(0, depth), name, known) }];
    schemas = withoutLists(memberSchemas(schemas, name, root), root);
  }
  return [];
}

function unknownField(
  text: string,
  parent: readonly string[],
  name: string,
  known: readonly string[],
): string {
  const full = (one: string): string => [...parent, one].join(".");
  const [near] = nearestNames(name, known, 1);
  return near === undefined
    ? `${JSON.stringify(text)} is not a field of the result; allowed are ` +
        joinFirst(known.map(full), MAX_KNOWN_FIELDS)
    : `${JSON.stringify(text)} is not a field of the result; did you mean ${full(near)}?`;
}
