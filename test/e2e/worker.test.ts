/**
 * The built worker of a generated project, under the Cloudflare Workers runtime and as a module on
 * Node.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audience, startIssuer } from "../runtime/transport/http/issuer.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { clients } from "./clients.js";
import { generateProject, type Project } from "./project.js";

const pet = { id: "pet_9TX3QA", name: "Biscuit" };
const photo = Buffer.from("\x89PNG with outbound-token inside", "latin1");
const answerList = reply(200, { data: [pet] });
const answerLongList = reply(200, { data: Array.from({ length: 100 }, () => pet) });
const answerPhoto = reply(200, photo, { "content-type": "image/png" });
const answerTo = (path: string) =>
  path.endsWith("/photo") ? answerPhoto : path.includes("owner") ? answerLongList : answerList;
let project: Project;
let upstream: Upstream;

beforeAll(async () => {
  [project, upstream] = await Promise.all([
    generateProject("samples/clinic/openapi.yaml", { features: ["oauth", "stores"] }),
    startUpstream((response, request, count) => answerTo(request.url)(response, request, count)),
  ]);
  await project.run("build:worker");
});
afterAll(() => Promise.all([project.remove(), upstream.close()]));

const bindings = (): Record<string, string> => ({
  MAPLEWOOD_CLINIC_HTTP_TOKEN: "inbound-token-4c1e",
  MAPLEWOOD_CLINIC_TOKEN: "outbound-token",
  MAPLEWOOD_CLINIC_BASE_URL: upstream.url,
});

const sharedBindings = (): Record<string, string> => ({
  ...bindings(),
  MAPLEWOOD_CLINIC_STORE: "durable-objects",
  MAPLEWOOD_CLINIC_STORE_KEY: "a key of a store, with many random characters",
  MAPLEWOOD_CLINIC_CALLS_PER_MINUTE: "10",
  MAPLEWOOD_CLINIC_MAX_RESULT_TOKENS: "100",
});

test("imports nothing of Node", async () => {
  expect(await readFile(join(project.folder, "dist/worker.js"), "utf8")).not.toMatch(
    /["']node:|\brequire\(["']/,
  );
});

/** Absent when its package does not support this platform. */
const workerd = ((): string | undefined => {
  const { resolve } = createRequire(import.meta.url);
  const names = {
    "linux x64": "linux-64",
    "linux arm64": "linux-arm64",
    "darwin x64": "darwin-64",
    "darwin arm64": "darwin-arm64",
    "win32 x64": "windows-64",
  };
  const name = names[`${process.platform} ${process.arch}` as keyof typeof names];
  try {
    const file = join(
      resolve(`@cloudflare/workerd-${name}/package.json`),
      "../bin",
      process.platform === "win32" ? "workerd.exe" : "workerd",
    );
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
})();

function config(env: Record<string, string>): string {
  const texts = Object.entries(env).map(
    ([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .server),
    (name = "other", worker = .other),
    (name = "internet", network = (allow = ["private"]))
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:0", http = (), service = "main"),
    (name = "other", address = "127.0.0.1:0", http = (), service = "other")
  ]
);
const server :Workerd.Worker = (
  modules = [ (name = "worker", esModule = embed "dist/worker.js") ],
  compatibilityDate = "2025-09-01",
  durableObjectNamespaces = [ (className = "StoreObject", uniqueKey = "store", enableSql = true) ],
  durableObjectStorage = (inMemory = void),
  bindings = [
    ${[...texts, '(name = "STORE_OBJECTS", durableObjectNamespace = "StoreObject")'].join(", ")}
  ]
);
const other :Workerd.Worker = (
  modules = [ (name = "worker", esModule = embed "dist/worker.js") ],
  compatibilityDate = "2025-09-01",
  bindings = [
    ${[
      ...texts,
      `(name = "STORE_OBJECTS",
        durableObjectNamespace = (className = "StoreObject", serviceName = "main"))`,
    ].join(", ")}
  ]
);
`;
}

/** Starts it on a free port, which it reports on a separate channel. */
async function startWorkerd(
  program: string,
  env: Record<string, string>,
  name: string,
): Promise<{
  readonly url: URL;
  /** Another worker, which has the same store. */
  readonly otherUrl: URL;
  readonly child: ChildProcess;
  stderr(): string;
}> {
  const file = join(project.folder, `${name}.capnp`);
  await writeFile(file, config(env));
  const child = spawn(program, ["serve", "--control-fd=3", file], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const urls = new Map<string, URL>();
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, port, socket } = JSON.parse(line) as Record<string, string>;
    if (event === "listen") urls.set(socket ?? "", new URL(`http://127.0.0.1:${port}/mcp`));
    const [url, otherUrl] = [urls.get("http"), urls.get("other")];
    if (url && otherUrl) return { url, otherUrl, child, stderr: () => stderr };
  }
  throw new Error(`workerd did not start: ${stderr}`);
}

const post = (url: URL | string, token?: string): Promise<Response> => fetch(request(url, token));
const request = (url: URL | string, token?: string): Request =>
  new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

if (workerd !== undefined) {
  describe("under workerd", () => {
    let running: Awaited<ReturnType<typeof startWorkerd>>;
    beforeAll(async () => void (running = await startWorkerd(workerd, bindings(), "configured")));
    afterAll(() => void running.child.kill("SIGKILL"));

    test.each(clients)("%s calls a tool", async (_, connect) => {
      const client = await connect(running.url, { authorization: "Bearer inbound-token-4c1e" });
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("find_pets");
      expect(await client.callTool({ name: "find_pets", arguments: {} })).toMatchObject({
        structuredContent: { items: [pet] },
      });
      expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer outbound-token");
      await client.close();
    });

    test("a photo is returned, without the secrets in it", async () => {
      const client = await clients[2]![1](running.url, {
        authorization: "Bearer inbound-token-4c1e",
      });
      const call = { name: "get_pet_photo", arguments: { petId: pet.id } };
      const redacted = photo.toString("latin1").replace("outbound-token", "*".repeat(14));
      expect((await client.callTool(call)).content).toEqual([
        {
          type: "image",
          mimeType: "image/png",
          data: Buffer.from(redacted, "latin1").toString("base64"),
        },
        {
          type: "text",
          text: "Note: Hidden by this server: its credentials in the contents of a file.",
        },
      ]);
      await client.close();
    });

    test("concurrent calls are queued", async () => {
      const client = await clients[2]![1](running.url, {
        authorization: "Bearer inbound-token-4c1e",
      });
      const results = await Promise.all(
        Array.from({ length: 60 }, () => client.callTool({ name: "find_pets", arguments: {} })),
      );
      expect(results.map(({ isError = false }) => isError)).toEqual(results.map(() => false));
      await client.close();
    });

    test("rejects calls without the token, but not health checks", async () => {
      expect((await post(running.url)).status).toBe(401);
      expect((await fetch(new URL("/health", running.url))).status).toBe(200);
    });

    test("one line is logged per call", async () => {
      await expect.poll(() => running.stderr()).toContain('"tool":"find_pets","outcome":"ok"');
    });

    test("tokens of an authorization server are verified", async () => {
      const issuer = await startIssuer();
      const env = {
        ...bindings(),
        MAPLEWOOD_CLINIC_HTTP_TOKEN: "",
        MAPLEWOOD_CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
        MAPLEWOOD_CLINIC_HTTP_PUBLIC_URL: audience,
        MAPLEWOOD_CLINIC_HTTP_OAUTH_SCOPES: "pets:read",
      };
      const { url, child } = await startWorkerd(workerd, env, "oauth");
      const tokens = [
        undefined,
        await issuer.token(),
        await issuer.token({ scope: "" }),
        await issuer.token({ aud: "https://other.example" }),
        "opaque",
      ];
      const statuses = await Promise.all(
        tokens.map(async (token) => (await post(url, token)).status),
      );
      expect(statuses).toEqual([401, 200, 403, 401, 401]);
      expect((await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url))).status).toBe(
        200,
      );
      child.kill("SIGKILL");
      await issuer.close();
    });

    test("workers share the limits and the results of a store", async () => {
      const { url, otherUrl, child } = await startWorkerd(workerd, sharedBindings(), "shared");
      const connect = (at: URL) =>
        clients[2]![1](at, { authorization: "Bearer inbound-token-4c1e" });
      const [one, other] = [await connect(url), await connect(otherUrl)];
      const call = { name: "find_pets", arguments: {} };
      const first = await one.callTool({ name: "find_pets", arguments: { ownerId: "own_4F7K2M" } });
      const uri = JSON.stringify(first).match(/result:\/\/[^"\\]+/)?.[0] ?? "";
      const count = upstream.requests.length;
      const read = await other.callTool({ name: "read_result", arguments: { resource: uri } });
      expect(JSON.stringify(read)).toContain("Biscuit");
      expect(upstream.requests).toHaveLength(count);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).callTool(call)),
      );
      // The first call, and perhaps that of the result, are calls of the same minute.
      const answered = results.filter(({ isError = false }) => !isError).length;
      expect([8, 9]).toContain(answered);
      expect(upstream.requests).toHaveLength(count + answered);
      await Promise.all([one.close(), other.close()]);
      child.kill("SIGKILL");
    });

    test("missing settings are logged and not revealed to clients", async () => {
      const { url, child, stderr } = await startWorkerd(workerd, {}, "unconfigured");
      const response = await post(url);
      expect([response.status, await response.json()]).toEqual([
        500,
        { error: "This server is not configured. See its log." },
      ]);
      await expect.poll(() => stderr()).toContain("MAPLEWOOD_CLINIC_HTTP_TOKEN");
      child.kill("SIGKILL");
    });
  });
}

test("as a module, with the environment as an argument", async () => {
  const { default: worker } = (await import(join(project.folder, "dist/worker.js"))) as {
    default: { fetch(request: Request, env: unknown): Promise<Response> };
  };
  const response = await worker.fetch(
    request("https://clinic.test/mcp", "inbound-token-4c1e"),
    bindings(),
  );
  expect(await response.text()).toContain('"name":"find_pets"');
});
