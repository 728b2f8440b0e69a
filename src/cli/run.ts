import { commands } from "./command-list.js";
import type { ExitCode } from "./exit-codes.js";
import { parseArguments } from "./program.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs the command that the first argument names, or the default command. Commands are loaded on
 * demand, so `--help` loads only commander.
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // `mcp-gen help [command]`, as in other programs. A document of that name is `./help`.
  if (args[0] === "help" && args.length <= 2)
    return runProgram([...args.slice(1), "--help"], terminal);
  const named = commands.get(args[0] ?? "");
  if (named) return (await named.load())(args.slice(1), terminal);
  const command = parseArguments(args, terminal);
  if (typeof command === "number") return command;
  if (command.options.watch) return (await import("./watch.js")).runWatch(command, terminal);
  return (await import("./generate.js")).runGenerate(command, terminal);
}
