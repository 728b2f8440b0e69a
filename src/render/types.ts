/**
 * One file of the output: a relative POSIX path below the output folder, and its whole text (LF,
 * final newline).
 */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
  /**
   * The owner's from the first run on: written when absent, never touched again (`src/custom/**`).
   */
  readonly writeOnce?: boolean;
  /** Of a text that never changes, what the manifest says of it. */
  readonly fingerprints?: { readonly digest: string; readonly parts?: string };
}

/** Whether generated projects hold a copy of the runtime or import it from the package mcp-gen. */
export type RuntimeSource = "copy" | "package";

export interface RenderOptions {
  /** Default: `copy`. */
  readonly runtime?: RuntimeSource;
  /**
   * Folder whose templates replace the default ones of the same path; `files/**` there are added to
   * the output.
   */
  readonly templates?: string;
}
