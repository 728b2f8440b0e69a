/** Callers over HTTP who consent to the API in a browser. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { accessToken, connectModern, connectOld, type ToolClient } from "./http-clients.js";
import { type HttpLab, startHttpLab } from "./http-lab.js";
import { browse, CLIENT_ID } from "./provider.js";

let lab: HttpLab;
/** Each test has users of its own. */
let users = 0;
let ann: string;

const env = ({ issuer, url }: { readonly issuer: string; readonly url: string }) => ({
  CLINIC_HTTP_OAUTH_ISSUER: issuer,
  CLINIC_HTTP_PUBLIC_URL: url,
  CLINIC_HTTP_TOKEN: "fixed-token-4c1e9b",
  CLINIC_HTTP_SIGN_IN_CLIENT_ID: CLIENT_ID,
  CLINIC_CLIENT_ID: CLIENT_ID,
  CLINIC_TOKEN: "token-of-the-server",
  LOG_LEVEL: "debug",
});

beforeAll(async () => void (lab = await startHttpLab(env)), 60_000);
afterAll(() => lab.close());
beforeEach(() => void (ann = `ann${++users}`));

const find = { name: "find_pets", arguments: {} };
const tokenOf = (user: string): Promise<string> => accessToken(lab.provider.issuer, user);

/** The user whose token the API received last. */
const lastUser = (): unknown => decodeJwt(lab.received.at(-1)?.split(" ")[2] ?? "").sub;

/** The link in the text of an error result. */
async function linkOf(client: ToolClient): Promise<string> {
  const { isError, content } = await client.callTool(find);
  const [, link] = /browser: (\S+) \(valid for 10 minutes\)/.exec(JSON.stringify(content)) ?? [];
  expect(isError, JSON.stringify(content)).toBe(true);
  return link ?? "";
}

async function expectCall(client: ToolClient, user: string): Promise<void> {
  const result = await client.callTool(find);
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  expect(lastUser()).toBe(user);
}

describe("through the client", () => {
  test("2025-11-25: the call fails with the address, and can be repeated", async () => {
    const token = await tokenOf(ann);
    const client = await connectOld(lab.url, token);
    const sent = lab.received.length;
    const error: unknown = await client.callTool(find).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32042 });
    const [first] = (error as { data: { elicitations: { url: string; mode: string }[] } }).data
      .elicitations;
    expect(first).toMatchObject({
      mode: "url",
      message: "Clinic needs your consent for find_pets.",
      elicitationId: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(lab.received.length).toBe(sent);
    const { status, text } = await browse(first!.url, { login: ann });
    expect([status, text]).toEqual([
      200,
      "Signed in to Clinic. Return to your client to repeat the call.\n",
    ]);
    await expectCall(client, ann);
    expect(lab.received.at(-1)).not.toContain(token);
    await client.close();
  });

  test.each([
    ["after the user has signed in", true],
    ["while the user signs in", false],
  ])("2026-07-28: the call goes on, %s", async (_, isAwaited) => {
    const opened: Promise<unknown>[] = [];
    const client = await connectModern(lab.url, await tokenOf(ann), async (url) => {
      opened.push(browse(url, { login: ann }));
      if (isAwaited) await opened[0];
      return "accept";
    });
    await expectCall(client, ann);
    expect(opened).toHaveLength(1);
    await Promise.all(opened);
    await client.close();
  });

  test("2026-07-28: a user who declines is asked once", async () => {
    let count = 0;
    const client = await connectModern(lab.url, await tokenOf(ann), async () => {
      count++;
      return "decline";
    });
    expect(await linkOf(client)).toContain("/oauth/start?id=");
    expect(count).toBe(1);
    await client.close();
  });

  test.each([
    ["2025-11-25", (token: string) => connectOld(lab.url, token, false)],
    ["2026-07-28", (token: string) => connectModern(lab.url, token)],
  ])("%s without elicitation: the text has the link", async (_, connect) => {
    const client = await connect(await tokenOf(ann));
    await browse(await linkOf(client), { login: ann });
    await expectCall(client, ann);
    await client.close();
  });
});

describe("each caller as itself", () => {
  test("consent of one user is not used for another", async () => {
    const bob = `bob${users}`;
    const clients = [
      await connectModern(lab.url, await tokenOf(ann)),
      await connectModern(lab.url, await tokenOf(bob)),
    ] as const;
    await browse(await linkOf(clients[0]), { login: ann });
    await browse(await linkOf(clients[1]), { login: bob });
    for (let round = 0; round < 5; round++) {
      await expectCall(clients[0], ann);
      await expectCall(clients[1], bob);
    }
    await Promise.all(clients.map((client) => client.close()));
  });

  test("a caller without a user cannot consent, and gets no token of others", async () => {
    const client = await connectModern(lab.url, "fixed-token-4c1e9b");
    const { content } = await client.callTool(find);
    expect(JSON.stringify(content)).toContain("has no user who could sign in to the API");
    expect(lab.received.join()).not.toContain("token-of-the-server");
    await client.close();
  });

  test("nothing of a token is in the log", async () => {
    const client = await connectModern(lab.url, await tokenOf(ann));
    await browse(await linkOf(client), { login: ann });
    await expectCall(client, ann);
    const [, , token = "none"] = lab.received.at(-1)?.split(" ") ?? [];
    expect(lab.log()).not.toContain(token.slice(-20));
    await client.close();
  });
});

test("tokens are refreshed, and asked for again once the provider revokes them", async () => {
  const short = await startHttpLab(env, { accessTokens: 2 });
  onTestFinished(() => short.close());
  const token = await accessToken(short.provider.issuer, ann);
  const client = await connectModern(short.url, token);
  await browse(await linkOf(client), { login: ann });
  const isRefused = async (): Promise<boolean> => (await client.callTool(find)).isError ?? false;
  const countRefreshes = async (): Promise<number> => {
    expect(await isRefused()).toBe(false);
    return short.provider.grants("refresh_token");
  };
  await expect.poll(countRefreshes).toBeGreaterThan(0);
  await short.provider.revokeAll();
  await expect.poll(isRefused).toBe(true);
  expect(await linkOf(client)).toContain("/oauth/start?id=");
  await client.close();
});

describe("attacks", () => {
  let client: ToolClient;
  let link: string;
  beforeEach(async () => {
    client = await connectModern(lab.url, await tokenOf(ann));
    link = await linkOf(client);
  });

  /** Opens the link, and stops at the redirect to a path of the server. */
  async function stopAt(path: string, cookies = new Map<string, string>()) {
    const { url } = await browse(link, { login: ann, stopAt: path, cookies });
    return { url, cookies };
  }

  async function open(url: URL, cookies: ReadonlyMap<string, string>): Promise<number> {
    const headers = { cookie: cookieHeader(cookies) };
    const { status } = await fetch(url, { headers, redirect: "manual" });
    return status;
  }

  const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
    [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  async function expectNoConsent(): Promise<void> {
    expect(await linkOf(client)).toContain("/oauth/start?id=");
    await client.close();
  }

  test("another user who opens the link grants nothing", async () => {
    const { status, text } = await browse(link, { login: "mallory" });
    expect([status, text]).toEqual([
      403,
      "You are not the user who called the tool. Nothing was granted.\n",
    ]);
    await expectNoConsent();
  });

  test("a state cannot be used twice", async () => {
    const { url, cookies } = await stopAt("/oauth/callback");
    expect(await open(url, cookies)).toBe(200);
    expect(await open(url, cookies)).toBe(400);
    await client.close();
  });

  test("two consents in one browser both succeed", async () => {
    const bob = `bob${users}`;
    const other = await connectModern(lab.url, await tokenOf(bob));
    const first = await stopAt("/oauth/callback");
    const cookies = new Map<string, string>();
    const { url } = await browse(await linkOf(other), {
      login: bob,
      stopAt: "/oauth/callback",
      cookies,
    });
    const both = new Map([...first.cookies, ...cookies]);
    expect([await open(first.url, both), await open(url, both)]).toEqual([200, 200]);
    await other.close();
    await client.close();
  });

  test("a link that was used is not good again", async () => {
    await browse(link, { login: ann });
    expect((await browse(link, { login: ann })).status).toBe(400);
    await client.close();
  });

  test.each(["/oauth/user", "/oauth/callback"])(
    "%s: another browser cannot finish the sign-in",
    async (path) => {
      const { url, cookies } = await stopAt(path);
      expect(await open(url, new Map())).toBe(400);
      expect(await open(url, cookies)).toBe(400);
      await expectNoConsent();
    },
  );

  test("a state belongs to one of the two callbacks", async () => {
    const { url, cookies } = await stopAt("/oauth/user");
    url.pathname = "/oauth/callback";
    expect(await open(url, cookies)).toBe(400);
    await expectNoConsent();
  });

  test("an unknown state, and two states, are refused", async () => {
    const { url, cookies } = await stopAt("/oauth/callback");
    const twice = new URL(url);
    twice.searchParams.append("state", url.searchParams.get("state") ?? "");
    expect(await open(twice, cookies)).toBe(400);
    url.searchParams.set("state", "unknown");
    expect(await open(url, cookies)).toBe(400);
    await expectNoConsent();
  });

  test("the code of another sign-in is refused", async () => {
    const other = await connectModern(lab.url, await tokenOf("mallory"));
    const { url: foreign } = await browse(await linkOf(other), {
      login: "mallory",
      stopAt: "/oauth/callback",
    });
    const { url, cookies } = await stopAt("/oauth/callback");
    url.searchParams.set("code", foreign.searchParams.get("code") ?? "");
    expect(await open(url, cookies)).toBe(400);
    await other.close();
    await expectNoConsent();
  });

  test.each<readonly [string, (query: URLSearchParams) => void]>([
    ["of another issuer", (query) => query.set("iss", "https://evil.test")],
    ["without the issuer, which the server states", (query) => query.delete("iss")],
    ["with an error", (query) => query.set("error", "access_denied")],
  ])("an answer %s is refused", async (_, change) => {
    const { url, cookies } = await stopAt("/oauth/callback");
    change(url.searchParams);
    expect(await open(url, cookies)).toBe(400);
    await expectNoConsent();
  });

  test.each([
    ["a parameter names another origin", "&redirect_uri=https://evil.test&next=//evil.test", {}],
    ["the target names another host", "", { "x-forwarded-host": "evil.test" }],
  ])("redirects go to the issuer and back here: %s", async (_, query, headers) => {
    const response = await fetch(link + query, { redirect: "manual", headers });
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.origin).toBe(lab.provider.issuer);
    expect(location.searchParams.get("redirect_uri")).toBe(`${lab.url.origin}/oauth/user`);
    expect(location.searchParams.get("code_challenge_method")).toBe("S256");
    expect(response.headers.get("set-cookie")).toMatch(
      /^mcp-consent-[\w-]{8}=[\w-]{43}; Path=\/oauth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    await client.close();
  });

  test("an unknown link redirects nowhere", async () => {
    const response = await fetch(`${lab.url.origin}/oauth/start?id=unknown`, {
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    await client.close();
  });

  test("pages are served for GET only, and to this host's name only", async () => {
    expect((await fetch(link, { method: "POST" })).status).toBe(405);
    const headers = { origin: "https://evil.test" };
    expect((await fetch(link, { headers })).status).not.toBe(200);
    await client.close();
  });
});
