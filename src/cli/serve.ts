import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Option } from "commander";
import { formatDiagnostics, isError } from "../diagnostics/index.js";
import type { ToolPlan } from "../plan/index.js";
import { runServer } from "../try/run-server.js";
import { resolveCommand, type ResolvedCommand } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { runInMemory } from "./pipeline.js";
import { npxCommand, quoteForUser } from "./quote.js";
import { newProgram, parse, toCommand, withDocument } from "./program.js";
import { count, operationCount } from "./summary.js";
import type { Terminal } from "./terminal.js";
import { reportUsageError } from "./usage-error.js";

const NAME = "mcp-gen serve";

const afterHelp = `
Generates the server into a temporary folder and runs it against the real API, over stdio unless
--http is given. Nothing is installed, and the folder is removed at the end. Credentials come from
the environment or from .env in the current folder; mcp-gen lists the variables at start.
Hooks and tools of your own need a generated project: mcp-gen openapi.yaml -o server.

Examples:
  mcp-gen serve openapi.yaml --http
  claude mcp add clinic -- npx mcp-gen serve /path/to/openapi.yaml
`;

/** Options that are passed on to the server. */
interface ServerOptions {
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly files?: string;
  readonly toolsets?: string;
  readonly readOnly?: boolean;
  readonly mode?: string;
}

/** `mcp-gen serve [spec]`: runs the generated server without writing a project. */
export async function runServe(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [base, ...groups] = planningOptions(
    new Option("--templates <dir>", "folder whose templates replace the default ones").argParser(
      notEmpty,
    ),
  );
  const program = withDocument(
    newProgram(
      NAME,
      "[options] [spec]",
      [{ title: "Server:", options: serverOptions() }, base!, ...groups],
      terminal,
    ),
  ).addHelpText("after", afterHelp);
  const command = parse(program, args, toCommand);
  if (typeof command === "number") return command;
  const { http, host, port, files, toolsets, readOnly, mode, ...options } =
    command.options as CommandOptions & ServerOptions;
  if (command.source === "-" && http !== true)
    return reportUsageError(
      terminal,
      "Standard input belongs to the MCP client. Give the document as a file, or add --http",
      NAME,
    );
  const run = await resolveCommand({ ...command, options }, terminal, "unused");
  if (typeof run === "number") return run;
  const server = { http, host, port, files, toolsets, readOnly, mode } as ServerOptions;
  return serve(run, server, terminal);
}

function serverOptions(): readonly Option[] {
  return [
    new Option("--http", "serve Streamable HTTP at /mcp instead of stdio"),
    new Option("--host <address>", "address for --http (default: 127.0.0.1)"),
    new Option("--port <number>", "port for --http (default: 3000)"),
    new Option("--files <dir>", "folder in which tools may read and save files"),
    new Option("--toolsets <names>", "list the tools of these toolsets only; separated by commas"),
    new Option("--read-only", "list only tools that change nothing"),
    new Option("--mode <mode>", "list every tool, or three that find and call the others").choices([
      "tools",
      "discovery",
    ]),
  ];
}

async function serve(
  run: ResolvedCommand,
  server: ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  // Nothing is installed in the temporary folder, so the runtime must be in it.
  const generated = await runInMemory(run, { runtime: "copy" }, terminal);
  if (typeof generated === "number") return generated;
  const { plan, files, diagnostics, ok } = generated;
  const shown = diagnostics.filter((d) => isError(d) || run.options.verbose === true);
  terminal.error(
    formatDiagnostics(shown, { source: run.source, verbose: true, colorize: terminal.paint }),
  );
  if (!ok || !plan || !files) return exitCodes.document;
  terminal.error(describeStart(plan, run, server));
  const code = await runServer(files, {
    args: toFlags(server),
    env: withEnvFile(process.env, plan.api.envPrefix),
  });
  return code === 0 ? exitCodes.done : exitCodes.usage;
}

/** Flags of the server. Commander leaves out options that were not given. */
function toFlags(server: ServerOptions): readonly string[] {
  return Object.entries(server).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const flag = name === "readOnly" ? "--read-only" : `--${name}`;
    return value === true ? [flag] : [flag, String(value)];
  });
}

/** Adds the `.env` file of the current folder, unless the environment names one. */
function withEnvFile(env: NodeJS.ProcessEnv, prefix: string): NodeJS.ProcessEnv {
  const file = resolve(".env");
  const variable = `${prefix}_ENV_FILE`;
  return env[variable] === undefined && existsSync(file) ? { ...env, [variable]: file } : env;
}

/** Describes the server, and the command that connects a host. */
function describeStart(plan: ToolPlan, run: ResolvedCommand, server: ServerOptions): string {
  const { api, tools } = plan;
  const counts = `${count(operationCount(plan), "operation")} → ${count(tools.length, "tool")}`;
  const url = `http://${server.host ?? "127.0.0.1"}:${server.port ?? "3000"}/mcp`;
  const document = /^https?:/i.test(run.source) ? run.source : resolve(run.source);
  const connect = server.http
    ? `claude mcp add --transport http ${api.name} ${url}`
    : `claude mcp add ${api.name} -- ${npxCommand()} mcp-gen serve ${quoteForUser(document)}`;
  const transport = server.http ? "over HTTP" : "over stdio";
  return `${api.title}: ${counts}, served ${transport}.\nConnect a host: ${connect}\n`;
}
