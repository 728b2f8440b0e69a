/** Reads of the items that updates without a response have changed. */
import type { Operation } from "../model/types.js";
import type { OperationBinding, ReadBack } from "../runtime/types.js";
import { sourceInput } from "./bound-parameters.js";
import type { PlannedTool } from "./types.js";

/** A read-only tool and its operation that gets one item, by the path of the item. */
interface Reader {
  readonly tool: string;
  readonly binding: OperationBinding;
}

/**
 * Adds to each update without a documented response the tool that gets the updated item. Its path
 * is that of the update, or that of an action without its last segment: `/servers/{id}/start`.
 */
export function addReadBack(
  tools: readonly PlannedTool[],
  operations: readonly Operation[],
): readonly PlannedTool[] {
  const silent = new Set(operations.filter(isSilentUpdate).map(keyOf));
  const readers = readersByPath(tools);
  if (silent.size === 0 || readers.size === 0) return tools;
  const connect = (binding: OperationBinding): OperationBinding => {
    const { method, path } = binding.request;
    const readBack = silent.has(keyOf({ method, path })) && readBackOf(binding, readers);
    return readBack ? { ...binding, readBack } : binding;
  };
  return tools.map((tool) => ({
    ...tool,
    definition: { ...tool.definition, operations: tool.definition.operations.map(connect) },
  }));
}

const keyOf = ({ method, path }: Pick<Operation, "method" | "path">): string => `${method} ${path}`;

/** True for an update, or an action on an item, whose success has no documented content. */
function isSilentUpdate({ method, path, body, responses }: Operation): boolean {
  const isAction = /\}\/[^/{}]+$/.test(path) && body === undefined;
  if (method !== "PUT" && method !== "PATCH" && !(method === "POST" && isAction)) return false;
  const successes = responses.filter(({ status }) => /^2/.test(status));
  return successes.length > 0 && successes.every(({ contents }) => contents.length === 0);
}

function readersByPath(tools: readonly PlannedTool[]): ReadonlyMap<string, Reader> {
  const found = new Map<string, Reader>();
  for (const { definition } of tools) {
    if (!definition.annotations.readOnlyHint) continue;
    for (const binding of definition.operations) {
      const { method, path } = binding.request;
      if (method !== "GET" || !path.endsWith("}") || found.has(path)) continue;
      if (hasOnlyPathInputs(definition, binding))
        found.set(path, { tool: definition.name, binding });
    }
  }
  return found;
}

/** True if the inputs of its path select an operation and are all that it needs. */
function hasOnlyPathInputs(
  { inputSchema }: PlannedTool["definition"],
  { request, whenProvided }: OperationBinding,
): boolean {
  const { required = [] } = inputSchema as { readonly required?: readonly string[] };
  const inputs = Object.values(request.pathParams ?? {}).map(sourceInput);
  return [...required, ...whenProvided].every((name) => inputs.includes(name));
}

function readBackOf(
  { request }: OperationBinding,
  readers: ReadonlyMap<string, Reader>,
): ReadBack | undefined {
  const { path, pathParams = {} } = request;
  const reader = readers.get(path) ?? readers.get(path.replace(/\/[^/{}]+$/, ""));
  if (!reader) return undefined;
  const inputs: [string, string][] = [];
  for (const [name, source] of Object.entries(reader.binding.request.pathParams ?? {})) {
    const to = sourceInput(source);
    if (to === undefined) continue;
    const from = Object.hasOwn(pathParams, name) ? sourceInput(pathParams[name]!) : undefined;
    if (from === undefined) return undefined;
    inputs.push([to, from]);
  }
  return { tool: reader.tool, inputs: Object.fromEntries(inputs) };
}
