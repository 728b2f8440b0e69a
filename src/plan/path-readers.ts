/** Reads that need nothing but the values of their path. */
import type { OperationBinding, RequestMapping } from "../runtime/types.js";
import { sourceInput } from "./bound-parameters.js";
import type { PlannedTool } from "./types.js";

/** A read-only operation whose required inputs are all in its path. */
export interface PathReader {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
}

/** Path with `{}` for each parameter, because paths of one resource may name them differently. */
export const withoutNames = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, "{}");

/** Finds the operations that read by their path alone, by path without names. */
export function pathReaders(tools: readonly PlannedTool[]): ReadonlyMap<string, PathReader> {
  const found = new Map<string, PathReader>();
  for (const tool of tools) {
    const { definition, workflow } = tool;
    if (!definition.annotations.readOnlyHint || workflow) continue;
    for (const binding of definition.operations) {
      const path = withoutNames(binding.request.path);
      if (!found.has(path) && readsByPath(tool, binding)) found.set(path, { tool, binding });
    }
  }
  return found;
}

/** True if the inputs of its path select an operation and are all that it needs. */
function readsByPath(
  { definition }: PlannedTool,
  { request, whenProvided }: OperationBinding,
): boolean {
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  if (request.method !== "GET" || request.isRaw || request.unsafe) return false;
  const inputs = pathInputs(request);
  return [...required, ...whenProvided].every((name) => inputs.includes(name));
}

/** Inputs of the parameters of a path, in order. Undefined for other sources. */
function pathInputs({ path, pathParams = {} }: RequestMapping): readonly (string | undefined)[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => {
    const source = Object.hasOwn(pathParams, name) ? pathParams[name] : undefined;
    return source === undefined ? undefined : sourceInput(source);
  });
}

/**
 * Inputs of another request for the same values at the beginning of its path, by input of the
 * reader. Undefined if the other request lacks one.
 */
export function sharedPathInputs(
  reader: RequestMapping,
  other: RequestMapping,
): Readonly<Record<string, string>> | undefined {
  const from = pathInputs(other);
  const entries = pathInputs(reader).map((to, i) => [to, from[i]] as const);
  if (entries.some(([to, input]) => to !== undefined && input === undefined)) return undefined;
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[0] !== undefined),
  );
}
