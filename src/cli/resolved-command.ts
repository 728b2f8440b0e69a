import type { Configuration } from "../configuration/types.js";
import type { GenerateCommand } from "./program.js";

/** A command completed by `mcp-gen.yaml`. */
export interface ResolvedCommand extends GenerateCommand {
  readonly source: string;
  readonly configuration?: Configuration;
  /** Path of the configuration. */
  readonly configurationFile?: string;
  /** Returns the standard input that was already consumed. */
  readonly stdin?: () => Promise<Uint8Array>;
}
