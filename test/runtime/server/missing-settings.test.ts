import { expect, test } from "vitest";
import { describeMissingSettings } from "../../../src/runtime/server/settings.js";
import { createTestContext, toolOf } from "../support/clinic.js";

const base = { CLINIC_BASE_URL: "https://api.test" };

test.each<readonly [Record<string, string>, string | undefined]>([
  [{}, "Not set: CLINIC_BASE_URL (base URL of the API); CLINIC_TOKEN (credentials)."],
  [base, "Not set: CLINIC_TOKEN (credentials)."],
  [{ ...base, CLINIC_TOKEN: "abc" }, undefined],
  [{ ...base, CLINIC_FORWARD_HEADERS: "X-User-Token=Authorization" }, undefined],
  [{ ...base, CLINIC_TOKEN_EXCHANGE: "clinic-api" }, undefined],
  [{ ...base, CLINIC_HTTP_SIGN_IN_CLIENT_ID: "clinic-mcp" }, undefined],
])("%j", (env, want) => {
  const context = createTestContext([toolOf({})], env);
  const api = { ...context.api, security: [{ token: [] }] };
  const apiContext = { ...context.apiContext, api };
  const message = describeMissingSettings({ ...context, api, apiContext });
  expect(message?.replace(/ Most calls fail .*/, "")).toBe(want);
});
