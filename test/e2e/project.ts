import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { generate, type GenerateOptions } from "../../src/generate.js";
import type { ToolPlan } from "../../src/index.js";

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

async function runScript(folder: string, script: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", script], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
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
