import { mappedInputs } from "../request/parameter-source.js";
import type { InputProblem } from "../request/types.js";
import type { OperationBinding, ToolDefinition, ToolInput } from "../types.js";

type OperationSelection =
  | { readonly ok: true; readonly operation: OperationBinding }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Selects the operation that serves an input: the first whose `whenProvided` inputs are all present
 * and that uses all other inputs. Inputs that cannot be combined are an error.
 */
export function selectOperation(tool: ToolDefinition, input: ToolInput): OperationSelection {
  const [only, ...others] = tool.operations;
  if (only && others.length === 0 && only.whenProvided.length === 0)
    return { ok: true, operation: only };
  const presentInputs = new Set(
    Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null),
  );
  const candidates = tool.operations.filter(({ whenProvided }) =>
    whenProvided.every((name) => presentInputs.has(name)),
  );
  const [first] = candidates;
  if (!first) {
    const problem = `pass one of: ${alternatives(tool.operations)}`;
    return { ok: false, problems: [{ input: "", problem }] };
  }
  const operation = candidates.find(
    (candidate) => unusedInputs(candidate, presentInputs).length === 0,
  );
  if (operation) return { ok: true, operation };
  return { ok: false, problems: conflictProblems(first, presentInputs) };
}

/** True if another operation serves an input without one part of it. */
export function hasOtherOperation(
  tool: ToolDefinition,
  input: ToolInput,
  omitted: string,
  current: OperationBinding,
): boolean {
  const { required = [] } = tool.inputSchema as { readonly required?: readonly string[] };
  if (input[omitted] === undefined || required.includes(omitted)) return false;
  const selected = selectOperation(tool, { ...input, [omitted]: undefined });
  return selected.ok && selected.operation !== current;
}

function conflictProblems(
  operation: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly InputProblem[] {
  const conditions = operation.whenProvided.join(" and ");
  return unusedInputs(operation, presentInputs).map((input) => ({
    input,
    problem: `cannot be combined with ${conditions || "the other inputs"}; omit one of them`,
  }));
}

function unusedInputs(
  operation: OperationBinding,
  presentInputs: ReadonlySet<string>,
): readonly string[] {
  const used = inputsUsedBy(operation);
  return [...presentInputs].filter((name) => !used.has(name));
}

function alternatives(operations: readonly OperationBinding[]): string {
  return operations.map(({ whenProvided }) => whenProvided.join(" and ")).join("; or ");
}

const inputsByOperation = new WeakMap<OperationBinding, ReadonlySet<string>>();

/** Lists the inputs that an operation uses. */
export function inputsUsedBy(operation: OperationBinding): ReadonlySet<string> {
  const known = inputsByOperation.get(operation);
  if (known) return known;
  const inputs = new Set([...operation.whenProvided, ...mappedInputs(operation.request)]);
  inputsByOperation.set(operation, inputs);
  return inputs;
}
