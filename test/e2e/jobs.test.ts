import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AnyClient, clients, onProgress } from "./clients.js";
import { generateProject, type Project, startHttp } from "./project.js";
import { extensionValidator, postAsTaskClient, type Task } from "./task-client.js";

/** Work that takes time, by an API that steps through states with the clock. */

const text = { type: "string" };
const report = {
  type: "object",
  properties: {
    id: text,
    status: { type: "string", enum: ["queued", "running", "ready", "failed", "cancelled"] },
    url: text,
    error: { type: "object", properties: { message: text } },
  },
};
const ok = (status: string) => ({
  [status]: { description: "ok", content: { "application/json": { schema: report } } },
});
const document = {
  openapi: "3.1.0",
  info: { title: "Reports", version: "1" },
  paths: {
    "/reports": {
      post: {
        operationId: "createReport",
        summary: "Create a report",
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", required: ["kind"], properties: { kind: text } },
            },
          },
        },
        responses: ok("202"),
      },
    },
    "/reports/{reportId}": {
      get: {
        operationId: "getReport",
        summary: "Get a report",
        parameters: [{ name: "reportId", in: "path", required: true, schema: text }],
        responses: ok("200"),
      },
    },
    "/reports/{reportId}/cancel": {
      post: {
        operationId: "cancelReport",
        summary: "Cancel a report",
        parameters: [{ name: "reportId", in: "path", required: true, schema: text }],
        responses: ok("200"),
      },
    },
  },
};

/** Milliseconds until a report runs, and until it ends if it was read. */
const [RUNS, ENDS] = [500, 1_500];

interface Job {
  readonly id: string;
  readonly kind: string;
  readonly startedAt: number;
  isCancelled?: boolean;
  /** True once its state was read. It does not end before, however slow the machine is. */
  isRead?: boolean;
}

function stateOf({ id, kind, startedAt, isCancelled, isRead = false }: Job): object {
  if (isCancelled) return { id, status: "cancelled" };
  const age = performance.now() - startedAt;
  if (age < RUNS) return { id, status: "queued" };
  if (age < ENDS || !isRead || kind === "long") return { id, status: "running" };
  if (kind === "bad") return { id, status: "failed", error: { message: "Out of memory." } };
  return { id, status: "ready", url: `https://files.example/${id}` };
}

/** A real server: reports by ID, and the requests that it received. */
async function startReports(): Promise<{ server: Server; url: string; seen: string[] }> {
  const jobs = new Map<string, Job>();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      const id = request.url?.split("/")[2] ?? `r${jobs.size + 1}`;
      const isCancellation = request.url?.endsWith("/cancel") === true;
      if (isCancellation && jobs.has(id)) jobs.get(id)!.isCancelled = true;
      else if (request.method === "POST")
        jobs.set(id, {
          id,
          startedAt: performance.now(),
          ...(JSON.parse(body) as { kind: string }),
        });
      const job = jobs.get(id);
      response.writeHead(job ? (request.method === "POST" && !isCancellation ? 202 : 200) : 404, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(job ? stateOf(job) : { message: "no such report" }));
      if (job && request.method === "GET") job.isRead = true;
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

let project: Project;
let folder: string;
let reports: Awaited<ReturnType<typeof startReports>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-gen-jobs-"));
  const file = join(folder, "reports.json");
  await writeFile(file, JSON.stringify(document));
  project = await generateProject(file, { features: ["stores", "dry-run"] });
  await project.run("bundle");
  reports = await startReports();
});
afterAll(async () => {
  reports?.server.close();
  reports?.server.closeAllConnections();
  await project?.remove();
  await rm(folder, { recursive: true, force: true });
});

const [, connectOverHttp] = clients[2]!;
const [, connectOverStdio] = clients[2]!;

interface Connection {
  readonly client: AnyClient;
  readonly child?: ChildProcess;
}

const transports: readonly (readonly [name: string, (wait: string) => Promise<Connection>])[] = [
  [
    "stdio",
    async (wait) => {
      const env = { REPORTS_BASE_URL: reports.url, REPORTS_JOB_WAIT: wait };
      const command = { command: process.execPath, args: [project.server], env };
      return { client: await connectOverStdio(command) };
    },
  ],
  [
    "HTTP",
    async (wait) => {
      const env = {
        REPORTS_BASE_URL: reports.url,
        REPORTS_JOB_WAIT: wait,
        REPORTS_ALLOW_UNAUTHENTICATED: "true",
      };
      const { url, child } = await startHttp(project.server, env);
      return { client: await connectOverHttp(url), child };
    },
  ],
];

interface Options {
  readonly onprogress: () => void;
  readonly signal: AbortSignal;
}
type Call = (
  params: { name: string; arguments: Record<string, unknown> },
  options: Options,
) => ReturnType<AnyClient["callTool"]>;

describe.each(transports)("over %s", (_, connect) => {
  async function create(
    kind: string,
    { wait = "20", cancels = false }: { wait?: string; cancels?: boolean } = {},
  ) {
    const { client, child } = await connect(wait);
    const messages: string[] = [];
    const controller = new AbortController();
    onProgress(client, (message) => {
      messages.push(message ?? "");
      if (cancels) controller.abort();
    });
    const start = reports.seen.length;
    const options = { onprogress: () => {}, signal: controller.signal };
    try {
      const callTool = client.callTool.bind(client) as Call;
      const call = callTool({ name: "create_report", arguments: { kind } }, options);
      const result = await call.catch((error: unknown) => ({ rejected: String(error) }));
      const end = reports.seen.length;
      if (cancels) await new Promise((done) => setTimeout(done, 3_000));
      const later = reports.seen.length - end;
      return { result, messages, sent: reports.seen.slice(start, end), later };
    } finally {
      await client.close();
      child?.kill();
    }
  }

  test("a call waits for the result, with progress", async () => {
    const { result, messages, sent } = await create("quick");
    expect(result).toMatchObject({
      structuredContent: { status: "ready", url: expect.stringContaining("files.example") },
    });
    expect(sent[0]).toBe("POST /reports");
    expect(sent.length).toBeGreaterThanOrEqual(3);
    expect(messages[0]).toMatch(/^Waiting for the result, \d+ s: status is "queued"$/);
  });

  test("a failure is an error with the API's message", async () => {
    const { result } = await create("bad");
    expect(result).toMatchObject({ isError: true, structuredContent: { status: "failed" } });
    expect(JSON.stringify(result)).toContain("The API says: Out of memory.");
  });

  test("a call that waited as long as it may names the next call", async () => {
    const { result } = await create("long", { wait: "2" });
    expect(result).toMatchObject({ structuredContent: { status: "running" } });
    expect(JSON.stringify(result)).toMatch(/Call get_report with reportId \\"r\d+\\" in about 5 s/);
  });

  test("a cancelled call sends no more requests", async () => {
    const { result, later } = await create("long", { cancels: true });
    expect(result).toHaveProperty("rejected");
    expect(later).toBeLessThanOrEqual(1);
  });
});

describe("clients that declare the tasks extension", () => {
  const validate = extensionValidator();
  let children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children) child.kill();
    children = [];
  });

  async function start(env: Record<string, string> = {}): Promise<URL> {
    const { url, child } = await startHttp(project.server, {
      REPORTS_BASE_URL: reports.url,
      REPORTS_ALLOW_UNAUTHENTICATED: "true",
      ...env,
    });
    children.push(child);
    return url;
  }
  const create = (url: URL, kind: string, extension = true) =>
    postAsTaskClient(
      url,
      "tools/call",
      { name: "create_report", arguments: { kind } },
      { extension },
    );
  const get = (url: URL, taskId: string) => postAsTaskClient(url, "tasks/get", { taskId });

  async function ended(url: URL, taskId: string): Promise<Task> {
    for (;;) {
      const { result } = await get(url, taskId);
      expect(validate("GetTaskResult", result)).toEqual([]);
      if (result!.status !== "working") return result!;
      await new Promise((done) => setTimeout(done, 200));
    }
  }

  test("get a task, whose result is that of a call that waited", async () => {
    const url = await start();
    const { result } = await create(url, "quick");
    expect(validate("CreateTaskResult", result)).toEqual([]);
    expect(result).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 1_000 });
    const { result: working } = await get(url, result!.taskId);
    expect(working).toMatchObject({
      status: "working",
      statusMessage: expect.stringMatching(/^status is "(?:queued|running)"$/),
    });
    expect(await ended(url, result!.taskId)).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "ready" } },
    });
  });

  test("read it from any process that shares the store, and with one request", async () => {
    const store = {
      REPORTS_STORE: `file:${await mkdtemp(join(folder, "store-"))}`,
      REPORTS_STORE_KEY: "0123456789abcdef".repeat(4),
    };
    const [one, other] = [await start(store), await start(store)];
    const { result } = await create(one, "bad");
    const seen = reports.seen.length;
    expect((await get(other, result!.taskId)).result).toMatchObject({ status: "working" });
    expect(reports.seen.slice(seen)).toEqual([expect.stringMatching(/^GET \/reports\/r\d+$/)]);
    const task = await ended(other, result!.taskId);
    expect(task).toMatchObject({ status: "completed", result: { isError: true } });
    expect(JSON.stringify(task)).toContain("The API says: Out of memory.");
  });

  test("cancel it with the operation of the API", async () => {
    const url = await start();
    const { result } = await create(url, "long");
    const { result: answer } = await postAsTaskClient(url, "tasks/cancel", {
      taskId: result!.taskId,
    });
    expect(validate("CancelTaskResult", answer)).toEqual([]);
    expect(reports.seen.at(-1)).toMatch(/^POST \/reports\/r\d+\/cancel$/);
    expect(await ended(url, result!.taskId)).toMatchObject({ status: "cancelled" });
  });

  test("see no task of another caller, and end none", async () => {
    const [one, other] = ["kX93mQ7zLp2vRt8wYb4n", "Zu6hGd1sJc5fNe0aTq9x"];
    const url = await start({ REPORTS_HTTP_TOKEN: `${one},${other}` });
    const params = { name: "create_report", arguments: { kind: "long" } };
    const { result } = await postAsTaskClient(url, "tools/call", params, { token: one });
    const { taskId } = result!;
    const seen = reports.seen.length;
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const foreign = await postAsTaskClient(
        url,
        method,
        { taskId, inputResponses: {} },
        { token: other },
      );
      expect(foreign.error).toMatchObject({ code: -32602 });
    }
    expect(reports.seen).toHaveLength(seen);
    const own = await postAsTaskClient(url, "tasks/get", { taskId }, { token: one });
    expect(own.result).toMatchObject({ status: "working" });
  });

  test("get none from a dry run, which starts nothing", async () => {
    const url = await start({ REPORTS_DRY_RUN: "true" });
    expect((await create(url, "long")).result).toMatchObject({ resultType: "complete" });
  });

  test("other clients wait, and other IDs are rejected", async () => {
    const url = await start({ REPORTS_JOB_WAIT: "2" });
    expect((await create(url, "long", false)).result).toMatchObject({ resultType: "complete" });
    const { result } = await create(url, "long");
    const { taskId } = result!;
    const forged = `${taskId.slice(0, -4)}AAAA`;
    const stranger = await (await create(await start(), "long")).result!.taskId;
    const expired = taskId.replace(/^\d+/, (day) => String(Number(day) - 2));
    for (const id of [forged, stranger, expired, "", "x.y"])
      for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
        const params = { taskId: id, inputResponses: {} };
        expect((await postAsTaskClient(url, method, params)).error).toMatchObject({ code: -32602 });
      }
    const update = await postAsTaskClient(url, "tasks/update", { taskId, inputResponses: {} });
    expect(validate("UpdateTaskResult", update.result)).toEqual([]);
  });
});
