import type { Diagnostic } from "../diagnostics/index.js";

export interface WriteOptions {
  /** Overwrite edited files, and use a non-empty folder without a manifest. */
  readonly force?: boolean;
  /** Versions of dependencies that the configuration states. Those in package.json do not count. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Compare without writing. */
  readonly dryRun?: boolean;
  /** Accept files that repeat an older version of package.json; the next run updates them. */
  readonly anyVersion?: boolean;
}

export interface WriteResult {
  /** Relative paths, sorted. `unchanged` is a number. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  /**
   * Files that prevent writing: edited, or not written by mcp-gen. Empty when `force` overwrote
   * them.
   */
  readonly refused: readonly string[];
  /** Preserved declarations marked `@keep` and additions to package.json. */
  readonly preserved: readonly PreservedContent[];
  /** After an error, nothing was written. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Preserved declarations or entries of a file. */
export interface PreservedContent {
  readonly path: string;
  readonly names: readonly string[];
}

/** Changes to the folder: relative paths, sorted by code unit. */
export interface Changes {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

/** File to write: relative path and content. */
export interface StagedFile {
  readonly path: string;
  readonly content: string;
}
