import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GeneratedFile } from "../render/index.js";
import { packageRoot } from "../render/package-files.js";
import { joinModules } from "./join-modules.js";
import type { PipedServer, StdioRelay } from "./stdio-relay.js";
import { stripTypes } from "./strip-types.js";

/** A generated project in a temporary folder, ready to run. */
interface RunnableProject {
  /** Path of the server's main module. */
  readonly main: string;
  /** Removes the folder. */
  readonly remove: () => void;
}

/** Number of files that are written at a time. */
const FILES_PER_STEP = 50;

/** Packages that generated servers import, and the files of mcp-gen that contain them. */
const packages: readonly {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly hasDefault?: boolean;
}[] = [
  {
    name: "@modelcontextprotocol/server",
    exports: { ".": "mcp-server", "./stdio": "mcp-server-stdio" },
  },
  { name: "jose", exports: { ".": "jose" } },
  { name: "oauth4webapi", exports: { ".": "oauth4webapi" } },
  { name: "json-p3", exports: { ".": "json-p3" } },
  {
    name: "undici",
    exports: {
      "./lib/api/api-connect.js": "undici-connect",
      "./lib/core/connect.js": "undici-connector",
      "./lib/dispatcher/agent.js": "undici-agent",
      "./lib/dispatcher/env-http-proxy-agent.js": "undici-proxy-agent",
      "./lib/dispatcher/pool.js": "undici-pool",
    },
    hasDefault: true,
  },
];

/** A compiled module: its path in the project, and its code. */
export type CompiledModule = readonly [path: string, code: string];

/**
 * Compiles the modules of a generated project. Those of the runtime are compiled already, and those
 * of tools become one.
 */
export async function compileProject(
  files: readonly GeneratedFile[],
): Promise<readonly CompiledModule[]> {
  const sources = files.flatMap((file): readonly GeneratedFile[] =>
    file.parts
      ? file.parts().map((part) => ({ ...part, path: `src/runtime/${part.path}` }))
      : [file],
  );
  const modules = sources.filter(({ path }) => /^src\/.*(?<!\.d)\.ts$/.test(path));
  const runtime = modules.flatMap(({ path, isStandIn }): readonly CompiledModule[] => {
    const code = isStandIn ? undefined : compiledRuntimeModule(path);
    return code === undefined ? [] : [[`${path.slice(0, -3)}.js`, code]];
  });
  const isCompiled = new Set(runtime.map(([path]) => path));
  const others = modules.filter(({ path }) => !isCompiled.has(`${path.slice(0, -3)}.js`));
  const stripped = await stripTypes(others.map(({ path, content }) => [path, content]));
  const indexes = stripped.map(([path]) => path).filter((path) => path.endsWith("/tools/index.js"));
  return [...runtime, ...indexes.reduce(joinModules, stripped)];
}

/**
 * Prepares a compiled project to run without installation: packages are linked to the copies inside
 * mcp-gen. The generated code itself runs.
 */
export async function prepareProject(modules: readonly CompiledModule[]): Promise<RunnableProject> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    writeProjectFile(folder, "package.json", '{"type": "module"}\n');
    for (const [i, [path, code]] of modules.entries()) {
      // A client may wait for an answer meanwhile.
      if (i % FILES_PER_STEP === 0) await new Promise((resolve) => setImmediate(resolve));
      writeProjectFile(folder, path, code);
    }
    for (const packageName of packages) linkPackage(folder, packageName);
  } catch (error) {
    remove();
    throw error;
  }
  return { main: join(folder, "src/main.js"), remove };
}

/** A module of the runtime as the build of mcp-gen compiled it. Transpiling all takes a second. */
function compiledRuntimeModule(path: string): string | undefined {
  const [, name] = /^src\/runtime\/(.*)\.ts$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const file = join(packageRoot(), "dist/runtime", `${name}.js`);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function linkPackage(
  folder: string,
  { name, exports, hasDefault }: (typeof packages)[number],
): void {
  const at = `node_modules/${name}`;
  const entries = Object.entries(exports).map(
    ([subpath, file]) =>
      [
        subpath,
        file,
        pathToFileURL(join(packageRoot(), "dist/vendor", `${file}.js`)).href,
      ] as const,
  );
  for (const [, file, url] of entries)
    writeProjectFile(
      folder,
      `${at}/${file}.js`,
      `export * from ${JSON.stringify(url)};\n${hasDefault ? `export { default } from ${JSON.stringify(url)};\n` : ""}`,
    );
  writeProjectFile(
    folder,
    `${at}/package.json`,
    JSON.stringify({
      name,
      type: "module",
      exports: Object.fromEntries(entries.map(([subpath, file]) => [subpath, `./${file}.js`])),
    }),
  );
}

function writeProjectFile(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface RunServerOptions {
  /** Flags of the server. */
  readonly args: readonly string[];
  /** The complete environment of the server. */
  readonly env: NodeJS.ProcessEnv;
  /** Connects the client. Absent: the server has the standard streams of this process. */
  readonly relay?: StdioRelay;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a generated server with the standard streams of this process until it ends, and removes
 * everything that it needed.
 * @returns the exit code of the server; 0 when a signal ended it
 */
export async function runServer(
  modules: readonly CompiledModule[],
  { args, env, relay }: RunServerOptions,
): Promise<number> {
  let server: ChildProcess | undefined;
  let isStopped = false;
  // A signal before the start of the server must also remove the folder.
  const stop = (signal: NodeJS.Signals): void => {
    isStopped = true;
    server?.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const { main, remove } = await prepareProject(modules);
  process.once("exit", remove);
  try {
    if (isStopped) return 0;
    const started = spawn(process.execPath, [main, ...args], {
      env,
      stdio: relay ? ["pipe", "pipe", "inherit"] : "inherit",
    });
    server = started;
    relay?.connect(started as PipedServer);
    return await new Promise((end, fail) => {
      started.once("error", fail);
      started.once("exit", (code) => end(code ?? 0));
    });
  } finally {
    relay?.close();
    remove();
    process.off("exit", remove);
  }
}
