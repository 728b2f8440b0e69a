import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { withLock } from "../../../../src/runtime/auth/sign-in/store.js";
import type { SignInRequest } from "../../../../src/runtime/auth/consent-types.js";

const work = mkdtempSync(join(tmpdir(), "mcp-gen-lock-"));
const request: SignInRequest = {
  api: "clinic",
  schemeName: "login",
  scheme: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN" },
  baseUrl: "",
  clientId: "one",
  clientSecret: "",
};
let folder: string;

beforeEach(() => {
  const config = mkdtempSync(join(work, "config-"));
  for (const name of ["XDG_CONFIG_HOME", "APPDATA"]) process.env[name] = config;
  folder = join(config, "mcp-gen-sign-in");
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Takes the lock as a process does that is killed: it is never released. */
async function abandonLock(): Promise<void> {
  await new Promise<void>((resolve) => {
    void withLock(request, () => (resolve(), new Promise<never>(() => {})));
  });
  const past = new Date(Date.now() - 120_000);
  for (const name of readdirSync(folder, { recursive: true }) as string[])
    if (statSync(join(folder, name)).isFile()) utimesSync(join(folder, name), past, past);
}

/** Runs holders of the lock that start one after the other. Returns how many held it at once. */
async function countHolders(holders: number): Promise<number> {
  let [current, most] = [0, 0];
  const hold = async (): Promise<void> => {
    most = Math.max(most, ++current);
    await delay(2);
    current--;
  };
  const running: Promise<void>[] = [];
  for (let i = 0; i < holders; i++) {
    running.push(withLock(request, hold));
    await nextTurn();
  }
  await Promise.all(running);
  return most;
}

describe("the lock of a session", () => {
  test("has one holder at a time, and leaves nothing behind", async () => {
    expect(await countHolders(10)).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([1, 2, 3])("that is stale is taken over by one holder (%d)", async () => {
    await abandonLock();
    expect(await countHolders(20)).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is released after a failure", async () => {
    const fail = (): Promise<never> => Promise.reject(new Error("no"));
    await expect(withLock(request, fail)).rejects.toThrow("no");
    expect(await withLock(request, () => Promise.resolve(1))).toBe(1);
  });
});
