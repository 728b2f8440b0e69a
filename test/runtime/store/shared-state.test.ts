/** State that several processes of a server share: results, refresh tokens, calls per minute. */
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createSharedRateLimiter } from "../../../src/runtime/client/shared-rate-limiter.js";
import { createRateLimiter } from "../../../src/runtime/client/rate-limiter.js";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import type { ServerContext } from "../../../src/runtime/server/context.js";
import { createMemoryStore } from "../../../src/runtime/store/memory.js";
import { type Store, StoreUnavailable } from "../../../src/runtime/store/types.js";
import { contextOf, REQUEST } from "../auth/context.js";
import { startTokenServer } from "../auth/token-server.js";
import { api, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";

/** A store that cannot be reached. */
const unreachable = (Unavailable = StoreUnavailable): Store => {
  const fail = () => Promise.reject(new Unavailable("gone"));
  return {
    get: fail,
    set: fail,
    delete: fail,
    compareAndSet: fail,
    increment: fail,
    count: fail,
    close: async () => {},
  };
};

describe("truncated results", () => {
  const tool = toolOf({});
  const visits = Array.from({ length: 400 }, (_, id) => ({ id, note: "n".repeat(20) }));

  async function processes(store: Store): Promise<readonly [ServerContext, ServerContext]> {
    const upstream = await startUpstream(reply(200, visits));
    onTestFinished(() => upstream.close());
    const create = (): ServerContext => {
      const env = {
        LOG_LEVEL: "silent",
        CLINIC_BASE_URL: upstream.url,
        CLINIC_MAX_RESULT_TOKENS: "500",
        // Deployment files keep results out of the memory of a process.
        CLINIC_KEPT_RESULT_BYTES: "0",
      };
      const created = createServerContext({ api, tools: [tool], storeResults: true, store, env });
      if (!created.ok) throw new Error(created.problems.join(" "));
      return created.context;
    };
    return [create(), create()];
  }

  const asCaller = (context: ServerContext, caller: string): ServerContext => ({
    ...context,
    resultStore: context.resultStore?.forCaller(caller),
  });

  async function readResult(context: ServerContext, resource: string): Promise<string> {
    return textOf(await callTool(context, context.tools.find("read_result"), { resource }));
  }

  test("of one process are read from another one, by their caller only", async () => {
    const [first, second] = await processes(createMemoryStore());
    const result = await callTool(asCaller(first, "ann"), tool, {});
    const link = result.content.find((block) => block.type === "resource_link");
    const read = (caller: string, uri = ""): Promise<string> =>
      readResult(asCaller(second, caller), uri);
    expect(await read("ann", link?.uri)).toMatch(
      /^\{"text":"\{\\"items\\":\[\{\\"id.*for the next part\."\]/,
    );
    // Another caller gets what the call returns for it.
    expect(await read("ben", link?.uri)).toMatch(/"get_pet was called again for it\."\]\}$/);
    expect(await read("ben", link?.uri.split("?")[0])).toMatch(/^There is no stored/);
  });

  test("are shown as far as they go without the store, and say so", async () => {
    const [context] = await processes(unreachable());
    const result = await callTool(context, tool, {});
    expect(result.isError ?? false).toBe(false);
    expect(textOf(result)).toContain(
      "Note: The full result could not be stored, because the store of this server cannot be reached.",
    );
    expect(await readResult(context, "result://get_pet/1")).toBe(
      "The store of this server cannot be reached, so that stored results cannot be read now.\n" +
        "Next: wait a few seconds, then call again.",
    );
  });
});

describe("a refresh token that can be used once", () => {
  afterEach(() => vi.resetModules());

  /** A token endpoint that accepts only the latest refresh token, and ends the sign-in otherwise. */
  async function rotatingEndpoint() {
    let current = "refresh-0";
    const server = await startTokenServer(({ form }, count) => {
      if (form["refresh_token"] !== current) {
        current = "";
        return { status: 400, body: { error: "invalid_grant" } };
      }
      current = `refresh-${count}`;
      const body = { access_token: `token-${count}`, token_type: "Bearer", expires_in: 3600 };
      return { body: { ...body, refresh_token: current } };
    });
    onTestFinished(() => server.close());
    return server;
  }

  /** A process: the modules have their own caches. */
  async function startProcess(tokenUrl: string, shared?: Store) {
    vi.resetModules();
    const types = await import("../../../src/runtime/store/types.js");
    const store = shared ?? unreachable(types.StoreUnavailable);
    const auth = await import("../../../src/runtime/auth/authenticate.js");
    const oauth = {
      kind: "oauth2",
      tokenEnv: "CLINIC_TOKEN",
      clientIdEnv: "CLINIC_ID",
      refreshTokenEnv: "CLINIC_REFRESH",
      tokenUrl,
    } as const;
    const env = { CLINIC_ID: "app", CLINIC_REFRESH: "refresh-0" };
    const context = { ...contextOf({ oauth }, env), store };
    const call = () => auth.authenticate(REQUEST, { security: [{ oauth: [] }] }, context);
    const tokenOf = (result: Awaited<ReturnType<typeof call>>): string | undefined =>
      result.ok ? new Map(result.request.headers).get("Authorization") : result.message;
    return {
      token: async () => tokenOf(await call()),
      rejected: async () => {
        const result = await call();
        if (result.ok) auth.invalidateToken(result.request);
      },
    };
  }

  test("serves all processes, also those that start later", async () => {
    const { url, requests } = await rotatingEndpoint();
    const store = createMemoryStore();
    const first = await startProcess(url, store);
    const second = await startProcess(url, store);
    expect(await Promise.all([first.token(), second.token()])).toEqual([
      "Bearer token-1",
      "Bearer token-1",
    ]);
    await second.rejected();
    expect(await second.token()).toBe("Bearer token-2");
    await first.rejected();
    expect(await first.token()).toBe("Bearer token-2");
    const third = await startProcess(url, store);
    expect(await third.token()).toBe("Bearer token-2");
    expect(requests.map(({ form }) => form["refresh_token"])).toEqual(["refresh-0", "refresh-1"]);
  });

  test("is not used without the store", async () => {
    const { url, requests } = await rotatingEndpoint();
    expect(await (await startProcess(url)).token()).toMatch(
      /^Not sent: the store with the refresh token cannot be reached by this server\. Try again/,
    );
    expect(requests).toEqual([]);
  });
});

describe("calls per minute of several processes", () => {
  const limits = { perMinute: 10 };

  /** Processes with one store, which callers call in turn. Returns the admitted calls of each. */
  async function admitted(
    store: Store,
    minutes: readonly Readonly<Record<string, number>>[],
  ): Promise<readonly Readonly<Record<string, number>>[]> {
    let now = 0;
    const create = () =>
      createSharedRateLimiter(
        store,
        limits,
        createRateLimiter(limits, () => now),
        () => now,
      );
    const processes = [create(), create(), create()];
    const counts: Record<string, number>[] = [];
    for (const calls of minutes) {
      const count: Record<string, number> = {};
      for (const [caller, times] of Object.entries(calls))
        for (let i = 0; i < times; i++)
          if (!(await processes[i % 3]!.take(caller))) count[caller] = (count[caller] ?? 0) + 1;
      counts.push(count);
      now += 60_000;
    }
    return counts;
  }

  test.each<readonly [string, readonly Record<string, number>[], readonly object[]]>([
    ["the limit counts all of them", [{ ann: 40 }], [{ ann: 10 }]],
    [
      "a later caller has its share of the next minute",
      [{ ann: 40, ben: 1 }, { ann: 40, ben: 8 }, { ann: 40 }, { ann: 40 }],
      [{ ann: 10 }, { ann: 5, ben: 5 }, { ann: 5 }, { ann: 10 }],
    ],
  ])("%s", async (_, minutes, want) =>
    expect(await admitted(createMemoryStore(), minutes)).toEqual(want),
  );

  test("each limits itself without the store", async () => {
    expect(await admitted(unreachable(), [{ ann: 60 }])).toEqual([{ ann: 30 }]);
  });

  test("the limit of a caller counts all of them", async () => {
    const store = createMemoryStore();
    const perCaller = { perMinute: 0, perMinuteOfCaller: 2 };
    const create = () =>
      createSharedRateLimiter(store, perCaller, createRateLimiter(perCaller), () => 15_000);
    const [first, second] = [create(), create()];
    expect([await first.take("ann"), await second.take("ann")]).toEqual([undefined, undefined]);
    expect(await first.take("ann")).toEqual({ perMinute: 2, isOfCaller: true, waitMs: 45_000 });
    expect(await second.take("ben")).toBeUndefined();
  });
});
