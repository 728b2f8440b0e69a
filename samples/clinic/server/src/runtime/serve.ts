import {
  type ServerContextOptions,
  type ServerContextResult,
  createServerContext,
} from "./server/context.js";
import type { Env } from "./request/types.js";
import type { Folder } from "./files/files.js";
import { helpText, type SettingOverrides, parseFlags } from "./server/flags.js";
import { serveHttp } from "./transport/http/serve-http.js";
import { type ReloadSource, createReloadableContext } from "./server/hot-reload.js";
import { listToolsets } from "./tools/selection.js";
import { createNodePlatform } from "./server/node-platform.js";
import type { Platform } from "./client/platform.js";
import { serveStdio } from "./transport/stdio/serve-stdio.js";

interface ServeOptions extends ServerContextOptions {
  /** Arguments of the command line; `process.argv.slice(2)` by default. */
  readonly argv?: readonly string[];
  /** Source of new tools while the server runs; see `npm run dev`. */
  readonly reloadSource?: ReloadSource;
}

/**
 * Runs a generated server as a process: reads the command line and the environment, then serves
 * over stdio or HTTP. Problems of either are printed to stderr, with exit code 2.
 */
export async function serve({
  argv = process.argv.slice(2),
  env = process.env,
  reloadSource,
  ...options
}: ServeOptions): Promise<void> {
  const { api } = options;
  const command = parseFlags(argv);
  if (command.kind === "help") return print(helpText(api, listToolsets(options.tools)));
  if (command.kind === "version") return print(`${api.version}\n`);
  if (command.kind === "invalid") return exitWithProblems([command.problem]);
  const environment = { ...env, ...toVariables(command.overrides, api.envPrefix) };
  const platform = createNodePlatform();
  const folder = await openFilesFolder(environment[`${api.envPrefix}_FILES_DIR`], platform);
  if ("problem" in folder)
    return exitWithProblems([`--files (${api.envPrefix}_FILES_DIR) ${folder.problem}.`]);
  const createContext = (
    tools: Pick<ServerContextOptions, "api" | "tools" | "custom">,
  ): ServerContextResult =>
    createServerContext({
      platform,
      storeResults: true,
      ...folder,
      ...options,
      ...tools,
      env: environment,
    });
  const created = createContext(options);
  if (!created.ok) return exitWithProblems(created.problems);
  const context = reloadSource
    ? createReloadableContext(created.context, reloadSource, createContext)
    : created.context;
  if (command.kind === "stdio") return serveStdio(context);
  const problem = await serveHttp(context, command);
  if (problem !== undefined) exitWithProblems([problem]);
}

/** Flags as variables of the environment. */
function toVariables(overrides: SettingOverrides, prefix: string): Env {
  return Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
}

async function openFilesFolder(
  path: string | undefined,
  platform: Platform,
): Promise<{ readonly files?: Folder } | { readonly problem: string }> {
  if (!path?.trim()) return {};
  const files = await platform.openFolder?.(path.trim());
  if (typeof files === "string") return { problem: files };
  return files ? { files } : {};
}

function print(text: string): void {
  process.stdout.write(text);
}

function exitWithProblems(problems: readonly string[]): void {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 2;
}
