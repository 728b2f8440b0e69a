import { type ExitCode, exitCodes } from "./exit-codes.js";
import { helpPointer } from "./help.js";
import type { Terminal } from "./terminal.js";

/**
 * Reports an invalid command line.
 * @param sentence with or without its final full stop
 * @param command the command whose `--help` has the options
 */
export function reportUsageError(terminal: Terminal, sentence: string, command?: string): ExitCode {
  const end = /[.?]$/.test(sentence) ? "" : ".";
  terminal.error(`error: ${sentence}${end}\n${helpPointer(command)}\n`);
  return exitCodes.usage;
}
