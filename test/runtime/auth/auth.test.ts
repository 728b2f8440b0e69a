import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { SecurityRequirement } from "../../../src/runtime/api-definition.js";
import type { SecuritySchemeDefinition } from "../../../src/runtime/security-schemes.js";
import { authenticate } from "../../../src/runtime/auth/authenticate.js";
import type { Env, SendFunction } from "../../../src/runtime/request/types.js";
import { REQUEST, type Schemes, contextOf } from "./context.js";

const SCHEMES: Schemes = {
  key: { kind: "apiKey", in: "header", name: "X-Api-Key", env: "CLINIC_API_KEY" },
  queryKey: { kind: "apiKey", in: "query", name: "api key", env: "CLINIC_QUERY_KEY" },
  session: { kind: "apiKey", in: "cookie", name: "sid", env: "CLINIC_SESSION" },
  login: { kind: "basic", usernameEnv: "CLINIC_USER", passwordEnv: "CLINIC_PASSWORD" },
  token: { kind: "bearer", env: "CLINIC_TOKEN" },
  digest: { kind: "http", scheme: "DPoP", env: "CLINIC_DPOP" },
  oauth: {
    kind: "oauth2",
    tokenEnv: "CLINIC_ACCESS_TOKEN",
    clientIdEnv: "CLINIC_ID",
    clientSecretEnv: "CLINIC_SECRET",
    tokenUrl: "https://auth.example.com/token",
  },
  oidc: { kind: "oauth2", tokenEnv: "CLINIC_OIDC_TOKEN" },
};
const run = (security: readonly SecurityRequirement[], env: Env, request = REQUEST) =>
  authenticate(request, { security }, contextOf(SCHEMES, env));

describe("each kind of scheme", () => {
  const accept = ["Accept", "application/json"];
  test.each<readonly [string, string, Env, object]>([
    [
      "API key in a header",
      "key",
      { CLINIC_API_KEY: "k-é" },
      { headers: [accept, ["X-Api-Key", "k-é"]] },
    ],
    [
      "API key in the query",
      "queryKey",
      { CLINIC_QUERY_KEY: "a&b c" },
      { url: "https://api.example.com/v1/pets?api%20key=a%26b%20c" },
    ],
    [
      "API key in a cookie",
      "session",
      { CLINIC_SESSION: "s%20=1" },
      { headers: [accept, ["Cookie", "sid=s%20=1"]] },
    ],
    [
      "basic",
      "login",
      { CLINIC_USER: "zoë", CLINIC_PASSWORD: "pä:ss" },
      {
        headers: [
          accept,
          ["Authorization", `Basic ${Buffer.from("zoë:pä:ss").toString("base64")}`],
        ],
      },
    ],
    [
      "basic with an empty password",
      "login",
      { CLINIC_USER: "sk_live", CLINIC_PASSWORD: "" },
      { headers: [accept, ["Authorization", `Basic ${btoa("sk_live:")}`]] },
    ],
    [
      "bearer",
      "token",
      { CLINIC_TOKEN: "t" },
      { headers: [accept, ["Authorization", "Bearer t"]] },
    ],
    [
      "bearer, pasted with its word",
      "token",
      { CLINIC_TOKEN: "Bearer t" },
      { headers: [accept, ["Authorization", "Bearer t"]] },
    ],
    [
      "another HTTP scheme",
      "digest",
      { CLINIC_DPOP: "x" },
      { headers: [accept, ["Authorization", "DPoP x"]] },
    ],
    [
      "OAuth with a token",
      "oauth",
      { CLINIC_ACCESS_TOKEN: "t", CLINIC_ID: "i", CLINIC_SECRET: "s" },
      { headers: [accept, ["Authorization", "Bearer t"]] },
    ],
    [
      "OpenID Connect with a token",
      "oidc",
      { CLINIC_OIDC_TOKEN: "t" },
      { headers: [accept, ["Authorization", "Bearer t"]] },
    ],
  ])("%s", async (_, scheme, env, want) => {
    expect(await run([{ [scheme]: [] }], env)).toMatchObject({
      ok: true,
      request: { ...REQUEST, ...want },
    });
  });
});

describe("alternatives of security requirements", () => {
  const both: readonly SecurityRequirement[] = [{ key: [] }, { login: [], session: [] }];
  test.each<readonly [string, readonly SecurityRequirement[], Env, readonly string[]]>([
    ["none required", [], {}, ["Accept"]],
    ["anonymous", [{}], {}, ["Accept"]],
    [
      "the first that is complete",
      both,
      { CLINIC_API_KEY: "k", CLINIC_USER: "u", CLINIC_PASSWORD: "p", CLINIC_SESSION: "s" },
      ["Accept", "X-Api-Key"],
    ],
    [
      "a later one that is complete",
      both,
      { CLINIC_USER: "u", CLINIC_PASSWORD: "p", CLINIC_SESSION: "s" },
      ["Accept", "Authorization", "Cookie"],
    ],
    ["optional, not configured", [{ key: [] }, {}], {}, ["Accept"]],
    ["optional, configured", [{}, { key: [] }], { CLINIC_API_KEY: "k" }, ["Accept", "X-Api-Key"]],
    [
      "an alternative of an undefined scheme is none",
      [{ ghost: [] }, { key: [] }],
      { CLINIC_API_KEY: "k" },
      ["Accept", "X-Api-Key"],
    ],
  ])("%s", async (_, security, env, want) => {
    const result = await run(security, env);
    expect(result.ok && result.request.headers.map(([name]) => name)).toEqual(want);
  });
  test("an operation without a security requirement has that of the API", async () => {
    const context = contextOf(SCHEMES, {}, [{ key: [] }]);
    expect((await authenticate(REQUEST, {}, context)).ok).toBe(false);
    expect((await authenticate(REQUEST, { security: [] }, context)).ok).toBe(true);
    expect((await authenticate(REQUEST, {}, contextOf(SCHEMES))).ok).toBe(true);
  });
});

test("work grows linearly with the number of schemes", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `oauth${i}`);
  const schemes: Schemes = Object.fromEntries(
    names.map((name) => [
      name,
      {
        kind: "oauth2",
        tokenEnv: `${name}_TOKEN`,
        clientIdEnv: `${name}_ID`,
        clientSecretEnv: `${name}_SECRET`,
        tokenUrl: "https://auth.example.com/token",
      },
    ]),
  );
  const all = { security: [Object.fromEntries(names.map((name) => [name, []]))] };
  const missing = await authenticate(REQUEST, all, contextOf(schemes, {}));
  expect(!missing.ok && missing.message).toContain("Set oauth0_TOKEN and oauth1_TOKEN");
  const given = await authenticate(
    REQUEST,
    all,
    contextOf(schemes, Object.fromEntries(names.map((name) => [`${name}_TOKEN`, "t"]))),
  );
  expect(given.ok).toBe(true);
});

describe("missing variables are named in full sentences", () => {
  const after = "in the environment of this server, then restart it; do not retry.";
  test.each<readonly [string, readonly SecurityRequirement[], Env, string]>([
    [
      "one",
      [{ key: [] }],
      {},
      `Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_API_KEY, or CLINIC_AUTH=none to call without any, ${after}`,
    ],
    [
      "empty or blank is not set",
      [{ key: [] }],
      { CLINIC_API_KEY: " " },
      `Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_API_KEY, or CLINIC_AUTH=none to call without any, ${after}`,
    ],
    [
      "alternatives",
      [{ key: [] }, { login: [] }],
      {},
      `Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_API_KEY, or CLINIC_USER and CLINIC_PASSWORD, or CLINIC_AUTH=none to call without any, ${after}`,
    ],
    [
      "only what is missing",
      [{ key: [], login: [] }],
      { CLINIC_USER: "u" },
      `Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_API_KEY and CLINIC_PASSWORD, or CLINIC_AUTH=none to call without any, ${after}`,
    ],
    [
      "ways of OAuth",
      [{ oauth: [] }],
      {},
      `Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_ACCESS_TOKEN, or CLINIC_ID and CLINIC_SECRET, or CLINIC_AUTH=none to call without any, ${after}`,
    ],
    [
      "the same once",
      [{ key: [] }, { key: [] }],
      {},
      `Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_API_KEY, or CLINIC_AUTH=none to call without any, ${after}`,
    ],
    [
      "an undefined scheme",
      [{ constructor: [] }],
      {},
      "Not sent: Clinic asks for a kind of credentials that its document does not define. Tell the user; do not retry.",
    ],
  ])("%s", async (_, security, env, message) =>
    expect(await run(security, env)).toMatchObject({ ok: false, message }),
  );
});

describe("an invalid value is reported by its variable, without the value", () => {
  test.each<readonly [string, Env, string]>([
    ["key", { CLINIC_API_KEY: "hunter2\r\nX-Evil: 1" }, "CLINIC_API_KEY has a character"],
    ["key", { CLINIC_API_KEY: "hunter2☃" }, "CLINIC_API_KEY has a character"],
    ["token", { CLINIC_TOKEN: "hunter2\n" }, "CLINIC_TOKEN has a character"],
    ["oauth", { CLINIC_ACCESS_TOKEN: "hunter2\0" }, "CLINIC_ACCESS_TOKEN has a character"],
    ["digest", { CLINIC_DPOP: "hunter2\n" }, "CLINIC_DPOP has a character"],
    ["session", { CLINIC_SESSION: "hunter2; a=b" }, "CLINIC_SESSION has a character"],
    ["queryKey", { CLINIC_QUERY_KEY: "hunter2\ud800" }, "CLINIC_QUERY_KEY has a character"],
    ["login", { CLINIC_USER: "hunter2:x", CLINIC_PASSWORD: "p" }, "CLINIC_USER has a colon"],
  ])("%s %j", async (scheme, env, words) => {
    const result = await run([{ [scheme]: [] }], env);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(words) });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("B13: the input cannot set credentials", () => {
  test("a header of the same name is replaced, in any case", async () => {
    const request = {
      ...REQUEST,
      headers: [
        ["x-API-key", "evil"],
        ["X-Other", "1"],
      ] as const,
    };
    expect(await run([{ key: [] }], { CLINIC_API_KEY: "k" }, request)).toMatchObject({
      request: {
        headers: [
          ["X-Other", "1"],
          ["X-Api-Key", "k"],
        ],
      },
    });
  });
  test.each([
    ["?api%20key=evil&a=1", "?a=1&api%20key=k"],
    ["?a=1&api+key=evil&api%20key", "?a=1&api%20key=k"],
    ["?a=x?y", "?a=x?y&api%20key=k"],
    ["", "?api%20key=k"],
  ])("query %s → %s", async (before, after) => {
    expect(
      await run(
        [{ queryKey: [] }],
        { CLINIC_QUERY_KEY: "k" },
        { ...REQUEST, url: `https://api.example.com/${before}` },
      ),
    ).toMatchObject({ request: { url: `https://api.example.com/${after}` } });
  });
  test("a cookie of the same name is replaced, other cookies stay", async () => {
    const request = {
      ...REQUEST,
      headers: [["Cookie", "a=1; sid=evil; b=2; sidekick=3"]] as const,
    };
    expect(await run([{ session: [] }], { CLINIC_SESSION: "s" }, request)).toMatchObject({
      request: { headers: [["Cookie", "a=1; b=2; sidekick=3; sid=s"]] },
    });
  });
  test("the original request is not changed", async () => {
    const before = structuredClone(REQUEST);
    await run([{ key: [], queryKey: [] }], { CLINIC_API_KEY: "k", CLINIC_QUERY_KEY: "q" });
    expect(REQUEST).toEqual(before);
  });
});

describe("secrets, for redaction", () => {
  const secretsOf = async (scheme: string, env: Env): Promise<readonly string[]> => {
    const result = await run([{ [scheme]: [] }], env);
    return result.ok ? result.secrets : [];
  };
  test("all encoded forms of a secret", async () => {
    const expected = [
      "k/ (é)",
      "k/+(é)",
      "ay8gKMOpKQ==",
      "ay8gKMOpKQ",
      // Base64 of a longer text that has the key at any offset, and hexadecimal digits.
      "ay8gKMOpK",
      "svICjDqS",
      "rLyAow6kp",
      "6b2f2028c3a929",
      "6B2F2028C3A929",
      // The same of the key as a URL has it.
      btoa("k%2F%20(%C3%A9)"),
      btoa("k%2F+(%C3%A9)"),
    ];
    const secrets = await secretsOf("key", { CLINIC_API_KEY: "k/ (é)" });
    expect(secrets).toEqual(expect.arrayContaining(expected));
    expect(secrets.length).toBeLessThan(30);
  });
  test("basic: the password and the pair, not the user name", async () => {
    const secrets = await secretsOf("login", {
      CLINIC_USER: "administrator",
      CLINIC_PASSWORD: "correct horse",
    });
    expect(secrets).toEqual(
      expect.arrayContaining(["correct horse", btoa("administrator:correct horse")]),
    );
    expect(secrets).not.toContain("administrator");
  });
  test("basic: the user name if it is the key", async () => {
    expect(await secretsOf("login", { CLINIC_USER: "sk_live_1", CLINIC_PASSWORD: "" })).toContain(
      "sk_live_1",
    );
  });
  test("short secrets are not redacted", async () =>
    expect(await secretsOf("key", { CLINIC_API_KEY: "a" })).toEqual([]));
  test("no secrets if no credentials are sent", async () =>
    expect(await run([], {})).toEqual({
      ok: true,
      request: REQUEST,
      secrets: [],
      credentials: { variables: [], headers: [] },
    }));
  test("secrets of all schemes", async () => {
    const result = await run([{ key: [], token: [] }], {
      CLINIC_API_KEY: "key-1",
      CLINIC_TOKEN: "token-1",
    });
    expect(result.ok && result.secrets).toEqual(expect.arrayContaining(["key-1", "token-1"]));
  });
});

describe("mutual TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const pem = (name: string): string => `-----BEGIN ${name}-----\nAAAA\n-----END ${name}-----\n`;
  writeFileSync(join(folder, "cert.pem"), pem("CERTIFICATE"));
  writeFileSync(join(folder, "other.txt"), "hunter2");
  const mtls: SecuritySchemeDefinition = {
    kind: "mutualTLS",
    certEnv: "CLINIC_CERT",
    keyEnv: "CLINIC_KEY",
  };
  const connect = (env: Env) =>
    authenticate(REQUEST, { security: [{ mtls: [] }] }, contextOf({ mtls }, env));

  test("from a file or from the variable itself", async () => {
    const auth = await connect({
      CLINIC_CERT: join(folder, "cert.pem"),
      CLINIC_KEY: pem("PRIVATE KEY"),
    });
    expect(auth).toEqual({
      ok: true,
      request: REQUEST,
      secrets: [],
      credentials: { variables: ["CLINIC_CERT", "CLINIC_KEY"], headers: [] },
      wrapSend: expect.any(Function),
    });
    const presented = vi.fn<(tls: unknown) => void>();
    const send: SendFunction = async (_, { tls }) => presented(tls) as never;
    const wrapSend = auth.ok ? auth.wrapSend : undefined;
    await wrapSend?.(send)(REQUEST, { isRepeatable: true } as never);
    expect(presented).toHaveBeenCalledWith({
      cert: pem("CERTIFICATE"),
      key: pem("PRIVATE KEY"),
    });
  });
  test("missing variables are named", async () =>
    expect(await connect({ CLINIC_CERT: "x" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("Set CLINIC_KEY, or CLINIC_AUTH=none"),
    }));
  test.each(["cert.pm", "other.txt"])(
    "an unreadable file (%s) is named by its variable",
    async (name) => {
      const result = await connect({
        CLINIC_CERT: join(folder, name),
        CLINIC_KEY: pem("PRIVATE KEY"),
      });
      expect(result).toMatchObject({
        ok: false,
        message: expect.stringContaining("CLINIC_CERT does not name a readable PEM file"),
      });
      expect(JSON.stringify(result)).not.toMatch(/hunter2|certificate-/);
    },
  );
});

describe("forwarded headers of the client", () => {
  const forward = (
    scheme: string,
    name: string,
    value: string,
    env: Env = {},
  ): ReturnType<typeof authenticate> =>
    authenticate(
      REQUEST,
      { security: [{ [scheme]: [] }] },
      { ...contextOf(SCHEMES, env), forwarded: [{ from: "x-own", name, value }] },
    );

  test.each<readonly [string, string, string]>([
    ["token", "Authorization", "Bearer of-the-user"],
    ["login", "authorization", "Basic dTpw"],
    ["oauth", "Authorization", "Bearer of-the-user"],
    ["key", "x-api-key", "of-the-user"],
    ["session", "Cookie", "sid=of-the-user"],
  ])("satisfies %s as %s, before what the environment has", async (scheme, name, value) => {
    const env = {
      CLINIC_TOKEN: "server",
      CLINIC_USER: "server",
      CLINIC_PASSWORD: "server",
      CLINIC_ACCESS_TOKEN: "server",
      CLINIC_API_KEY: "server",
      CLINIC_SESSION: "server",
    };
    for (const result of [
      await forward(scheme, name, value),
      await forward(scheme, name, value, env),
    ]) {
      expect(result).toMatchObject({
        ok: true,
        request: {
          headers: [
            ["Accept", "application/json"],
            [name, value],
          ],
        },
      });
      expect(result.ok && result.secrets).toContain(value);
      expect(result.ok && result.secrets).toContain(value.replace(/^\S+ /, ""));
    }
  });

  test.each([
    ["another header", "X-Tenant", "north"],
    ["an empty one", "Authorization", ""],
  ])("%s satisfies nothing, and the refusal says what would", async (_, name, value) => {
    const result = await forward("token", name, value);
    expect(!result.ok && result.message).toBe(
      "Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_TOKEN, or CLINIC_AUTH=none to call without any, in the environment of this server, then restart it; do not retry. Or let the client of this server send the header x-own with its own credentials.",
    );
  });
});
