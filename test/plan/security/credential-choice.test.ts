import { expect, test } from "vitest";
import { describeCredentialChoice } from "../../../src/plan/security/assumed-requirement.js";
import type { SecurityRequirement } from "../../../src/runtime/api-definition.js";
import type { SecuritySchemeDefinition } from "../../../src/runtime/security-schemes.js";

const securitySchemes: Record<string, SecuritySchemeDefinition> = {
  key: { kind: "apiKey", in: "header", name: "X-Key", env: "KEY" },
  token: { kind: "bearer", env: "TOKEN" },
  login: { kind: "basic", usernameEnv: "USER", passwordEnv: "PASSWORD" },
  oauth: {
    kind: "oauth2",
    tokenEnv: "ACCESS_TOKEN",
    clientIdEnv: "CLIENT_ID",
    clientSecretEnv: "CLIENT_SECRET",
    tokenUrl: "https://auth.example.com/token",
  },
  code: {
    kind: "oauth2",
    tokenEnv: "CODE_TOKEN",
    clientIdEnv: "CODE_ID",
    clientSecretEnv: "CODE_SECRET",
    withoutClientGrant: true,
    refreshTokenEnv: "REFRESH_TOKEN",
    tokenUrl: "https://auth.example.com/token",
    signIn: { authorizationUrl: "https://auth.example.com/authorize" },
  },
  account: {
    kind: "oauth2",
    tokenEnv: "USER_TOKEN",
    clientIdEnv: "APP_ID",
    discoveryUrl: "https://id.example.com/.well-known/openid-configuration",
    signIn: { metadataUrl: "https://id.example.com/.well-known/openid-configuration" },
  },
};

test.each<[string, SecurityRequirement[], string | undefined]>([
  ["no security", [], undefined],
  ["one scheme", [{ key: [] }], undefined],
  ["two alternatives", [{ key: [] }, { token: [] }], "KEY or TOKEN"],
  ["a set of two", [{ key: [] }, { login: [] }], "KEY, or USER and PASSWORD"],
  ["both together", [{ key: [], token: [] }], undefined],
  ["OAuth 2.0", [{ oauth: [] }], "ACCESS_TOKEN, or CLIENT_ID and CLIENT_SECRET"],
  ["a sign-in", [{ account: [] }], "USER_TOKEN, or APP_ID (then login)"],
  [
    "a sign-in without client credentials",
    [{ code: [] }],
    "CODE_TOKEN, or CODE_ID (then login), or REFRESH_TOKEN and CODE_ID",
  ],
  ["optional credentials", [{ key: [] }, {}], undefined],
  ["equal alternatives", [{ key: [] }, { key: [] }], undefined],
])("%s", (_, security, choice) => {
  expect(describeCredentialChoice({ security, securitySchemes })).toBe(choice);
});
