/** Soak test: a server under mixed faulty traffic, with samples of its memory and pendingIds files. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { bundleFixture } from "../../runtime/support/fixture.js";
import { type Answer, reply, startUpstream } from "../../runtime/support/upstream.js";
import { openFilesOf, rssOf } from "./memory.js";

export interface SoakOptions {
  readonly calls: number;
  readonly inFlight: number;
  /** Called after each tenth of the calls. */
  sample(completed: number, usage: ResourceUsage): void;
}

export interface ResourceUsage {
  readonly rss: number;
  readonly openFiles: number;
}

export interface SoakResult {
  readonly answers: number;
  readonly errors: number;
  readonly cancelled: number;
}

const largeBody = JSON.stringify({
  id: 1,
  visits: Array.from({ length: 3000 }, (_, visit) => ({ visit, note: "as ordinary as can be" })),
});
const gzipped = gzipSync(largeBody);

/** Responses of the API: faults of every kind, mixed with correct ones. */
const answers: readonly Answer[] = [
  reply(200, { id: 1 }),
  reply(200, { id: "not a number" }),
  reply(500, `<html><body>${"x".repeat(20_000)}</body></html>`, { "content-type": "text/html" }),
  reply(404, { message: "pet not found" }),
  reply(422, { title: "Bad", errors: [{ field: "pet_id", message: "odd" }] }),
  reply(200, largeBody, { "content-type": "application/json" }),
  (response) =>
    response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(gzipped),
  (response) => response.destroy(),
  (response) =>
    response
      .writeHead(200, { "content-type": "application/json", "content-length": "1000" })
      .end('{"id":'),
  reply(302, "", { location: "http://127.0.0.1:9/elsewhere" }),
  reply(204),
  reply(200, Buffer.alloc(40_000, 1), { "content-type": "application/octet-stream" }),
  () => {},
];

/** Sends calls with bounded concurrency. Every tenth is cancelled, and some are malformed. */
export async function soak({ calls, inFlight, sample }: SoakOptions): Promise<SoakResult> {
  const upstream = await startUpstream((response, request, count) =>
    answers[count % answers.length]!(response, request, count),
  );
  const fixture = await bundleFixture();
  const env = {
    PATH: process.env["PATH"],
    CLINIC_BASE_URL: upstream.url,
    CLINIC_TIMEOUT_MS: "250",
    CLINIC_KEPT_RESULT_BYTES: "5000000",
    LOG_LEVEL: "silent",
    NODE_OPTIONS: "--max-old-space-size=64",
  };
  const server = spawn(process.execPath, [fixture.file], { env });
  try {
    write(server, {
      jsonrpc: "2.0",
      id: "initialize",
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "soak", version: "1" },
      },
    });
    return await traffic(server, { calls, inFlight, sample });
  } finally {
    server.kill("SIGKILL");
    await Promise.all([fixture.remove(), upstream.close()]);
  }
}

function write(server: ChildProcessWithoutNullStreams, message: object | string): void {
  server.stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
}

async function traffic(
  server: ChildProcessWithoutNullStreams,
  { calls, inFlight, sample }: SoakOptions,
): Promise<SoakResult> {
  const pendingIds = new Set<number>();
  const result = { answers: 0, errors: 0, cancelled: 0 };
  let sentCount = 0;
  let settledCount = 0;
  return new Promise((resolve, reject) => {
    const settle = (id: number): void => {
      if (!pendingIds.delete(id)) return;
      if (++settledCount % Math.ceil(calls / 10) === 0)
        sample(settledCount, { rss: rssOf(server), openFiles: openFilesOf(server) });
      if (settledCount === calls) resolve(result);
      else fill();
    };
    const fill = (): void => {
      while (pendingIds.size < inFlight && sentCount < calls)
        send(server, sentCount++, pendingIds, (id) => (result.cancelled++, settle(id)));
    };
    createInterface({ input: server.stdout }).on("line", (line) => {
      const { id, result: answer } = JSON.parse(line) as {
        id?: unknown;
        result?: { isError?: boolean };
      };
      if (id === "initialize") fill();
      if (typeof id !== "number") return;
      result.answers++;
      if (answer?.isError) result.errors++;
      settle(id);
    });
    server.on("close", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

function send(
  server: ChildProcessWithoutNullStreams,
  id: number,
  pendingIds: Set<number>,
  onCancel: (id: number) => void,
): void {
  pendingIds.add(id);
  if (id % 50 === 0) write(server, "{broken\n");
  write(server, {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "get_pet", arguments: id % 17 === 0 ? {} : { pet_id: String(id) } },
  });
  if (id % 10 !== 0) return;
  write(server, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  setImmediate(onCancel, id);
}
