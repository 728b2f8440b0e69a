import { expect, test } from "vitest";
import {
  describeMissingSettings,
  describePlainHttp,
} from "../../../src/runtime/server/settings.js";
import { createTestContext, toolOf } from "../support/clinic.js";

const base = { CLINIC_BASE_URL: "https://api.test" };

function contextOf(env: Record<string, string>) {
  const { apiContext, api: clinic } = createTestContext([toolOf({})], env);
  const api = { ...clinic, security: [{ token: [] }] };
  return { api, apiContext: { ...apiContext, api } };
}

test.each<readonly [Record<string, string>, string | undefined]>([
  [{}, "Not set: CLINIC_BASE_URL (base URL of the API); CLINIC_TOKEN (credentials)."],
  [base, "Not set: CLINIC_TOKEN (credentials)."],
  [
    { CLINIC_BASE_URL: "api.test" },
    "CLINIC_BASE_URL is not an absolute http(s) URL. Calls fail until it is corrected in .env or the environment.",
  ],
  [{ ...base, CLINIC_TOKEN: "abc" }, undefined],
  [{ ...base, CLINIC_FORWARD_HEADERS: "X-User-Token=Authorization" }, undefined],
  [{ ...base, CLINIC_TOKEN_EXCHANGE: "clinic-api" }, undefined],
])("%j", (env, want) => {
  const message = describeMissingSettings(contextOf(env));
  expect(message?.replace(/ Most calls fail .*/, "")).toBe(want);
});

test.each<readonly [string, Record<string, string>, string | undefined]>([
  ["whose callers consent", { CLINIC_CLIENT_ID: "clinic" }, undefined],
  ["of several, whose client is not set", {}, "Not set: CLINIC_TOKEN (credentials)."],
])("an API %s", (_, env, want) => {
  const variables = { ...base, CLINIC_HTTP_SIGN_IN_CLIENT_ID: "clinic-mcp", ...env };
  const { api, apiContext } = contextOf(variables);
  const [tokenEnv, clientIdEnv] = ["CLINIC_TOKEN", "CLINIC_CLIENT_ID"];
  const account = { kind: "oauth2", tokenEnv, clientIdEnv, signIn: {} } as const;
  const own = { ...api, security: [{ account: [] }], securitySchemes: { account } };
  const message = describeMissingSettings({ api: own, apiContext: { ...apiContext, api: own } });
  expect(message?.replace(/ Most calls fail .*/, "")).toBe(want);
});

test("the base path of the document is named", () => {
  const { api, apiContext } = contextOf({});
  const message = describeMissingSettings({ api: { ...api, basePath: "/api/v1" }, apiContext });
  expect(message).toContain("CLINIC_BASE_URL (base URL of the API with the base path /api/v1)");
});

const unencrypted =
  "Credentials are sent unencrypted to http://api.test. " +
  "If the API has an https address, set CLINIC_BASE_URL to it.";

test.each<readonly [string, Record<string, string>, string | undefined]>([
  ["http://api.test/v1", { CLINIC_TOKEN: "abc" }, unencrypted],
  ["http://api.test/v1", {}, undefined],
  ["https://api.test/v1", { CLINIC_TOKEN: "abc" }, undefined],
  ["http://localhost:8080", { CLINIC_TOKEN: "abc" }, undefined],
  ["http://127.0.0.1:8080", { CLINIC_TOKEN: "abc" }, undefined],
])("%s with %j", (url, env, want) =>
  expect(describePlainHttp(contextOf({ ...env, CLINIC_BASE_URL: url }))).toBe(want),
);
