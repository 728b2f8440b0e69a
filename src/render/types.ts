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

export interface RenderOptions {
  /**
   * Folder whose templates replace the default ones of the same path; `files/**` there are added to
   * the output.
   */
  readonly templates?: string;
}
