import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnyClient, clients, onProgress } from "./clients.js";
import { generateProject, type Project, startHttp } from "./project.js";

/** Work that takes time, by an API that steps through states with the clock. */

const text = { type: "string" };
const report = {
  type: "object",
  properties: {
    id: text,
    status: { type: "string", enum: ["queued", "running", "ready", "failed"] },
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
  },
};

/** Milliseconds until a report runs, and until it ends. */
const [RUNS, ENDS] = [500, 1_500];

interface Job {
  readonly id: string;
  readonly kind: string;
  readonly startedAt: number;
}

function stateOf({ id, kind, startedAt }: Job): object {
  const age = performance.now() - startedAt;
  if (age < RUNS) return { id, status: "queued" };
  if (age < ENDS || kind === "long") return { id, status: "running" };
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
      if (request.method === "POST")
        jobs.set(id, {
          id,
          startedAt: performance.now(),
          ...(JSON.parse(body) as { kind: string }),
        });
      const job = jobs.get(id);
      response.writeHead(job ? (request.method === "POST" ? 202 : 200) : 404, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(job ? stateOf(job) : { message: "no such report" }));
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
  project = await generateProject(file);
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
