/** What the operator of a server sees: readiness, metrics, and lines of the log. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRefusalReport } from "../../../../src/runtime/transport/http/report-rejections.js";
import { send as sendTo, type RequestOptions } from "../../../hostile/support/http.js";
import { fixtureServers } from "../../support/servers.js";
import { reply } from "../../support/upstream.js";
import { startIssuer } from "./issuer.js";

const servers = fixtureServers();
const { serving: start, upstream } = servers;

const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_pet", arguments: { pet_id: "1" } },
};

async function get(url: URL, path: string): Promise<readonly [number, unknown]> {
  const response = await fetch(new URL(path, url));
  return [response.status, await response.json()];
}

describe("readiness", () => {
  test("of a server with its settings", async () => {
    const { url } = await start();
    expect(await get(url, "/ready")).toEqual([200, { status: "ready" }]);
    expect(await get(url, "/health")).toEqual([200, { status: "ok" }]);
  });

  test.each<readonly [string, Record<string, string>, readonly string[]]>([
    ["no base URL", { CLINIC_BASE_URL: "nowhere" }, ["settings"]],
    [
      "no store",
      {
        CLINIC_STORE: "file:STORE",
        CLINIC_STORE_KEY: "a key of a store, with many random characters",
      },
      ["store"],
    ],
    [
      "an issuer that cannot be reached",
      {
        CLINIC_HTTP_OAUTH_ISSUER: "http://127.0.0.1:1",
        CLINIC_HTTP_PUBLIC_URL: "http://127.0.0.1:3000/mcp",
      },
      ["issuer keys"],
    ],
  ])("with %s", async (_, env, missing) => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ready-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { CLINIC_STORE: store } = env;
    const { url } = await start({
      ...env,
      ...(store && { CLINIC_STORE: store.replace("STORE", join(folder, "store")) }),
    });
    // A file in place of the folder.
    if (store) {
      rmSync(join(folder, "store"), { recursive: true });
      writeFileSync(join(folder, "store"), "");
    }
    expect(await get(url, "/ready")).toEqual([503, { status: "not ready", missing }]);
    expect((await get(url, "/health"))[0]).toBe(200);
  });

  const lost = { missing: ["store"] };
  test.each<readonly [string, Record<string, string>, readonly [number, object]]>([
    ["goes on", {}, [200, { status: "ready", ...lost }]],
    [
      "ends, if it needs it,",
      { CLINIC_READY_NEEDS_STORE: "true" },
      [503, { status: "not ready", ...lost }],
    ],
  ])("%s after the store is lost", async (_, env, answer) => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ready-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const store = join(folder, "store");
    const { url } = await start({
      CLINIC_STORE: `file:${store}`,
      CLINIC_STORE_KEY: "a key of a store, with many random characters",
      ...env,
    });
    expect(await get(url, "/ready")).toEqual([200, { status: "ready" }]);
    rmSync(store, { recursive: true });
    writeFileSync(store, "");
    await expect.poll(() => get(url, "/ready")).toEqual(answer);
  });

  test("with the keys of the issuer", async () => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const { url } = await start({
      CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
      CLINIC_HTTP_PUBLIC_URL: "http://127.0.0.1:3000/mcp",
    });
    await expect.poll(() => get(url, "/ready")).toEqual([200, { status: "ready" }]);
  });

  test("ends with a signal, while calls in flight go on", async () => {
    servers.answer = (response, request, count) =>
      void setTimeout(() => reply(200, { id: 1 })(response, request, count), 800);
    const { url, server } = await start();
    const last = sendTo(url, { body: call });
    await expect.poll(() => upstream.open()).toBe(1);
    server.child.kill("SIGTERM");
    await expect
      .poll(() => get(url, "/ready"), { interval: 5 })
      .toEqual([503, { status: "stopping" }]);
    expect((await last).status).toBe(200);
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });
});

describe("the log", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = {
    "x-forwarded-user": "ann",
    "x-request-id": "req-1",
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  };

  async function lineOf(env: Record<string, string>, options: RequestOptions): Promise<unknown> {
    const { url, server } = await start({ LOG_LEVEL: "info", ...env });
    await sendTo(url, { body: call, ...options });
    const find = (): string | undefined =>
      server
        .stderr()
        .split("\n")
        .find((line) => line.includes('"tool"'));
    await expect.poll(find).toBeDefined();
    return JSON.parse(find() ?? "");
  }

  test("has the caller, the request and the trace of a call", async () => {
    const env = { CLINIC_CALLER_HEADER: "X-Forwarded-User", CLINIC_LOG_CALLERS: "name" };
    expect(await lineOf(env, { headers })).toMatchObject({
      tool: "get_pet",
      caller: "ann",
      requestId: "req-1",
      traceId,
      outcome: "ok",
    });
    expect(upstream.requests.at(-1)?.headers["traceparent"]).toBe(headers.traceparent);
  });

  test("has a hash of the caller by default, and no value that is not an ID", async () => {
    const env = { CLINIC_CALLER_HEADER: "X-Forwarded-User" };
    const bad = { ...headers, "x-request-id": "a b", traceparent: "nonsense" };
    const line = await lineOf(env, { headers: bad });
    expect(line).toMatchObject({ caller: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
    expect(line).not.toHaveProperty("requestId");
    expect(line).not.toHaveProperty("traceId");
    expect(upstream.requests.at(-1)?.headers).not.toHaveProperty("traceparent");
  });

  test("has a line for refused tokens, once a minute", () => {
    let now = 0;
    const lines: string[] = [];
    const report = createRefusalReport({ warn: (line) => void lines.push(line) }, () => now);
    report(401, "The bearer token is wrong.");
    report(401, "The bearer token is wrong.");
    now = 60_000;
    report(403, "The token lacks a scope.");
    expect(lines).toEqual([
      "Refused a token with 401: The bearer token is wrong.",
      "Refused a token with 403: The token lacks a scope. 1 others since the last line.",
    ]);
  });
});

test("metrics are served at their own port", async () => {
  const { url, server } = await start({
    CLINIC_METRICS_PORT: "0",
    CLINIC_HTTP_TOKEN: "inbound-token-4c1e",
    LOG_LEVEL: "info",
  });
  const headers = { authorization: "Bearer inbound-token-4c1e" };
  await sendTo(url, { body: call, headers });
  await sendTo(url, { body: call });
  const [, address = ""] = /Metrics on (http:[^"]+)/.exec(server.stderr()) ?? [];
  const response = await fetch(address);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'mcp_tool_calls_total{tool="get_pet",outcome="ok",caller="client"} 1',
      'mcp_api_responses_total{status="200"} 1',
      'mcp_http_rejections_total{status="401"} 1',
      'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="get_pet",mcp_protocol_version="2025-03-26",network_transport="tcp"} 1',
      "mcp_calls_in_flight 0",
      "mcp_api_requests_in_flight 0",
      "mcp_api_requests_waiting 0",
      expect.stringMatching(/^nodejs_eventloop_lag_p99_seconds \d/),
      expect.stringMatching(/^process_resident_memory_bytes \d{7,}/),
    ]),
  );
  expect((await fetch(new URL("/metrics", url))).status).toBe(404);
});
