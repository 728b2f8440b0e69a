/** The operation that ends work which a call has started. */
import type { CalledTool, JobMapping, OperationBinding } from "../../runtime/types.js";
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

/** Finds the writes that end work, by the path of the work. */
export function findCancellations(
  tools: readonly PlannedTool[],
): ReadonlyMap<string, Cancellation> {
  const found = tools.flatMap((tool) =>
    tool.definition.operations
      .filter((binding) => endsByPath(tool, binding))
      .map((binding) => {
        const key = pathKey(binding.request.path.replace(CANCEL, ""));
        return [key, { tool, binding }] as const;
      }),
  );
  return new Map(found);
}

function endsByPath({ definition, workflow }: PlannedTool, binding: OperationBinding): boolean {
  const { request, whenProvided } = binding;
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const inputs = Object.values(request.pathParams ?? {});
  const isWrite = !definition.annotations.readOnlyHint && !workflow && !request.isRaw;
  return (
    isWrite &&
    CANCEL.test(request.path) &&
    [...required, ...whenProvided].every((name) => inputs.includes(name))
  );
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
