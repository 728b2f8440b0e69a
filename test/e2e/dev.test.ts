/** `npm run dev` of a generated project, and its clients. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLock } from "../../src/diff/index.js";
import { generate } from "../../src/generate.js";
import { referenceFingerprint } from "../reference-fingerprint.js";
import { generateProject, type Project } from "./project.js";

const document = "samples/clinic/openapi.yaml";
const env = { PATH: process.env["PATH"] ?? "", MAPLEWOOD_CLINIC_TOKEN: "token", LOG_LEVEL: "info" };

/** Custom code for an exit that takes longer than esbuild takes to ask whether the server lives. */
const lateExit =
  'process.on("exit", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500));';

let project: Project;
let http: ChildProcess;
let url: URL;
const said: string[] = [];

beforeAll(async () => {
  project = await generateProject(document);
  const { scripts } = JSON.parse(await readFile(join(project.folder, "package.json"), "utf8")) as {
    scripts: { dev: string };
  };
  const [bundle = ""] = scripts.dev.split(" && ");
  await promisify(execFile)("npx", ["--no-install", ...bundle.split(" ")], {
    cwd: project.folder,
    shell: process.platform === "win32",
  });
  http = spawn(process.execPath, [join(project.folder, "dist/dev.js"), "--http", "--port", "0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  url = await new Promise((listening) =>
    createInterface({ input: http.stderr! }).on("line", (line) => {
      said.push(line);
      const found = /Listening on (http:[^"\s]+)/.exec(line)?.[1];
      if (found !== undefined) listening(new URL(found));
    }),
  );
});
afterAll(async () => {
  http.kill("SIGKILL");
  await project.remove();
});

interface Watching {
  readonly client: Client;
  /** Number of list-changed notifications. */
  told(): number;
  names(): Promise<readonly string[]>;
  /** Fingerprints of the listed tools of the API. */
  fingerprints(): Promise<readonly unknown[]>;
}

async function connect(
  mode: "legacy" | { readonly pin: string },
  over: "stdio" | "http",
): Promise<Watching> {
  let count = 0;
  const client = new Client(
    { name: "dev", version: "1" },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void count++ } },
    },
  );
  const dev = {
    command: process.execPath,
    args: [join(project.folder, "dist/dev.js")],
    env,
    stderr: "ignore" as const,
  };
  await client.connect(
    over === "http" ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(dev),
  );
  const listed = async (): Promise<Awaited<ReturnType<Client["listTools"]>>["tools"]> =>
    (await client.listTools()).tools;
  return {
    client,
    told: () => count,
    names: async () => (await listed()).map(({ name }) => name),
    fingerprints: async () =>
      (await listed())
        .map(({ _meta }) => _meta?.["dev.mcp-gen/fingerprint"])
        .filter((fingerprint) => fingerprint !== undefined)
        .sort(),
  };
}

/** Fingerprints of the definitions in the current lock. */
async function locked(): Promise<readonly string[]> {
  const lock = readLock(await readFile(join(project.folder, "mcp-gen.lock.json"), "utf8"));
  if (typeof lock !== "object") throw new Error(`The lock ${lock ?? "is not a lock"}`);
  return lock.tools.map(({ operations: _, ...tool }) => referenceFingerprint(tool)).sort();
}

describe("a regenerated project", () => {
  test("notifies clients of both protocol eras, which call the new tools over the old connection", async () => {
    const watching = await Promise.all([
      connect("legacy", "stdio"),
      connect({ pin: "2026-07-28" }, "stdio"),
      connect({ pin: "2026-07-28" }, "http"),
    ]);
    for (const { client, names } of watching) {
      expect(client.getServerCapabilities()?.tools?.listChanged).toBe(true);
      expect(await names()).toContain("delete_pet");
    }
    expect((await generate(document, project.folder, { skip: ["deletePet"] })).ok).toBe(true);
    for (const { told } of watching) await expect.poll(told).toBeGreaterThan(0);
    for (const { client, names, fingerprints } of watching) {
      // The server may have read half of the written files, and then reads again.
      await expect.poll(fingerprints).toEqual(await locked());
      expect(await names()).not.toContain("delete_pet");
      await expect(client.callTool({ name: "delete_pet", arguments: {} })).rejects.toThrow(
        "Unknown tool",
      );
      await client.close();
    }
  });

  test("a failed build leaves the server unchanged, and a later one succeeds", async () => {
    const { client, told, names } = await connect({ pin: "2026-07-28" }, "http");
    const custom = join(project.folder, "src/custom/index.ts");
    const before = await readFile(custom, "utf8");
    await appendFile(custom, "\nthis is no code\n");
    await expect
      .poll(() => said.join("\n"))
      .toMatch(/Not loaded: src\/custom\/index\.ts:\d+:\d+: /);
    expect(await names()).toContain("find_pets");
    await writeFile(
      custom,
      before.replace(
        "const hooks: Hooks<Tools> = {};",
        "const hooks: Hooks<Tools> = { on: { find_petz: {} } };",
      ),
    );
    await expect
      .poll(() => said.join("\n"))
      .toContain(
        "Not loaded: src/custom has hooks for find_petz, but there is no tool of this name. Did you mean find_pets?",
      );
    await writeFile(custom, `${before}\n${lateExit}\n`);
    await expect.poll(() => said.at(-1)).toMatch(/^Reloaded \d+ tools\.$/);
    expect(told()).toBe(0);
    await client.close();
  });
});

test.each([
  ["--help", 0],
  ["--port=x", 2],
])("stops with %s", async (flag, want) => {
  const child = spawn(process.execPath, [join(project.folder, "dist/dev.js"), flag], {
    env,
    stdio: "ignore",
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(want);
});

test("does not declare listChanged over HTTP to clients before 2026-07-28", async () => {
  const { client } = await connect("legacy", "http");
  expect(client.getServerCapabilities()?.tools).toEqual({});
  await client.close();
});

// The last test that needs the server stops it. `close` waits for the process of esbuild, too.
test("a subscription ends when the server stops", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true }, _meta: meta },
  });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  };
  const response = await fetch(url, { method: "POST", headers, body });
  const exit = new Promise((ended) => http.on("close", (code) => ended(code)));
  http.kill("SIGTERM");
  const [acknowledged, closed] = [...(await response.text()).matchAll(/^data: (.+)$/gm)].map(
    ([, data]) => JSON.parse(data!) as object,
  );
  expect(acknowledged).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { toolsListChanged: true } },
  });
  expect(closed).toMatchObject({
    id: 7,
    result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
  });
  expect(await exit).toBe(0);
});

test("a server outside development mode does not declare listChanged", async () => {
  await project.run("bundle");
  const client = new Client({ name: "dev", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [project.server],
      env,
      stderr: "ignore",
    }),
  );
  expect(client.getServerCapabilities()?.tools).toEqual({});
  await client.close();
});
