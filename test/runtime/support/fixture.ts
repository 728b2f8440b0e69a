import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { requireBanner } from "../../esbuild-banner.js";

/** The fixture server, bundled into one file as a generated project is. */
export interface Fixture {
  readonly file: string;
  remove(): Promise<void>;
}

export async function bundleFixture(): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-gen-runtime-"));
  const file = join(folder, "server.mjs");
  await build({
    entryPoints: [resolve(import.meta.dirname, "fixture-server.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: requireBanner,
    logLevel: "error",
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A message as it stands on the wire. */
export interface WireMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server process, spoken to by hand. */
export interface StdioProcess {
  readonly child: ChildProcess;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  stderr(): string;
  /** Writes a text, or a message and its line end. */
  write(message: string | object): void;
  /** Writes a request and waits for the answer to its id. */
  request(method: string, params?: object, id?: string | number): Promise<WireMessage>;
  /** Waits for the first message that fits, of those that came and those that come. */
  message(fits: (message: WireMessage) => boolean): Promise<WireMessage>;
  /** The exit code and the signal. */
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export function startProcess(
  file: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): StdioProcess {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env["PATH"], ...env },
  });
  const lines: string[] = [];
  const watching = new Set<() => void>();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const look of watching) look();
  });
  const message: StdioProcess["message"] = (fits) =>
    new Promise((found) => {
      const look = (): void => {
        const match = lines.map((line) => JSON.parse(line) as WireMessage).find(fits);
        if (match && watching.delete(look)) found(match);
      };
      watching.add(look);
      look();
    });
  const write: StdioProcess["write"] = (text) =>
    void child.stdin.write(typeof text === "string" ? text : `${JSON.stringify(text)}\n`);
  return {
    child,
    lines,
    message,
    write,
    stderr: () => stderr,
    request(method, params, id = `${method}-${lines.length}`) {
      write({ jsonrpc: "2.0", id, method, params });
      return message((answer) => answer.id === id);
    },
    exit: new Promise((ended) => child.on("close", (code, signal) => ended({ code, signal }))),
  };
}

/** Opens a session of a revision that has them. */
export async function initialize(
  server: StdioProcess,
  protocolVersion = "2025-06-18",
): Promise<WireMessage> {
  const answer = await server.request(
    "initialize",
    { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
    "initialize",
  );
  server.write({ jsonrpc: "2.0", method: "notifications/initialized" });
  return answer;
}

/**
 * Waits until a server process says where it listens. @throws what it said, when it ended instead
 */
export async function listening(server: StdioProcess): Promise<URL> {
  let ended = false;
  void server.exit.then(() => (ended = true));
  for (;;) {
    const url = /Listening on (http:[^"\s]+)/.exec(server.stderr())?.[1];
    if (url !== undefined) return new URL(url.replace("0.0.0.0", "127.0.0.1"));
    if (ended) throw new Error(server.stderr());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
