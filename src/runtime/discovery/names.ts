/** Names of the discovery tools, and texts that name them. */
import type { ToolAnnotations } from "../types.js";

/** Names of the discovery tools. */
export interface DiscoveryNames {
  readonly search: string;
  readonly describe: string;
  /** Calls tools that only read. Absent if all tools do, or none. */
  readonly callRead?: string;
  readonly call: string;
}

/** Annotations of the tools that read the definitions of other tools. */
export const readOnlyAnnotations: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tools that call a found tool, as a clause. */
export function callAdvice({ callRead, call }: DiscoveryNames): string {
  return callRead === undefined
    ? `call a tool with ${call}`
    : `call tools that only read with ${callRead}, and the others with ${call}`;
}

/** The tools that call others, as a phrase. */
export function callers({ callRead, call }: DiscoveryNames): string {
  return callRead === undefined ? call : `${callRead} or ${call}`;
}

/**
 * Names for the discovery tools that no tool of the API has.
 * @param namespace prefix of the API's tools, without the underscore
 * @param isTaken whether a tool of the API has this name
 * @param hasBothEffects true if some tools only read, and others do not
 */
export function discoveryNames(
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
  hasBothEffects: boolean,
): DiscoveryNames {
  const free = (verb: string, noun: string): string => freeName(verb, noun, namespace, isTaken);
  return {
    search: free("search", "tools"),
    describe: describeName(namespace, isTaken),
    ...(hasBothEffects && { callRead: free("call_read", "tool") }),
    call: free("call", "tool"),
  };
}

/** Name for the tool that describes others. */
export const describeName = (
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): string => freeName("describe", "tools", namespace, isTaken);

function freeName(
  verb: string,
  noun: string,
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): string {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  for (let attempt = 1; ; attempt++) {
    const name = prefix + candidateName(verb, noun, attempt);
    if (!isTaken(name)) return name;
  }
}

/** `search_tools`, `search_api_tools`, `search_api_tools_2`, … */
function candidateName(verb: string, noun: string, attempt: number): string {
  if (attempt === 1) return `${verb}_${noun}`;
  return attempt === 2 ? `${verb}_api_${noun}` : `${verb}_api_${noun}_${attempt - 1}`;
}

/** True if a tool only reads. */
export const isRead = ({ annotations }: { readonly annotations: ToolAnnotations }): boolean =>
  annotations.readOnlyHint;

/** True if some of the tools only read, and others do not. */
export function hasBothEffects(
  tools: readonly { readonly annotations: ToolAnnotations }[],
): boolean {
  return tools.some(isRead) && !tools.every(isRead);
}
