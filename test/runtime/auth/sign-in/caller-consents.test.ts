import { describe, expect, onTestFinished, test } from "vitest";
import { startUpstream } from "../../support/upstream.js";
import { createConsentBroker } from "../../../../src/runtime/auth/sign-in/consent-broker.js";
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

  test("of a link that is opened again and again do not displace those of other users", async () => {
    const { pendings } = createStore();
    const waiting = await pendings.open("ann", "find_pets", signIn);
    const { id } = await pendings.open("mallory", "find_pets", signIn);
    for (let i = 0; i < 20_000; i++)
      await pendings.expect((await pendings.find(id))!, leg(`s${i}`));
    expect(await pendings.find(waiting.id)).toEqual(waiting);
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

describe("a broker", () => {
  const brokerOf = (issuer: string, publicUrl: string, store = createMemoryStore()) =>
    createConsentBroker({
      title: "Clinic",
      publicUrl,
      issuer,
      clientId: "clinic",
      clientSecret: "",
      scopesOf: () => [],
      store,
    });
  const linkOf = async (broker: ReturnType<typeof brokerOf>): Promise<URL> => {
    const request = await broker.of("1").request(signIn, "find_pets");
    if (typeof request !== "object") throw new Error(request);
    return new URL(request.url);
  };

  test("does not know a subject of another issuer that shares its store", async () => {
    const store = createMemoryStore();
    const own = brokerOf("https://id.example.com", "https://mcp.example.com/mcp", store);
    const other = brokerOf("https://other.example", "https://mcp.example.com/mcp", store);
    const link = await linkOf(own);
    expect((await linkOf(own)).href).toBe(link.href);
    expect((await linkOf(other)).href).not.toBe(link.href);
    const answer = { path: "/oauth/start", query: link.searchParams, cookies: "" };
    expect((await other.answer(answer)).status).toBe(400);
  });

  test.each([
    [
      "https://mcp.example.com/mcp",
      /^__Host-mcp-consent-[\w-]{8}=[\w-]{43}; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/,
    ],
    [
      "https://mcp.example.com/clinic/mcp",
      /^__Host-mcp-consent-[\w-]{8}=[\w-]{43}; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/,
    ],
    ["http://127.0.0.1:3000/mcp", /^mcp-consent-[\w-]{8}=[\w-]{43}; Path=\/oauth; Max-Age=600;/],
  ])("at %s sets a cookie that no other host can set", async (publicUrl, cookie) => {
    const issuer = await startUpstream((response) => {
      const [authorization_endpoint, token_endpoint] = ["auth", "token"].map(
        (path) => `${issuer.url}/${path}`,
      );
      const metadata = { issuer: issuer.url, authorization_endpoint, token_endpoint };
      response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
    });
    onTestFinished(() => issuer.close());
    const broker = brokerOf(issuer.url, publicUrl);
    const { searchParams } = await linkOf(broker);
    const answer = await broker.answer({ path: "/oauth/start", query: searchParams, cookies: "" });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([
      302,
      expect.stringMatching(cookie) as string,
    ]);
  });
});
