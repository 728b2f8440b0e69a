import { afterEach, expect, test, vi } from "vitest";
import { requestSignIn } from "../../../../src/runtime/auth/sign-in/login.js";

afterEach(() => void vi.useRealTimers());

test("a scheme with a device flow only: the request fails, and nothing fails later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const unhandled = vi.fn<() => void>();
  process.on("unhandledRejection", unhandled);
  const request = {
    api: "clinic",
    schemeName: "account",
    scheme: {
      kind: "oauth2" as const,
      tokenEnv: "CLINIC_TOKEN",
      signIn: { deviceUrl: "http://127.0.0.1:9/device", tokenUrl: "http://127.0.0.1:9/token" },
    },
    baseUrl: "http://127.0.0.1:9",
    clientId: "clinic-cli",
    clientSecret: "",
  };
  await expect(requestSignIn(request, [])).rejects.toThrow(
    "The authorization server has no authorization endpoint.",
  );
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
