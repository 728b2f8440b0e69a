import { expect, test, vi } from "vitest";
import { addSignedInTokens, rejectSignedInToken } from "../../../src/runtime/auth/signed-in.js";
import type { SignInToken } from "../../../src/runtime/auth/consent-types.js";
import type { AuthContext } from "../../../src/runtime/auth/types.js";
import { api, call, textOf, toolOf } from "../support/clinic.js";

const account = {
  kind: "oauth2" as const,
  tokenEnv: "CLINIC_TOKEN",
  clientIdEnv: "CLINIC_CLIENT_ID",
  signIn: { authorizationUrl: "https://id.test/authorize", tokenUrl: "https://id.test/token" },
};

/** Returns the token that the next request is sent with. */
async function tokenToSend(
  signedInToken: (rejected?: string) => SignInToken | undefined,
): Promise<string | undefined> {
  const context: AuthContext = {
    api: { ...api, securitySchemes: { account } },
    env: { CLINIC_CLIENT_ID: "cli" },
    platform: { signedInToken: async (_, rejected) => signedInToken(rejected) },
  };
  const signedIn = await addSignedInTokens([{ account: [] }], context);
  return signedIn.ok ? signedIn.context.env["CLINIC_TOKEN"] : undefined;
}

const token = (value: string): SignInToken => ({ ok: true, value, secrets: [], scopes: [] });

const reject = (value: string): boolean =>
  rejectSignedInToken({ method: "GET", url: "", headers: [["Authorization", `Bearer ${value}`]] });

test("a rejected token is replaced once", async () => {
  const read = (rejected?: string) => token(rejected === undefined ? "first" : "second");
  expect(await tokenToSend(read)).toBe("first");
  expect(reject("first")).toBe(true);
  expect(await tokenToSend(read)).toBe("second");
  expect(await tokenToSend(read)).toBe("first");
  expect(reject("unknown")).toBe(false);
});

test.each([
  ["at its deadline", { CLINIC_TIMEOUT_MS: "50" }, undefined, "get_pet timed out after 1 s"],
  ["when it is cancelled", {}, AbortSignal.timeout(50), "get_pet was cancelled"],
])("a call that waits for a sign-in ends %s", async (_, env, signal, text) => {
  const platform = { signedInToken: () => new Promise<never>(() => {}) };
  const tool = toolOf({ send: { security: [{ account: [] }] } });
  const result = await call(
    tool,
    {},
    {
      env: { CLINIC_BASE_URL: "http://127.0.0.1:9", CLINIC_CLIENT_ID: "cli", ...env },
      schemes: { account },
      platform,
      ...(signal && { context: { signal } }),
    },
  );
  expect(textOf(result)).toContain(text);
});

test("a failure after the end of a call is not unhandled", async () => {
  const unhandled = vi.fn<() => void>();
  process.on("unhandledRejection", unhandled);
  const platform = { signedInToken: () => Promise.reject(new Error("late")) };
  const result = await call(
    toolOf({ send: { security: [{ account: [] }] } }),
    {},
    {
      env: { CLINIC_BASE_URL: "http://127.0.0.1:9", CLINIC_CLIENT_ID: "cli" },
      schemes: { account },
      platform,
      context: { signal: AbortSignal.abort() },
    },
  );
  expect(textOf(result)).toContain("was cancelled");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("the latest tokens are remembered, not all", async () => {
  await tokenToSend(() => token("old"));
  for (let i = 0; i < 2000; i++) await tokenToSend(() => token(`token ${i}`));
  expect([reject("old"), reject("token 0")]).toEqual([false, true]);
});
