import { type ChildProcess, execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { configured } from "../e2e/in-process.js";
import { generateProject, type Project, startHttp } from "../e2e/project.js";
import { postAsTaskClient } from "../e2e/task-client.js";
import { install } from "./install.js";
import { callJob, eras, type JobCall, withClient } from "./job-calls.js";
import { type RunningServer, startServer } from "./process.js";
import { type SocketProxy, startSocketProxy } from "./socket-proxy.js";

/**
 * LXD, which manages containers, answers writes with 202, an operation and its URL in `Location`.
 * The document is that of its package. It needs root, for mounts of its own.
 */
const canRun = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;

const CONFIGURATION = `
tools:
  create_image: {job: {wait: 2, done: [Success], failed: [Failure, Cancelled]}}
  delete_image: {job: false}
`;

/** Images by name: `late…` come after 3 s, `endless…` never, `broken…` are others than announced. */
async function startImages(folder: string): Promise<{ readonly url: string; close(): void }> {
  const images = new Map<string, Buffer>();
  for (const name of ["late-0", "late-1", "late-2", "endless-0", "endless-1", "endless-2"]) {
    const description = `architecture: x86_64\ncreation_date: 1\nproperties: {os: ${name}}\n`;
    await mkdir(join(folder, name, "rootfs"), { recursive: true });
    await writeFile(join(folder, name, "metadata.yaml"), description);
    const args = ["-C", join(folder, name), "-czf", "-", "metadata.yaml", "rootfs"];
    const { stdout } = await promisify(execFile)("tar", args, { encoding: "buffer" });
    images.set(name, stdout);
  }
  const server = createServer(({ method, url = "" }, response) => {
    const name = url.split("/").at(-1)!;
    const image = images.get(name);
    if (method === "HEAD") {
      const hash = createHash("sha256").update(image ?? "");
      response.setHeader("LXD-Image-Hash", image ? hash.digest("hex") : "0".repeat(64));
      response.setHeader("LXD-Image-URL", `http://${address()}/${name}`);
      return void response.end();
    }
    if (name.startsWith("missing")) return void response.writeHead(404).end();
    response.write((image ?? Buffer.from("other")).subarray(0, 20));
    const rest = image?.subarray(20) ?? "";
    if (!name.startsWith("endless")) void setTimeout(3_000).then(() => response.end(rest));
  });
  const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://${address()}`, close };
}

describe.skipIf(!canRun)("LXD", () => {
  let folder: string;
  let projects: Record<"plain" | "configured", Project>;
  let lxd: RunningServer;
  let proxy: SocketProxy;
  let images: Awaited<ReturnType<typeof startImages>>;
  const env = (more: Readonly<Record<string, string>> = {}) => ({
    LXD_EXTERNAL_BASE_URL: proxy.url,
    LXD_EXTERNAL_MODE: "tools",
    ...more,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-gen-lxd-"));
    for (const name of ["installation", "data", "images"]) await mkdir(join(folder, name));
    await install({ name: "lxd", debian: ["lxd"] } as never, join(folder, "installation"));
    const root = join(folder, "installation/debian/usr");
    const document = join(folder, "rest-api.yaml");
    const packed = await readFile(join(root, "share/doc/lxd/rest-api.yaml.gz"));
    await writeFile(document, gunzipSync(packed));
    const plain = await generateProject(document, { features: ["stores"] });
    projects = { plain, configured: await generateProject(document, configured(CONFIGURATION)) };
    for (const project of Object.values(projects)) await project.run("bundle");
    images = await startImages(join(folder, "images"));
    proxy = await startSocketProxy(join(folder, "data/unix.socket"));
    // Its mounts end with the namespace.
    const args = ["--mount", join(root, "bin/lxd"), "--group", "root"];
    const libraries = join(root, "lib/x86_64-linux-gnu");
    const variables = {
      LXD_DIR: join(folder, "data"),
      LD_LIBRARY_PATH: libraries,
      PATH: [join(root, "bin"), join(root, "sbin"), process.env["PATH"]].join(":"),
    };
    const launch = { command: "unshare", args, env: variables };
    lxd = await startServer(launch, folder, `${proxy.url}/1.0/operations`);
    await send("POST", "/1.0/storage-pools", { name: "pool", driver: "dir" });
    await send("POST", "/1.0/storage-pools/pool/volumes", { name: "first", type: "custom" });
  }, 600_000);
  afterAll(async () => {
    await lxd?.stop();
    proxy?.close();
    images?.close();
    for (const project of Object.values(projects ?? {})) await project.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** A request beside our server: what the API says itself. */
  async function send(method: string, path: string, body?: object): Promise<{ metadata: never }> {
    const response = await fetch(`${proxy.url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { metadata: never };
  }

  const creation = (name: string) => ({
    name: "create_image",
    arguments: { source: { type: "url", url: `${images.url}/${name}` } },
  });
  const copyOf = (source: string, body_name: string) => ({
    name: "create_storage_pool_volume",
    arguments: {
      name: "pool",
      body_name,
      type: "custom",
      source: { type: "copy", pool: "pool", name: source },
    },
  });
  const operationIn = ({ result }: JobCall): { readonly id: string; readonly status: string } =>
    (result.structuredContent as { metadata: never }).metadata;

  describe.each(eras)("%s", (name, connect) => {
    const number = name === eras[0]![0] ? 0 : 1;
    const call = (
      params: { readonly name: string; readonly arguments: object },
      more = {},
      cancels = false,
    ) =>
      withClient(connect, projects.plain.server, env(more), (client) =>
        callJob(client, params, cancels),
      );

    test("a call waits, with progress, and returns what the API has", async () => {
      const done = await call(creation(`late-${number}`));
      const { id } = operationIn(done);
      const { metadata } = await send("GET", `/1.0/operations/${id}`);
      expect(operationIn(done)).toMatchObject({ id, status: "Success" });
      expect(metadata).toMatchObject(operationIn(done));
      const reads = proxy.seen.filter((one) => one === `GET /1.0/operations/${id}`);
      expect(done.messages).toHaveLength(reads.length - 1);
      expect(done.messages[0]).toMatch(/^Waiting for the result, \d+ s: metadata.status is "Run/);
    }, 60_000);

    test("work that only Location names is followed by its state, and can fail", async () => {
      const done = await call(copyOf("first", `copy-${number}`));
      expect(done.result.isError, done.text).toBeUndefined();
      expect(operationIn(done)).toMatchObject({ status: "Success" });
      const failed = await call(copyOf("none", `other-${number}`));
      expect(failed.result.isError).toBe(true);
      expect(failed.text).toMatch(
        /work failed: metadata.status is .{2}Failure.{2}\. The API says: /,
      );
    }, 60_000);

    test("a failure has the message of the API", async () => {
      const [broken, missing] = [await call(creation("broken")), await call(creation("missing"))];
      expect([broken.result.isError, missing.result.isError]).toEqual([true, true]);
      expect(broken.text).toContain("The API says: Hash mismatch");
      expect(missing.text).toContain("The API says: Unable to fetch");
    }, 60_000);

    test("a call that waited as long as it may names a call that works", async () => {
      const more = { LXD_EXTERNAL_JOB_WAIT: "2" };
      const { text } = await call(creation(`endless-${number}`), more);
      const [, id] = /Call get_operation with id .{2}([\w-]+).{2} in about 5 s/.exec(text) ?? [];
      const next = await call({ name: "get_operation", arguments: { id } });
      expect(operationIn(next)).toMatchObject({ id, status: "Running" });
      await call({ name: "delete_operation", arguments: { id } });
      const { metadata } = await send("GET", `/1.0/operations/${id}`);
      expect(metadata).toMatchObject({ status: "Failure", err: expect.stringContaining("cancel") });
    }, 60_000);

    test("a cancelled call ends, and its work goes on", async () => {
      const { result } = await call(creation(`endless-${number}`), {}, true);
      expect(result.rejected).toContain("AbortError");
      const { length } = proxy.seen;
      await setTimeout(3_000);
      expect(proxy.seen.slice(length)).toEqual([]);
      const { metadata } = await send("GET", "/1.0/operations?recursion=1");
      const [{ id }] = (metadata as { running: [{ id: string }] }).running;
      await send("DELETE", `/1.0/operations/${id}`);
    }, 60_000);
  });

  test("mcp-gen.yaml sets the wait, or turns it off", async () => {
    const { server } = projects.configured;
    const [, connect] = eras[1]!;
    await withClient(connect, server, env(), async (client) => {
      const created = await callJob(client, creation("late-2"));
      expect(created.text).toContain("Still in progress");
      await setTimeout(3_000);
      const { metadata } = await send("GET", `/1.0/operations/${operationIn(created).id}`);
      const { fingerprint } = (metadata as { metadata: { fingerprint: string } }).metadata;
      const removal = { name: "delete_image", arguments: { fingerprint } };
      const removed = await callJob(client, removal);
      expect(removed.messages).toEqual([]);
      expect(removed.text).not.toContain("Waiting");
    });
  }, 60_000);

  describe("tasks", () => {
    const children: ChildProcess[] = [];
    afterEach(() => {
      for (const child of children.splice(0)) child.kill();
    });
    async function start(more: Readonly<Record<string, string>>): Promise<URL> {
      const { url, child } = await startHttp(projects.plain.server, env(more));
      children.push(child);
      return url;
    }

    test("are read and cancelled on another replica, by their caller only", async () => {
      const [own, foreign] = ["kX93mQ7zLp2vRt8wYb4n", "Zu6hGd1sJc5fNe0aTq9x"];
      const replica = {
        LXD_EXTERNAL_HTTP_TOKEN: `${own},${foreign}`,
        LXD_EXTERNAL_STORE: `file:${join(folder, "store")}`,
        LXD_EXTERNAL_STORE_KEY: "0123456789abcdef".repeat(4),
      };
      const [one, other] = [await start(replica), await start(replica)];
      const post = (url: URL, method: string, params: object, token = own) =>
        postAsTaskClient(url, method, params as never, { token });
      const { taskId } = (await post(one, "tools/call", creation("endless-2"))).result!;
      const read = await post(other, "tasks/get", { taskId });
      expect(read.result).toMatchObject({ status: "working" });
      const stolen = await post(other, "tasks/get", { taskId }, foreign);
      const forged = await post(other, "tasks/get", { taskId: `${taskId.slice(0, -4)}AAAA` });
      expect([stolen.error?.code, forged.error?.code]).toEqual([-32602, -32602]);
      const { length } = proxy.seen;
      await post(other, "tasks/cancel", { taskId });
      expect(proxy.seen.slice(length)).toEqual([
        expect.stringMatching(/^DELETE \/1\.0\/operations\/[\w-]+$/),
      ]);
      await setTimeout(500);
      const ended = await post(one, "tasks/get", { taskId });
      // LXD says that a cancelled download has failed.
      expect(ended.result).toMatchObject({ status: "completed", result: { isError: true } });
      // It forgets an operation five seconds after its end.
      await setTimeout(6_000);
      const forgotten = await post(one, "tasks/get", { taskId });
      expect(JSON.stringify(forgotten.result)).toContain("can no longer be followed");
    }, 60_000);
  });
});
