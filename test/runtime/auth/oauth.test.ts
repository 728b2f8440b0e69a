import { afterEach, describe, expect, test } from "vitest";
import type { SecuritySchemeDefinition } from "../../../src/runtime/security-schemes.js";
import { authenticate, invalidateToken } from "../../../src/runtime/auth/authenticate.js";
import type { AuthOptions } from "../../../src/runtime/auth/types.js";
import type { AuthResult, Env } from "../../../src/runtime/request/types.js";
import { call as callTool, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";
import { REQUEST, contextOf } from "./context.js";
import {
  type Reply,
  type TokenRequest,
  type TokenServer,
  startTokenServer,
} from "./token-server.js";

const CLIENT: Env = { CLINIC_ID: "id:1", CLINIC_SECRET: "hunter2 +é" };
const PUBLIC: Env = { CLINIC_ID: "app", CLINIC_REFRESH: "refresh-0" };
const servers: TokenServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function start(
  answer?: (request: TokenRequest, count: number) => Reply | Promise<Reply>,
): Promise<TokenServer> {
  const server = await startTokenServer(answer);
  servers.push(server);
  return server;
}

function call(
  tokenUrl: string,
  env: Env = CLIENT,
  scopes: readonly string[] = ["pets:read"],
  options?: AuthOptions,
): Promise<AuthResult> {
  const oauth: SecuritySchemeDefinition = {
    kind: "oauth2",
    tokenEnv: "CLINIC_TOKEN",
    clientIdEnv: "CLINIC_ID",
    clientSecretEnv: "CLINIC_SECRET",
    refreshTokenEnv: "CLINIC_REFRESH",
    tokenUrl,
    scopes: ["default"],
  };
  return authenticate(
    REQUEST,
    { security: [{ oauth: scopes }] },
    contextOf({ oauth }, env),
    options,
  );
}

const bearerOf = (result: AuthResult): string | undefined =>
  result.ok
    ? result.request.headers.find(([name]) => name === "Authorization")?.[1]
    : result.message;

describe("client credentials", () => {
  test("the token request uses Basic with form-encoded credentials and the scopes of the operation (RFC 6749)", async () => {
    const server = await start();
    const result = await call(server.url);
    expect(bearerOf(result)).toBe("Bearer token-1");
    expect(server.requests).toEqual([
      {
        authorization: `Basic ${btoa("id%3A1:hunter2%20%2B%C3%A9")}`,
        form: { grant_type: "client_credentials", scope: "pets:read" },
      },
    ]);
    expect(result.ok && result.secrets).toEqual(expect.arrayContaining(["token-1", "hunter2 +é"]));
  });
  test("a token is requested once for all calls with the same scopes", async () => {
    const server = await start();
    const results = await Promise.all([1, 2, 3, 4].map(() => call(server.url)));
    expect(new Set([...results, await call(server.url)].map(bearerOf))).toEqual(
      new Set(["Bearer token-1"]),
    );
    expect(bearerOf(await call(server.url, CLIENT, []))).toBe("Bearer token-2");
    expect(server.requests.map(({ form }) => form["scope"])).toEqual(["pets:read", "default"]);
  });
  test("other credentials get another token", async () => {
    const server = await start();
    await call(server.url);
    expect(bearerOf(await call(server.url, { ...CLIENT, CLINIC_SECRET: "other" }))).toBe(
      "Bearer token-2",
    );
  });
  test("an expired token is requested again", async () => {
    const server = await start((_, count) => ({
      body: { access_token: `short-${count}`, expires_in: 0.002 },
    }));
    expect(bearerOf(await call(server.url))).toBe("Bearer short-1");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bearerOf(await call(server.url))).toBe("Bearer short-2");
  });
  test.each([[undefined], ["3600"], [0], ["soon"], [null]])(
    "expires_in %j: the token is kept",
    async (lifetime) => {
      const server = await start((_, count) => ({
        body: { access_token: `t-${count}`, expires_in: lifetime },
      }));
      await call(server.url);
      expect(bearerOf(await call(server.url))).toBe("Bearer t-1");
    },
  );
  test("only the rejected token is invalidated", async () => {
    const server = await start();
    const first = await call(server.url);
    expect(invalidateToken(REQUEST)).toBe(false);
    expect(first.ok && invalidateToken(first.request)).toBe(true);
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
    expect(first.ok && invalidateToken(first.request), "a concurrent call").toBe(true);
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
  });
  test("a server that rejects Basic receives the secret in the form", async () => {
    const server = await start(({ form }) =>
      form["client_secret"] === undefined ? { status: 401, body: { error: "invalid_client" } } : {},
    );
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
    expect(server.requests[1]).toEqual({
      authorization: undefined,
      form: {
        grant_type: "client_credentials",
        scope: "pets:read",
        client_id: "id:1",
        client_secret: "hunter2 +é",
      },
    });
  });
});

describe("refresh tokens", () => {
  test("of a public client", async () => {
    const server = await start();
    expect(bearerOf(await call(server.url, PUBLIC))).toBe("Bearer token-1");
    expect(server.requests).toEqual([
      {
        authorization: undefined,
        form: { grant_type: "refresh_token", refresh_token: "refresh-0", client_id: "app" },
      },
    ]);
  });
  test("of a confidential client, whatever the scopes", async () => {
    const server = await start();
    await call(server.url, { ...PUBLIC, CLINIC_SECRET: "s3cret" });
    await call(server.url, { ...PUBLIC, CLINIC_SECRET: "s3cret" }, ["other"]);
    expect(server.requests).toEqual([
      {
        authorization: `Basic ${btoa("app:s3cret")}`,
        form: { grant_type: "refresh_token", refresh_token: "refresh-0" },
      },
    ]);
  });
  test("a rotated refresh token replaces the configured one", async () => {
    const server = await start((_, count) => ({
      body: { access_token: `rotating-${count}`, refresh_token: `refresh-${count}` },
    }));
    for (const _ of [1, 2, 3]) {
      const result = await call(server.url, PUBLIC);
      if (result.ok) invalidateToken(result.request);
    }
    expect(server.requests.map(({ form }) => form["refresh_token"])).toEqual([
      "refresh-0",
      "refresh-1",
      "refresh-2",
    ]);
  });
});

describe("failures have advice, no secrets, and are not cached", () => {
  test.each<readonly [string, Reply, string]>([
    [
      "refused",
      { status: 401, body: { error: "invalid_client", error_description: "hunter2" } },
      "(401 invalid_client). Correct it",
    ],
    [
      "bad scope",
      { status: 400, body: { error: "invalid_scope" } },
      "(400 invalid_scope). Correct it",
    ],
    [
      "an error that is text",
      { status: 400, body: { error: "hunter2 is wrong" } },
      "(400). Correct it",
    ],
    ["no JSON", { status: 200, body: "<html>hunter2" }, "(200). Correct it"],
    ["JSON, no object", { status: 200, body: "null" }, "(200). Correct it"],
    ["no token", { status: 200, body: { access_token: 5 } }, "(200). Correct it"],
    [
      "a redirect, which is not followed",
      { status: 302, headers: { location: "/elsewhere" }, body: {} },
      "(302). Correct it",
    ],
    [
      "an endless answer",
      { status: 200, body: { access_token: "x".repeat(200_000) } },
      "(200). Correct it",
    ],
    ["busy", { status: 503, body: {} }, "responded with 503. Try again"],
    ["rate limited", { status: 429, body: {} }, "responded with 429. Try again"],
    ["closed", { reset: true }, "no response came from the token endpoint at 127.0.0.1"],
    [
      "a token that no header can carry",
      { body: { access_token: "hunter2\n" } },
      "(200). Correct it",
    ],
  ])("%s", async (_, reply, words) => {
    const server = await start((_request, count) => (count <= 2 ? reply : {}));
    const result = await call(server.url);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(words) });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|id:1/);
  });
  test("the next call sends a new token request", async () => {
    const server = await start((_, count) => (count === 1 ? { status: 500 } : {}));
    expect((await call(server.url)).ok).toBe(false);
    expect(bearerOf(await call(server.url))).toBe("Bearer token-2");
  });
  test.each([
    "http://auth.example.com/token",
    "http://127.0.0.1.evil.test/",
    "ftp://x.test/",
    "/token",
    "",
    "file:///etc/passwd",
  ])("%s: secrets do not go there", async (url) => {
    const fetched: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (target) => {
      fetched.push(target);
      return new Response("{}");
    };
    expect(await call(url, CLIENT, [], { fetch })).toMatchObject({
      ok: false,
      message: expect.stringContaining("token URL"),
    });
    expect(fetched).toEqual([]);
  });
});

test("tokens are requested by the client of the platform, which knows the proxies", async () => {
  const asked: string[] = [];
  const send: typeof fetch = async (target) => {
    asked.push(String(target));
    return Response.json({ access_token: "by-platform" });
  };
  const oauth = {
    kind: "oauth2",
    tokenEnv: "CLINIC_TOKEN",
    clientIdEnv: "CLINIC_ID",
    clientSecretEnv: "CLINIC_SECRET",
    tokenUrl: "https://id.test/token",
  } as const;
  const context = { ...contextOf({ oauth }, CLIENT), platform: { fetch: send } };
  const result = await authenticate(REQUEST, { security: [{ oauth: [] }] }, context);
  expect(bearerOf(result)).toBe("Bearer by-platform");
  expect(asked).toEqual(["https://id.test/token"]);
});

test("cancelling one call does not cancel a shared token request", async () => {
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
  await expect(call(server.url, CLIENT, ["held"], { signal: controller.signal })).rejects.toThrow(
    "enough",
  );
});

describe("the token endpoint", () => {
  type OAuth = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;
  const at = (scheme: Partial<OAuth>, env: Env): Promise<AuthResult> => {
    const oauth: OAuth = {
      kind: "oauth2",
      tokenEnv: "CLINIC_TOKEN",
      clientIdEnv: "CLINIC_ID",
      clientSecretEnv: "CLINIC_SECRET",
      tokenUrlEnv: "CLINIC_TOKEN_URL",
      tokenParametersEnv: "CLINIC_TOKEN_PARAMETERS",
      ...scheme,
    };
    return authenticate(
      REQUEST,
      { security: [{ oauth: [] }] },
      contextOf({ oauth }, { ...CLIENT, ...env }),
    );
  };

  test.each([
    ["/token", "/api/v1"],
    ["token", ""],
    ["../token", "/api/v1"],
  ])("%s is found from the base URL of the API, here ending in %j", async (tokenUrl, path) => {
    const server = await start();
    const { origin } = new URL(server.url);
    await at({ tokenUrl }, { CLINIC_BASE_URL: `${origin}${path}` });
    expect(server.paths).toEqual([new URL(tokenUrl, `${origin}${path}/`).pathname]);
  });

  test("a configured endpoint takes precedence over that of the document", async () => {
    const server = await start();
    expect(
      bearerOf(
        await at({ tokenUrl: "https://id.example/token" }, { CLINIC_TOKEN_URL: server.url }),
      ),
    ).toBe("Bearer token-1");
  });

  test("an unknown endpoint is a problem", async () => {
    expect(await at({ tokenUrl: "/token" }, {})).toMatchObject({
      ok: false,
      message: expect.stringContaining("token URL"),
    });
  });

  test("configured parameters are sent, but cannot change the grant", async () => {
    const server = await start();
    await at(
      { tokenUrl: server.url },
      { CLINIC_TOKEN_PARAMETERS: "audience=https%3A%2F%2Fapi.example.com&grant_type=password" },
    );
    expect(server.requests[0]?.form).toEqual({
      audience: "https://api.example.com",
      grant_type: "client_credentials",
    });
  });

  test("the endpoint is read once from OpenID Connect metadata", async () => {
    const server = await start((_, count) => ({
      body: { access_token: `oidc-${count}`, token_endpoint: server.url },
    }));
    const discoveryUrl = `${new URL(server.url).origin}/.well-known/openid-configuration`;
    for (const _ of [1, 2]) {
      const result = await at({ discoveryUrl }, {});
      if (result.ok) invalidateToken(result.request);
    }
    expect(server.paths).toEqual(["/.well-known/openid-configuration", "/token", "/token"]);
  });

  test.each<readonly [string, Reply]>([
    ["elsewhere over plain HTTP", { body: { token_endpoint: "http://id.example/token" } }],
    ["nowhere", { body: {} }],
    ["in a page", { body: "<html>" }],
    ["beyond a redirect", { status: 302, headers: { location: "/elsewhere" }, body: {} }],
    ["in a failure", { status: 500, body: { token_endpoint: "https://id.example/token" } }],
  ])("that metadata name %s is none", async (_, metadata) => {
    const server = await start(() => metadata);
    expect(await at({ discoveryUrl: `${server.url}/metadata` }, {})).toMatchObject({
      ok: false,
      message: expect.stringMatching(/does not publish its token endpoint\. Try again/),
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("calls with obtained tokens", () => {
  const tool = toolOf({ send: { security: [{ oauth: [] }] } });
  const oauth: SecuritySchemeDefinition = {
    kind: "oauth2",
    tokenEnv: "CLINIC_TOKEN",
    clientIdEnv: "CLINIC_ID",
    clientSecretEnv: "CLINIC_SECRET",
    tokenUrl: "/token",
  };
  const env = (
    upstream: { readonly url: string },
    server: TokenServer,
  ): Record<string, string> => ({
    CLINIC_BASE_URL: upstream.url,
    CLINIC_TOKEN_URL: server.url,
    CLINIC_ID: "calls",
    CLINIC_SECRET: `secret-of-${server.url}`,
  });
  const scheme = { ...oauth, tokenUrlEnv: "CLINIC_TOKEN_URL" };

  test("concurrent calls share one token request", async () => {
    const server = await start();
    const upstream = await startUpstream(reply(200, { id: 1 }));
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        callTool(tool, {}, { env: env(upstream, server), schemes: { oauth: scheme } }),
      ),
    );
    expect(results.map(({ isError = false }) => isError)).toEqual(results.map(() => false));
    expect(server.requests).toHaveLength(1);
    expect(new Set(upstream.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer token-1"]),
    );
    await upstream.close();
  });

  test("a rejected token is renewed once", async () => {
    const server = await start();
    const upstream = await startUpstream((response, request, count) =>
      reply(request.headers.authorization === "Bearer token-1" ? 401 : 200, { id: 1 })(
        response,
        request,
        count,
      ),
    );
    expect(
      (await callTool(tool, {}, { env: env(upstream, server), schemes: { oauth: scheme } }))
        .isError,
    ).toBeUndefined();
    expect([server.requests.length, upstream.requests.length]).toEqual([2, 2]);
    await upstream.close();
  });

  test.each<readonly [string, string | undefined, number]>([
    ["GET", undefined, 2],
    ["PUT", "Bearer", 2],
    ["POST", 'Bearer realm="pets", error="invalid_token"', 2],
    ["PATCH", "Bearer error=invalid_token, error_description=expired", 2],
    ["POST", undefined, 1],
    ["POST", 'Bearer realm="pets"', 1],
    ["PATCH", 'Bearer error="insufficient_scope"', 1],
    ["POST", 'Bearer x-error="invalid_token_type"', 1],
  ])("%s after 401 with %s is sent %d times", async (method, challenge, want) => {
    const server = await start();
    const headers: Record<string, string> = challenge ? { "www-authenticate": challenge } : {};
    const upstream = await startUpstream((response, request, count) =>
      reply(count === 0 ? 401 : 200, { id: 1 }, headers)(response, request, count),
    );
    const sketch = { env: env(upstream, server), schemes: { oauth: scheme } };
    const secured = toolOf({ send: { method, security: [{ oauth: [] }] } });
    const result = await callTool(secured, {}, sketch);
    expect([upstream.requests.length, result.isError === true]).toEqual([want, want === 1]);
    if (want === 1) {
      expect(textOf(result)).toContain("If it has not, call get_pet once more: a new token");
      expect((await callTool(secured, {}, sketch)).isError).toBeUndefined();
    }
    expect(server.requests).toHaveLength(2);
    await upstream.close();
  });

  test("the call fails when the API rejects the new token", async () => {
    const server = await start();
    const upstream = await startUpstream(reply(401, { message: "no" }));
    const result = await callTool(
      tool,
      {},
      { env: env(upstream, server), schemes: { oauth: scheme } },
    );
    expect(textOf(result)).toContain("401 Unauthorized");
    expect([server.requests.length, upstream.requests.length]).toEqual([2, 2]);
    await upstream.close();
  });

  test.each<readonly [string, Reply, string]>([
    [
      "refuses",
      { status: 401, body: { error: "invalid_client" } },
      "Not sent: CLINIC_ID or CLINIC_SECRET received no access token from 127.0.0.1",
    ],
    ["is down", { reset: true }, "Not sent: no response came from the token endpoint at 127.0.0.1"],
    ["is busy", { status: 503 }, "responded with 503. Try again in a minute"],
  ])(
    "say what to do when the token endpoint %s, and nothing reaches the API",
    async (_, answer, words) => {
      const server = await start(() => answer);
      const upstream = await startUpstream(reply(200, { id: 1 }));
      const result = await callTool(
        tool,
        {},
        { env: env(upstream, server), schemes: { oauth: scheme } },
      );
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(words)]);
      expect(textOf(result)).not.toContain("secret-of");
      expect(upstream.requests).toEqual([]);
      await upstream.close();
    },
  );
});
