import { describe, expect, test } from "vitest";
import { type Leg, PendingConsents } from "../../../../src/runtime/auth/sign-in/caller-consents.js";
import { createMemoryStore } from "../../../../src/runtime/store/memory.js";
import type { SignInRequest } from "../../../../src/runtime/auth/types.js";

const signIn: SignInRequest = {
  api: "clinic",
  schemeName: "account",
  scheme: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN" },
  baseUrl: "",
  clientId: "clinic",
  clientSecret: "",
};

const leg = (state: string): Leg => ({
  kind: "consent",
  state,
  verifier: "",
  cookie: "",
  trusted: { server: { issuer: "https://id.example.com" }, isIssuerInferred: false },
});

const minutes = (count: number): number => count * 60_000;

/** A store at a time that tests set. */
function createStore() {
  const clock = { now: 0 };
  return {
    clock,
    pendings: new PendingConsents(
      createMemoryStore(() => clock.now),
      () => clock.now,
    ),
  };
}

describe("states", () => {
  test("are good once", async () => {
    const { pendings } = createStore();
    const pending = await pendings.open("ann", "find_pets", signIn);
    await pendings.expect(pending, leg("s1"));
    expect((await pendings.take("s1"))?.pending.id).toBe(pending.id);
    expect(await pendings.take("s1")).toBeUndefined();
  });

  test.each([
    [9, true],
    [10, false],
    [60, false],
  ])("after %i minutes: known %s", async (age, isKnown) => {
    const { clock, pendings } = createStore();
    const pending = await pendings.open("ann", "find_pets", signIn);
    await pendings.expect(pending, leg("s1"));
    clock.now = minutes(age);
    expect((await pendings.find(pending.id)) !== undefined).toBe(isKnown);
    expect((await pendings.take("s1")) !== undefined).toBe(isKnown);
  });

  test("a newer one replaces an older one", async () => {
    const { pendings } = createStore();
    const pending = await pendings.open("ann", "find_pets", signIn);
    await pendings.expect(pending, leg("s1"));
    await pendings.expect(pending, leg("s2"));
    expect(await pendings.take("s1")).toBeUndefined();
    expect((await pendings.take("s2"))?.leg.state).toBe("s2");
  });

  test("end with their consent", async () => {
    const { pendings } = createStore();
    const pending = await pendings.open("ann", "find_pets", signIn);
    await pendings.expect(pending, leg("s1"));
    await pendings.remove(pending.id);
    expect(await pendings.take("s1")).toBeUndefined();
  });
});

describe("consents", () => {
  test.each([
    ["ann", "find_pets", signIn, true],
    ["bob", "find_pets", signIn, false],
    ["ann", "add_pet", signIn, false],
    ["ann", "find_pets", { ...signIn, schemeName: "other" }, false],
  ])("of %s for %s", async (subject, tool, request, isSame) => {
    const { pendings } = createStore();
    const pending = await pendings.open("ann", "find_pets", signIn);
    expect((await pendings.open(subject, tool, request)).id === pending.id).toBe(isSame);
  });
});
