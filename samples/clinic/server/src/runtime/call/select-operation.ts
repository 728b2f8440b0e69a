import type { InputProblem } from "../request/types.js";
import type {
  OperationBinding,
  ParameterSource,
  RequestMapping,
  ToolDefinition,
  ToolInput,
} from "../types.js";

export type OperationSelection =
  | { readonly ok: true; readonly operation: OperationBinding }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Picks the request that serves this input: the first whose `given` inputs are all there and which
 * has a use for everything else that was given. Inputs that do not go together are an error that
 * says which do.
 */
export function selectOperation(tool: ToolDefinition, input: ToolInput): OperationSelection {
  const [only, ...others] = tool.operations;
  if (only && others.length === 0 && only.whenProvided.length === 0)
    return { ok: true, operation: only };
  const present = new Set(
    Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null),
  );
  const candidates = tool.operations.filter(({ whenProvided }) =>
    whenProvided.every((name) => present.has(name)),
  );
  const [first] = candidates;
  if (!first)
    return {
      ok: false,
      problems: [{ input: "", problem: `pass one of: ${alternatives(tool.operations)}` }],
    };
  const complete = candidates.find((operation) => unusedInputs(operation, present).length === 0);
  return complete
    ? { ok: true, operation: complete }
    : { ok: false, problems: conflictProblems(first, present) };
}

function conflictProblems(
  operation: OperationBinding,
  present: ReadonlySet<string>,
): readonly InputProblem[] {
  const chosen = operation.whenProvided.join(" and ");
  return unusedInputs(operation, present).map((input) => ({
    input,
    problem: `cannot be combined with ${chosen || "the other inputs"}; omit one of them`,
  }));
}

function unusedInputs(
  operation: OperationBinding,
  present: ReadonlySet<string>,
): readonly string[] {
  const used = inputsUsedBy(operation);
  return [...present].filter((name) => !used.has(name));
}

function alternatives(operations: readonly OperationBinding[]): string {
  return operations.map(({ whenProvided }) => whenProvided.join(" and ")).join("; or ");
}

const inputsByOperation = new WeakMap<OperationBinding, ReadonlySet<string>>();

/** Every input that a request makes use of. */
export function inputsUsedBy(operation: OperationBinding): ReadonlySet<string> {
  let inputs = inputsByOperation.get(operation);
  if (!inputs)
    inputsByOperation.set(
      operation,
      (inputs = new Set([...operation.whenProvided, ...requestInputs(operation.request)])),
    );
  return inputs;
}

function requestInputs(send: RequestMapping): readonly string[] {
  const wires: ParameterSource[] = [
    send.pathParams,
    send.query,
    send.headers,
    send.cookies,
    send.body?.fields,
  ].flatMap((place) => Object.values(place ?? {}));
  const files = Object.values(send.body?.encoding ?? {}).flatMap(
    ({ filenameInput }) => filenameInput ?? [],
  );
  return [
    ...wires,
    ...(send.querystring ? [send.querystring] : []),
    ...(send.body?.from === undefined ? [] : [send.body.from]),
  ]
    .flatMap((wire) => (typeof wire === "string" ? wire : "from" in wire ? wire.from : []))
    .concat(files);
}
