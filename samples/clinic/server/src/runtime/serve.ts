// serve: files of the runtime of mcp-gen as one module, each after those that it uses.

import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  addSignedInTokens, type LoadSignIn, noSignInProblem, type Platform, signInSteps,
} from "./auth.js";
import { callTool } from "./call.js";
import {
  decodeBase64, extensionFor, isObject, leftOut, parseJsonText, type Store,
} from "./data.js";
import {
  applyProxies, type CallCommand, createNodePlatform, type DescribeCommand, filesProblem, helpText,
  parseFlags, serveHttp, serveStdio, type SettingOverrides, type ToolCommand, type ToolsCommand,
  withEnvFile,
} from "./node.js";
import type { Env } from "./request.js";
import {
  approvalsProblem, contextsOfApis, createLog, createReloadableContext, createServerContext,
  describeMissingSettings, describePlainHttp, dryRunProblem, metricsProblem, readSettings,
  type ReloadSource, type ServerContext, type ServerContextOptions, type ServerContextResult,
  telemetryProblem, type WorkerChannel,
} from "./server.js";
import {
  type AnyTool, contentProblem, deserializeTool, discoveryProblem, fullDescriptionOf,
  fullInputSchemaOf, listToolsets, rankTools, rawRequestsProblem, type ServedTool, stepsProblem,
} from "./tools.js";
import { callersProblem } from "./transport.js";
import type { ApiDefinition } from "./types.js";

// ---- cluster/index.ts ----
// Stands in for the workers of one machine, which are left out.

/** Sentence for the user who asks for workers. */
export const clusterProblem: string | undefined = leftOut("--workers", "cluster");

export function workerChannel(): WorkerChannel | undefined {
  return undefined;
}

export function startWorkers(_: unknown): string | undefined {
  return clusterProblem;
}

// ---- commands/command-result.ts ----
// Results of commands.

/** Text on stdout, or on stderr if the exit code is not 0. */
export interface CommandResult {
  readonly exitCode: number;
  readonly text: string;
}

// ---- commands/table.ts ----
// Tables of results for terminals.

const MAX_COLUMNS = 8;
const MAX_WIDTH = 60;

/** A list as rows, also the first list of objects in an object; any other value as a row of its fields. */
export function formatTable(value: unknown): string {
  const rows = rowsOf(value);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): readonly Row[] {
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = Array.isArray(value) ? value : lists.find((items) => items.some(isObject));
  const items: readonly unknown[] = list ?? [value];
  return items.map((item) => (isObject(item) ? item : { value: item }));
}

/** A value on one line, without control characters. */
function cell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;
}

// ---- commands/call.ts ----
// `call TOOL [INPUT]`: one call of a tool from the command line.

/** Calls the tool. A failed call is exit code 1, an unknown tool or an unreadable input 2. */
export async function runCall(
  context: ServerContext,
  { tool, args, format }: CallCommand,
): Promise<CommandResult> {
  const found = findTool(context, tool);
  if (typeof found === "string") return { exitCode: 2, text: found };
  const input = await readInput(args);
  if (typeof input === "string") return { exitCode: 2, text: input };
  const result = await callTool(context, found, input);
  const text = await asText(context, tool, result);
  if (result.isError) return { exitCode: 1, text };
  if (format === "text") return { exitCode: 0, text };
  const value = result.structuredContent ?? parseJsonText(text) ?? { value: text };
  return { exitCode: 0, text: format === "json" ? JSON.stringify(value) : formatTable(value) };
}

/** Finds a tool, or explains its absence. */
export function findTool({ tools }: ServerContext, name: string): ServedTool | string {
  try {
    return tools.find(name);
  } catch (error) {
    const reason = (error as Error).message.replace(/ See tools\/list\.$/, "");
    return `${reason} The command tools prints all.`;
  }
}

type Input = Readonly<Record<string, unknown>>;

/** Reads an input: a JSON object, also from a file or stdin, or pairs. The later ones win. */
async function readInput(args: readonly string[]): Promise<Input | string> {
  const parts: Input[] = [];
  for (const arg of args) {
    const part = await readArgument(arg);
    if (typeof part === "string") return part;
    parts.push(part);
  }
  return Object.assign({}, ...parts) as Input;
}

async function readArgument(arg: string): Promise<Input | string> {
  const [, name, isJson, value = ""] = /^([^={}:]+)(:)?=([^]*)$/.exec(arg) ?? [];
  if (name === undefined) return readObject(arg);
  if (!isJson) return { [name]: value };
  const parsed = parseJsonText(value);
  return parsed === undefined ? `${name}:= needs JSON, such as ${name}:=2.` : { [name]: parsed };
}

async function readObject(arg: string): Promise<Input | string> {
  const text = await readText(arg);
  if (text === undefined) return `${arg.slice(1)} cannot be read.`;
  const value = parseJsonText(text);
  return isObject(value)
    ? value
    : `The input must be a JSON object, such as '{"limit": 2}', or pairs, such as limit=2.`;
}

/** The text of `@FILE`, of stdin for `-`, else the argument. */
async function readText(arg: string): Promise<string | undefined> {
  if (arg !== "-" && !arg.startsWith("@")) return arg;
  const { readFileSync } = await import("node:fs");
  try {
    return readFileSync(arg === "-" ? 0 : arg.slice(1), "utf8");
  } catch {
    return undefined;
  }
}

/** The text of a result. Images and other bytes are saved as files, whose paths it has. */
async function asText(
  server: ServerContext,
  tool: string,
  { content }: CallToolResult,
): Promise<string> {
  const texts: string[] = [];
  for (const block of content) texts.push(await textOf(server, tool, block));
  return texts.join("\n");
}

async function textOf(
  { files }: ServerContext,
  tool: string,
  block: CallToolResult["content"][number],
): Promise<string> {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return block.uri;
  const content = block.type === "resource" ? block.resource : block;
  if ("text" in content) return content.text;
  const { mimeType = "" } = content;
  const bytes = decodeBase64("blob" in content ? content.blob : content.data);
  const path = await files?.save(`${tool}${extensionFor(mimeType)}`, bytes);
  return path === undefined ? `[${mimeType}]` : `Saved as ${path}`;
}

// ---- commands/describe.ts ----
// `tools [WORDS]` and `describe TOOL`: the tools for users and agents of a command line.

/** Lists the tools; with words, those that match them best. */
export async function listTools(
  { offeredTools }: ServerContext,
  { words, format }: ToolsCommand,
): Promise<CommandResult> {
  const query = words.join(" ");
  const tools = query === "" ? offeredTools : await rankTools(offeredTools, query);
  if (tools.length === 0) return { exitCode: 1, text: `No tool matches "${query}".` };
  const rows = tools.map((tool) => rowOf(deserializeTool(tool)));
  return { exitCode: 0, text: format === "json" ? JSON.stringify(rows) : formatTable(rows) };
}

const rowOf = ({ name, annotations, description }: AnyTool) => ({
  name,
  effect: effectOf(annotations),
  description: description.split(/(?<=[.!?])\s(?!\p{Ll})/u, 1)[0]!,
});

function effectOf({ readOnlyHint, destructiveHint }: AnyTool["annotations"]): string {
  if (readOnlyHint) return "read";
  return destructiveHint ? "destructive" : "write";
}

/** Describes tools as TypeScript, or with their JSON Schemas. */
export async function describeTools(
  context: ServerContext,
  { names, format }: DescribeCommand,
): Promise<CommandResult> {
  const { toolDeclaration } = await import("./tools.js");
  const texts: unknown[] = [];
  for (const name of names) {
    const tool = findTool(context, name);
    if (typeof tool === "string") return { exitCode: 2, text: tool };
    const any = tool as AnyTool;
    texts.push(format === "json" ? schemasOf(any) : toolDeclaration(any, true));
  }
  return { exitCode: 0, text: format === "json" ? JSON.stringify(texts) : texts.join("\n\n") };
}

function schemasOf(tool: AnyTool): object {
  const { name, annotations, outputSchema } = tool;
  const description = fullDescriptionOf(tool);
  const inputSchema = fullInputSchemaOf(tool);
  return { name, description, annotations, inputSchema, ...(outputSchema && { outputSchema }) };
}

// ---- commands/index.ts ----
// The commands of a server that is a command line: `tools`, `describe` and `call`.

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

// ---- commands/sign-in.ts ----
// Stands in for the commands of a sign-in, which no scheme of the API has.

export async function runSignIn(
  _action: string,
  _argv: readonly string[],
  { api }: ServerContext,
  _load: unknown,
): Promise<string | undefined> {
  return noSignInProblem(api);
}

// ---- store/open.ts ----
// Stands in for the stores that processes share, which are left out.

type OpenResult =
  | { readonly ok: true; readonly store?: Store }
  | { readonly ok: false; readonly problem: string };

/** Sentence about the feature. */
export const storesProblem: string | undefined = leftOut("stores that processes share", "stores");

/** Each process has its own state. */
export function openStore(
  prefix: string,
  env: Env,
  _name: string,
  _warn: (message: string) => void,
): OpenResult {
  const address = env[`${prefix}_STORE`]?.trim() ?? "";
  if (address === "" || address === "memory") return { ok: true };
  return { ok: false, problem: leftOut(`the stores of ${prefix}_STORE`, "stores") };
}

// ---- serve.ts ----
// A generated server as a process: its command line, environment and transport.

interface ServeOptions extends ServerContextOptions {
  /** Arguments of the command line; `process.argv.slice(2)` by default. */
  readonly argv?: readonly string[];
  /** File of variables, `.env` next to package.json. The environment takes precedence. */
  readonly envFile?: string | URL;
  /** Source of new tools while the server runs; see `npm run dev`. */
  readonly reloadSource?: ReloadSource;
  /** Loads `runtime/auth/sign-in`. Absent for an API whose users cannot sign in. */
  readonly signIn?: LoadSignIn;
}

/**
 * Runs a generated server as a process: reads the command line and the environment, then serves
 * over stdio or HTTP. Problems of either are printed to stderr, with exit code 2.
 */
export async function serve({
  argv = process.argv.slice(2),
  env = process.env,
  envFile,
  signIn: loadSignIn,
  ...options
}: ServeOptions): Promise<void> {
  // The log is lost when its reader is gone; the server goes on.
  process.stderr.on("error", () => {});
  const { api } = options;
  const [action = "", ...actionArguments] = argv;
  const isSignIn = ["login", "logout", "status"].includes(action);
  // The sign-in reads its own flags.
  const flags = isSignIn ? argv.filter((flag) => flag === "--help" || flag === "-h") : argv;
  const command = parseFlags(flags);
  if (command.kind === "help")
    return print(helpText(api, listToolsets(options.tools), leftOutFeatures()));
  if (command.kind === "version") return print(`${api.version}\n`);
  if (command.kind === "invalid") return exitWithProblems([command.problem]);
  const problem = findOverrideProblem(api, command.overrides);
  if (problem !== undefined) return exitWithProblems([problem]);
  const variables = withEnvFile(env, api.envPrefix, envFile);
  if (!variables.ok) return exitWithProblems([variables.problem]);
  applyProxies(variables.env);
  const given = { ...variables.env, ...toVariables(command.overrides, api.envPrefix) };
  const environment = {
    ...given,
    ...("format" in command && commandSettings(command, api.envPrefix, given)),
  };
  const workers = command.kind === "http" ? command.workers : 1;
  if (workers > 1 && clusterProblem) return exitWithProblems([clusterProblem]);
  const worker = workers > 1 ? await workerChannel() : undefined;
  if (workers > 1 && !worker) return serveByWorkers(api, environment, workers);
  const created = await createContext(environment, createNodePlatform(loadSignIn), options, {
    isRemote: command.kind === "http",
    store: worker?.store,
  });
  if (!created.ok) {
    exitWithProblems(created.problems);
    return worker?.close();
  }
  if (isSignIn) {
    const failure = await runSignIn(action, actionArguments, created.context, loadSignIn);
    return failure === undefined ? undefined : exitWithProblems([failure]);
  }
  if ("format" in command) {
    process.exitCode = await runCommand(created.context, command);
    return;
  }
  if (!worker || worker.isFirst) void warnOfSettings(created.context);
  if (command.kind === "stdio") return serveOverStdio(created.context);
  const listening = { ...command, ...(worker && { parent: worker }) };
  const started = await serveHttp(created.context, listening, loadSignIn);
  if (!started.ok) {
    exitWithProblems([started.problem]);
    return worker?.close();
  }
  const isRequested = environment[`${api.envPrefix}_ANNOUNCE`] === "1";
  // The lines of the log are written at the end of this turn.
  if ((isRequested || process.stderr.isTTY) && (!worker || worker.isFirst))
    setImmediate(() => announce(api, started.url, environment));
}

/** Names of the features that the project was generated without. */
function leftOutFeatures(): readonly string[] {
  const problems = {
    approvals: approvalsProblem,
    cluster: clusterProblem,
    discovery: discoveryProblem,
    "dry-run": dryRunProblem,
    files: filesProblem,
    metrics: metricsProblem,
    oauth: callersProblem,
    prompts: contentProblem,
    "raw-requests": rawRequestsProblem,
    steps: stepsProblem,
    stores: storesProblem,
    telemetry: telemetryProblem,
  };
  return Object.entries(problems).flatMap(([name, problem]) => (problem ? [name] : []));
}

/** Starts the processes that serve requests, and gives them connections in turn. */
async function serveByWorkers(api: ApiDefinition, env: Env, workers: number): Promise<void> {
  const read = readSettings(api.envPrefix, env, api);
  if (!read.ok) return exitWithProblems(read.problems);
  const { settings } = read;
  const log = createLog(settings.logLevel, (text) => text);
  const problem = await startWorkers({ api, env, settings, log, workers });
  if (problem !== undefined) exitWithProblems([problem]);
}

/** The base URL of a server of several APIs would be that of none of them. */
function findOverrideProblem(
  { apis }: ApiDefinition,
  overrides: SettingOverrides,
): string | undefined {
  if (!apis || overrides["BASE_URL"] === undefined) return undefined;
  const variables = Object.values(apis).map(({ envPrefix }) => `${envPrefix}_BASE_URL`);
  return `--base-url does not say of which API. Set ${variables.join(" or ")}.`;
}

/**
 * Warns of missing settings, and of credentials without TLS. The token of a signed-in user replaces
 * its variable.
 */
async function warnOfSettings(server: ServerContext): Promise<void> {
  const hasTelemetrySdk = Symbol.for("opentelemetry.js.api.1") in globalThis;
  if (telemetryProblem !== undefined && hasTelemetrySdk) server.log.warn(telemetryProblem);
  for (const context of contextsOfApis(server)) await warnOfApiSettings(context);
}

async function warnOfApiSettings({ api, apiContext, log }: ServerContext): Promise<void> {
  const requirements = api.security ?? [];
  const signedIn = await addSignedInTokens(requirements, apiContext);
  const context = { api, apiContext: signedIn.ok ? signedIn.context : apiContext };
  const insecure = describePlainHttp(context);
  if (insecure !== undefined) log.warn(insecure);
  const missing = describeMissingSettings(context);
  if (missing === undefined) return;
  const steps = signInSteps(requirements, apiContext);
  log.warn(steps === undefined ? missing : `${missing} To sign in, ${steps}.`);
}

/** Creates the context of a process; a reloadable one, if there is a source of new tools. */
async function createContext(
  env: Env,
  platform: Platform,
  { reloadSource, ...options }: Omit<ServeOptions, "argv" | "env" | "envFile" | "signIn">,
  { isRemote, store: shared }: { readonly isRemote: boolean; readonly store?: Store | undefined },
): Promise<ServerContextResult> {
  const { envPrefix } = options.api;
  const path = env[`${envPrefix}_FILES_DIR`]?.trim();
  if (path && filesProblem) return { ok: false, problems: [filesProblem] };
  const folder = path ? await platform.openFolder?.(path) : undefined;
  if (typeof folder === "string")
    return { ok: false, problems: [`--files (${envPrefix}_FILES_DIR) ${folder}.`] };
  const files = folder && { files: { ...folder, isRemote } };
  const opened = await openStore(envPrefix, env, options.api.name, (message) => {
    if (created.ok) created.context.log.warn(message);
  });
  if (!opened.ok) return { ok: false, problems: [opened.problem] };
  const { store = shared } = opened;
  const create = (
    tools: Pick<ServerContextOptions, "api" | "tools" | "custom">,
  ): ServerContextResult =>
    createServerContext({
      platform,
      storeResults: true,
      ...(store && { store }),
      ...files,
      ...options,
      ...tools,
      env,
    });
  const created = create(options);
  return created.ok && reloadSource
    ? { ok: true, context: createReloadableContext(created.context, reloadSource, create) }
    : created;
}

/** Serves over stdio. On a terminal it prints a message, because nothing else would be visible. */
function serveOverStdio(context: ServerContext): void {
  if (process.stdin.isTTY)
    process.stderr.write(
      `${context.api.name} is ready on stdio and waits for an MCP client. ` +
        "--http serves http://127.0.0.1:3000/mcp instead; Ctrl-C ends it.\n",
    );
  serveStdio(context);
}

/** Prints the command that connects a host to the server. A wildcard address is not reachable. */
function announce({ name, envPrefix }: ApiDefinition, url: string, env: Env): void {
  const endpoint = url.replace(/\/\/(?:0\.0\.0\.0|\[::\])/, "//127.0.0.1");
  const token = `${envPrefix}_HTTP_TOKEN`;
  const header = env[token]?.trim() ? ` --header "Authorization: Bearer $${token}"` : "";
  process.stderr.write(
    `Connect a host: claude mcp add --transport http ${name} ${endpoint}${header}\n`,
  );
}

/** Flags as variables of the environment. */
function toVariables(overrides: SettingOverrides, prefix: string): Env {
  return Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
}

function print(text: string): void {
  process.stdout.write(text);
}

function exitWithProblems(problems: readonly string[]): void {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 2;
}
