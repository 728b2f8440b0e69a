/** Inputs that the document forbids and the API may take, sent as given where that is wanted. */
import { isObject } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import { propertiesOf } from "../schema/subschemas.js";
import type { ToolDefinition, ToolInput } from "../types.js";
import { type Corrections, type RefusedCall, withoutTypes } from "./corrections.js";
import type { AnyTool, BuiltInTool } from "./definitions.js";
import { type PreparedInput, prepareInput, type ValidInput } from "./prepare-input.js";

/** The parts of a server that decide about doubtful inputs. */
export interface DoubtContext {
  readonly corrections: Corrections;
  readonly settings: { readonly strictInputs: boolean };
}

/**
 * Validates the input of a call. A call that its caller was offered to be sent as it is, and an
 * update of nothing but nulls, have no types for the inputs in doubt.
 * @returns the tool with the schema that holds for the call
 */
export function prepareDoubtful(
  { corrections, settings: { strictInputs } }: DoubtContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  caller: string,
): { readonly tool: AnyTool | BuiltInTool; readonly prepared: PreparedInput } {
  const prepared = prepareInput(tool, args, strictInputs);
  const untyped = prepared.ok
    ? withNulls(tool, prepared.input, prepared.changes.omittedNulls)
    : strictInputs
      ? undefined
      : corrections.asOffered({ caller, tool, args, problems: prepared.problems });
  if (!untyped) return { tool, prepared };
  const again = prepareInput(untyped, args, strictInputs);
  return {
    tool: untyped,
    prepared: again.ok
      ? withAddedParameters(withStructures(again, prepared), tool, untyped)
      : again,
  };
}

/** The input with the parameters that the document of the tool lacks, which a note names. */
function withAddedParameters(
  input: ValidInput,
  documented: AnyTool | BuiltInTool,
  { inputSchema }: AnyTool,
): ValidInput {
  const known = propertiesOf(documented.inputSchema);
  const added = Object.keys(propertiesOf(inputSchema)).filter(
    (name) => !Object.hasOwn(known, name),
  );
  const { changes } = input;
  if (added.length === 0) return input;
  return {
    ...input,
    changes: { ...changes, undocumented: [...(changes.undocumented ?? []), ...added] },
  };
}

/** The way for its caller to send a call whose only problems are those that its document states. */
export function offerFor(
  { corrections, settings: { strictInputs } }: DoubtContext,
  call: RefusedCall,
): string | undefined {
  if (strictInputs) return undefined;
  return (
    corrections.offerBody(call) ?? corrections.offerQuery(call) ?? corrections.offerAsGiven(call)
  );
}

/** The input with the objects and lists that the documented types refused. */
function withStructures(input: ValidInput, refused: PreparedInput): ValidInput {
  const structures = (refused.ok ? [] : refused.problems).flatMap((problem) =>
    problem.isStructure ? [problem.input] : [],
  );
  return structures.length === 0 ? input : { ...input, changes: { ...input.changes, structures } };
}

/** True for a tool that updates a part of a thing, where null may remove a value. */
export const isPartialUpdate = (tool: object): tool is ToolDefinition =>
  "operations" in tool &&
  (tool as ToolDefinition).operations.some(({ request }) => request.method === "PATCH");

/**
 * The tool that takes nulls, if an update has nothing else to change: the nulls are what it is
 * about, although the document allows none.
 */
function withNulls(
  tool: AnyTool | BuiltInTool,
  input: ToolInput,
  nulls: readonly string[] = [],
): (AnyTool & ToolDefinition) | undefined {
  if (nulls.length === 0 || !isPartialUpdate(tool)) return undefined;
  const inPath = tool.operations.flatMap(({ request }) => Object.values(request.pathParams ?? {}));
  const ids = new Set(inPath.map(inputOf));
  const hasChange = Object.entries(input).some(([name, value]) => !ids.has(name) && !isVoid(value));
  const problems = nulls.map((name) => ({ input: name, problem: "" }));
  return hasChange ? undefined : withoutTypes(tool, problems);
}

/** True for an absent value, and for an object of none. */
const isVoid = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isVoid));
