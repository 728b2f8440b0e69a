/** The commands of a server that is a command line: `tools`, `describe` and `call`. */
import type { Env } from "../request/types.js";
import { filesProblem } from "../server/files-folder.js";
import type { ServerContext } from "../server/context.js";
import type { ToolCommand } from "../server/flags.js";
import { runCall } from "./call.js";
import type { CommandResult } from "./command-result.js";
import { describeTools, listTools } from "./describe.js";

/**
 * Runs a command and prints its result.
 * @returns the exit code: 1 for a failed call, 2 for a command that cannot be run
 */
export async function runCommand(context: ServerContext, command: ToolCommand): Promise<number> {
  const { exitCode, text } = await resultOf(context, command);
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return exitCode;
}

async function resultOf(context: ServerContext, command: ToolCommand): Promise<CommandResult> {
  switch (command.kind) {
    case "tools":
      return listTools(context, command);
    case "describe":
      return describeTools(context, command);
    case "call":
      return runCall(context, command);
  }
}

/**
 * Settings of a process that runs one command: files by their paths below the working folder, and
 * no stored results, which would end with the process. Data for other programs is complete. Calls
 * that succeed leave stderr empty, except for the record of a write.
 */
export function commandSettings(command: ToolCommand, prefix: string, env: Env): Env {
  const name = `${prefix}_FILES_DIR`;
  return {
    LOG_LEVEL: env["LOG_LEVEL"]?.trim() || "warn",
    [`${prefix}_KEPT_RESULT_BYTES`]: "0",
    ...(!filesProblem && !env[name]?.trim() && { [name]: "." }),
    ...(command.format !== "text" && { [`${prefix}_MAX_RESULT_TOKENS`]: "10000000" }),
  };
}
