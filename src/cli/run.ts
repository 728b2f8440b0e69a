import { type CommandName, parseArguments } from "./program.js";
import type { ExitCode, Terminal } from "./terminal.js";

/** Runs a command with the arguments after its name. */
type CommandRunner = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

/** Commands, loaded on demand, so `--help` loads only commander. */
const runners: Readonly<Record<CommandName, () => Promise<CommandRunner>>> = {
  cache: async () => (await import("./cache.js")).runCache,
  diff: async () => (await import("./diff.js")).runDiff,
  eval: async () => (await import("./eval/index.js")).runEval,
  init: async () => (await import("./init/index.js")).runInit,
  plan: async () => (await import("./plan.js")).runPlan,
  report: async () => (await import("./report.js")).runReport,
  schema: async () => (await import("./schema.js")).runSchema,
  serve: async () => (await import("./serve.js")).runServe,
  templates: async () => (await import("./templates.js")).runTemplates,
  try: async () => (await import("./try.js")).runTry,
};

/** Runs the command that the first argument names, or the default command. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name = "", ...rest] = args;
  // `mcp-gen help [command]`, as in other programs. A document of that name is `./help`.
  if (name === "help" && args.length <= 2) return runProgram([...rest, "--help"], terminal);
  if (isCommand(name)) return (await runners[name]())(rest, terminal);
  const command = parseArguments(args, terminal);
  if (typeof command === "number") return command;
  if (command.options.watch) return (await import("./generate.js")).runWatch(command, terminal);
  return (await import("./generate.js")).runGenerate(command, terminal);
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(runners, name);
}
