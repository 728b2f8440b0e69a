import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { generate } from "../../../src/generate.js";
import type { ToolPlan } from "../../../src/index.js";
import {
  startProcess,
  type StdioProcess,
  type WireMessage,
} from "../../runtime/support/fixture.js";
import { requireBanner } from "../../esbuild-banner.js";

/** Generated server, bundled into one file. */
export interface GeneratedServer {
  readonly file: string;
  readonly plan: ToolPlan;
  remove(): Promise<void>;
}

/**
 * Generates and bundles a server.
 *
 * @param document a path, or the document itself
 */
export async function generateServer(document: string | object): Promise<GeneratedServer> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-gen-hostile-"));
  const path = typeof document === "string" ? document : join(folder, "openapi.json");
  if (typeof document !== "string") await writeFile(path, JSON.stringify(document));
  const { plan, ok, diagnostics } = await generate(path, join(folder, "server"));
  if (!ok || !plan) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  const file = join(folder, "server.mjs");
  await build({
    entryPoints: [join(folder, "server/src/main.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: requireBanner,
    logLevel: "error",
  });
  return { file, plan, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Result of a call as the agent reads it. */
export interface ReadableResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: unknown;
  /** The message as it was received. */
  readonly raw: string;
}

/** Connection without an SDK. Arguments argumentsMember as text are sent verbatim as JSON. */
export interface Connection {
  readonly process: StdioProcess;
  call(tool: string, input?: string | object): Promise<ReadableResult>;
}

export async function connect(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Connection> {
  const server = startProcess(file, env);
  server.write({
    jsonrpc: "2.0",
    id: "initialize",
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  });
  await server.message(({ id }) => id === "initialize");
  server.write({ jsonrpc: "2.0", method: "notifications/initialized" });
  let calls = 0;
  return {
    process: server,
    async call(tool, input) {
      const id = `call-${++calls}`;
      const argumentsMember =
        input === undefined
          ? ""
          : `,"arguments":${typeof input === "string" ? input : JSON.stringify(input)}`;
      server.write(
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":${JSON.stringify(tool)}${argumentsMember}}}\n`,
      );
      return readResult(await server.message((message) => message.id === id));
    },
  };
}

/**
 * Reads the result of a call.
 *
 * @throws when the message is a protocol error, which agents do not read
 */
export function readResult(message: WireMessage): ReadableResult {
  if (!message.result) throw new Error(`a protocol error: ${JSON.stringify(message.error)}`);
  const {
    isError = false,
    content,
    structuredContent,
  } = message.result as {
    isError?: boolean;
    content: readonly { type: string; text?: string }[];
    structuredContent?: unknown;
  };
  return {
    isError,
    text: content.map(({ type, text }) => text ?? `[${type}]`).join("\n"),
    structured: structuredContent,
    raw: JSON.stringify(message),
  };
}
