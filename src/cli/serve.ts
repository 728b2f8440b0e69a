import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { formatCount } from "../diagnostics/index.js";
import { runServer } from "../try/project.js";
import { StdioRelay } from "../try/stdio-relay.js";
import { version } from "../version.js";
import { describeFiles, isUrl, resolveCommand } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { type ExitCode, exitCodes, npxCommand, quoteForUser, type Terminal } from "./terminal.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { mayTakeLong, serverFile, writeServerFile } from "./planning-process.js";
import { type PreparedServer, prepareServer } from "./prepared-server.js";
import { newProgram, parse, reportUsageError, toApisCommand, withDocument } from "./program.js";
import {
  describeEnvironment,
  describeUnused,
  type EnvironmentOptions,
  environmentOptions,
  serverEnvironment,
} from "./server-environment.js";

const NAME = "mcp-gen serve";

const afterHelp = `
Generates the server into a temporary folder and runs it against the real API, over stdio unless
--http is given. Nothing is installed, and the folder is removed at the end. The plan of an unchanged
local document is kept in the cache folder of the user. Credentials come from
--env-file, else from .env if the document or its mcp-gen.yaml are in the current folder, and from
variables of the environment that --env names. Their names, and the hosts that get them, are printed
first. The exit code is 1 if the tool of --call fails.
Hooks and tools of your own need a generated project: mcp-gen openapi.yaml -o server.

Examples:
  mcp-gen serve openapi.yaml --http
  mcp-gen serve openapi.yaml --call find_pets --input '{"limit": 2}'
  mcp-gen serve openapi.yaml --ui
  mcp-gen serve openapi.yaml --login
  claude mcp add clinic --env CLINIC_API_KEY=abc -- \\
    npx mcp-gen serve /path/to/openapi.yaml --env CLINIC_API_KEY
`;

/** Options that are passed on to the server. */
interface ServerOptions extends EnvironmentOptions {
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly files?: string;
  readonly toolsets?: string;
  readonly readOnly?: boolean;
  readonly mode?: string;
  readonly listed?: string;
  readonly ui?: boolean;
  readonly cache?: boolean;
}

/** A command of the server that is run instead of serving, and its arguments. */
interface ActionOptions {
  readonly call?: string;
  readonly input?: string;
  readonly login?: boolean;
  readonly logout?: boolean;
  readonly status?: boolean;
  readonly device?: boolean;
  readonly scheme?: string;
  readonly api?: string;
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
      "[options] [spec...]",
      [{ title: "Server:", options: serverOptions() }, base!, ...groups],
      terminal,
    ),
  ).addHelpText("after", afterHelp);
  const command = parse(program, args, toApisCommand);
  if (typeof command === "number") return command;
  const {
    http,
    host,
    port,
    files,
    toolsets,
    readOnly,
    mode,
    listed,
    ui,
    env,
    envFile,
    cache,
    ...others
  } = command.options as CommandOptions & ServerOptions & ActionOptions;
  const { call, input, login, logout, status, device, scheme, api, ...options } = others;
  const actions = { call, input, login, logout, status, device, scheme, api } as ActionOptions;
  const problem = findUsageProblem(command.source, { ...actions, http, ui });
  if (problem !== undefined) return reportUsageError(terminal, problem, NAME);
  // The process that waits for this one has said everything about the files that are used.
  const speaker = serverFile() === undefined ? terminal : { ...terminal, error: () => undefined };
  const resolved = await resolveCommand({ ...command, options }, speaker, "unused");
  if (typeof resolved === "number") return resolved;
  const server = { http, host, port, files, toolsets, readOnly, mode, listed } as ServerOptions;
  const action = actionArguments(actions, server);
  const served = { ...server, ui, env, envFile, cache } as ServerOptions;
  return serve(resolved, served, action, terminal);
}

function serverOptions(): readonly Option[] {
  return [
    new Option("--http", "serve Streamable HTTP at /mcp instead of stdio"),
    new Option(
      "--ui",
      "open a page for trying the tools, on this machine only, instead of serving",
    ),
    new Option("--host <address>", "address for --http (default: 127.0.0.1)"),
    new Option(
      "--port <number>",
      "port for --http (default: 3000) or --ui (default: any)",
    ).argParser(portNumber),
    new Option("--files <dir>", "folder in which tools may read and save files"),
    ...environmentOptions(),
    new Option("--no-cache", "plan the tools again, although nothing has changed"),
    new Option("--toolsets <names>", "list the tools of these toolsets only; separated by commas"),
    new Option("--read-only", "list only read-only tools"),
    new Option(
      "--mode <mode>",
      "list every tool, or tools that find and call the others, in hybrid with those that most work starts with",
    ).choices(["tools", "hybrid", "discovery"]),
    new Option("--listed <names>", "tools that hybrid lists; separated by commas"),
    new Option(
      "--call <tool>",
      "call one tool instead of serving, for example to check credentials",
    ),
    new Option("--input <json>", "with --call: input of the tool"),
    new Option(
      "--login",
      "sign in to the API instead of serving; --port sets the port of the redirect",
    ),
    new Option("--logout", "revoke and remove the tokens of the sign-in"),
    new Option("--status", "show who is signed in"),
    new Option("--device", "with --login: sign in on another device"),
    new Option("--scheme <name>", "security scheme of the sign-in, if there are several"),
    new Option("--api <name>", "API of the sign-in, in a server of several"),
  ];
}

/** Options that run a command instead of serving. */
const ACTIONS = ["call", "login", "logout", "status"] as const;

function findUsageProblem(
  source: string | undefined,
  { http, ui, ...options }: ActionOptions & { readonly http?: unknown; readonly ui?: unknown },
): string | undefined {
  const actions = ACTIONS.filter((name) => options[name]);
  const [first, second] = [...actions, ...(ui ? ["ui"] : []), ...(http ? ["http"] : [])];
  if (second !== undefined) return `Choose one of --${first} and --${second}`;
  if (options.input !== undefined && first !== "call") return "--input needs --call";
  if (options.device && first !== "login") return "--device needs --login";
  const isSignIn = actions.length > 0 && first !== "call";
  if (options.scheme !== undefined && !isSignIn)
    return "--scheme needs --login, --logout or --status";
  if (options.api !== undefined && !isSignIn) return "--api needs --login, --logout or --status";
  if (source === "-" && first === undefined)
    return "Standard input belongs to the MCP client. Give the document as a file, or add --http";
  return undefined;
}

/** Arguments of a command of the server; undefined to serve. */
function actionArguments(
  options: ActionOptions,
  server: ServerOptions,
): readonly string[] | undefined {
  const action = ACTIONS.find((name) => options[name]);
  if (action === undefined) return undefined;
  const { call, input, scheme, device, api } = options;
  if (call !== undefined)
    return ["call", call, ...(input === undefined ? [] : [input]), ...toFlags(server)];
  const named = [api, scheme].filter((name) => name !== undefined);
  const redirect = server.port === undefined ? [] : ["--port", server.port];
  return [action, ...named, ...(device ? ["--device"] : []), ...redirect];
}

async function serve(
  run: ResolvedCommand,
  { env, envFile, cache, ui, ...server }: ServerOptions,
  action: readonly string[] | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const file = serverFile();
  const isStdio = action === undefined && server.http !== true && ui !== true;
  const relay =
    isStdio && file === undefined && documentsOf(run).some(mayTakeLong) ? createRelay() : undefined;
  const options = { mayUseCache: cache !== false, isSeparate: relay !== undefined };
  const prepared = await prepareServer(run, options, terminal);
  if (typeof prepared === "number") return (relay?.close(), prepared);
  if (file !== undefined) return (writeServerFile(file, prepared), exitCodes.done);
  const { api, modules } = prepared;
  const environment = serverEnvironment(prepared, run, {
    ...(env && { env }),
    ...(envFile && { envFile }),
  });
  if (typeof environment === "string") {
    relay?.close();
    return reportUsageError(terminal, environment, NAME);
  }
  terminal.error(describeFiles(run, environment.file));
  terminal.error(
    describeEnvironment(prepared, environment) + describeUnused(prepared, run, environment),
  );
  if (ui) return serveUi(prepared, environment.env, server, terminal);
  const command = serveCommand(run, { ...server, env, envFile: environment.file } as ServerOptions);
  if (!action) terminal.error(describeStart(prepared, command, server.http === true));
  const code = await runServer(modules, {
    ...(relay && { relay }),
    args: action ?? toFlags(server),
    env: {
      [`${api.envPrefix}_LOGIN_COMMAND`]: `npx ${command} --login${api.apis ? " --api" : ""}`,
      [`${api.envPrefix}_ANNOUNCE`]: "1",
      ...environment.env,
    },
  });
  if (code === 0) return exitCodes.done;
  return action?.[0] === "call" && code === 1 ? exitCodes.different : exitCodes.usage;
}

/** Serves the page for trying the tools until a signal ends the process. */
async function serveUi(
  { api, modules }: PreparedServer,
  env: NodeJS.ProcessEnv,
  { port, files, toolsets, readOnly }: ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { startUi } = await import("../try/ui/index.js");
  const ui = await startUi({
    title: api.title,
    modules,
    envPrefixes: [api, ...Object.values(api.apis ?? {})].map(({ envPrefix }) => envPrefix),
    env,
    args: toFlags({ files, toolsets, readOnly }),
    port: Number(port ?? 0),
  }).catch((error: NodeJS.ErrnoException) => error);
  if (ui instanceof Error) return reportUsageError(terminal, `The page: ${ui.message}`, NAME);
  terminal.error(
    `Open ${ui.url}\nThe address is valid once, on this machine only. Ctrl+C ends the page.\n`,
  );
  await new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, resolve);
  });
  await ui.close();
  return exitCodes.done;
}

/**
 * Time in which a server answers itself, with its instructions, since this process began. Hosts
 * wait for ten seconds and more.
 */
const LATE_MS = 4_000;

function createRelay(): StdioRelay {
  const { stdin: input, stdout: output } = process;
  const delayMs = Math.max(0, LATE_MS - process.uptime() * 1_000);
  return new StdioRelay({ input, output }, { delayMs, version });
}

function portNumber(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

/** Flags of options as commander names them. It leaves out options that were not given. */
function toFlags(options: object): readonly string[] {
  return Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [value].flat().flatMap((one) => [flag, String(one)]);
  });
}

/** Options whose values are paths, or URLs. A host starts the command in another folder. */
const PATHS: ReadonlySet<string> = new Set(
  "config workflow overlay templates refRoot files envFile".split(" "),
);
const toAbsolute = (path: string): string => (isUrl(path) ? path : resolve(path));

/** The documents of a run. */
function documentsOf({ source, apis }: ResolvedCommand): readonly string[] {
  return apis?.map((api) => api.source) ?? [source];
}

/** The command that serves the document of a run with its options, from any folder, without npx. */
function serveCommand(
  { source, apis, options, configuration, configurationFile: config }: ResolvedCommand,
  { files, envFile, env = [], toolsets, readOnly, mode, listed }: ServerOptions,
): string {
  const { json: _, verbose: __, config: ___, ...planning } = options;
  // Values of variables are not printed.
  const names = env.map((text) => text.replace(/=[^]*/, ""));
  const given = {
    config,
    ...planning,
    files,
    envFile,
    env: names,
    toolsets,
    readOnly,
    mode,
    listed,
  };
  const flags = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name,
    PATHS.has(name) && value !== undefined
      ? [value].flat().map((path) => toAbsolute(path as string))
      : value,
  ]);
  const documents = apis
    ? apis.map((api) => `${api.name === undefined ? "" : `${api.name}=`}${toAbsolute(api.source)}`)
    : [toAbsolute(source)];
  const words = [
    ...(configuration?.apis ? [] : documents),
    ...toFlags(Object.fromEntries(flags) as object),
  ];
  return `mcp-gen serve ${words.map((word) => quoteForUser(word)).join(" ")}`;
}

/**
 * Describes the server. Over stdio a host starts it, with the command that is printed; over HTTP
 * the server prints how to connect once it listens.
 */
function describeStart(server: PreparedServer, command: string, isHttp: boolean): string {
  const { api, operations, tools } = server;
  const counts = `${formatCount(operations, "operation")} → ${formatCount(tools, "tool")}`;
  const served = `${api.title}: ${counts}, served over ${isHttp ? "HTTP" : "stdio"}.\n`;
  if (isHttp) return served;
  return `${served}Connect a host: claude mcp add ${api.name} -- ${npxCommand()} ${command}\n`;
}
