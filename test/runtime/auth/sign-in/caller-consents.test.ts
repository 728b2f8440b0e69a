import { describe, expect, test } from "vitest";
import { type Leg, PendingConsents } from "../../../../src/runtime/auth/sign-in/caller-consents.js";
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
  return { clock, pendings: new PendingConsents(() => clock.now) };
}

describe("states", () => {
  test("are good once", () => {
    const { pendings } = createStore();
    const { id } = pendings.open("ann", "find_pets", signIn);
    pendings.expect(id, leg("s1"));
    expect(pendings.take("s1")?.pending.id).toBe(id);
    expect(pendings.take("s1")).toBeUndefined();
  });

  test.each([
    [9, true],
    [10, false],
    [60, false],
  ])("after %i minutes: known %s", (age, isKnown) => {
    const { clock, pendings } = createStore();
    const { id } = pendings.open("ann", "find_pets", signIn);
    pendings.expect(id, leg("s1"));
    clock.now = minutes(age);
    expect(pendings.find(id) !== undefined).toBe(isKnown);
    expect(pendings.take("s1") !== undefined).toBe(isKnown);
  });

  test("a newer one replaces an older one", () => {
    const { pendings } = createStore();
    const { id } = pendings.open("ann", "find_pets", signIn);
    pendings.expect(id, leg("s1"));
    pendings.expect(id, leg("s2"));
    expect(pendings.take("s1")).toBeUndefined();
    expect(pendings.take("s2")?.leg.state).toBe("s2");
  });

  test("end with their consent", () => {
    const { pendings } = createStore();
    const { id } = pendings.open("ann", "find_pets", signIn);
    pendings.expect(id, leg("s1"));
    pendings.remove(id);
    expect(pendings.take("s1")).toBeUndefined();
  });
});

describe("consents", () => {
  test.each([
    ["ann", "find_pets", signIn, true],
    ["bob", "find_pets", signIn, false],
    ["ann", "add_pet", signIn, false],
    ["ann", "find_pets", { ...signIn, schemeName: "other" }, false],
  ])("of %s for %s", (subject, tool, request, isSame) => {
    const { pendings } = createStore();
    const { id } = pendings.open("ann", "find_pets", signIn);
    expect(pendings.open(subject, tool, request).id === id).toBe(isSame);
  });

  test("make room for newer ones", () => {
    const { pendings } = createStore();
    const first = pendings.open("ann", "find_pets", signIn);
    for (let i = 0; i < 1000; i++) pendings.open(`user${i}`, "find_pets", signIn);
    expect(pendings.find(first.id)).toBeUndefined();
  });
});
