/** A server between this process's streams, whose messages are also read here. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

/** Readers of messages, one line each. */
interface Tap {
  readonly request: (line: string) => void;
  readonly response: (line: string) => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a server for the client of this process until one of both ends.
 * @param command program and arguments, without a shell
 * @returns the exit code of the server; 0 when a signal ended it
 * @throws the error of the system when the program cannot be started
 */
export async function tapServer(
  [program = "", ...args]: readonly string[],
  tap: Tap,
): Promise<number> {
  const server = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stop = (signal: NodeJS.Signals): void => void server.kill(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  // The server may have ended.
  server.stdin.on("error", () => undefined);
  process.stdin.pipe(copyLines(tap.request)).pipe(server.stdin);
  server.stdout.pipe(copyLines(tap.response)).pipe(process.stdout, { end: false });
  try {
    return await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.once("close", (code) => resolve(code ?? 0));
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    process.stdin.destroy();
  }
}

/** A stream that passes everything on, and also gives its lines to a reader. */
function copyLines(read: (line: string) => void): PassThrough {
  const stream = new PassThrough();
  const copy = new PassThrough();
  stream.on("data", (chunk) => copy.write(chunk)).on("end", () => copy.end());
  createInterface({ input: copy }).on("line", read);
  return stream;
}
