/** The operation that ends work which a call has started. */
import { splitWords } from "../../language/words.js";
import type { CalledTool, JobMapping, OperationBinding } from "../../runtime/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { sharedPathInputs } from "../path-readers.js";
import type { PlannedTool } from "../types.js";
import { pathKey } from "./state-readers.js";

/** A write that ends work by its ID alone. */
interface Cancellation {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
}

/** `/jobs/{id}/cancel`, `/jobs/{id}:stop`. */
const CANCEL = /[/:](?:cancel|abort|stop|terminate)\/?$/;

/** First word of the summary of a DELETE that ends work, and does not only remove its record. */
const CANCELLING = /^(?:cancel|abort|stop|terminate)s?$/;

/**
 * Finds the writes that end work, by the path of the work: `POST /jobs/{id}/cancel`, or a DELETE of
 * `/jobs/{id}` that cancels by its text.
 */
export function findCancellations(
  tools: readonly PlannedTool[],
  selected: readonly ClassifiedOperation[],
): ReadonlyMap<string, Cancellation> {
  const deletions = selected.filter(({ operation }) => operation.method === "DELETE");
  const cancelling = new Set(
    deletions.filter(isCancellation).map(({ operation: { path } }) => `DELETE ${path}`),
  );
  const found = tools.flatMap((tool) =>
    tool.definition.operations
      .filter(({ request: { method, path } }) =>
        method === "DELETE" ? cancelling.has(`DELETE ${path}`) : CANCEL.test(path),
      )
      .filter((binding) => needsOnlyPath(tool, binding))
      .map((binding) => {
        const key = pathKey(binding.request.path.replace(CANCEL, ""));
        return [key, { tool, binding }] as const;
      }),
  );
  return new Map(found);
}

function isCancellation({ operation }: ClassifiedOperation): boolean {
  const { summary, description = "" } = operation;
  const [first = ""] = splitWords((summary ?? description).slice(0, 40));
  return CANCELLING.test(first);
}

function needsOnlyPath({ definition, workflow }: PlannedTool, binding: OperationBinding): boolean {
  const { request, whenProvided } = binding;
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const inputs = Object.values(request.pathParams ?? {});
  const isWrite = !definition.annotations.readOnlyHint && !workflow && !request.isRaw;
  return isWrite && [...required, ...whenProvided].every((name) => inputs.includes(name));
}

/** Adds the write that ends the work, if there is one. */
export function withCancellation(
  job: JobMapping,
  tools: readonly PlannedTool[],
  cancellations: ReadonlyMap<string, Cancellation>,
): JobMapping {
  const reader = tools.find(({ definition }) => definition.name === job.follow.tool);
  for (const { request } of reader?.definition.operations ?? []) {
    const found = cancellations.get(pathKey(request.path));
    const inputs = found && sharedPathInputs(found.binding.request, request);
    if (found && inputs) return { ...job, cancel: calledBy(found, inputs) };
  }
  return job;
}

const calledBy = (
  { tool }: Cancellation,
  inputs: Readonly<Record<string, string>>,
): CalledTool => ({ tool: tool.definition.name, inputs });
