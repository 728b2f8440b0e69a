/** The development server, which hot-reloads regenerated tools. */
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, context, type Message, type Plugin, stop } from "esbuild";
import type { LoadSignIn } from "../auth.js";
import { serve } from "../serve.js";
import type { ReloadSource, ServerContextOptions } from "../server.js";

interface DevOptions {
  /** Folder of the project. */
  readonly root: string;
  readonly argv?: readonly string[];
  /** Loads `runtime/auth/sign-in`; see `serve`. */
  readonly signIn?: LoadSignIn;
}

type ProjectModules = Pick<ServerContextOptions, "api" | "tools" | "custom">;

/**
 * Entry of the build: the modules that define the tools. Everything that they import is watched.
 */
const entryCode = [
  'export { api } from "./src/api.js";',
  'export { tools } from "./src/tools/index.js";',
  'export { default as custom } from "./src/custom/index.js";',
].join("\n");

/**
 * Serves a project during development. Regenerated tools and changed customizations are
 * hot-reloaded, clients are notified, and connections stay. If the build fails, the previous tools
 * stay.
 */
export async function serveDev({ root, argv, signIn }: DevOptions): Promise<void> {
  // One file per process: several hosts may each run a server of one project.
  const outfile = resolve(root, `dist/dev/tools-${process.pid}.mjs`);
  process.once("exit", () => {
    rmSync(outfile, { force: true });
    // Without this, the process of esbuild may wait for a response for ever.
    void stop();
  });
  let buildCount = 0;
  let replace: Parameters<ReloadSource>[0] | undefined;
  const onBuild = async (errors: readonly Message[]): Promise<void> => {
    if (errors.length > 0)
      return writeLine(`Not loaded: ${errors.slice(0, 5).map(formatMessage).join("; ")}`);
    const loaded = (await import(
      `${pathToFileURL(outfile).href}?${++buildCount}`
    )) as ProjectModules;
    if (!replace) return start(loaded);
    const problems = replace(loaded);
    writeLine(
      problems.length > 0
        ? `Not loaded: ${problems.join(" ")}`
        : `Reloaded ${loaded.tools.length} tools.`,
    );
  };
  const start = async (loaded: ProjectModules): Promise<void> => {
    const envFile = resolve(root, ".env");
    const reloadSource: ReloadSource = (next) => (replace = next);
    await serve({ ...loaded, argv, envFile, reloadSource, signIn });
    // The process does not serve, because of --help or a problem.
    if (!replace) setImmediate(() => void buildContext.dispose());
  };
  const buildContext = await context(
    buildOptions(root, outfile, (errors) => onBuild(errors).catch(reportLoadError)),
  );
  await buildContext.watch();
}

/** Options of the build of the tools, which ends with a call of `onBuild`. */
function buildOptions(
  root: string,
  outfile: string,
  onBuild: (errors: readonly Message[]) => Promise<void>,
): BuildOptions {
  const plugin: Plugin = {
    name: "load",
    setup: ({ onEnd }) => onEnd(({ errors }) => onBuild(errors)),
  };
  return {
    stdin: { contents: entryCode, resolveDir: root, sourcefile: "dev-entry.ts", loader: "ts" },
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    plugins: [plugin],
  };
}

/** Reports an error of custom code at its import. */
function reportLoadError(error: unknown): void {
  writeLine(
    `Not loaded: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
}

function formatMessage({ text, location }: Message): string {
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}

/** Writes to stderr, because stdout belongs to the protocol. */
function writeLine(text: string): void {
  process.stderr.write(`${text}\n`);
}
