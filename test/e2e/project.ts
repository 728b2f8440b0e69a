import { exec, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { generate, type GenerateOptions } from "../../src/generate.js";
import type { ToolPlan } from "../../src/index.js";
import { compile, compilerFlags } from "../compiler.js";

/** A generated project on disk that uses this repository's packages without an installation. */
export interface Project {
  readonly folder: string;
  readonly plan: ToolPlan;
  /** The bundled server. */
  readonly server: string;
  /**
   * Runs one of the project's scripts.
   * @throws with its output when it fails
   */
  run(script: string): Promise<string>;
  remove(): Promise<void>;
}

export async function generateProject(
  document: string,
  options: GenerateOptions = {},
): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-gen-e2e-"));
  const { plan, ok, diagnostics } = await generate(document, folder, options);
  if (!ok || !plan)
    throw new Error(
      `${document} does not generate: ${diagnostics.map((d) => d.message).join("; ")}`,
    );
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  return {
    folder,
    plan,
    server: join(folder, "dist/server.js"),
    run: (script) => runScript(folder, script),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs a script in a shell as npm does. Each start of npm would take as long as a bundle. */
async function runScript(folder: string, script: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly scripts: Scripts;
  };
  const PATH = [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const options = { cwd: folder, env: { ...process.env, PATH }, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(exec)(commandOf(scripts, script), options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as {
      readonly stdout?: string;
      readonly stderr?: string;
    };
    throw new Error(`npm run ${script} failed:\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`, {
      cause: error,
    });
  }
}

type Scripts = Readonly<Record<string, string>>;

/** Returns the command of a script, with the commands of the scripts that it runs. */
function commandOf(scripts: Scripts, name: string): string {
  const command = scripts[name];
  if (command === undefined) throw new Error(`There is no script ${name}.`);
  return command
    .replaceAll(/npm run (?:--silent )?([\w:]+)/g, (_, other: string) => commandOf(scripts, other))
    .replaceAll(/\btsc\b/g, ["tsc", ...compilerFlags].join(" "));
}

/**
 * Type-checks projects in one run of the compiler, with the options that they have in common.
 * @returns the compiler's output, with paths from the folder of the projects; empty without errors
 */
export async function typeErrorsOf(projects: readonly Project[]): Promise<string> {
  const folders = projects.map(({ folder }) => folder);
  const [first = "", ...others] = await Promise.all(
    folders.map((folder) => readFile(join(folder, "tsconfig.json"), "utf8")),
  );
  if (others.some((text) => text !== first)) throw new Error("The projects have other options.");
  const { include } = JSON.parse(first) as { readonly include: readonly string[] };
  const together = join(folders[0]!, "tsconfig.together.json");
  await writeFile(
    together,
    JSON.stringify({
      extends: "./tsconfig.json",
      include: folders.flatMap((folder) => include.map((part) => join(folder, part))),
    }),
  );
  return compile(tmpdir(), "-p", together);
}

/** Starts the server for HTTP on a free port and waits until it listens. */
export async function startHttp(
  server: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly url: URL; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [server, "--http", "--port", "0"], {
    env: { PATH: process.env["PATH"], ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const url = /http:\/\/[^\s"]+/u.exec(line)?.[0];
    if (url !== undefined) return { url: new URL(url), child };
  }
  throw new Error(`the server did not start:\n${lines.join("\n")}`);
}
