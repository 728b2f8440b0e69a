import { type ChildProcess, spawn } from "node:child_process";
import type { GeneratedFile } from "../render/index.js";
import { prepareProject } from "./project.js";

interface RunServerOptions {
  /** Flags of the server. */
  readonly args: readonly string[];
  /** The complete environment of the server. */
  readonly env: NodeJS.ProcessEnv;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a generated server with the standard streams of this process until it ends, and removes
 * everything that it needed.
 * @returns the exit code of the server; 0 when a signal ended it
 */
export async function runServer(
  files: readonly GeneratedFile[],
  { args, env }: RunServerOptions,
): Promise<number> {
  let server: ChildProcess | undefined;
  let isStopped = false;
  // A signal before the start of the server must not leave the folder behind either.
  const stop = (signal: NodeJS.Signals): void => {
    isStopped = true;
    server?.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const { main, remove } = await prepareProject(files);
  process.once("exit", remove);
  try {
    if (isStopped) return 0;
    const started = spawn(process.execPath, [main, ...args], { env, stdio: "inherit" });
    server = started;
    return await new Promise((end, fail) => {
      started.once("error", fail);
      started.once("exit", (code) => end(code ?? 0));
    });
  } finally {
    remove();
    process.off("exit", remove);
  }
}
