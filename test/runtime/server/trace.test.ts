import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { call, toolOf } from "../support/clinic.js";
import { bundleFixture, initialize, startProcess } from "../support/fixture.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const exporter = new InMemorySpanExporter();
let upstream: Upstream;
let status = 200;

beforeAll(
  async () =>
    void (upstream = await startUpstream((response, request, count) =>
      reply(status, { id: 1 })(response, request, count),
    )),
);
afterAll(() => upstream.close());

const tool = toolOf({ properties: { text: { type: "string" } }, send: { query: { q: "text" } } });
const run = (
  input: Record<string, unknown> = {},
  more: Parameters<typeof call>[2] = {},
): ReturnType<typeof call> =>
  call(tool, input, { env: { CLINIC_BASE_URL: upstream.url }, ...more });

test("calls are not traced without an SDK", async () => {
  expect((await run()).isError).toBeUndefined();
  expect(exporter.getFinishedSpans()).toEqual([]);
});

describe("with an SDK", () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterAll(() => [trace, context, propagation].forEach((api) => api.disable()));
  afterEach(() => {
    exporter.reset();
    status = 200;
  });

  const spans = (): readonly Pick<ReadableSpan, "name" | "kind" | "attributes" | "status">[] =>
    exporter.getFinishedSpans().map(({ name, kind, attributes, status: { code } }) => ({
      name,
      kind,
      attributes,
      status: { code },
    }));
  const common = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "get_pet",
  };

  test("a call is one span without argument values", async () => {
    await run({ text: "hunter2" });
    expect(spans()).toEqual([
      {
        name: "tools/call get_pet",
        kind: SpanKind.SERVER,
        attributes: {
          ...common,
          "mcp.tool.outcome": "ok",
          "http.response.status_code": 200,
          "http.response.body.size": 8,
        },
        status: { code: SpanStatusCode.UNSET },
      },
    ]);
    expect(exporter.getFinishedSpans()[0]?.instrumentationScope).toMatchObject({
      name: "clinic",
      version: "1.2.3",
    });
  });

  test.each<readonly [string, () => unknown, object]>([
    [
      "the API refuses",
      () => ((status = 404), run()),
      {
        "mcp.tool.outcome": "api_error",
        "http.response.status_code": 404,
        "http.response.body.size": 8,
      },
    ],
    ["the input is wrong", () => run({ text: {} }), { "mcp.tool.outcome": "invalid" }],
    [
      "a hook throws",
      () =>
        run(
          {},
          {
            env: { CLINIC_BASE_URL: upstream.url, LOG_LEVEL: "silent" },
            custom: { beforeRequest: () => Promise.reject(new Error("hunter2")) },
          },
        ),
      { "mcp.tool.outcome": "internal" },
    ],
  ])("an error when %s", async (_, failing, attributes) => {
    await failing();
    expect(spans()).toEqual([
      {
        name: "tools/call get_pet",
        kind: SpanKind.SERVER,
        attributes: { ...common, ...attributes, "error.type": "tool_error" },
        status: { code: SpanStatusCode.ERROR },
      },
    ]);
  });

  test("the span is a child of the client's trace and the parent of spans inside the call", async () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    let inside: string | undefined;
    await run(
      {},
      {
        env: { CLINIC_BASE_URL: upstream.url },
        context: {
          carrier: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, progressToken: 1 },
        },
        custom: {
          beforeRequest: (request) => (
            (inside = trace.getActiveSpan()?.spanContext().spanId),
            request
          ),
        },
      },
    );
    const [span] = exporter.getFinishedSpans();
    expect(span?.spanContext().traceId).toBe(traceId);
    expect(span?.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
    expect(inside).toBe(span?.spanContext().spanId);
  });

  test("without a trace of the client, the span is a child of the active span", async () => {
    await trace.getTracer("test").startActiveSpan("around", async (around) => {
      await run();
      around.end();
    });
    const [span, around] = exporter.getFinishedSpans();
    expect(span?.parentSpanContext?.spanId).toBe(around?.spanContext().spanId);
  });

  test("spans are created without a context manager", async () => {
    context.disable();
    await run();
    expect(spans().map(({ name }) => name)).toEqual(["tools/call get_pet"]);
  });
});

test("a server with an SDK continues the trace of the client's _meta", async () => {
  const fixture = await bundleFixture();
  const telemetry = pathToFileURL(`${import.meta.dirname}/../support/telemetry.mjs`).href;
  const server = startProcess(fixture.file, {
    CLINIC_BASE_URL: upstream.url,
    NODE_OPTIONS: `--import=${telemetry}`,
  });
  await initialize(server);
  await server.request("tools/call", {
    name: "get_pet",
    arguments: { pet_id: "1" },
    _meta: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  });
  await expect
    .poll(() => server.stderr())
    .toContain("span tools/call get_pet of 0af7651916cd43dd8448eb211c80319c\n");
  server.child.kill("SIGKILL");
  await fixture.remove();
});
