import { describe, expect, test } from "vitest";
import { readForwardedHeaders } from "../../../../src/runtime/transport/http/fetch-handler.js";
import { readHttpSettings } from "../../../../src/runtime/transport/http/http-settings.js";

describe("access control", () => {
  test.each<readonly [Record<string, string>, object]>([
    [
      {},
      {
        tokens: [],
        oauth: undefined,
        allowUnauthenticated: false,
        allowedHosts: [],
        allowedOrigins: [],
      },
    ],
    [{ CLINIC_HTTP_TOKEN: "one" }, { tokens: ["one"] }],
    [{ CLINIC_HTTP_TOKEN: " one , two," }, { tokens: ["one", "two"] }],
    [{ CLINIC_ALLOWED_HOSTS: "a.test, b.test," }, { allowedHosts: ["a.test", "b.test"] }],
    ...["1", "true", "YES", " on "].map(
      (value) => [{ CLINIC_ALLOW_UNAUTHENTICATED: value }, { allowUnauthenticated: true }] as const,
    ),
    ...["", "0", "False", "no", "OFF"].map(
      (value) =>
        [{ CLINIC_ALLOW_UNAUTHENTICATED: value }, { allowUnauthenticated: false }] as const,
    ),
  ])("%j", (env, want) =>
    expect(readHttpSettings("CLINIC", env)).toMatchObject({ ok: true, settings: want }),
  );

  test('"maybe" is not a valid switch', () =>
    expect(readHttpSettings("CLINIC", { CLINIC_ALLOW_UNAUTHENTICATED: "Maybe" })).toEqual({
      ok: false,
      problems: ['CLINIC_ALLOW_UNAUTHENTICATED must be true or false, not "maybe".'],
    }));
});

test.each([
  [
    "HTTP_PUBLIC_URL",
    "https://mcp.test/mcp#here",
    "CLINIC_HTTP_PUBLIC_URL must be an https URL without a fragment.",
  ],
  ["HTTP_PUBLIC_URL", "http://mcp.test/mcp", "CLINIC_HTTP_PUBLIC_URL must be an https URL."],
  [
    "HTTP_OAUTH_SCOPES",
    "pets:read offline_access",
    "CLINIC_HTTP_OAUTH_SCOPES cannot name offline_access: it grants nothing on this server.",
  ],
])("%s cannot be %s", (name, value, problem) => {
  const env = {
    CLINIC_HTTP_OAUTH_ISSUER: "https://issuer.test",
    CLINIC_HTTP_PUBLIC_URL: "https://mcp.test/mcp",
    [`CLINIC_${name}`]: value,
  };
  expect(readHttpSettings("CLINIC", env)).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([problem]) as string[],
  });
});

test.each<readonly [Record<string, string>, readonly string[]]>([
  [{ CLINIC_HTTP_PUBLIC_URL: "https://mcp.test/mcp" }, ["https://mcp.test/mcp"]],
  [{ CLINIC_HTTP_PUBLIC_URL: "https://mcp.test" }, ["https://mcp.test", "https://mcp.test/"]],
  [
    { CLINIC_HTTP_PUBLIC_URL: "https://MCP.test/mcp" },
    ["https://MCP.test/mcp", "https://mcp.test/mcp"],
  ],
  [
    { CLINIC_HTTP_PUBLIC_URL: "https://mcp.test", CLINIC_HTTP_OAUTH_AUDIENCE: "api://pets" },
    ["api://pets"],
  ],
])("audiences by %j", (env, audiences) => {
  expect(
    readHttpSettings("CLINIC", { CLINIC_HTTP_OAUTH_ISSUER: "https://issuer.test", ...env }),
  ).toMatchObject({ ok: true, settings: { oauth: { audiences } } });
});

describe("forwarded headers", () => {
  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    ["", []],
    ["X-Api-Key", [["x-api-key", "X-Api-Key"]]],
    [
      "X-User-Token=Authorization, x-tenant",
      [
        ["x-user-token", "Authorization"],
        ["x-tenant", "x-tenant"],
      ],
    ],
    ["X-Session = Cookie", [["x-session", "Cookie"]]],
  ])("%j", (text, want) => {
    const read = readHttpSettings("CLINIC", { CLINIC_FORWARD_HEADERS: text });
    expect(read.ok && [...read.settings.forwardHeaders]).toEqual(want);
  });

  test.each([
    ["Authorization", "cannot forward Authorization: it holds the client's token"],
    ["authorization=X-Token", "cannot forward Authorization"],
    ["Cookie", "cannot forward Cookie"],
    ["Host", "cannot forward Host"],
    ["Content-Length", "cannot forward Content-Length"],
    ["Mcp-Session-Id", "cannot forward Mcp-Session-Id"],
    ["X-Length=Content-Length", "cannot set Content-Length"],
    ["X-Host=Host", "cannot set Host"],
    ["X Y", "names an invalid header"],
    ["X-A=B=C", "names an invalid header"],
    ["X-A\r\nB", "names an invalid header"],
    ["=Authorization", "names an invalid header"],
  ])("%j is refused", (text, words) => {
    const read = readHttpSettings("CLINIC", { CLINIC_FORWARD_HEADERS: text });
    expect(!read.ok && read.problems).toEqual([
      expect.stringContaining(`CLINIC_FORWARD_HEADERS ${words}`),
    ]);
  });
});

test.each([
  ["Bearer abc", "Bearer abc"],
  ["abc.def-_~+/==", "Bearer abc.def-_~+/=="],
  ["Token token=abc", "Token token=abc"],
  ["", ""],
])("Authorization from %j is %j", (value, want) => {
  const forwardHeaders = new Map([["x-user-token", "Authorization"]]);
  const request = new Request("http://localhost/", {
    headers: value === "" ? {} : { "x-user-token": value },
  });
  expect(readForwardedHeaders(request, { forwardHeaders })).toEqual([
    { from: "x-user-token", name: "Authorization", value: want },
  ]);
});

describe("token exchange", () => {
  const issuer = {
    CLINIC_HTTP_OAUTH_ISSUER: "https://id.test",
    CLINIC_HTTP_PUBLIC_URL: "https://mcp.test/mcp",
  };
  const client = { CLINIC_TOKEN_EXCHANGE_CLIENT_ID: "mcp" };

  test.each<readonly [string, Record<string, string>, object]>([
    [
      "an audience",
      { CLINIC_TOKEN_EXCHANGE: "clinic-api" },
      { fields: { audience: "clinic-api" } },
    ],
    [
      "an audience that is an address",
      { CLINIC_TOKEN_EXCHANGE: "https://api.test" },
      { fields: { audience: "https://api.test" }, issuer: "https://id.test", clientSecret: "" },
    ],
    [
      "fields",
      { CLINIC_TOKEN_EXCHANGE: "resource=https://api.test&scope=a%20b&organization=x" },
      { fields: { resource: "https://api.test", scope: "a b", organization: "x" } },
    ],
    [
      "a token endpoint and a secret",
      {
        CLINIC_TOKEN_EXCHANGE: "x",
        CLINIC_TOKEN_EXCHANGE_URL: "https://sts.test/token",
        CLINIC_TOKEN_EXCHANGE_CLIENT_SECRET: "s",
      },
      { tokenUrl: "https://sts.test/token", clientSecret: "s" },
    ],
  ])("%s", (_, env, exchange) => {
    const read = readHttpSettings("CLINIC", { ...issuer, ...client, ...env });
    const { tokenExchanges } = read.ok ? read.settings : {};
    expect([...(tokenExchanges ?? [])]).toMatchObject([["CLINIC", exchange]]);
  });

  test.each<readonly [Record<string, string>, string]>([
    [
      { ...client, CLINIC_TOKEN_EXCHANGE: "x" },
      "CLINIC_TOKEN_EXCHANGE needs CLINIC_HTTP_OAUTH_ISSUER: only verified tokens of callers are exchanged.",
    ],
    [
      { ...issuer, CLINIC_TOKEN_EXCHANGE: "x" },
      "CLINIC_TOKEN_EXCHANGE needs CLINIC_TOKEN_EXCHANGE_CLIENT_ID, the client of this server at the issuer.",
    ],
    [
      { ...issuer, ...client, CLINIC_TOKEN_EXCHANGE: "scope=a" },
      "CLINIC_TOKEN_EXCHANGE must name the API: audience=… or resource=https://….",
    ],
    [
      { ...issuer, ...client, CLINIC_TOKEN_EXCHANGE: "audience=a&subject_token=x" },
      "CLINIC_TOKEN_EXCHANGE cannot set subject_token: the server sends it.",
    ],
    [
      { ...issuer, ...client, CLINIC_TOKEN_EXCHANGE: "audience=a&audience=b" },
      "CLINIC_TOKEN_EXCHANGE has a field twice.",
    ],
    [
      {
        ...issuer,
        ...client,
        CLINIC_TOKEN_EXCHANGE: "x",
        CLINIC_TOKEN_EXCHANGE_URL: "http://sts.test",
      },
      "CLINIC_TOKEN_EXCHANGE_URL must be an https URL.",
    ],
  ])("%j", (env, problem) =>
    expect(readHttpSettings("CLINIC", env)).toEqual({ ok: false, problems: [problem] }),
  );
});

describe("consent of callers", () => {
  const issuer = {
    CLINIC_HTTP_OAUTH_ISSUER: "https://id.test",
    CLINIC_HTTP_PUBLIC_URL: "https://mcp.test/mcp",
  };
  const signIn = { CLINIC_HTTP_SIGN_IN_CLIENT_ID: "mcp" };

  test.each<readonly [Record<string, string>, object | undefined]>([
    [issuer, undefined],
    [
      { ...issuer, ...signIn, CLINIC_HTTP_SIGN_IN_CLIENT_SECRET: "s" },
      {
        issuer: "https://id.test",
        publicUrl: "https://mcp.test/mcp",
        clientId: "mcp",
        clientSecret: "s",
      },
    ],
  ])("%j", (env, want) => {
    const read = readHttpSettings("CLINIC", env);
    expect(read.ok && read.settings.signIn).toEqual(want);
  });

  test.each<readonly [Record<string, string>, string]>([
    [
      signIn,
      "CLINIC_HTTP_SIGN_IN_CLIENT_ID needs CLINIC_HTTP_OAUTH_ISSUER: only users of verified tokens can sign in.",
    ],
    [
      {
        ...issuer,
        ...signIn,
        CLINIC_TOKEN_EXCHANGE: "api",
        CLINIC_TOKEN_EXCHANGE_CLIENT_ID: "mcp",
      },
      "Set CLINIC_HTTP_SIGN_IN_CLIENT_ID or CLINIC_TOKEN_EXCHANGE, not both.",
    ],
    [
      { ...issuer, CLINIC_HTTP_OAUTH_TOOL_SCOPES: "sometimes" },
      "CLINIC_HTTP_OAUTH_TOOL_SCOPES must be auto, always, never.",
    ],
  ])("%j is refused", (env, problem) => {
    const read = readHttpSettings("CLINIC", env);
    expect(!read.ok && read.problems).toEqual([problem]);
  });
});
