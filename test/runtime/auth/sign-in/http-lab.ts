/** A generated server over HTTP, its API and its authorization server, on loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
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
  readonly children: readonly ChildProcess[];
  close(): void;
}

interface LabOptions extends ProviderOptions {
  /** Answers the requests to the API; with one pet by default. */
  readonly answer?: RequestListener;
  /** Number of processes, which share a store in files. Requests go to them in turn. */
  readonly processes?: number;
}

const onePet: RequestListener = (_, response) => {
  response.setHeader("content-type", "application/json").end('[{"name":"Rex"}]');
};

/** Starts all three. The server is a process of its own. */
export async function startHttpLab(
  env: (lab: { readonly issuer: string; readonly url: string }) => Record<string, string>,
  { answer = onePet, processes = 1, ...options }: LabOptions = {},
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
  const baseUrl = await listen(api);
  const file = await bundleServer(work);
  const launch = (atPort: number): ChildProcess =>
    spawn(process.execPath, [file, "--http", "--port", String(atPort)], {
      env: {
        PATH: process.env["PATH"],
        HOME: work,
        XDG_CONFIG_HOME: join(work, "config"),
        APPDATA: join(work, "config"),
        ISSUER: provider.issuer,
        CLINIC_BASE_URL: baseUrl,
        CLINIC_ENV_FILE: "",
        ...(processes > 1 && {
          CLINIC_STORE: `file:${join(work, "store")}`,
          CLINIC_STORE_KEY: "the key of the store of this test, of 32 or more characters",
        }),
        ...env({ issuer: provider.issuer, url }),
      },
    });
  const ports =
    processes > 1 ? await Promise.all(Array.from({ length: processes }, freePort)) : [port];
  const children = ports.map(launch);
  const logs = await Promise.all(children.map(waitUntilListening));
  const proxy = processes > 1 ? await startProxy(port, ports) : undefined;
  return {
    provider,
    url: new URL(url),
    received,
    log: () => logs.map((read) => read()).join(""),
    children,
    close() {
      for (const child of children) child.kill();
      proxy?.close();
      api.close();
      provider.close();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/** Bundles a server, that of the lab by default. Returns its path. */
export async function bundleServer(
  folder: string,
  source = new URL("./consent-server.ts", import.meta.url),
): Promise<string> {
  const outfile = join(folder, "server.mjs");
  await build({
    entryPoints: [source.pathname],
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

/** Waits until a server listens. Returns its output, until now. */
export async function waitUntilListening(child: ChildProcess): Promise<() => string> {
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

/** Sends one request after the other to the next process that accepts it. */
async function startProxy(port: number, targets: readonly number[]): Promise<Server> {
  let count = 0;
  const forward = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void => {
    const { method, url, headers } = incoming;
    const target = targets[count++ % targets.length];
    request({ host: "127.0.0.1", port: target, method, path: url, headers })
      .on("response", (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      })
      .on("error", () => forward(incoming, body, outgoing))
      .end(body);
  };
  const proxy = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => forward(incoming, Buffer.concat(chunks), outgoing));
  });
  proxy.listen(port, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  server.close();
  await once(server, "close");
  return Number(port);
}
