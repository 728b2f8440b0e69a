/** This command in a process of its own. */
import { spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Exit code of a process that was killed, for example because the memory was exhausted. */
const KILLED = 70;

/**
 * Runs the command of this process again, with other variables and without a client.
 * @returns its exit code, or undefined if a signal to this process has ended it
 */
export async function runAgain(variables: NodeJS.ProcessEnv): Promise<number | undefined> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let isStopped = false;
  const stop = (signal: NodeJS.Signals): void => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await new Promise((end, fail) => {
      child.once("error", fail);
      child.once("exit", (code) => end(code ?? (isStopped ? undefined : KILLED)));
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
