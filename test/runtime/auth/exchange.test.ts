import { afterEach, describe, expect, test } from "vitest";
import type { SecuritySchemeDefinition } from "../../../src/runtime/security-schemes.js";
import { authenticate, invalidateToken } from "../../../src/runtime/auth/authenticate.js";
import type { AuthOptions } from "../../../src/runtime/auth/types.js";
import type { AuthResult, TokenExchangeSettings } from "../../../src/runtime/request/types.js";
import { contextOf, REQUEST } from "./context.js";
import {
  type Reply,
  startTokenServer,
  type TokenRequest,
  type TokenServer,
} from "./token-server.js";

const OAUTH: SecuritySchemeDefinition = { kind: "oauth2", tokenEnv: "CLINIC_TOKEN" };
const servers: TokenServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

type Answer = (request: TokenRequest, count: number) => Reply | Promise<Reply>;

async function start(answer?: Answer): Promise<TokenServer> {
  const server = await startTokenServer(answer);
  servers.push(server);
  return server;
}

interface Sketch extends AuthOptions {
  readonly settings?: Partial<TokenExchangeSettings>;
  readonly scheme?: SecuritySchemeDefinition;
  readonly scopes?: readonly string[];
}

function call(
  { url }: TokenServer,
  token: string,
  { settings, scheme = OAUTH, scopes = ["pets:read"], ...options }: Sketch = {},
): Promise<AuthResult> {
  const context = contextOf({ account: scheme }, { CLINIC_TOKEN: "of-the-server" });
  const exchange = {
    token,
    settings: {
      issuer: new URL(url).origin,
      tokenUrl: url,
      clientId: "mcp",
      clientSecret: "exchange-secret",
      fields: { audience: "clinic-api" },
      ...settings,
    },
  };
  const security = [{ account: scopes }];
  return authenticate(REQUEST, { security }, { ...context, exchange }, options);
}

const sentBy = (result: AuthResult): string | undefined =>
  result.ok
    ? result.request.headers.find(([name]) => name === "Authorization")?.[1]
    : result.message;

describe("the request (RFC 8693)", () => {
  test("has the caller's token, its type, the audience and the scopes of the operation", async () => {
    const server = await start();
    const result = await call(server, "token-of-ann");
    expect(sentBy(result)).toBe("Bearer token-1");
    expect(server.requests).toEqual([
      {
        authorization: `Basic ${btoa("mcp:exchange-secret")}`,
        form: {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
          subject_token: "token-of-ann",
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
          audience: "clinic-api",
          scope: "pets:read",
        },
      },
    ]);
    expect(result.ok && result.secrets).toEqual(
      expect.arrayContaining(["token-1", "token-of-ann", "exchange-secret"]),
    );
  });

  test.each<[string, Sketch, Record<string, string | undefined>]>([
    [
      "a resource and a fixed scope",
      { settings: { fields: { resource: "https://api.example.com", scope: "all" } } },
      { resource: "https://api.example.com", scope: "all", audience: undefined },
    ],
    ["no scope", { settings: { fields: { audience: "a", scope: "" } } }, { scope: undefined }],
    ["an operation without scopes", { scopes: [] }, { scope: undefined }],
    [
      "a bearer scheme, whose list names roles",
      { scheme: { kind: "bearer", env: "CLINIC_TOKEN" } },
      { scope: undefined, audience: "clinic-api" },
    ],
  ])("%s", async (_, sketch, fields) => {
    const server = await start();
    expect(sentBy(await call(server, "token-of-ann", sketch))).toBe("Bearer token-1");
    for (const [name, value] of Object.entries(fields))
      expect(server.requests[0]?.form[name], name).toBe(value);
  });

  test("a client that may not use Basic sends its secret in the form; a public one its ID", async () => {
    const server = await start(({ authorization }) =>
      authorization === undefined ? {} : { status: 401, body: { error: "invalid_client" } },
    );
    expect(sentBy(await call(server, "token-of-ann"))).toBe("Bearer token-2");
    expect(server.requests[1]?.form).toMatchObject({
      client_id: "mcp",
      client_secret: "exchange-secret",
    });
    await call(server, "token-of-bob", { settings: { clientSecret: "" } });
    expect(server.requests[2]?.form["client_id"]).toBe("mcp");
    expect(server.requests[2]?.form["client_secret"]).toBeUndefined();
  });

  test("an API key is not exchanged", async () => {
    const server = await start();
    const scheme = { kind: "apiKey", in: "header", name: "X-Key", env: "CLINIC_TOKEN" } as const;
    const result = await call(server, "token-of-ann", { scheme });
    expect(result.ok && result.request.headers).toContainEqual(["X-Key", "of-the-server"]);
    expect(server.requests).toEqual([]);
  });
});

describe("the tokens of the API", () => {
  test("are kept by caller's token, scope and audience", async () => {
    const server = await start();
    const other = { settings: { fields: { audience: "other" } } };
    const variants: readonly (readonly [string, Sketch])[] = [
      ["token-of-ann", {}],
      ["token-of-bob", {}],
      ["token-of-ann", { scopes: ["pets:write"] }],
      ["token-of-ann", other],
    ];
    const first = await Promise.all(variants.map(([token, sketch]) => call(server, token, sketch)));
    const again = await Promise.all(variants.map(([token, sketch]) => call(server, token, sketch)));
    expect(new Set(first.map(sentBy)).size).toBe(4);
    expect(again.map(sentBy)).toEqual(first.map(sentBy));
    expect(server.requests).toHaveLength(4);
  });

  test("are requested once for concurrent calls, even if the first one is cancelled", async () => {
    const server = await start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return {};
    });
    const controller = new AbortController();
    const first = call(server, "token-of-ann", { signal: controller.signal });
    const others = [1, 2, 3].map(() => call(server, "token-of-ann"));
    setTimeout(() => controller.abort(new Error("cancelled")), 10);
    await expect(first).rejects.toThrow("cancelled");
    expect((await Promise.all(others)).map(sentBy)).toEqual(Array(3).fill("Bearer token-1"));
    expect(server.requests).toHaveLength(1);
  });

  test("are requested again when they expire, and after a 401 of the API", async () => {
    const server = await start((_, count) => ({
      body: { access_token: `short-${count}`, expires_in: count === 1 ? 0.002 : 3600 },
    }));
    expect(sentBy(await call(server, "token-of-ann"))).toBe("Bearer short-1");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const second = await call(server, "token-of-ann");
    expect(sentBy(second)).toBe("Bearer short-2");
    expect(second.ok && invalidateToken(second.request)).toBe(true);
    expect(sentBy(await call(server, "token-of-ann"))).toBe("Bearer short-3");
  });

  test("are bounded in number: the one that was not used for the longest time is dropped", async () => {
    const server = await start();
    let requests = 0;
    const send = async (): Promise<Response> => {
      requests += 1;
      return Response.json({ access_token: `token-${requests}`, expires_in: 3600 });
    };
    await call(server, "first", { fetch: send });
    for (let i = 0; i < 2000; i += 1) await call(server, `caller-${i}`, { fetch: send });
    expect(requests).toBe(2001);
    await call(server, "caller-1999", { fetch: send });
    expect(requests).toBe(2001);
    await call(server, "first", { fetch: send });
    expect(requests).toBe(2002);
  });
});

describe("failures name the rejected part and the host, never a token", () => {
  const refusal =
    (error: string, status = 400): Answer =>
    () => ({ status, body: { error } });
  test.each<[string, Answer, RegExp]>([
    [
      "the client",
      refusal("invalid_client", 401),
      /refused this server's client \(CLINIC_TOKEN_EXCHANGE_CLIENT_ID\) \(401 invalid_client\)/,
    ],
    [
      "the right to exchange",
      refusal("unauthorized_client"),
      /refused to exchange tokens for this server's client/,
    ],
    ["the grant type", refusal("unsupported_grant_type"), /refused to exchange tokens/],
    [
      "the audience",
      refusal("invalid_target"),
      /refused the audience or resource of CLINIC_TOKEN_EXCHANGE \(400 invalid_target\)/,
    ],
    [
      "the scopes",
      refusal("invalid_scope"),
      /refused the scopes of this call \(pets:read\) for this caller/,
    ],
    [
      "the caller's token",
      refusal("invalid_grant"),
      /refused the caller's token \(400 invalid_grant\).*sign in to this server again/,
    ],
    [
      "an invalid token",
      refusal("invalid_request"),
      /refused the caller's token \(400 invalid_request\)/,
    ],
    [
      "no reason",
      () => ({ status: 403, body: "no" }),
      /refused the exchange of the caller's token \(403\)/,
    ],
    [
      "a token that is not for a header",
      () => ({ body: { access_token: "x", token_type: "N_A" } }),
      /refused the exchange/,
    ],
    ["an overloaded server", () => ({ status: 503 }), /responded with 503\. Try again in a minute/],
    ["no answer", () => ({ reset: true }), /no response came from the token endpoint.*Try again/],
  ])("%s", async (_, answer, message) => {
    const server = await start(answer);
    const result = await call(server, "token-of-ann");
    expect(sentBy(result)).toMatch(message);
    expect(sentBy(result)).toContain(new URL(server.url).host);
    expect(JSON.stringify(result)).not.toMatch(/token-of-ann|exchange-secret|of-the-server/);
  });

  test("a caller without a token gets neither the server's token nor another's", async () => {
    const server = await start();
    await call(server, "token-of-ann");
    const result = await call(server, "");
    expect(sentBy(result)).toMatch(/^Not sent: this caller has no access token to exchange/);
    expect(server.requests).toHaveLength(1);
  });

  test("a failure is not kept", async () => {
    const server = await start((_, count) => (count === 1 ? { status: 500 } : {}));
    expect(sentBy(await call(server, "token-of-ann"))).toMatch(/responded with 500/);
    expect(sentBy(await call(server, "token-of-ann"))).toBe("Bearer token-2");
  });
});
