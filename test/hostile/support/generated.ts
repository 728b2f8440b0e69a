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

/** A generated server, bundled into one file. */
export interface Generated {
  readonly file: string;
  readonly plan: ToolPlan;
  remove(): Promise<void>;
}

/** @param document a path, or the document itself */
export async function generated(document: string | object): Promise<Generated> {
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

/** What a call gave, as the agent reads it. */
export interface Told {
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: unknown;
  /** All of it as it came over the wire. */
  readonly raw: string;
}

/** A connection by hand: arguments go out as the JSON text that they are. */
export interface Connection {
  readonly process: StdioProcess;
  call(tool: string, input?: string | object): Promise<Told>;
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
      const given =
        input === undefined
          ? ""
          : `,"arguments":${typeof input === "string" ? input : JSON.stringify(input)}`;
      server.write(
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":${JSON.stringify(tool)}${given}}}\n`,
      );
      return told(await server.message((message) => message.id === id));
    },
  };
}

/** @throws when the answer is a protocol error, which no agent reads */
export function told(message: WireMessage): Told {
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
