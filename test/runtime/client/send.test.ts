import { afterEach, describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type { RequestMapping } from "../../../src/runtime/types.js";
import { testNodePlatform } from "../support/by-node.js";
import { createTestContext, call as callBy, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
let others: Upstream[] = [];

afterEach(async () => {
  await Promise.all([upstream, ...others].map((one) => one.close()));
  others = [];
});

async function answering(answer: Answer): Promise<Record<string, string>> {
  upstream = await startUpstream(answer);
  return { CLINIC_BASE_URL: upstream.url };
}

async function another(answer: Answer): Promise<Upstream> {
  const started = await startUpstream(answer);
  others.push(started);
  return started;
}

const get = toolOf({});
const post = toolOf({
  name: "add_pet",
  send: {
    method: "POST",
    body: { contentType: "application/json", fields: { name: { value: "Rex" } } },
  },
});
const keyed = toolOf({
  name: "add_pet",
  send: { method: "POST", headers: { "Idempotency-Key": { generate: "uuid" } } },
});

/** Answers the first so many requests in one way, all others in another. */
const first =
  (count: number, before: Answer, after: Answer = reply(200, { id: 1 })): Answer =>
  (response, request, n) =>
    (n < count ? before : after)(response, request, n);
const reset: Answer = (response) => response.socket?.destroy();

describe.each([
  ["node:http", testNodePlatform],
  ["fetch", {}],
] as const)("by %s", (_, platform) => {
  const call: typeof callBy = (tool, input, sketch) => callBy(tool, input, { ...sketch, platform });

  describe("a repeatable request", () => {
    test.each<readonly [string, Answer, number]>([
      ["429", first(1, reply(429)), 2],
      ["429 that says when", first(1, reply(429, "", { "retry-after": "0" })), 2],
      [
        "429 that says when, by date",
        first(1, reply(429, "", { "retry-after": new Date(0).toUTCString() })),
        2,
      ],
      ["429 that says nonsense", first(1, reply(429, "", { "retry-after": "soon" })), 2],
      [
        "408, as servers say over a connection that they close",
        first(1, reply(408, "", { connection: "close" })),
        2,
      ],
      ["425", first(1, reply(425)), 2],
      ["502", first(1, reply(502)), 2],
      ["503, twice", first(2, reply(503)), 3],
      ["504", first(1, reply(504)), 2],
      ["a closed connection", first(1, reset), 2],
    ])("is sent again after %s", async (_, answer, requests) => {
      const result = await call(get, {}, { env: await answering(answer) });
      expect(textOf(result)).toBe('{"id":1}');
      expect(upstream.requests).toHaveLength(requests);
    });

    test.each<readonly [string, Answer, number, string]>([
      ["more than twice", reply(503), 3, "503 Service Unavailable"],
      ["after 500", reply(500), 1, "500 Internal Server Error"],
      ["after 404", reply(404), 1, "404 Not Found"],
      [
        "when the wait outlasts the deadline",
        reply(429, "", { "retry-after": "86400" }),
        1,
        "wait 86400 s",
      ],
      [
        "when the longer of two waits does",
        reply(429, "", { "retry-after": "1, 86400" }),
        1,
        "wait 86400 s",
      ],
    ])("is not sent again %s", async (_, answer, requests, text) => {
      const result = await call(get, {}, { env: await answering(answer) });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(text);
      expect(upstream.requests).toHaveLength(requests);
    });

    test.each<readonly [string, Record<string, string>, string, number]>([
      ["no longer than 5 s", {}, "6", 1],
      ["no longer than the setting, in total", { CLINIC_MAX_RETRY_WAIT_MS: "1500" }, "1", 2],
      ["never, if the setting is 0", { CLINIC_MAX_RETRY_WAIT_MS: "0" }, "1", 1],
    ])("waits for a retry %s", async (_, settings, seconds, requests) => {
      const env = await answering(reply(429, "", { "retry-after": seconds }));
      const progress: string[] = [];
      const context = { progress: (message: string) => void progress.push(message) };
      const result = await call(get, {}, { env: { ...env, ...settings }, context });
      expect(textOf(result)).toContain(`wait ${seconds} s, then call get_pet again`);
      expect(upstream.requests).toHaveLength(requests);
      expect(progress).toHaveLength(requests - 1);
    });

    test("has an idempotency key", async () => {
      await call(keyed, {}, { env: await answering(first(2, reply(503))) });
      const keys = upstream.requests.map(({ headers }) => headers["idempotency-key"]);
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    });

    test.each<readonly [string, Partial<RequestMapping>]>([
      [
        "body",
        {
          body: {
            contentType: "application/json",
            fields: { idempotency_key: { generate: "uuid" } },
          },
        },
      ],
      ["query", { query: { idempotency_key: { generate: "uuid" } } }],
    ])("is one with such a key in its %s", async (_, send) => {
      await call(
        toolOf({ name: "add_pet", send: { method: "POST", ...send } }),
        {},
        { env: await answering(first(1, reply(503))) },
      );
      expect(upstream.requests).toHaveLength(2);
      expect(new Set(upstream.requests.map(({ url, body }) => url + body)).size).toBe(1);
    });

    test("may have taken effect by its first attempt, whatever the second returned", async () => {
      const put = toolOf({ name: "set_pet", send: { method: "PUT" } });
      const env = await answering(() => void upstream.close());
      expect(textOf(await call(put, {}, { env }))).toContain(
        "set_pet may or may not have taken effect",
      );
    });
  });

  describe("a request that is not repeatable", () => {
    test.each<readonly [string, Answer]>([
      ["503", reply(503)],
      ["429", reply(429, "", { "retry-after": "0" })],
      ["a closed connection", reset],
    ])("is not, after %s", async (_, answer) => {
      const result = await call(post, {}, { env: await answering(answer) });
      expect(result.isError).toBe(true);
      expect(upstream.requests).toHaveLength(1);
    });

    test("is not: a GET that changes something", async () => {
      const tool = toolOf({ name: "add_pet", send: { method: "GET", unsafe: true } });
      expect(textOf(await call(tool, {}, { env: await answering(reply(503)) }))).toContain(
        "add_pet may or may not have taken effect",
      );
      expect(upstream.requests).toHaveLength(1);
    });

    test.each<readonly [string, Answer, Record<string, string>]>([
      ["a closed connection", reset, {}],
      [
        "an answer that breaks off",
        (response) =>
          void response
            .writeHead(200, { "content-length": "100" })
            .write("{", () => response.socket?.destroy()),
        {},
      ],
      ["no answer", () => {}, { CLINIC_TIMEOUT_MS: "300" }],
    ])("may have taken effect after %s", async (_, answer, more) => {
      const result = await call(post, {}, { env: { ...(await answering(answer)), ...more } });
      expect(textOf(result)).toContain("add_pet may or may not have taken effect.");
      expect(textOf(result)).toContain(
        "Next: find out from another tool or the user whether it took effect before you call add_pet again.",
      );
    });

    test("is retried when it did not reach the API", async () => {
      const env = await answering(reply(200, { id: 1 }));
      await upstream.close();
      const again = async (): Promise<void> =>
        void others.push(
          await startUpstream(reply(200, { id: 1 }), Number(new URL(upstream.url).port)),
        );
      let tries = 0;
      const result = await call(
        post,
        {},
        { env, context: { progress: () => void (tries++ === 0 && again()) } },
      );
      expect(textOf(result)).toBe('{"id":1}');
      expect(others[0]?.requests).toHaveLength(1);
    });

    test.each<readonly [number, string]>([
      [303, "add_pet may or may not have taken effect"],
      [307, "add_pet may or may not have taken effect"],
    ])("may have taken effect when a %d leads to what cannot be reached", async (status, text) => {
      const env = await answering((response, request, n) => {
        response.once("finish", () => void upstream.close());
        reply(status, "", { location: "/there", connection: "close" })(response, request, n);
      });
      const result = await call(post, {}, { env });
      expect(textOf(result)).toContain("the API refused the connection");
      expect(textOf(result)).toContain(text);
    });

    test("has not taken effect when the connection is refused", async () => {
      const env = await answering(reply(200));
      await upstream.close();
      expect(textOf(await call(post, {}, { env }))).toContain(
        "the API refused the connection (POST " +
          upstream.url +
          "/). Nothing was sent, and nothing has changed.",
      );
    });
  });

  describe("redirects", () => {
    test.each<readonly [number, string, string]>([
      [301, "GET", "GET"],
      [302, "GET", "GET"],
      [303, "GET", "GET"],
      [307, "GET", "GET"],
      [308, "GET", "GET"],
      [301, "POST", "GET"],
      [302, "POST", "GET"],
      [303, "POST", "GET"],
      [307, "POST", "POST"],
      [308, "POST", "POST"],
      [302, "PUT", "PUT"],
      [303, "DELETE", "GET"],
    ])("%d after %s becomes %s", async (status, method, becomes) => {
      const env = await answering(first(1, reply(status, "", { location: "/moved?to=here" })));
      const body =
        method === "GET" || method === "DELETE"
          ? undefined
          : { contentType: "application/json", fields: { name: { value: "Rex" } } };
      const tool = toolOf({ send: { method, body, security: [{ token: [] }] } });
      expect(textOf(await call(tool, {}, { env: { ...env, CLINIC_TOKEN: "hunter2" } }))).toBe(
        '{"id":1}',
      );
      expect(upstream.requests[1]).toMatchObject({
        method: becomes,
        url: "/moved?to=here",
        body: becomes === method && body ? '{"name":"Rex"}' : "",
      });
      expect(upstream.requests[1]?.headers.authorization).toBe("Bearer hunter2");
    });

    test.each([302, 307])("%d to another origin is not followed", async (status) => {
      const sink = await another(reply(200, { id: 2 }));
      const env = await answering(reply(status, "", { location: `${sink.url}/sink` }));
      const result = await call(post, {}, { env });
      expect(textOf(result)).toContain(`redirected to another origin (${sink.url})`);
      expect(textOf(result)).toContain("CLINIC_BASE_URL");
      expect(sink.requests).toHaveLength(0);
    });

    test.each([
      ["/caf%C3%A9", "/caf%C3%A9"],
      ["/caf\xc3\xa9", "/caf%C3%A9"],
      ["/caf\xe9", "/caf%C3%A9"],
      ["there?x=1#part", "/there?x=1"],
      ["?x=1", "/?x=1"],
      ["#part", "/"],
      ["", "/"],
    ])("to %j lead to %s", async (location, url) => {
      expect(
        textOf(
          await call(get, {}, { env: await answering(first(1, reply(302, "", { location }))) }),
        ),
      ).toBe('{"id":1}');
      expect(upstream.requests[1]).toMatchObject({ url });
    });

    test.each([
      "file:///etc/passwd",
      "http://169.254.169.254/latest/meta-data/",
      "//evil.test/",
      "http://user:hunter2@127.0.0.1/",
      "http://[bad",
    ])("to %s are not followed", async (location) => {
      const result = await call(get, {}, { env: await answering(reply(302, "", { location })) });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("redirected to");
      expect(textOf(result)).not.toContain("hunter2");
    });

    test("are followed at most five times", async () => {
      const result = await call(
        get,
        {},
        {
          env: await answering((response, request) =>
            reply(302, "", { location: request.url })(response, request, 0),
          ),
        },
      );
      expect(textOf(result)).toContain("redirected more than 5 times");
      expect(upstream.requests).toHaveLength(6);
    });
  });

  describe("the deadline", () => {
    test.each<readonly [string, Answer]>([
      ["nothing", () => {}],
      ["a byte at a time", (response) => void setInterval(() => response.write("x"), 50).unref()],
    ])("ends an API that sends %s", async (_, answer) => {
      const result = await call(
        get,
        {},
        { env: { ...(await answering(answer)), CLINIC_TIMEOUT_MS: "300" } },
      );
      expect(textOf(result)).toContain(
        "get_pet timed out after 1 s: Clinic did not answer in time",
      );
      await expect.poll(() => upstream.open()).toBe(0);
    });

    test("can be configured per tool", async () => {
      const result = await call(toolOf({ timeoutMs: 100 }), {}, { env: await answering(() => {}) });
      expect(textOf(result)).toContain("timed out");
    });
  });

  describe("cancellation", () => {
    test.each<readonly [string, Answer]>([
      ["before the answer", () => {}],
      ["in the middle of the answer", (response) => void response.writeHead(200).write("{")],
    ])("%s reaches the API", async (_, answer) => {
      const client = new AbortController();
      const running = call(
        get,
        {},
        { env: await answering(answer), context: { signal: client.signal } },
      );
      await expect.poll(() => upstream.requests.length).toBe(1);
      client.abort();
      expect(textOf(await running)).toContain("get_pet was cancelled.");
      await expect.poll(() => upstream.open()).toBe(0);
    });

    test("ends the wait before a retry", async () => {
      const client = new AbortController();
      const running = call(
        get,
        {},
        {
          env: await answering(reply(503, "", { "retry-after": "1" })),
          context: { signal: client.signal, progress: () => client.abort() },
        },
      );
      expect(textOf(await running)).toContain("was cancelled");
      expect(upstream.requests).toHaveLength(1);
    });

    test("before the request is sent", async () => {
      const result = await call(
        get,
        {},
        { env: await answering(reply(200)), context: { signal: AbortSignal.abort() } },
      );
      expect(textOf(result)).toContain("was cancelled");
      expect(upstream.requests).toHaveLength(0);
    });
  });

  describe("large responses", () => {
    const mb = "x".repeat(1_000_000);

    test.each<readonly [string, Answer]>([
      ["that say so", reply(200, mb + mb)],
      [
        "that do not",
        (response) => response.writeHead(200, { "content-type": "text/plain" }).write(mb + mb),
      ],
    ])("%s end at the limit, and with them the connection", async (_, answer) => {
      const result = await call(
        get,
        {},
        { env: { ...(await answering(answer)), CLINIC_MAX_RESPONSE_BYTES: "1000000" } },
      );
      expect(textOf(result)).toBe(
        `get_pet failed: the response is larger than 1 MB (GET ${upstream.url}/).\nNext: get_pet has no input that narrows the result. Tell the user: CLINIC_MAX_RESPONSE_BYTES raises the limit.`,
      );
      await expect.poll(() => upstream.open()).toBe(0);
    });

    test("at the limit are accepted", async () => {
      const result = await call(
        get,
        {},
        {
          env: {
            ...(await answering(reply(200, "x".repeat(1000)))),
            CLINIC_MAX_RESPONSE_BYTES: "1000",
          },
        },
      );
      expect(textOf(result)).toBe("x".repeat(1000));
    });

    test("with an error status are read only as far as they are shown", async () => {
      const result = await call(
        get,
        {},
        { env: { ...(await answering(reply(500, mb))), CLINIC_MAX_RESPONSE_BYTES: "1000" } },
      );
      expect(textOf(result).length).toBeLessThan(3000);
      expect(textOf(result)).toContain("500 Internal Server Error");
    });
  });

  describe("concurrent calls", () => {
    test("wait in a queue and are rejected when it is full", async () => {
      let now = 0;
      let most = 0;
      const answer: Answer = (response) => {
        most = Math.max(most, ++now);
        setTimeout(() => {
          now--;
          response.writeHead(200).end("ok");
        }, 5);
      };
      const app = createTestContext(
        [get],
        { ...(await answering(answer)), CLINIC_MAX_CONCURRENCY: "3", CLINIC_MAX_QUEUE: "20" },
        undefined,
        undefined,
        platform,
      );
      const results = await Promise.all(Array.from({ length: 50 }, () => callTool(app, get, {})));
      expect(most).toBe(3);
      expect(results.filter(({ isError }) => !isError)).toHaveLength(23);
      expect(textOf(results.find(({ isError }) => isError)!)).toBe(
        "get_pet was not sent: this server is busy with too many calls.\nNext: wait a few seconds, then call get_pet again; make fewer calls at a time.",
      );
    });

    test("can be limited per minute", async () => {
      const app = createTestContext(
        [get],
        { ...(await answering(reply(200, "ok"))), CLINIC_CALLS_PER_MINUTE: "1" },
        undefined,
        undefined,
        platform,
      );
      expect(textOf(await callTool(app, get, {}))).toBe("ok");
      expect(textOf(await callTool(app, get, {}))).toMatch(
        /^Not sent: this server allows 1 calls per minute\. Wait \d+ s, then call get_pet again\.$/,
      );
    });
  });
});
