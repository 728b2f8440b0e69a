/**
 * Inputs that the schema of a tool leaves open: fields that the API may need and its document
 * lacks. JSON Schema allows them by default. They are sent with a note; a near miss of a documented
 * name is a problem.
 */
import { isNearMiss, isObject, nearestNames } from "../data/values.js";
import { describeProblem, formatPath, type PathSegment } from "../schema/check.js";
import { expandSchemas, memberSchemas, propertiesOf } from "../schema/subschemas.js";
import { inputOf } from "../request/parameter-source.js";
import type { InputProblem } from "../request/types.js";
import type { JsonSchema, ToolDefinition, ToolInput } from "../types.js";

/** Undocumented inputs of a call. */
export interface UndocumentedInputs {
  /** Paths of those that are sent, `rows[].color` for the items of a list. */
  readonly names: readonly string[];
  readonly problems: readonly InputProblem[];
}

const NONE: UndocumentedInputs = { names: [], problems: [] };

/** Maximum number of distinct paths that are inspected and reported. */
const MAX_PATHS = 200;

/** Maximum nesting, the same as that of inputs. */
const MAX_PATH_DEPTH = 64;

/**
 * Finds the inputs that a tool's schema accepts without declaring them.
 * @param isStrict true if all of them are problems
 */
export function findUndocumentedInputs(
  tool: Pick<ToolDefinition, "inputSchema" | "operations">,
  input: unknown,
  isStrict: boolean,
): UndocumentedInputs {
  if (!isObject(input)) return NONE;
  const found = new Map<string, Finding>();
  const root = tool.inputSchema;
  inspect(input, { root, found, path: [], schemas: expandSchemas([root], root) });
  if (found.size === 0) return NONE;
  const wireNames = renamedFields(tool);
  const names: string[] = [];
  const problems: InputProblem[] = [];
  for (const [path, finding] of found) {
    const problem = problemOf(finding, wireNames, isStrict);
    if (problem === undefined) names.push(path);
    else problems.push({ input: path, problem });
  }
  return { names, problems };
}

/** Names of the root that the schema does not declare. The request's body takes them as fields. */
export function undocumentedFields(
  { inputSchema }: Pick<ToolDefinition, "inputSchema">,
  input: ToolInput,
): readonly string[] {
  const declared = propertiesOf(inputSchema);
  return Object.keys(input).filter((name) => !Object.hasOwn(declared, name));
}

interface Finding {
  readonly path: readonly PathSegment[];
  readonly value: unknown;
  /** Documented names of the object, and those of them that the call has. */
  readonly declared: readonly string[];
  readonly given: ReadonlySet<string>;
}

/** Position of the inspection: a value's path and all schemas that describe the value. */
interface Position {
  readonly root: JsonSchema;
  readonly found: Map<string, Finding>;
  readonly path: readonly PathSegment[];
  readonly schemas: readonly JsonSchema[];
}

function inspect(value: unknown, position: Position): void {
  const { path, found, schemas } = position;
  if (typeof value !== "object" || value === null || schemas.length === 0) return;
  if (path.length >= MAX_PATH_DEPTH || found.size >= MAX_PATHS) return;
  if (Array.isArray(value)) {
    const items = below(position, 0);
    for (const item of value) inspect(item, items);
  } else inspectObject(value as ToolInput, position);
}

function inspectObject(value: ToolInput, position: Position): void {
  const { path, schemas, found } = position;
  const declared = [...new Set(schemas.flatMap((schema) => Object.keys(propertiesOf(schema))))];
  const isMap = declared.length === 0 ? path.length > 0 : schemas.some(hasOtherNames);
  const given = new Set(Object.keys(value));
  const names = new Set(declared);
  for (const [name, member] of Object.entries(value)) {
    if (names.has(name)) inspect(member, below(position, name));
    else if (!isMap && found.size < MAX_PATHS) {
      const finding = { path: [...path, name], value: member, declared, given };
      found.set(pathText(finding.path), finding);
    }
  }
}

/** The position of a member; of all items of a list, whose path ends with an empty step. */
function below(position: Position, step: string | 0): Position {
  const { root, path, schemas } = position;
  const text = step === 0 ? "" : step;
  return { ...position, path: [...path, text], schemas: memberSchemas(schemas, step, root) };
}

/** True if a schema documents that further names are welcome. */
function hasOtherNames({ additionalProperties, patternProperties }: JsonSchema): boolean {
  return (
    patternProperties !== undefined ||
    (additionalProperties !== undefined && additionalProperties !== false)
  );
}

function pathText(path: readonly PathSegment[]): string {
  return formatPath(path).replace(/\.(?=\.|$)/g, "[]");
}

/** The problem of an undocumented input; undefined if it is sent. */
function problemOf(
  { path, value, declared, given }: Finding,
  wireNames: ReadonlyMap<string, string>,
  isStrict: boolean,
): string | undefined {
  const name = String(path.at(-1));
  const renamed = path.length === 1 ? wireNames.get(name) : undefined;
  if (renamed !== undefined) return `unknown input; did you mean ${renamed}?`;
  const omitted = declared.filter((candidate) => !given.has(candidate));
  const [near] = nearestNames(
    name,
    omitted.filter((candidate) => isNearMiss(name, candidate)),
    1,
  );
  if (near !== undefined) return `unknown input; did you mean ${near}?`;
  if (!isStrict) return undefined;
  return describeProblem({ path, keyword: "additionalProperties", rule: declared, value });
}

/** Inputs by the name of their field, where that is another one. */
function renamedFields({
  operations,
}: Pick<ToolDefinition, "operations">): ReadonlyMap<string, string> {
  const entries = operations.flatMap(({ request }) => Object.entries(request.body?.fields ?? {}));
  return new Map(
    entries.flatMap(([name, source]) => {
      const input = inputOf(source);
      return input === undefined || input === name ? [] : [[name, input] as const];
    }),
  );
}
