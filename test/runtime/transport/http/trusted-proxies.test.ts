/** The name of a caller in a header counts only from a trusted proxy. */
import { describe, expect, test } from "vitest";
import { fetchHandler } from "../../../../src/runtime/index.js";
import { serveHttp } from "../../../../src/runtime/transport/http/serve-http.js";
import { readTrustedProxies } from "../../../../src/runtime/transport/http/trusted-proxies.js";
import { send } from "../../../hostile/support/http.js";
import { api, createTestContext } from "../../support/clinic.js";
import { fixtureServers } from "../../support/servers.js";

const CALLER = { CLINIC_CALLER_HEADER: "X-Forwarded-User" };

test.each<[proxies: readonly string[], address: string, isTrusted: boolean]>([
  [["10.0.0.0/8"], "10.1.2.3", true],
  [["10.0.0.0/8"], "::ffff:10.1.2.3", true],
  [["10.0.0.0/8"], "11.1.2.3", false],
  [["10.1.2.3"], "10.1.2.3", true],
  [["10.1.2.3"], "10.1.2.4", false],
  [["fd00::/8", "10.1.2.3"], "fd12::1", true],
  [["fd00::/8"], "fe80::1%eth0", false],
  [["fe80::/10"], "fe80::1%eth0", true],
  [["10.0.0.0/8"], "", false],
  [["10.0.0.0/8"], "a name", false],
  [[], "127.0.0.1", true],
  [[], "::ffff:127.0.0.1", true],
  [[], "::1", true],
  [[], "10.1.2.3", false],
  [["10.0.0.0/8"], "127.0.0.1", false],
])("a proxy of %j at %j", async (trustedProxies, address, isTrusted) => {
  const result = await readTrustedProxies({ trustedProxies }, "CLINIC", true);
  expect(result.ok && result.isTrustedProxy(address)).toBe(isTrusted);
});

test.each(["10.0.0.300", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "proxy", "::1/129", "1e1"])(
  "%s is not an address",
  async (text) => {
    const env = { CLINIC_TRUSTED_PROXIES: `127.0.0.1,${text}` };
    const started = await serveHttp(createTestContext([], env), {
      host: "127.0.0.1",
      port: 0,
      allowUnauthenticated: false,
    });
    expect(started).toEqual({
      ok: false,
      problem: `CLINIC_TRUSTED_PROXIES: "${text}" is not an IP address or a network, such as 10.0.0.0/8.`,
    });
  },
);

describe("a server that names its callers by a header", () => {
  const servers = fixtureServers();
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_pet", arguments: { pet_id: "1" } },
  };

  test.each([
    ["", "ann"],
    ["127.0.0.0/8", "ann"],
    ["10.0.0.0/8", "127.0.0.1"],
  ])("and trusts %j takes a caller of this machine for %s", async (proxies, want) => {
    const env = { LOG_LEVEL: "info", CLINIC_LOG_CALLERS: "name", CLINIC_TRUSTED_PROXIES: proxies };
    const { url, server } = await servers.serving({ ...CALLER, ...env });
    await send(url, { body: call, headers: { "x-forwarded-user": "ann" } });
    const callers = (): readonly string[] =>
      [...server.stderr().matchAll(/"caller":"([^"]*)"/g)].map(([, caller = ""]) => caller);
    await expect.poll(callers).toEqual([want]);
  });

  test("refuses one that is sent twice", async () => {
    const { url } = await servers.serving(CALLER);
    const headers = { "x-forwarded-user": ["ann", "bob"] as unknown as string };
    const { status, body } = await send(url, { body: call, headers });
    expect([status, body]).toEqual([
      400,
      expect.stringContaining("x-forwarded-user is sent twice") as string,
    ]);
  });

  test("does not start for other machines without trusted proxies", async () => {
    const options = { host: "0.0.0.0", port: 0, allowUnauthenticated: true };
    expect(await serveHttp(createTestContext([], CALLER), options)).toEqual({
      ok: false,
      problem:
        "Refusing to serve other machines: every client could send the header of CLINIC_CALLER_HEADER. " +
        "Set CLINIC_TRUSTED_PROXIES to the addresses or networks of the proxy that sets it, such as 10.0.0.0/8.",
    });
  });

  test("is not a handler inside another server, which sees no addresses", () => {
    const env = { ...CALLER, CLINIC_ALLOW_UNAUTHENTICATED: "1" };
    expect(() => fetchHandler({ api, tools: [], env })).toThrow(
      "CLINIC_CALLER_HEADER needs a server that knows the address of the proxy",
    );
  });
});
