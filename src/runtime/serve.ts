/** A generated server as a process: its command line, environment and transport. */
import type { ApiDefinition } from "./api-definition.js";
import {
  createReloadableContext,
  createServerContext,
  type ReloadSource,
  type ServerContext,
  type ServerContextOptions,
  type ServerContextResult,
} from "./server/context.js";
import type { Env } from "./request/types.js";
import { commandSettings, runCommand } from "./commands/index.js";
import { runSignIn } from "./commands/sign-in.js";
import { applyProxies, createNodePlatform, withEnvFile } from "./server/node-platform.js";
import { contextsOfApis } from "./server/api-contexts.js";
import { describeMissingSettings, describePlainHttp, readSettings } from "./server/settings.js";
import { telemetryProblem } from "./server/open-telemetry.js";
import { createLog } from "./server/telemetry.js";
import { addSignedInTokens, signInSteps } from "./auth/signed-in.js";
import type { LoadSignIn } from "./auth/sign-in-module.js";
import type { Platform } from "./auth/types.js";
import { filesProblem } from "./server/files-folder.js";
import { helpText, type SettingOverrides, parseFlags } from "./server/flags.js";
import { approvalsProblem } from "./approvals/approval-gate.js";
import { dryRunProblem } from "./approvals/dry-run.js";
import { discoveryProblem } from "./discovery/listing.js";
import { metricsProblem } from "./server/metrics.js";
import { rawRequestsProblem } from "./tools/send-request.js";
import { contentProblem } from "./tools/custom-content.js";
import { stepsProblem } from "./tools/run-steps.js";
import { clusterProblem, startWorkers, workerChannel } from "./cluster/index.js";
import { openStore, storesProblem } from "./store/open.js";
import type { Store } from "./store/types.js";
import { callersProblem } from "./transport/http/oauth-settings.js";
import { serveHttp } from "./transport/http/serve-http.js";
import { listToolsets } from "./tools/selection.js";
import { serveStdio } from "./transport/stdio/serve-stdio.js";

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
