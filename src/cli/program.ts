import { Command, CommanderError } from "commander";
import { closestMatch, toSingleLine } from "../diagnostics/text.js";
import { version } from "../version.js";
import { afterHelp, beforeHelp, commands, helpPointer } from "./commands.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { type CommandOptions, generateOptions, type OptionGroup } from "./options.js";

/** A parsed command line. */
export interface GenerateCommand {
  /** A path, `-` or a URL; absent when the configuration names it. */
  readonly source?: string;
  readonly outDir?: string;
  readonly options: CommandOptions;
  /** The arguments as typed. */
  readonly args?: readonly string[];
}

/**
 * Parses the arguments of the default command, `mcp-gen [spec]`, without `node` and the script.
 * @returns the command, or the exit code after help, the version or an error message
 */
export function parseArguments(
  args: readonly string[],
  terminal: Terminal,
): GenerateCommand | ExitCode {
  const program = newProgram("mcp-gen", "[options] [spec] [-o <dir>]", generateOptions(), terminal)
    .version(version, "-V, --version", "print the version")
    .addHelpText("beforeAll", beforeHelp)
    .addHelpText("after", afterHelp);
  return parse(withDocument(program), args, (parsed) => ({ ...withInput(parsed), args }));
}

/** Reads the document from the argument, or from `--input`. */
function withInput(program: Command): GenerateCommand {
  const { input, ...options } = program.opts<CommandOptions & { readonly input?: string }>();
  if (input === undefined) return toCommand(program);
  if (program.args.length > 0)
    program.error("error: The document is given twice: as an argument and with --input.");
  return { ...toCommand(program), source: input, options };
}

/** Adds the document as an argument. */
export function withDocument(program: Command): Command {
  return program
    .argument("[spec]", "the document: a path, an https: URL, or - for standard input")
    .allowExcessArguments(true);
}

/** Creates a parser that reports errors in a sentence and never exits the process. */
export function newProgram(
  name: string,
  usage: string,
  groups: readonly OptionGroup[],
  terminal: Terminal,
): Command {
  const program = new Command(name)
    .usage(usage)
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError(helpPointer(name))
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.error })
    .exitOverride();
  for (const { title, options } of groups) {
    program.optionsGroup(title);
    for (const option of options) program.addOption(option);
  }
  return program;
}

/**
 * Parses arguments. Converts exceptions of commander, which has printed a message by then, to exit
 * codes.
 */
export function parse<T>(
  program: Command,
  args: readonly string[],
  read: (program: Command) => T,
): T | ExitCode {
  try {
    program.parse([...args], { from: "user" });
    return read(program);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** Returns the parsed document, folder and options. */
export function toCommand(program: Command): GenerateCommand {
  const source = program.args[0];
  const options = program.opts<CommandOptions>();
  if (program.args.length > 1)
    program.error(
      excessArgumentsError(
        program.args,
        program.options.some(({ long }) => long === "--output"),
      ),
    );
  if (source === "")
    program.error(
      "error: Give an OpenAPI document: a path, an https: URL, or - for standard input.",
    );
  return {
    ...(source !== undefined && { source }),
    ...(options.output && { outDir: options.output }),
    options,
  };
}

/** Explains excess arguments. Common causes are a missing -o and an unknown command. */
function excessArgumentsError(args: readonly string[], hasOutput: boolean): string {
  const shown =
    args
      .slice(0, 3)
      .map((arg) => toSingleLine(arg))
      .join(", ") + (args.length > 3 ? " …" : "");
  const command = closestMatch(args[0] as string, Object.keys(commands));
  return [
    `error: One document is read, not ${args.length}: ${shown}.`,
    ...(hasOutput ? ["Give the output folder with -o."] : []),
    ...(command === undefined ? [] : [`Did you mean the command ${command}?`]),
  ].join(" ");
}
