/** Lines of the log that no level switches off, and metrics of calls. */
import { type MetricOptions, metrics as otel } from "@opentelemetry/api";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import { createMetrics } from "../../../src/runtime/server/metrics.js";
import { api, toolOf } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";

afterAll(() => otel.disable());

const read = toolOf({});
const write = {
  ...toolOf({ name: "add_pet", send: { method: "POST" } }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
};

/** Takes no unknown input, because one may say how much is removed. */
const remove = { ...write, annotations: { ...write.annotations, destructiveHint: true } };

/** Lines of the log of one call. */
async function linesOf(
  tool: typeof read,
  input: object,
  level: string,
): Promise<readonly object[]> {
  const upstream = await startUpstream(reply(200, { id: 1 }));
  onTestFinished(() => upstream.close());
  const lines: object[] = [];
  const created = createServerContext({
    api,
    tools: [read, write as typeof read],
    env: { LOG_LEVEL: level, CLINIC_BASE_URL: upstream.url },
    write: (text) => void lines.push(JSON.parse(text) as object),
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  await callTool(created.context, tool, input, { caller: "ann" });
  return lines;
}

test.each([
  ["a write", write as typeof read, {}, "silent", 1],
  ["a write", write as typeof read, {}, "info", 1],
  [
    "a write that is not sent, because its input is invalid",
    remove as typeof read,
    { x: 1 },
    "silent",
    0,
  ],
  ["a read", read, {}, "warn", 0],
  ["a read", read, {}, "info", 1],
] as const)("%s is logged at its level", async (_, tool, input, level, count) => {
  const lines = await linesOf(tool, input, level);
  expect(lines).toHaveLength(count);
  if (tool !== read && count > 0)
    expect(lines[0]).toMatchObject({
      audit: true,
      tool: "add_pet",
      caller: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      outcome: "ok",
      requests: [{ method: "POST", path: "/", status: 200 }],
    });
  else if (count > 0) expect(lines[0]).not.toHaveProperty("audit");
});

test("durations are recorded with OpenTelemetry, if it is registered", async () => {
  const recorded: unknown[] = [];
  const histogram = { record: (...values: unknown[]) => void recorded.push(values) };
  const createHistogram = (name: string, { unit, advice }: MetricOptions = {}) => {
    recorded.push([name, unit, advice?.explicitBucketBoundaries?.at(-1)]);
    return histogram;
  };
  otel.setGlobalMeterProvider({ getMeter: () => ({ createHistogram }) } as never);
  await linesOf(read, {}, "silent");
  expect(recorded).toEqual([
    ["mcp.server.operation.duration", "s", 300],
    [
      expect.any(Number),
      {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_pet",
      },
    ],
  ]);
});

test("metrics in the text format of Prometheus", () => {
  const metrics = createMetrics({ waiting: { help: "Waiting.", read: () => 3 } });
  const connection = { protocolVersion: "2025-11-25", transport: "tcp" };
  const byUser = { connection, callerKind: "user" };
  metrics.addCall({ tool: "get_pet", outcome: "ok", ...byUser, ms: 30, status: 200 });
  const late = { ms: 400_000, queueMs: 1500, retries: 2 };
  metrics.addCall({ tool: "get_pet", outcome: "busy", ...byUser, ...late });
  metrics.addCall({ tool: 'a"\\\n', outcome: "ok", callerKind: "local", ms: 0 });
  metrics.addRejection(401);
  const lines = metrics.text().split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# TYPE mcp_tool_calls_total counter",
      'mcp_tool_calls_total{tool="get_pet",outcome="ok",caller="user"} 1',
      'mcp_tool_calls_total{tool="get_pet",outcome="busy",caller="user"} 1',
      'mcp_tool_calls_total{tool="a\\"\\\\\\n",outcome="ok",caller="local"} 1',
      'mcp_api_retries_total{tool="get_pet"} 2',
      'mcp_http_rejections_total{status="401"} 1',
      "# TYPE mcp_queue_wait_seconds histogram",
      'mcp_queue_wait_seconds_bucket{le="1"} 2',
      'mcp_queue_wait_seconds_bucket{le="2"} 3',
      'mcp_queue_wait_seconds_bucket{le="+Inf"} 3',
      "mcp_queue_wait_seconds_sum 1.5",
      "mcp_queue_wait_seconds_count 3",
      'mcp_server_operation_duration_seconds_bucket{mcp_method_name="tools/call",gen_ai_tool_name="get_pet",mcp_protocol_version="2025-11-25",network_transport="tcp",error_type="busy",le="300"} 0',
      'mcp_server_operation_duration_seconds_sum{mcp_method_name="tools/call",gen_ai_tool_name="get_pet",mcp_protocol_version="2025-11-25",network_transport="tcp",error_type="busy"} 400',
      "waiting 3",
    ]),
  );
  expect(lines.at(-1)).toBe("");
});
