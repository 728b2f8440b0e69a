import type { ToolAnnotations } from "../types.js";

/** Names of the three discovery tools. */
export interface DiscoveryNames {
  readonly search: string;
  readonly describe: string;
  readonly call: string;
}

/** Annotations of the tools that read the definitions of other tools. */
export const readOnlyAnnotations: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Instructions for the model, for a server that lists only the discovery tools. */
export function discoveryInstructions(
  { search, describe, call }: DiscoveryNames,
  toolCount: number,
): string {
  return (
    `This server has ${toolCount} tools, which are not in the list: find them with ${search}, ` +
    `call them with ${call}, and read more about their inputs with ${describe} where needed.`
  );
}

/**
 * Names for the discovery tools that no tool of the API has.
 * @param namespace prefix of the API's tools, without the underscore
 * @param isTaken whether a tool of the API has this name
 */
export function discoveryNames(
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): DiscoveryNames {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const freeName = (verb: string, noun: string): string => {
    for (let attempt = 1; ; attempt++) {
      const name = prefix + candidateName(verb, noun, attempt);
      if (!isTaken(name)) return name;
    }
  };
  return {
    search: freeName("search", "tools"),
    describe: freeName("describe", "tools"),
    call: freeName("call", "tool"),
  };
}

/** `search_tools`, `search_api_tools`, `search_api_tools_2`, … */
function candidateName(verb: string, noun: string, attempt: number): string {
  if (attempt === 1) return `${verb}_${noun}`;
  return attempt === 2 ? `${verb}_api_${noun}` : `${verb}_api_${noun}_${attempt - 1}`;
}
