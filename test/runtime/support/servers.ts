import { afterAll, afterEach, beforeAll } from "vitest";
import {
  bundleFixture,
  type Fixture,
  initialize,
  listening,
  startProcess,
  type StdioProcess,
} from "./fixture.js";
import { type Answer, reply, startUpstream, type Upstream } from "./upstream.js";

type Env = Readonly<Record<string, string>>;

/** The fixture server, as often as the tests of a file want it, and the API behind it. */
export interface Servers {
  readonly upstream: Pick<Upstream, "url" | "requests" | "open">;
  /** Response of the API until the end of the test; `{id: 1}` by default. */
  answer: Answer;
  start(env?: Env, args?: readonly string[]): StdioProcess;
  /** Starts one, and opens a session over stdio. */
  connected(env?: Env, args?: readonly string[]): Promise<StdioProcess>;
  /** Starts one for HTTP on a free port. */
  serving(
    env?: Env,
    ...args: readonly string[]
  ): Promise<{ readonly url: URL; readonly server: StdioProcess }>;
  /** One for HTTP that serves all tests which want the same, until the end of the file. */
  shared(env?: Env): Promise<URL>;
}

/**
 * To be called once in a file of tests. Servers end with the test that started them, everything
 * else with the file.
 */
export function fixtureServers(common: Env = {}): Servers {
  let fixture: Fixture;
  let api: Upstream;
  const running: StdioProcess[] = [];
  const lasting = new Map<string, StdioProcess>();
  const usual = reply(200, { id: 1 });
  beforeAll(async () => {
    [fixture, api] = await Promise.all([
      bundleFixture(),
      startUpstream((response, request, count) => servers.answer(response, request, count)),
    ]);
  });
  afterEach(() => {
    servers.answer = usual;
    for (const { child } of running.splice(0)) child.kill("SIGKILL");
  });
  afterAll(() => {
    for (const { child } of lasting.values()) child.kill("SIGKILL");
    return Promise.all([fixture.remove(), api.close()]);
  });

  const launch = (env: Env = {}, args: readonly string[] = []): StdioProcess =>
    startProcess(fixture.file, { CLINIC_BASE_URL: api.url, ...common, ...env }, args);
  const start: Servers["start"] = (env, args) => {
    const server = launch(env, args);
    running.push(server);
    return server;
  };
  const servers: Servers = {
    answer: usual,
    upstream: {
      get url() {
        return api.url;
      },
      get requests() {
        return api.requests;
      },
      open: () => api.open(),
    },
    start,
    async connected(env, args) {
      const server = start(env, args);
      await initialize(server);
      return server;
    },
    async serving(env, ...args) {
      const server = start(env, ["--http", "--port", "0", ...args]);
      return { server, url: await listening(server) };
    },
    shared(env = {}) {
      const key = JSON.stringify(env);
      const server = lasting.get(key) ?? launch(env, ["--http", "--port", "0"]);
      lasting.set(key, server);
      return listening(server);
    },
  };
  return servers;
}
