import type { GeneratedFile } from "../render/types.js";
import type { Diagnostic } from "../diagnostics/index.js";

export interface WriteOptions {
  /** Overwrite files that their owner changed, and use a non-empty folder without a manifest. */
  readonly force?: boolean;
  /** Compare only; write nothing. */
  readonly dryRun?: boolean;
  /**
   * Files may repeat another version of the package than package.json has now; they get it with the
   * next run.
   */
  readonly anyVersion?: boolean;
}

export interface WriteResult {
  /** Relative paths, sorted. `unchanged` is a count: nothing was written for those. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  /**
   * Files that stand in the way: edited by their owner, or not ours. None when they were
   * overwritten by `force`.
   */
  readonly refused: readonly string[];
  /**
   * Declarations marked `@keep`, and what was added to package.json, that the folder has, or would
   * have.
   */
  readonly preserved: readonly PreservedContent[];
  /** Errors mean that nothing was written. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Declarations or entries of a file that its owner keeps. */
export interface PreservedContent {
  readonly path: string;
  readonly names: readonly string[];
}

/** What must happen to the folder; relative paths, sorted by code unit. */
export interface Changes {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

/** A text to be written, at its relative path. */
export interface StagedFile {
  readonly path: string;
  readonly content: string;
  readonly fingerprints?: GeneratedFile["fingerprints"];
}
