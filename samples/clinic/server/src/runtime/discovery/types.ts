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
