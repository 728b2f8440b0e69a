import { afterEach, describe, expect, test } from "vitest";
import { authenticate, forgetToken, type AuthOptions } from "../../../src/runtime/auth/index.js";
import type { AuthResult, Env } from "../../../src/runtime/bind/types.js";
import type { SecuritySchemeDefinition } from "../../../src/runtime/types.js";
import { contextOf, REQUEST } from "./context.js";
import { startTokenServer, type Reply, type TokenRequest, type TokenServer } from "./token-server.js";

const CLIENT: Env = { CLINIC_ID: "id:1", CLINIC_SECRET: "hunter2 +é" };
const PUBLIC: Env = { CLINIC_ID: "app", CLINIC_REFRESH: "refresh-0" };
const servers: TokenServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function start(answer?: (request: TokenRequest, count: number) => Reply | Promise<Reply>): Promise<TokenServer> {
  const server = await startTokenServer(answer);
  servers.push(server);
  return server;
}

function call(tokenUrl: string, env: Env = CLIENT, scopes: readonly string[] = ["pets:read"], options?: AuthOptions): Promise<AuthResult> {
  const oauth: SecuritySchemeDefinition = {
    kind: "oauth2",
    tokenEnv: "CLINIC_TOKEN",
    clientIdEnv: "CLINIC_ID",
    clientSecretEnv: "CLINIC_SECRET",
    refreshTokenEnv: "CLINIC_REFRESH",
    tokenUrl,
    scopes: ["default"],
  };
  return authenticate(REQUEST, { security: [{ oauth: scopes }] }, contextOf({ oauth }, env), options);
}

const bearerOf = (result: AuthResult): string | undefined => (result.ok ? result.request.headers.find(([name]) => name === "Authorization")?.[1] : result.message);

describe("client credentials", () => {
  test("asks as RFC 6749 says: Basic with form-encoded halves, and the scopes of the operation", async () => {
    const server = await start();
    const result = await call(server.url);
    expect(bearerOf(result)).toBe("Bearer token-1");
    expect(server.requests).toEqual([{ authorization: `Basic ${btoa("id%3A1:hunter2%20%2B%C3%A9")}`, form: { grant_type: "client_credentials", scope: "pets:read" } }]);
    expect(result.ok && result.secrets).toEqual(expect.arrayContaining(["token-1", "hunter2 +é"]));
  });
  test("asks once for concurrent and later calls, and again for other scopes", async () => {
    const server = await start();
    const results = await Promise.all([1, 2, 3, 4].map(() => call(server.url)));
    expect(new Set([...results, await call(server.url)].map(bearerOf))).toEqual(new Set(["Bearer token-1"]));
    expect(bearerOf(await call(server.url, CLIENT, []))).toBe("Bearer token-2");
    expect(server.requests.map(({ form }) => form["scope"])).toEqual(["pets:read", "default"]);
  });
  test("other credentials get a token of their own", async () => {
    const server = await start();
    await call(server.url);
    expect(bearerOf(await call(server.url, { ...CLIENT, CLINIC_SECRET: "other" }))).toBe("Bearer token-2");
  });
  test("a token that has expired is asked for again", async () => {
    const server = await start((_, count) => ({ body: { access_token: `short-${count}`, expires_in: 0.002 } }));
    expect(bearerOf(await call(server.url))).toBe("Bearer short-1");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bearerOf(await call(server.url))).toBe("Bearer short-2");
  });
  test.each([[undefined], ["3600"], [0], ["soon"], [null]])("expires_in %j: the token is kept", async (lifetime) => {
    const server = await start((_, count) => ({ body: { access_token: `t-${count}`, expires_in: lifetime } }));
    await call(server.url);
    expect(bearerOf(await call(server.url))).toBe("Bearer t-1");
  });
  test("a token that the API refuses is dropped, and only that", async () => {
    const server = await start();
    const first = await call(server.url);
    expect(forgetToken(REQUEST)).toBe(false);
    expect(first.ok && forgetToken(first.request)).toBe(true);
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
    expect(first.ok && forgetToken(first.request)).toBe(false);
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
  });
  test("a server that refuses Basic gets the secret in the form", async () => {
    const server = await start(({ form }) => (form["client_secret"] === undefined ? { status: 401, body: { error: "invalid_client" } } : {}));
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
    expect(server.requests[1]).toEqual({ authorization: undefined, form: { grant_type: "client_credentials", scope: "pets:read", client_id: "id:1", client_secret: "hunter2 +é" } });
  });
});

describe("refresh tokens", () => {
  test("of a public client", async () => {
    const server = await start();
    expect(bearerOf(await call(server.url, PUBLIC))).toBe("Bearer token-1");
    expect(server.requests).toEqual([{ authorization: undefined, form: { grant_type: "refresh_token", refresh_token: "refresh-0", client_id: "app" } }]);
  });
  test("of a confidential client, whatever the scopes", async () => {
    const server = await start();
    await call(server.url, { ...PUBLIC, CLINIC_SECRET: "s3cret" });
    await call(server.url, { ...PUBLIC, CLINIC_SECRET: "s3cret" }, ["other"]);
    expect(server.requests).toEqual([{ authorization: `Basic ${btoa("app:s3cret")}`, form: { grant_type: "refresh_token", refresh_token: "refresh-0" } }]);
  });
  test("a new one replaces the configured one", async () => {
    const server = await start((_, count) => ({ body: { access_token: `rotating-${count}`, refresh_token: `refresh-${count}` } }));
    for (const _ of [1, 2, 3]) {
      const result = await call(server.url, PUBLIC);
      if (result.ok) forgetToken(result.request);
    }
    expect(server.requests.map(({ form }) => form["refresh_token"])).toEqual(["refresh-0", "refresh-1", "refresh-2"]);
  });
});

describe("failures say what to do, without secrets, and are not kept", () => {
  test.each<readonly [string, Reply, string]>([
    ["refused", { status: 401, body: { error: "invalid_client", error_description: "hunter2" } }, "(401 invalid_client). Correct it"],
    ["bad scope", { status: 400, body: { error: "invalid_scope" } }, "(400 invalid_scope). Correct it"],
    ["an error that is text", { status: 400, body: { error: "hunter2 is wrong" } }, "(400). Correct it"],
    ["no JSON", { status: 200, body: "<html>hunter2" }, "(200). Correct it"],
    ["JSON, no object", { status: 200, body: "null" }, "(200). Correct it"],
    ["no token", { status: 200, body: { access_token: 5 } }, "(200). Correct it"],
    ["a redirect, which is not followed", { status: 302, headers: { location: "/elsewhere" }, body: {} }, "(302). Correct it"],
    ["an endless answer", { status: 200, body: { access_token: "x".repeat(200_000) } }, "(200). Correct it"],
    ["busy", { status: 503, body: {} }, "answered 503. Try again"],
    ["rate limited", { status: 429, body: {} }, "answered 429. Try again"],
    ["closed", { reset: true }, "no answer came from the token endpoint at 127.0.0.1"],
    ["a token that no header can carry", { body: { access_token: "hunter2\n" } }, "(200). Correct it"],
  ])("%s", async (_, reply, words) => {
    const server = await start((_request, count) => (count <= 2 ? reply : {}));
    const result = await call(server.url);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(words) });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|id:1/);
  });
  test("the next call asks again", async () => {
    const server = await start((_, count) => (count === 1 ? { status: 500 } : {}));
    expect((await call(server.url)).ok).toBe(false);
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
  });
  test.each(["http://auth.example.com/token", "http://127.0.0.1.evil.test/", "ftp://x.test/", "/token", "", "file:///etc/passwd"])("%s: secrets do not go there", async (url) => {
    const fetched: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (target) => {
      fetched.push(target);
      return new Response("{}");
    };
    expect(await call(url, CLIENT, [], { fetch })).toMatchObject({ ok: false, message: expect.stringContaining("token URL") });
    expect(fetched).toEqual([]);
  });
});

test("cancelling one call leaves the request to the others", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const server = await start(async () => {
    await held;
    return {};
  });
  const controller = new AbortController();
  const cancelled = call(server.url, CLIENT, ["held"], { signal: controller.signal });
  const other = call(server.url, CLIENT, ["held"]);
  controller.abort(new Error("enough"));
  await expect(cancelled).rejects.toThrow("enough");
  release();
  expect(bearerOf(await other)).toBe("Bearer token-1");
  expect(server.requests).toHaveLength(1);
  await expect(call(server.url, CLIENT, ["held"], { signal: controller.signal })).rejects.toThrow("enough");
});
