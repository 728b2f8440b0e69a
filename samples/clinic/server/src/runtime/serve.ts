import { type AppOptions, type AppResult, createApp } from "./app.js";
import type { Env } from "./bind/types.js";
import type { Folder } from "./files/folder.js";
import { helpText, type Overrides, parseFlags } from "./flags.js";
import { serveHttp } from "./http/index.js";
import { type Follow, liveApp } from "./live.js";
import { toolsetsOf } from "./offer.js";
import { nodePlatform } from "./node/platform.js";
import type { Platform } from "./platform.js";
import { serveStdio } from "./stdio/index.js";

export interface ServeOptions extends AppOptions {
  /** The command line, without the program: `process.argv.slice(2)` by default. */
  readonly argv?: readonly string[];
  /** Where new tools come from while the server runs; see `npm run dev`. */
  readonly follow?: Follow;
}

/**
 * Runs a generated server as a process: reads the command line and the environment, then serves
 * over stdio or HTTP until it is told to stop. What is wrong with either is said in a sentence on
 * stderr, and the exit code is 2.
 */
export async function serve({
  argv = process.argv.slice(2),
  env = process.env,
  follow,
  ...options
}: ServeOptions): Promise<void> {
  const { api } = options;
  const command = parseFlags(argv);
  if (command.kind === "help") return print(helpText(api, toolsetsOf(options.tools)));
  if (command.kind === "version") return print(`${api.version}\n`);
  if (command.kind === "wrong") return refuse([command.problem]);
  const settled = { ...env, ...variables(command.overrides, api.envPrefix) };
  const platform = nodePlatform();
  const opened = await openFiles(settled[`${api.envPrefix}_FILES_DIR`], platform);
  if ("problem" in opened)
    return refuse([`--files (${api.envPrefix}_FILES_DIR) ${opened.problem}.`]);
  const create = (tools: Pick<AppOptions, "api" | "tools" | "custom">): AppResult =>
    createApp({ platform, keepResults: true, ...opened, ...options, ...tools, env: settled });
  const created = create(options);
  if (!created.ok) return refuse(created.problems);
  const app = follow ? liveApp(created.app, follow, create) : created.app;
  if (command.kind === "stdio") return serveStdio(app);
  const problem = await serveHttp(app, command);
  if (problem !== undefined) refuse([problem]);
}

/** What the command line says, as the environment would say it. */
function variables(overrides: Overrides, prefix: string): Env {
  return Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
}

async function openFiles(
  path: string | undefined,
  platform: Platform,
): Promise<{ readonly files?: Folder } | { readonly problem: string }> {
  if (!path?.trim()) return {};
  const files = await platform.openFolder?.(path.trim());
  return typeof files === "string" ? { problem: files } : files ? { files } : {};
}

function print(text: string): void {
  process.stdout.write(text);
}

function refuse(problems: readonly string[]): void {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 2;
}
