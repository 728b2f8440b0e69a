/** One server with several processes: `--workers`. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { combineMetrics } from "../../../src/runtime/cluster/combine-metrics.js";
import { dividedLimits } from "../../../src/runtime/cluster/divided-limits.js";
import { send } from "../../hostile/support/http.js";
import { api } from "../support/clinic.js";
import { fixtureServers } from "../support/servers.js";
import { reply } from "../support/upstream.js";

const servers = fixtureServers({ CLINIC_MAX_RESULT_TOKENS: "100" });
const { serving, start } = servers;

interface Result {
  readonly isError?: boolean;
  readonly content: readonly unknown[];
}

/** Calls a tool over a connection of its own, which goes to the next worker. */
async function call(url: URL, name: string, input: object): Promise<Result> {
  const params = { name, arguments: input };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { body: text } = await send(url, { body, headers: { connection: "close" } });
  return (JSON.parse(text.replace(/^event: .*\ndata: /, "")) as { result: Result }).result;
}

const getPet = (url: URL): Promise<Result> => call(url, "get_pet", { pet_id: "1" });

/** IDs of the processes that a process has started. */
function children(pid: number | undefined): readonly string[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean);
}

async function times<Value>(count: number, run: () => Promise<Value>): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (let i = 0; i < count; i++) values.push(await run());
  return values;
}

test("share stored results, and have their metrics at one port", async () => {
  servers.answer = reply(200, { id: 1, notes: Array.from({ length: 99 }, (_, i) => `note ${i}`) });
  const env = { CLINIC_METRICS_PORT: "0", LOG_LEVEL: "info" };
  const { url, server } = await serving(env, "--workers", "2");
  await expect.poll(() => server.stderr()).toMatch(/Metrics on/);
  await expect.poll(() => server.stderr().match(/Listening on/g)?.length).toBe(2);
  const { content } = await getPet(url);
  const [, resource] = /as the resource (result:[^?]+)/.exec(JSON.stringify(content)) ?? [];
  const parts = await times(6, () => call(url, "read_result", { resource }));
  expect(parts.map(({ isError = false }) => isError)).toEqual([...Array(6)].fill(false));
  const [, metrics = ""] = /Metrics on ([^"\s]+)/.exec(server.stderr()) ?? [];
  const text = await (await fetch(metrics)).text();
  const calls = [...text.matchAll(/^mcp_tool_calls_total\{.*worker="(\d)"\} (\d+)$/gm)];
  expect(new Set(calls.map(([, worker]) => worker))).toEqual(new Set(["1", "2"]));
  expect(calls.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(7);
  expect(text.match(/^# TYPE mcp_tool_calls_total/gm)).toHaveLength(1);
});

test.runIf(process.platform === "linux")(
  "are replaced when they end, and end with their server after the calls in flight",
  async () => {
    const held: (() => void)[] = [];
    servers.answer = (...request) => void held.push(() => reply(200, { id: 1 })(...request));
    const { url, server } = await serving({ LOG_LEVEL: "info" }, "--workers", "2");
    const { pid } = server.child;
    const starts = (): number => server.stderr().match(/Listening on/g)?.length ?? 0;
    await expect.poll(starts).toBe(2);
    const [first = ""] = children(pid);
    process.kill(Number(first), "SIGKILL");
    await expect.poll(() => server.stderr()).toMatch(/Worker 1 ended \(SIGKILL\) and is replaced/);
    await expect.poll(starts).toBe(3);
    const workers = children(pid);
    const last = Promise.all([getPet(url), getPet(url), getPet(url)]);
    await expect.poll(() => held.length).toBe(3);
    server.child.kill("SIGTERM");
    for (const release of held) release();
    expect((await last).map(({ isError = false }) => isError)).toEqual([false, false, false]);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    const alive = workers.filter((id) => {
      try {
        return process.kill(Number(id), 0);
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  },
);

test.each<readonly [string, Record<string, string>, readonly string[], RegExp]>([
  ["stdio", {}, ["--workers", "2"], /^--workers needs --http; see --help\.\n$/],
  ["no number", {}, ["--http", "--workers", "0"], /^--workers must be a number from 1 to 99/],
  [
    "too few requests",
    { CLINIC_MAX_CONCURRENCY: "1" },
    ["--http", "--workers", "2"],
    /^--workers 2 needs CLINIC_MAX_CONCURRENCY of at least 2: each worker sends requests\.\n$/,
  ],
  ["a wrong setting", { CLINIC_TIMEOUT_MS: "x" }, ["--http", "--workers", "2"], /^CLINIC_TIMEOUT/],
  [
    "an address of another machine",
    { LOG_LEVEL: "error" },
    ["--http", "--workers", "2", "--host", "192.0.2.1", "--allow-unauthenticated"],
    /^Cannot listen on 192\.0\.2\.1 port 3000: .*\n$/,
  ],
])("are a problem with %s", async (_, env, args, problem) => {
  const server = start(env, args);
  expect(await server.exit).toEqual({ code: 2, signal: null });
  expect(server.stderr()).toMatch(problem);
});

describe("limits are divided", () => {
  test.each([
    [{}, 2, { CLINIC_MAX_CONCURRENCY: "16" }],
    [{ CLINIC_MAX_CONCURRENCY: "10" }, 4, { CLINIC_MAX_CONCURRENCY: "2" }],
    [
      { CLINIC_MAX_CONCURRENCY_PER_CALLER: "3" },
      4,
      { CLINIC_MAX_CONCURRENCY: "8", CLINIC_MAX_CONCURRENCY_PER_CALLER: "1" },
    ],
  ])("%j among %i", (env, workers, want) => {
    expect(dividedLimits(api, env, workers)).toEqual(want);
  });
});

test("metrics of several workers have the worker as a label", () => {
  const text = (count: number): string =>
    `# HELP calls Calls.\n# TYPE calls counter\ncalls{tool="a \\"}"} ${count}\n` +
    `# HELP lag Lag.\n# TYPE lag gauge\nlag 0.5\n`;
  expect(
    combineMetrics(
      new Map([
        [1, text(1)],
        [2, text(2)],
      ]),
    ),
  ).toBe(
    `# HELP calls Calls.
# TYPE calls counter
calls{tool="a \\"}",worker="1"} 1
calls{tool="a \\"}",worker="2"} 2
# HELP lag Lag.
# TYPE lag gauge
lag{worker="1"} 0.5
lag{worker="2"} 0.5
`,
  );
});
