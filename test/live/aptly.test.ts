import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnyClient } from "../e2e/clients.js";
import { generateProject, type Project } from "../e2e/project.js";
import { install } from "./install.js";
import { callJob, eras, withClient } from "./job-calls.js";
import { findFreePort, type RunningServer, startServer } from "./process.js";

/**
 * aptly, which manages Debian repositories, works asynchronously: `?_async=true` answers with 202
 * and a task. It serves no document. This one follows its documentation, and numbers its states.
 */
const text = { type: "string" };
const task = {
  type: "object",
  properties: {
    Name: text,
    ID: { type: "integer" },
    State: {
      type: "integer",
      description: "0 = idle, 1 = running, 2 = succeeded, 3 = failed",
    },
  },
};
const name = { name: "name", in: "path", required: true, schema: text };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answer = (status: string, schema: object) => ({
  [status]: { description: "ok", ...json(schema) },
});
const mirror = {
  type: "object",
  required: ["Name", "ArchiveURL", "Distribution"],
  properties: {
    Name: text,
    ArchiveURL: text,
    Distribution: text,
    Components: { type: "array", items: text },
    Architectures: { type: "array", items: text },
    IgnoreSignatures: { type: "boolean" },
  },
};
const document = {
  openapi: "3.1.0",
  info: { title: "Aptly", version: "1" },
  paths: {
    "/api/mirrors": {
      post: {
        operationId: "createMirror",
        summary: "Create a mirror",
        requestBody: json(mirror),
        responses: answer("201", { type: "object", properties: { Name: text } }),
      },
    },
    "/api/mirrors/{name}": {
      put: {
        operationId: "downloadMirror",
        summary: "Download the packages of a mirror",
        parameters: [
          name,
          { name: "_async", in: "query", required: true, schema: { const: true } },
        ],
        requestBody: json({
          type: "object",
          properties: { IgnoreSignatures: { type: "boolean" } },
        }),
        responses: answer("202", { $ref: "#/components/schemas/Task" }),
      },
    },
    "/api/tasks/{id}": {
      get: {
        operationId: "getTask",
        summary: "Get a task",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: answer("200", { $ref: "#/components/schemas/Task" }),
      },
    },
  },
  components: { schemas: { Task: task } },
};

const sha256 = createHash("sha256").update("").digest("hex");
const release = [
  "Origin: x\nLabel: x\nSuite: stable\nCodename: stable\nDate: Sat, 28 Nov 2026 00:00:00 UTC",
  "Architectures: amd64\nComponents: main\nDescription: x",
  `SHA256:\n ${sha256} 0 main/binary-amd64/Packages\n`,
].join("\n");

/** A repository whose list of packages comes late, or never. */
async function startRepository(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(({ url = "" }, response) => {
    const isList = url.endsWith("/Packages") && !url.startsWith("/broken");
    const isRelease = url.endsWith("/Release");
    if (isList && url.startsWith("/endless")) return;
    const lateMs = url.startsWith("/late") && isList ? 3_000 : 0;
    response.statusCode = isList || isRelease ? 200 : 404;
    setTimeout(() => response.end(isRelease ? release : ""), lateMs);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const settings = { name: "aptly", debian: ["aptly"] };

describe.skipIf(!existsSync("/usr/bin/apt-get"))("aptly", () => {
  let folder: string;
  let project: Project;
  let aptly: RunningServer;
  let repository: Awaited<ReturnType<typeof startRepository>>;
  let url: string;
  const env = (wait: string) => ({ APTLY_BASE_URL: url, APTLY_JOB_WAIT: wait });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-gen-aptly-"));
    await mkdir(join(folder, "installation"));
    await install(settings as never, join(folder, "installation"));
    const config = { rootDir: join(folder, "data"), gpgDisableVerify: true };
    await writeFile(join(folder, "aptly.conf"), JSON.stringify(config));
    await writeFile(join(folder, "aptly.json"), JSON.stringify(document));
    project = await generateProject(join(folder, "aptly.json"));
    await project.run("bundle");
    repository = await startRepository();
    const address = `127.0.0.1:${await findFreePort()}`;
    url = `http://${address}`;
    const command = join(folder, "installation/debian/usr/bin/aptly");
    const args = [`-config=${join(folder, "aptly.conf")}`, "api", "serve", `-listen=${address}`];
    aptly = await startServer({ command, args, env: {} }, folder, `${url}/api/version`);
    await usingClient("20", async (client) => {
      for (const Name of ["late", "broken", "endless"]) await client.callTool(creation(Name));
    });
  }, 600_000);
  afterAll(async () => {
    await aptly?.stop();
    repository?.server.closeAllConnections();
    repository?.server.close();
    await project?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const creation = (Name: string) => ({
    name: "create_mirror",
    arguments: {
      Name,
      ArchiveURL: `${repository.url}/${Name}/`,
      Distribution: "stable",
      Components: ["main"],
      Architectures: ["amd64"],
      IgnoreSignatures: true,
    },
  });

  const usingClient = <Result>(wait: string, use: (client: AnyClient) => Promise<Result>) =>
    withClient(eras[1]![1], project.server, env(wait), use);
  const download = (of: string, wait: string, cancels = false) =>
    usingClient(wait, (client) => {
      const params = { name: "download_mirror", arguments: { name: of, IgnoreSignatures: true } };
      return callJob(client, params, cancels);
    });

  test("a call waits for the task, with progress", async () => {
    const { result, messages } = await download("late", "20");
    expect(result).toMatchObject({ structuredContent: { State: 2 } });
    expect(messages[0]).toMatch(/^Waiting for the result, \d+ s: State is [01]$/);
  }, 60_000);

  test("a call that waited as long as it may names the next call", async () => {
    const { text } = await download("late", "1");
    expect(text).toMatch(/Call get_task with id \d+ in about \d+ s/);
  }, 60_000);

  test("a task that failed is an error", async () => {
    const { result, text } = await download("broken", "20");
    expect(result).toMatchObject({ isError: true, structuredContent: { State: 3 } });
    expect(text).toContain("its work failed: State is 3");
  }, 60_000);

  test("a cancelled call ends at once", async () => {
    // Its list never comes, so that only the cancellation can end the call before the wait does.
    const { result } = await download("endless", "50", true);
    expect(result).toHaveProperty("rejected", expect.stringContaining("AbortError"));
  }, 60_000);
});
