import { generateKeyPair, type JWTPayload, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Platform } from "../../../../src/runtime/auth/types.js";
import { fetchHandler } from "../../../../src/runtime/index.js";
import { api, toolOf } from "../../support/clinic.js";
import { audience, type Issuer, startIssuer } from "./issuer.js";

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const metadataUrl = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
const now = Math.floor(Date.now() / 1000);

let issuer: Issuer;
beforeAll(async () => void (issuer = await startIssuer()));
afterAll(() => issuer.close());

type Handler = (request: Request) => Promise<Response>;

function serverOf(env: Record<string, string> = {}, platform: Platform = {}): Handler {
  return fetchHandler({
    api,
    platform,
    tools: [toolOf({})],
    write: () => {},
    env: {
      CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
      CLINIC_HTTP_PUBLIC_URL: audience,
      CLINIC_HTTP_OAUTH_SCOPES: "pets:read",
      LOG_LEVEL: "silent",
      ...env,
    },
  });
}

test("keys are requested by the client of the platform, which knows the proxies", async () => {
  const asked: string[] = [];
  const send: typeof fetch = (target, init) => {
    asked.push(String(target));
    return fetch(target, init);
  };
  const handler = serverOf({}, { fetch: send });
  expect((await handler(list(await issuer.token()))).status).toBe(200);
  expect(asked).toEqual([
    `${issuer.url}/.well-known/oauth-authorization-server`,
    `${issuer.url}/keys`,
  ]);
});

function list(token?: string, url = "https://mcp.example.com/mcp"): Request {
  const headers = { ...json, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return new Request(url, {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
}

async function told(response: Response): Promise<string> {
  return `${response.status} ${response.headers.get("www-authenticate") ?? ""}`.trim();
}

describe("tokens", () => {
  test.each<readonly [string, JWTPayload, number]>([
    ["a good one", {}, 200],
    ["one for several resources", { aud: ["https://other.example.com", audience] }, 200],
    ["scopes as a list", { scope: undefined, scp: ["pets:read"] }, 200],
    ["a clock that is a little ahead", { nbf: now + 10 }, 200],
    ["expired", { exp: now - 60 }, 401],
    ["without an end", { exp: undefined }, 401],
    ["not valid yet", { nbf: now + 600 }, 401],
    ["of another issuer", { iss: "https://evil.test" }, 401],
    ["without an issuer", { iss: undefined }, 401],
    ["for another resource", { aud: "https://api.example.com" }, 401],
    ["for a resource that begins like this one", { aud: `${audience}/other` }, 401],
    ["for no resource", { aud: undefined }, 401],
    ["without the scope", { scope: "pets:write" }, 403],
    ["with a scope that begins like it", { scope: "pets:read2" }, 403],
    ["without any scope", { scope: undefined }, 403],
  ])("%s", async (_, claims, status) => {
    const response = await serverOf()(list(await issuer.token(claims)));
    const error = status === 401 ? "invalid_token" : "insufficient_scope";
    expect(response.status).toBe(status);
    if (status === 200) expect(await response.text()).toContain('"name":"get_pet"');
    else
      expect(await told(response)).toMatch(
        new RegExp(
          `^${status} Bearer error="${error}", error_description="[^"]+", scope="pets:read", resource_metadata="${metadataUrl}"$`,
        ),
      );
  });

  const forgeries: readonly (readonly [string, () => string | Promise<string>])[] = [
    [
      "no signature",
      () =>
        new UnsecuredJWT({
          iss: issuer.url,
          aud: audience,
          scope: "pets:read",
          exp: now + 600,
        }).encode(),
    ],
    [
      "a secret instead of a key",
      () => issuer.token({}, { alg: "HS256", key: new TextEncoder().encode("x".repeat(32)) }),
    ],
    [
      "the key of somebody else",
      async () => issuer.token({}, { key: (await generateKeyPair("ES256")).privateKey }),
    ],
    ["an unknown key", () => issuer.token({}, { kid: "key-0" })],
    [
      "another payload under a good signature",
      async () =>
        (await issuer.token()).replace(/\.[^.]+\./, `.${btoa(JSON.stringify({ sub: "root" }))}.`),
    ],
    ["no JWT", () => "opaque"],
    ["nothing but dots", () => ".."],
    ["too long", () => "x".repeat(20_000)],
  ];
  test.each(forgeries)("%s is rejected", async (_, forge) => {
    expect(await told(await serverOf()(list(await forge())))).toContain(
      '401 Bearer error="invalid_token"',
    );
  });

  test("a missing token is rejected with the metadata URL and without an error code", async () => {
    expect(await told(await serverOf()(list()))).toBe(
      `401 Bearer scope="pets:read", resource_metadata="${metadataUrl}"`,
    );
  });

  test("tokens in the query are ignored", async () => {
    expect(
      (
        await serverOf()(
          list(undefined, `https://mcp.example.com/mcp?access_token=${await issuer.token()}`),
        )
      ).status,
    ).toBe(401);
  });

  test("static tokens are accepted, too", async () => {
    const handle = serverOf({ CLINIC_HTTP_TOKEN: "first-token-4c1e9b, second-token-4c1e" });
    expect((await handle(list("second-token-4c1e"))).status).toBe(200);
    expect((await handle(list("third-token"))).status).toBe(401);
    expect((await handle(list(await issuer.token()))).status).toBe(200);
  });

  test.each([
    ["pets:read owners:read", 200],
    ["pets:write owners:read", 200],
    ["pets owners:read", 200],
    ["pets:write", 403],
    ["owners:read", 403],
  ])("a broader scope does for a narrower one, as the owner says: %s", async (scope, status) => {
    const response = await serverOf({
      CLINIC_HTTP_OAUTH_SCOPES: "pets:read|pets:write|pets, owners:read",
    })(list(await issuer.token({ scope })));
    expect(response.status).toBe(status);
    if (status === 403) expect(await told(response)).toContain('scope="pets:read owners:read"');
  });

  test("signature algorithms that are not allowed are rejected", async () => {
    expect(
      (await serverOf({ CLINIC_HTTP_OAUTH_ALGORITHMS: "RS256" })(list(await issuer.token())))
        .status,
    ).toBe(401);
  });

  test("the audience can be configured", async () => {
    const handle = serverOf({ CLINIC_HTTP_OAUTH_AUDIENCE: "api://clinic" });
    expect((await handle(list(await issuer.token({ aud: "api://clinic" })))).status).toBe(200);
    expect((await handle(list(await issuer.token()))).status).toBe(401);
  });
});

describe("keys", () => {
  test("keys are read once, and again for an unknown key", async () => {
    const own = await startIssuer();
    const handle = serverOf({ CLINIC_HTTP_OAUTH_ISSUER: own.url });
    const first = await own.token();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await handle(list(first))).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(own.asked).toEqual(["/.well-known/oauth-authorization-server", "/keys"]);
    await own.rotate();
    expect((await handle(list(await own.token()))).status).toBe(200);
    expect((await handle(list(first))).status).toBe(401);
    for (let i = 0; i < 30; i++) await handle(list(await own.token({}, { kid: `forged-${i}` })));
    expect(own.asked.filter((path) => path === "/keys").length).toBeLessThan(15);
    expect((await handle(list(await own.token()))).status).toBe(200);
    await own.close();
  });

  test("a flood of unknown keys delays rotated keys by one cooldown at most", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const own = await startIssuer();
    const handle = serverOf({ CLINIC_HTTP_OAUTH_ISSUER: own.url });
    const status = async (token: string): Promise<number> => (await handle(list(token))).status;
    const forge = (i: number): Promise<string> => own.token({}, { kid: `forged-${i}` });
    const flood = async (): Promise<void> => {
      for (let i = 0; i < 30; i++) await status(await forge(i));
    };
    const forged = await Promise.all(Array.from({ length: 100 }, (_, i) => forge(i)));
    await status(await own.token());
    await Promise.all(forged.map(status));
    await own.rotate();
    expect(await status(await own.token())).toBe(200);
    await flood();
    await own.rotate();
    await flood();
    vi.advanceTimersByTime(6001);
    await flood();
    expect(await status(await own.token())).toBe(200);
    vi.useRealTimers();
    await own.close();
  });

  test("unreadable keys are a server error; the next call retries", async () => {
    const own = await startIssuer();
    const handle = serverOf({ CLINIC_HTTP_OAUTH_ISSUER: own.url });
    own.fail(500);
    const refused = await handle(list(await own.token()));
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    own.fail(200);
    expect((await handle(list(await own.token()))).status).toBe(200);
    await own.close();
  });

  test.each([
    ["OpenID Connect", "/.well-known/openid-configuration", {}, 200],
    ["an address that is set", "/nowhere", { CLINIC_HTTP_OAUTH_JWKS_URL: "/keys" }, 200],
    ["no metadata at all", "/nowhere", {}, 503],
  ])("found by %s", async (_, metadataAt, env, status) => {
    const own = await startIssuer(metadataAt);
    const urls = Object.fromEntries(
      Object.entries(env).map(([name, path]) => [name, own.url + path]),
    );
    expect(
      (await serverOf({ CLINIC_HTTP_OAUTH_ISSUER: own.url, ...urls })(list(await own.token())))
        .status,
    ).toBe(status);
    await own.close();
  });

  test("metadata of another issuer are ignored", async () => {
    const own = await startIssuer();
    const token = await own.token({ iss: own.url.replace("127.0.0.1", "localhost") });
    expect(
      (
        await serverOf({ CLINIC_HTTP_OAUTH_ISSUER: own.url.replace("127.0.0.1", "localhost") })(
          list(token),
        )
      ).status,
    ).toBe(503);
    await own.close();
  });
});

describe("metadata of the resource", () => {
  test.each(["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"])(
    "%s",
    async (path) => {
      const response = await serverOf()(new Request(`https://mcp.example.com${path}`));
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toEqual({
        resource: audience,
        authorization_servers: [issuer.url],
        scopes_supported: ["pets:read"],
        bearer_methods_supported: ["header"],
        resource_name: "Clinic",
      });
    },
  );

  test("there is no metadata without an authorization server", async () => {
    const handle = fetchHandler({
      api,
      tools: [],
      env: { CLINIC_HTTP_TOKEN: "inbound-token-4c1e" },
    });
    expect(
      (await handle(new Request("https://mcp.example.com/.well-known/oauth-protected-resource")))
        .status,
    ).toBe(404);
  });
});

test.each<readonly [string, Record<string, string>, string]>([
  [
    "an issuer without the own address",
    { CLINIC_HTTP_PUBLIC_URL: "" },
    "CLINIC_HTTP_OAUTH_ISSUER needs CLINIC_HTTP_PUBLIC_URL",
  ],
  [
    "an issuer over plain HTTP",
    { CLINIC_HTTP_OAUTH_ISSUER: "http://auth.example.com" },
    "CLINIC_HTTP_OAUTH_ISSUER must be an https URL.",
  ],
  [
    "an issuer that is no URL",
    { CLINIC_HTTP_OAUTH_ISSUER: "auth" },
    "CLINIC_HTTP_OAUTH_ISSUER must be an https URL.",
  ],
  [
    "no signature",
    { CLINIC_HTTP_OAUTH_ALGORITHMS: "RS256 none" },
    "CLINIC_HTTP_OAUTH_ALGORITHMS may name RS256",
  ],
  [
    "signatures by a shared secret",
    { CLINIC_HTTP_OAUTH_ALGORITHMS: "HS256" },
    "CLINIC_HTTP_OAUTH_ALGORITHMS may name RS256",
  ],
])("%s is a problem at the start", (_, env, words) => expect(() => serverOf(env)).toThrow(words));
