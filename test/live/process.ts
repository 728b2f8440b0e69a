import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Launch } from "./types.js";

/** A process that answers requests. `stop` ends it and its children, and waits for the end. */
export interface RunningServer {
  stop(): Promise<void>;
}

/** Attempts to reach a server, half a second apart. */
const maxAttempts = 360;

/** A port of the loopback interface that was free at the time of the call. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a process and waits until a URL is answered.
 * @throws with the output of the process if it ends or does not answer
 */
export async function startServer(
  launch: Launch,
  folder: string,
  readyUrl: string,
): Promise<RunningServer> {
  const child = spawn(launch.command, launch.args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, TZ: "UTC", ...launch.env },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, so that its children end with it.
    detached: true,
    ...(process.getuid?.() === 0 && launch.uid !== undefined
      ? { uid: launch.uid, gid: launch.uid }
      : {}),
  });
  const output = collectOutput(child);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && isRunning(child)) killGroup(child.pid);
    await ended;
  };
  try {
    await waitUntilReady(readyUrl, child);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${output().slice(-4000)}`, { cause: error });
  }
  return { stop };
}

/** The process group may be gone already. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Collects standard output and standard error, also the error of a missing program. */
function collectOutput(child: ChildProcess): () => string {
  let text = "";
  const add = (chunk: unknown): void => void (text = (text + String(chunk)).slice(-20_000));
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  child.on("error", add);
  return () => text;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (child.pid === undefined || !isRunning(child)) throw new Error("the server ended:");
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response && response.status < 500) return;
    await setTimeout(500);
  }
  throw new Error(`the server does not answer at ${url}:`);
}
