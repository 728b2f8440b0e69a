import type { Configuration } from "../configuration/types.js";
import type { ApiSource } from "../generate-apis.js";
import type { GenerateCommand } from "./program.js";

/** A command completed by `mcp-gen.yaml`. */
export interface ResolvedCommand extends GenerateCommand {
  /** The document; the documents of several APIs, for messages. */
  readonly source: string;
  /** The APIs of a server of several. */
  readonly apis?: readonly ApiSource[];
  readonly configuration?: Configuration;
  /** Path of the configuration. */
  readonly configurationFile?: string;
  /** Returns the standard input that was already consumed. */
  readonly stdin?: () => Promise<Uint8Array>;
}

/** The documents of a command, as they are given. */
export function documentsOf({ source, apis }: ResolvedCommand): readonly string[] {
  return apis ? apis.map((api) => api.source) : [source];
}
