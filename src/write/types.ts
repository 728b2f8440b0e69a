import type { Diagnostic } from "../diagnostics/index.js";

export interface WriteOptions {
  /** Overwrite files that their owner changed, and use a non-empty folder without a manifest. */
  readonly force?: boolean;
  /** Compare only; write nothing. */
  readonly dryRun?: boolean;
}

export interface WriteResult {
  /** Relative paths, sorted. `unchanged` is a count: nothing was written for those. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  /** Errors mean that nothing was written. */
  readonly diagnostics: readonly Diagnostic[];
}
