/** A generated server over HTTP, its API and its authorization server, on loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { type ProviderOptions, startProvider, type TestProvider } from "./provider.js";

export interface HttpLab {
  readonly provider: TestProvider;
  /** Address of the protocol. */
  readonly url: URL;
  /** `Authorization` of each request that the API received, as `METHOD credentials`. */
  readonly received: string[];
  /** Output of the server. */
  log(): string;
  close(): void;
}

interface LabOptions extends ProviderOptions {
  /** Answers the requests to the API; with one pet by default. */
  readonly answer?: RequestListener;
}

const onePet: RequestListener = (_, response) => {
  response.setHeader("content-type", "application/json").end('[{"name":"Rex"}]');
};

/** Starts all three. The server is a process of its own. */
export async function startHttpLab(
  env: (lab: { readonly issuer: string; readonly url: string }) => Record<string, string>,
  { answer = onePet, ...options }: LabOptions = {},
): Promise<HttpLab> {
  const work = mkdtempSync(join(tmpdir(), "mcp-gen-http-lab-"));
  const received: string[] = [];
  const api = createServer((request, response) => {
    received.push(`${request.method} ${request.headers.authorization ?? ""}`);
    answer(request, response);
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const provider = await startProvider({
    ...options,
    resource: url,
    redirects: ["user", "callback"].map((name) => `http://127.0.0.1:${port}/oauth/${name}`),
  });
  const child = spawn(
    process.execPath,
    [await bundleServer(work), "--http", "--port", String(port)],
    {
      env: {
        PATH: process.env["PATH"],
        HOME: work,
        XDG_CONFIG_HOME: join(work, "config"),
        APPDATA: join(work, "config"),
        ISSUER: provider.issuer,
        CLINIC_BASE_URL: await listen(api),
        CLINIC_ENV_FILE: "",
        ...env({ issuer: provider.issuer, url }),
      },
    },
  );
  const log = await waitUntilListening(child);
  return {
    provider,
    url: new URL(url),
    received,
    log,
    close() {
      child.kill();
      api.close();
      provider.close();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/** Bundles the server of the lab. Returns its path. */
export async function bundleServer(folder: string): Promise<string> {
  const outfile = join(folder, "server.mjs");
  await build({
    entryPoints: [new URL("./consent-server.ts", import.meta.url).pathname],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}

async function waitUntilListening(child: ChildProcess): Promise<() => string> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("Listening on")) resolve();
    });
    child.once("close", () => reject(new Error(text)));
  });
  return () => text;
}

/** Listens on a free port of this machine. Returns the origin. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  server.close();
  await once(server, "close");
  return Number(port);
}
