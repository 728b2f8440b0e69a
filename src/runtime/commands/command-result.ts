/** Results of commands. */

/** Text on stdout, or on stderr if the exit code is not 0. */
export interface CommandResult {
  readonly exitCode: number;
  readonly text: string;
}
