import { inputOf } from "../errors/input-errors.js";
import type { InputProblem } from "../request/types.js";
import type {
  OperationBinding,
  ParameterSource,
  RequestMapping,
  ToolDefinition,
  ToolInput,
} from "../types.js";

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
  const inputs = new Set([...operation.whenProvided, ...requestInputs(operation.request)]);
  inputsByOperation.set(operation, inputs);
  return inputs;
}

function requestInputs(request: RequestMapping): readonly string[] {
  const { pathParams, query, headers, cookies, querystring, body } = request;
  const sources: ParameterSource[] = [pathParams, query, headers, cookies, body?.fields].flatMap(
    (location) => Object.values(location ?? {}),
  );
  if (querystring) sources.push(querystring);
  if (body?.from !== undefined) sources.push(body.from);
  const fileNames = Object.values(body?.encoding ?? {}).flatMap(
    ({ filenameInput }) => filenameInput ?? [],
  );
  return [...sources.flatMap((source) => inputOf(source) ?? []), ...fileNames];
}
