import { commands } from "./command-list.js";
import type { ExitCode } from "./exit-codes.js";
import { parseArguments } from "./program.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs the command that the arguments name first, else generates. What it needs is loaded when it
 * is asked for: `--help` loads commander alone.
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // As other programs have it; a document of that name is ./help.
  if (args[0] === "help" && args.length <= 2)
    return runProgram([...args.slice(1), "--help"], terminal);
  const named = commands.get(args[0] ?? "");
  if (named) return (await named.load())(args.slice(1), terminal);
  const command = parseArguments(args, terminal);
  if (typeof command === "number") return command;
  if (command.options.watch) return (await import("./watch.js")).runWatch(command, terminal);
  return (await import("./generate.js")).runGenerate(command, terminal);
}
