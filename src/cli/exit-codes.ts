/** How a process ends; printed by `--help`, and a promise to scripts. */
export const exitCodes = {
  done: 0,
  /**
   * `--check`: the folder is not what would be generated. `diff --fail-on`: there are such changes.
   */
  different: 1,
  usage: 2,
  /**
   * The document, an overlay or the configuration cannot be read or used, or `--strict` and it has
   * warnings.
   */
  document: 3,
  /** The output folder was refused or could not be written; nothing was changed. */
  refused: 4,
  /** mcp-gen itself is at fault. */
  defect: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
