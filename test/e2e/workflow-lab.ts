import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { generate, type GenerateOptions } from "../../src/generate.js";
import type { Diagnostic, ToolPlan } from "../../src/index.js";
import {
  type ServerContextOptions,
  callTool,
  createServerContext,
  type CallContext,
} from "../../src/runtime/index.js";

/** A request that the upstream received. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Delay in milliseconds. */
  readonly after?: number;
  /** Closes the connection instead. */
  readonly broken?: boolean;
}

/**
 * Generated workflow tools in this process, over real HTTP to an upstream that the test controls.
 */
export interface Lab {
  readonly plan: ToolPlan;
  readonly url: string;
  readonly asked: Asked[];
  /** Requests so far, as `GET /path`. */
  sent(): readonly string[];
  call(
    tool: string,
    input?: Record<string, unknown>,
    context?: CallContext,
  ): Promise<{ readonly isError: boolean; readonly text: string; readonly output: unknown }>;
  /** Content of a generated file. */
  file(path: string): string;
  close(): Promise<void>;
}

export interface LabFiles {
  /** Files by name: JSON data or text. The first is the document; `*.arazzo.*` are workflows. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly options?: GenerateOptions;
  /** Environment variables of the server. `{url}` is replaced by the upstream's address. */
  readonly env?: Readonly<Record<string, string>>;
  readonly reply: (asked: Asked, n: number) => Reply;
}

/**
 * Writes files to a new folder.
 * @returns their paths, in order
 */
export function planted(
  folder: string,
  files: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
    return path;
  });
}

/** The diagnostics of generating from some files, as `severity code file:line:col message`. */
export async function findings(
  files: Readonly<Record<string, unknown>>,
  options: GenerateOptions = {},
): Promise<{ readonly ok: boolean; readonly found: readonly Diagnostic[] }> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-lab-"));
  try {
    const [document = "", ...others] = planted(folder, files);
    const { ok, diagnostics } = await generate(document, undefined, {
      workflows: others.filter(isWorkflow),
      ...options,
    });
    return { ok, found: diagnostics.filter(({ severity }) => severity !== "info") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isWorkflow = (path: string): boolean => /\.arazzo\./.test(path);

/** @throws with the diagnostics when generation fails */
export async function startLab({ files, options, env = {}, reply }: LabFiles): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-lab-"));
  const [document = "", ...others] = planted(folder, files);
  const {
    plan,
    files: written = [],
    diagnostics,
  } = await generate(document, undefined, { workflows: others.filter(isWorkflow), ...options });
  if (!plan || written.length === 0)
    throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  const byPath = new Map(written.map(({ path, content }) => [path, content]));
  const served = await bundled(folder, byPath);
  const asked: Asked[] = [];
  const upstream = await startUpstream(asked, reply);
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const set = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace("{url}", url)]),
  );
  const app = createServerContext({
    ...served,
    env: { LOG_LEVEL: "silent", [`${plan.api.envPrefix}_BASE_URL`]: url, ...set },
  });
  if (!app.ok) throw new Error(app.problems.join(" "));
  return {
    plan,
    url,
    asked,
    sent: () => asked.map(({ method, path }) => `${method} ${path}`),
    call: async (name, input = {}, context = {}) => {
      const {
        isError = false,
        content,
        structuredContent,
      } = await callTool(app.context, app.context.tools.find(name), input, context);
      return {
        isError,
        output: structuredContent,
        text: content.map((block) => (block.type === "text" ? block.text : "")).join("\n"),
      };
    },
    file: (path) => byPath.get(path) ?? "",
    close: async () => {
      upstream.closeAllConnections();
      await new Promise((done) => upstream.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Bundles the project's code with this repository's runtime into one module. */
async function bundled(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<Pick<ServerContextOptions, "api" | "tools">> {
  const own = [...files].filter(([path]) =>
    /^src\/(?:workflows|tools|apis|schemas\.ts|api\.ts)/.test(path),
  );
  planted(
    join(folder, "project"),
    Object.fromEntries(
      own.map(([path, content]) => [
        path,
        content.replace(/"(?:\.\.?\/)+runtime\//g, `"${resolve("src/runtime")}/`),
      ]),
    ),
  );
  const outfile = join(folder, "tools.mjs");
  const contents =
    'export { api } from "./src/api.js"; export { tools } from "./src/tools/index.js";';
  await build({
    stdin: { contents, resolveDir: join(folder, "project"), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile,
    logLevel: "error",
    nodePaths: [resolve("node_modules")],
  });
  return (await import(pathToFileURL(outfile).href)) as Pick<ServerContextOptions, "api" | "tools">;
}

async function startUpstream(asked: Asked[], reply: LabFiles["reply"]): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void (async () => {
      const one = await askedBy(request);
      asked.push(one);
      const {
        status = 200,
        headers = {},
        body = {},
        after = 0,
        broken = false,
      } = reply(one, asked.length);
      if (after > 0) await new Promise((done) => setTimeout(done, after).unref());
      if (broken) return void request.socket.destroy();
      response.writeHead(status, {
        "content-type": typeof body === "string" ? "text/plain" : "application/json",
        ...headers,
      });
      response.end(
        status === 204 ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      );
    })();
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return server;
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? "/", "http://x");
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
}
