import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureFreshBuild } from "../fresh-build.js";

/** What a process left behind. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export const cli = join(import.meta.dirname, "../../dist/cli.cjs");
ensureFreshBuild();

/**
 * Runs the built `mcp-gen` as a user would.
 * @param stdin what it reads; nothing by default
 */
export function mcpGen(
  args: readonly string[],
  cwd: string,
  stdin: string | Buffer = "",
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], { cwd, env: { ...process.env, ...env } });
    const said = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...said }));
    // A program that does not read its input may be gone before it is sent.
    child.stdin.on("error", () => undefined).end(stdin);
  });
}
