import { afterEach, describe, expect, test } from "vitest";
import { createCircuitBreaker } from "../../../src/runtime/client/circuit-breaker.js";
import { callTool } from "../../../src/runtime/index.js";
import type { ApiResponse, Failure } from "../../../src/runtime/request/types.js";
import { testNodePlatform } from "../support/by-node.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const origin = "https://api.example";

function response(status: number, headers: Record<string, string> = {}): ApiResponse {
  return { status, statusText: "", headers: new Headers(headers), body: "", size: 0 };
}

const connection: Failure = {
  kind: "connection",
  cause: "the API refused the connection",
  sent: false,
  permanent: false,
};
const timeout: Failure = { kind: "timeout", afterMs: 10, sent: true };

/** Whether a request is sent (+) or refused (-) after outcomes: a status or a failure, so often. */
function stateAfter(...outcomes: readonly (readonly [ApiResponse | Failure, number])[]): string {
  const circuits = createCircuitBreaker({ now: () => 0 });
  for (const [outcome, count] of outcomes)
    for (let i = 0; i < count; i++) {
      circuits.start(origin);
      circuits.end(origin, outcome);
    }
  const isRefused = circuits.refusal(origin) !== undefined;
  return `${isRefused ? "refused" : "sent"}, ${circuits.mayRetry(origin) ? "repeated" : "once"}`;
}

test.each([
  ["no requests", [], "sent, repeated"],
  ["few failures", [[response(503), 4]], "sent, repeated"],
  ["five failures", [[response(503), 5]], "sent, once"],
  ["ten failures", [[response(503), 10]], "refused, once"],
  ["ten refused connections", [[connection, 10]], "refused, once"],
  ["ten timeouts", [[timeout, 10]], "refused, once"],
  [
    "failures of several kinds",
    [
      [response(502), 4],
      [connection, 3],
      [timeout, 3],
    ],
    "refused, once",
  ],
  [
    "a success between them",
    [
      [response(503), 9],
      [response(200), 1],
      [response(503), 4],
    ],
    "sent, repeated",
  ],
  ["errors of the request", [[response(400), 50]], "sent, repeated"],
  ["errors of the server", [[response(500), 50]], "sent, repeated"],
  ["limits of the rate", [[response(429), 50]], "sent, repeated"],
  ["cancelled calls", [[{ kind: "cancelled" }, 50]], "sent, repeated"],
] as const)("after %s", (_, outcomes, want) => expect(stateAfter(...outcomes)).toBe(want));

describe("a host that does not work", () => {
  let now = 0;
  const failing = (headers?: Record<string, string>) => {
    now = 0;
    const changes: boolean[] = [];
    const circuits = createCircuitBreaker({
      now: () => now,
      onChange: (_, isOpen) => void changes.push(isOpen),
    });
    for (let i = 0; i < 10; i++) circuits.end(origin, response(503, headers));
    return { circuits, changes };
  };
  const waitOf = (circuits: ReturnType<typeof failing>["circuits"]) =>
    circuits.refusal(origin)?.waitMs;

  test("is probed by one request after a pause, which grows", () => {
    const { circuits, changes } = failing();
    const pauses: (number | undefined)[] = [];
    for (let probe = 0; probe < 7; probe++) {
      pauses.push(waitOf(circuits));
      now += waitOf(circuits) ?? 0;
      expect(circuits.refusal(origin)).toBeUndefined();
      circuits.start(origin);
      expect(waitOf(circuits)).toBe(0);
      circuits.end(origin, response(503));
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    now += 30_000;
    circuits.start(origin);
    circuits.end(origin, response(200));
    expect(waitOf(circuits)).toBeUndefined();
    expect(changes).toEqual([true, false]);
  });

  test("has the pause that it asks for", () => {
    expect(waitOf(failing({ "retry-after": "7" }).circuits)).toBe(7000);
  });

  test("is probed again if a probe was cancelled", () => {
    const { circuits } = failing();
    now = 1000;
    circuits.start(origin);
    circuits.end(origin, { kind: "cancelled" });
    expect(circuits.refusal(origin)).toBeUndefined();
  });

  test("does not concern another host", () => {
    expect(failing().circuits.refusal("https://other.example")).toBeUndefined();
  });

  test("earlier failures are forgotten", () => {
    now = 0;
    const circuits = createCircuitBreaker({ now: () => now });
    for (let i = 0; i < 9; i++) circuits.end(origin, connection);
    now = 11_000;
    circuits.end(origin, connection);
    expect(circuits.mayRetry(origin)).toBe(true);
  });
});

describe("calls", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  test("503 is not multiplied, and then requests are not sent until the API works", async () => {
    let status = 503;
    upstream = await startUpstream((...request) => reply(status, {})(...request));
    const get = toolOf({});
    const env = { CLINIC_BASE_URL: upstream.url };
    const context = createTestContext([get], env, undefined, undefined, testNodePlatform);
    const call = async (): Promise<string> => textOf(await callTool(context, get, {}));
    const texts = await Promise.all(Array.from({ length: 100 }, call));
    const refused = texts.filter((text) => text.startsWith("get_pet was not sent"));
    // A retry that was due after the pause may have probed the API.
    expect(upstream.requests.length).toBeLessThan(1.2 * (100 - refused.length));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.replace(upstream.url, "URL").replace(/last \d+/, "last N")).toBe(
      "get_pet was not sent: Clinic does not work at the moment. The last N requests to URL failed (503 Service Unavailable).\n" +
        "Next: wait about 1 s, then call get_pet again. If it fails again, tell the user.",
    );
    status = 200;
    await expect.poll(call, { interval: 100 }).toBe("{}");
  });
});
