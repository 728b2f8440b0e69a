import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { version } from "../version.js";
import { exitCodes } from "./exit-codes.js";
import { afterHelp, beforeHelp, helpPointer } from "./help.js";
import type { Terminal } from "./terminal.js";

/** What the command line asks for. */
export interface GenerateCommand {
  /** A path, `-` or a URL; absent when the configuration names it. */
  readonly source?: string;
  readonly outDir?: string;
  readonly options: CommandOptions;
}

/** Options as commander gives them. */
export interface CommandOptions {
  readonly output?: string;
  readonly config?: string;
  readonly overlay?: readonly string[];
  readonly name?: string;
  readonly namespace?: string;
  readonly granularity?: "task" | "operation";
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly includeDeprecated?: boolean;
  readonly baseUrl?: string;
  readonly outputSchemas?: "tolerant" | "strict";
  readonly refRoot?: string;
  readonly allowRemoteRefs?: readonly string[];
  readonly templates?: string;
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/**
 * Reads the arguments (without `node` and the script).
 * @returns what to do, or the exit code when help, the version or a complaint was all
 */
export function parseArguments(args: readonly string[], terminal: Terminal): GenerateCommand | number {
  const program = makeProgram(terminal);
  try {
    program.parse([...args], { from: "user" });
    return toCommand(program);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

function toCommand(program: Command): GenerateCommand {
  const source = program.args[0];
  const options = program.opts<CommandOptions>();
  if (source === "") program.error("error: Give an OpenAPI document: a path, an https: URL, or - for standard input.");
  return { ...(source !== undefined && { source }), ...(options.output && { outDir: options.output }), options };
}

function makeProgram(terminal: Terminal): Command {
  const program = new Command("mcp-gen")
    .argument("[spec]", "the document: a path, an https: URL, or - for standard input")
    .usage("[options] [spec] [-o <dir>]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("beforeAll", beforeHelp)
    .addHelpText("after", afterHelp)
    .showHelpAfterError(helpPointer)
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.error })
    .exitOverride();
  for (const [title, options] of groups()) {
    program.optionsGroup(title);
    for (const option of options) program.addOption(option);
  }
  return program;
}

/** Options by the question they answer, as `--help` shows them. */
function groups(): readonly (readonly [string, readonly Option[]])[] {
  return [
    ["What to write:", [
      new Option("-o, --output <dir>", "folder of the generated project").argParser(notEmpty),
      new Option("-c, --config <file>", "what people decided about the tools (default: mcp-gen.yaml beside the document)").argParser(notEmpty),
      new Option("--overlay <file>", "OpenAPI Overlay to apply to the document first; repeatable").argParser(collect),
      new Option("--name <package>", "npm name of the project (default: from the document's title)").argParser(packageName),
      new Option("--namespace <prefix>", "first word of every tool name").argParser(namespace),
      new Option("--granularity <what>", "one tool per task, or one per operation").choices(["task", "operation"]).default("task"),
      new Option("--base-url <url>", "base URL of the API, instead of the document's servers").argParser(baseUrl),
      new Option("--output-schemas <mode>", "tolerant: what real APIs send fits; strict: as the document says").choices(["tolerant", "strict"]).default("tolerant"),
      new Option("--templates <dir>", "folder whose templates replace the default ones").argParser(notEmpty),
    ]],
    ["Which operations:", [
      new Option("--only <selector>", "a tag, an operationId or a 'METHOD /path' glob; repeatable").argParser(collect),
      new Option("--skip <selector>", "likewise, to leave out; repeatable").argParser(collect),
      new Option("--include-deprecated", "also the deprecated ones"),
    ]],
    ["What the document may refer to:", [
      new Option("--ref-root <dir>", "folder that relative $refs may reach (default: the document's)").argParser(notEmpty),
      new Option("--allow-remote-refs <host>", "host that $refs may be fetched from; repeatable").argParser(collect),
    ]],
    ["How to run:", [
      new Option("--check", "write nothing; exit 1 when the folder is not what would be generated"),
      new Option("--dry-run", "write nothing; print what would be written"),
      new Option("--force", "overwrite edited files, and use a folder that mcp-gen did not make"),
      new Option("--strict", "warnings are errors"),
      new Option("--json", "print the result as JSON"),
      new Option("--verbose", "print every warning and every file"),
    ]],
  ];
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), notEmpty(value)];
}

function notEmpty(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It is empty.");
  return value;
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function packageName(value: string): string {
  if (value.length <= 214 && /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(value)) return value;
  throw new InvalidArgumentError("An npm name has lower-case letters, digits and hyphens, as in clinic-mcp-server.");
}

function namespace(value: string): string {
  if (/^[a-z][a-z0-9_]{0,15}$/.test(value)) return value;
  throw new InvalidArgumentError("It has up to 16 lower-case letters, digits and underscores, and starts with a letter.");
}

function baseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "") return value;
  throw new InvalidArgumentError("It is an https: or http: URL without credentials, as in https://api.example.com/v1.");
}
