/** Exit codes, printed by `--help` and stable for scripts. */
export const exitCodes = {
  done: 0,
  /** `--check` found differences, `diff --fail-on` found changes, or `try` found a failing tool. */
  different: 1,
  usage: 2,
  /** A document, overlay or configuration is not usable, or `--strict` found warnings. */
  document: 3,
  /** The output folder was rejected or is not writable. Nothing was changed. */
  refused: 4,
  /** A defect of mcp-gen. */
  defect: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
