import { describe, expect, onTestFinished, test } from "vitest";
import { startUpstream } from "../../support/upstream.js";
import { createConsentBroker } from "../../../../src/runtime/auth/sign-in/consent-broker.js";
import {
  type Leg,
  PendingConsents,
} from "../../../../src/runtime/auth/sign-in/pending-consents.js";
import { createMemoryStore } from "../../../../src/runtime/store/memory.js";
import type { SignInRequest } from "../../../../src/runtime/auth/consent-types.js";

const signIn: SignInRequest = {
  api: "clinic",
  schemeName: "account",
  scheme: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN" },
  baseUrl: "",
  clientId: "clinic",
  clientSecret: "",
};

const leg: Leg = { kind: "consent", verifier: "v", cookie: "", issuer: "https://id.example.com" };

const minutes = (count: number): number => count * 60_000;
const SECRET = "a secret of the processes of this test";
const SERVER = ["https://id.example.com", "clinic", "https://mcp.example.com/mcp"];

/** Pending consents at a time that tests set, with a memory of their own as that of a process. */
function createPendings({
  clock = { now: 0 },
  secret = SECRET as string | null,
  server = SERVER,
} = {}) {
  const now = (): number => clock.now;
  const settings = { ...(secret !== null && { secret }), server, now };
  const pendings = new PendingConsents(createMemoryStore(now), settings);
  const openState = async (): Promise<string> => {
    const link = await pendings.open("ann", "find_pets", "digest");
    return pendings.expect((await pendings.find(link))!, leg);
  };
  return { clock, pendings, openState };
}

describe("states", () => {
  test("are good once", async () => {
    const { pendings, openState } = createPendings();
    const state = await openState();
    expect(await pendings.take("consent", state)).toMatchObject({
      pending: { subject: "ann", tool: "find_pets", signIn: "digest" },
      leg,
    });
    expect(await pendings.take("consent", state)).toBeUndefined();
  });

  test.each([
    [9, true],
    [10, false],
    [60, false],
  ])("after %i minutes: known %s", async (age, isKnown) => {
    const { clock, pendings, openState } = createPendings();
    const link = await pendings.open("ann", "find_pets", "digest");
    const state = await openState();
    clock.now = minutes(age);
    expect((await pendings.find(link)) !== undefined).toBe(isKnown);
    expect((await pendings.take("consent", state)) !== undefined).toBe(isKnown);
  });

  test.each<readonly [string, boolean, Parameters<typeof createPendings>[0]]>([
    ["with the same secret", true, {}],
    ["with another secret", false, { secret: "another secret, as long as the one of the others" }],
    ["without the secret", false, { secret: null }],
    ["of another server", false, { server: [...SERVER.slice(0, 2), "https://other.example/mcp"] }],
  ])("and links in a process %s: known %s", async (_, isKnown, options) => {
    const { pendings, openState } = createPendings();
    const other = createPendings(options).pendings;
    const link = await pendings.open("ann", "find_pets", "digest");
    expect((await other.find(link)) !== undefined).toBe(isKnown);
    expect((await other.take("consent", await openState())) !== undefined).toBe(isKnown);
  });

  test("show nothing of the user, and are unknown after any change", async () => {
    const { pendings, openState } = createPendings();
    const state = await openState();
    const [, content = ""] = state.split(".");
    expect(Buffer.from(content, "base64url").toString()).not.toContain("ann");
    for (let i = 0; i < state.length - 2; i += 7) {
      const changed = `${state.slice(0, i)}${state[i] === "A" ? "B" : "A"}${state.slice(i + 1)}`;
      expect(await pendings.take("consent", changed)).toBeUndefined();
    }
    expect(await pendings.take("consent", state)).toBeDefined();
  });

  test("belong to one kind of redirect, and are no links", async () => {
    const { pendings, openState } = createPendings();
    const state = await openState();
    expect(await pendings.take("user", state)).toBeUndefined();
    expect(await pendings.find(state)).toBeUndefined();
  });

  test("end with their consent", async () => {
    const { pendings } = createPendings();
    const link = await pendings.open("ann", "find_pets", "digest");
    const pending = (await pendings.find(link))!;
    const state = await pendings.expect(pending, leg);
    await pendings.end(pending);
    expect(await pendings.find(link)).toBeUndefined();
    expect(await pendings.take("consent", state)).toBeUndefined();
  });
});

test("a user has decided until the next link for the tool", async () => {
  const { pendings } = createPendings();
  const link = await pendings.open("ann", "find_pets", "digest");
  const isDecided = () => pendings.isDecided("ann", "find_pets");
  expect(await isDecided()).toBe(false);
  await pendings.end((await pendings.find(link))!);
  expect([await isDecided(), await pendings.isDecided("bob", "find_pets")]).toEqual([true, false]);
  await pendings.open("ann", "find_pets", "digest");
  expect(await isDecided()).toBe(false);
});

describe("a broker", () => {
  const brokerOf = (issuer: string, publicUrl: string, store = createMemoryStore()) =>
    createConsentBroker({
      publicUrl,
      issuer,
      clientId: "clinic",
      clientSecret: "",
      signIns: () => [
        { request: signIn, title: "Clinic", scopes: [], callback: "/oauth/callback" },
      ],
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
