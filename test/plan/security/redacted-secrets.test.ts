import { expect, test } from "vitest";
import type { SecurityScheme } from "../../../src/model/security-scheme-kinds.js";
import { plan } from "../../../src/plan/index.js";
import { configuredSecrets, createRedactor } from "../../../src/runtime/response/redact.js";
import { api, operation } from "../fixtures.js";

const flow = {
  authorizationUrl: "https://auth.example.com/authorize",
  tokenUrl: "https://auth.example.com/token",
  scopes: {},
};

/** Schemes of every kind, with the endings of the variables that hold their secrets. */
const SCHEMES = {
  apiKey: [{ kind: "apiKey", in: "header", name: "X-Key" }, ["API_KEY"]],
  http: [{ kind: "http", scheme: "basic" }, ["PASSWORD"]],
  oauth2: [
    { kind: "oauth2", flows: [{ flow: "authorizationCode", ...flow }] },
    ["TOKEN", "CLIENT_SECRET", "REFRESH_TOKEN"],
  ],
  openIdConnect: [
    { kind: "openIdConnect", url: "https://auth.example.com/.well-known/openid-configuration" },
    ["TOKEN", "CLIENT_SECRET", "REFRESH_TOKEN"],
  ],
  // Paths of files, or the PEM text of the key.
  mutualTLS: [{ kind: "mutualTLS" }, []],
} satisfies Record<SecurityScheme["kind"], [SecurityScheme, string[]]>;

const OTHER_HTTP = {
  bearer: [{ kind: "http", scheme: "bearer" }, ["TOKEN"]],
  dpop: [{ kind: "http", scheme: "dpop" }, ["CREDENTIALS"]],
} satisfies Record<string, [SecurityScheme, string[]]>;

test.each(Object.entries({ ...SCHEMES, ...OTHER_HTTP }))(
  "secrets of %s are redacted",
  (_, [scheme, endings]) => {
    const { api: definition, environment } = plan(
      api([operation("GET /pets", { security: [{ main: [] }] })], {
        securitySchemes: { main: scheme as SecurityScheme },
      }),
    );
    const secrets = environment.filter(({ secret }) => secret).map(({ name }) => name);
    expect(secrets).toEqual(endings.map((end): unknown => expect.stringMatching(`_${end}$`)));
    const env = Object.fromEntries(environment.map(({ name }) => [name, `value-of-${name}`]));
    const redact = createRedactor(configuredSecrets(definition, env));
    expect(secrets.map((name) => redact(`value-of-${name}`))).toEqual(
      secrets.map(() => "[redacted]"),
    );
  },
);

test("the private key of a certificate is redacted", () => {
  const { api: definition } = plan(
    api([operation("GET /pets", { security: [{ main: [] }] })], {
      securitySchemes: { main: { kind: "mutualTLS" } },
    }),
  );
  const redact = createRedactor(configuredSecrets(definition, { CLINIC_CLIENT_KEY: "PEM of key" }));
  expect(redact("PEM of key")).toBe("[redacted]");
});

test.each<readonly [string, readonly Record<string, string[]>[], boolean]>([
  ["X-User-Name", [{ key: [], who: [] }], false],
  ["X-Auth-Email", [{ key: [], who: [] }], false],
  ["account_id", [{ key: [], who: [] }], false],
  ["X-User-Name", [{ who: [] }], true],
  ["X-User-Name", [{ key: [], who: [] }, { who: [] }], true],
  ["X-Application-Key", [{ key: [], who: [] }], true],
  ["X-User-Token", [{ key: [], who: [] }], true],
])("%s, required as %j, is redacted: %j", (name, security, isSecret) => {
  const { api: definition, environment } = plan(
    api([operation("GET /pets", { security })], {
      securitySchemes: {
        key: { kind: "apiKey", in: "header", name: "X-Key" },
        who: { kind: "apiKey", in: "header", name },
      },
    }),
  );
  const { env = "" } = definition.securitySchemes["who"] as { env?: string };
  expect(environment.find((variable) => variable.name === env)?.secret).toBe(isSecret);
  const redact = createRedactor(configuredSecrets(definition, { [env]: "root-of-all" }));
  expect(redact("root-of-all")).toBe(isSecret ? "[redacted]" : "root-of-all");
});

test.each([
  ["username", false],
  ["protocolVersion", false],
  ["clientName", false],
  ["format", false],
  ["legacyPassword", true],
  ["salt", true],
])("the scheme %s of a short parameter beside a token is redacted: %j", (name, isSecret) => {
  const { api: definition } = plan(
    api([operation("GET /pets", { security: [{ token: [], [name]: [] }] })], {
      securitySchemes: {
        token: { kind: "apiKey", in: "query", name: "t" },
        [name]: { kind: "apiKey", in: "query", name: name.charAt(0) },
      },
    }),
  );
  const { env = "" } = definition.securitySchemes[name] as { env?: string };
  const redact = createRedactor(configuredSecrets(definition, { [env]: "root-of-all" }));
  expect(redact("root-of-all")).toBe(isSecret ? "[redacted]" : "root-of-all");
});
