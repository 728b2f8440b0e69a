/**
 * Sign-ins with several APIs: two authorization servers, and two APIs that accept the tokens of
 * their own only. No request carries anything of the other API.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { generateApis } from "../../src/generate-apis.js";
import type { ToolPlan } from "../../src/plan/index.js";
import { runSignInCommand, signedInToken } from "../../src/runtime/auth/sign-in/index.js";
import { accessTokenOf } from "../runtime/auth/exchange/access-token.js";
import { API_AUDIENCE, EXCHANGER } from "../runtime/auth/sign-in/token-exchange.js";
import {
  CLIENT_ID,
  CONFIDENTIAL,
  consent,
  startProvider,
  type TestProvider,
} from "../runtime/auth/sign-in/provider.js";
import { signInDocument, writeDocuments } from "./documents.js";
import { connect, startUpstream, type Upstream } from "./server.js";

const apis = ["pets", "vets"] as const;
type Api = (typeof apis)[number];

/** Resource of the MCP server, for which callers have tokens. */
const resource = "http://127.0.0.1:7/mcp";

let providers: Record<Api, TestProvider>;
/** Parameters of token requests, by the authorization server that got them. */
const granted: Record<Api, string[]> = { pets: [], vets: [] };
let plan: ToolPlan;
let upstreams: Record<Api, Upstream>;
let env: Record<string, string>;
let client: Client | undefined;
const work = mkdtempSync(join(tmpdir(), "mcp-gen-apis-sign-in-"));

beforeAll(async () => {
  const start = (name: Api) =>
    startProvider({
      resource,
      onGrant: (parameters) => granted[name].push(JSON.stringify(parameters)),
    });
  providers = { pets: await start("pets"), vets: await start("vets") };
  const files = writeDocuments({
    "pets.json": signInDocument("pets", providers.pets.issuer),
    "vets.json": signInDocument("vets", providers.vets.issuer),
  });
  const sources = apis.map((name) => ({ name, source: files.path(`${name}.json`) }));
  plan = (await generateApis(sources, undefined, { planOnly: true, packageName: "clinic" })).plan!;
  files.remove();
}, 60_000);
afterAll(() => {
  for (const name of apis) providers[name].close();
  rmSync(work, { recursive: true, force: true });
});

beforeEach(async () => {
  for (const name of apis) granted[name].length = 0;
  upstreams = { pets: await startApi("pets"), vets: await startApi("vets") };
  env = {
    CLINIC_MAX_RETRY_WAIT_MS: "0",
    CLINIC_PETS_BASE_URL: upstreams.pets.url,
    CLINIC_VETS_BASE_URL: upstreams.vets.url,
    CLINIC_PETS_CLIENT_ID: CLIENT_ID,
    CLINIC_VETS_CLIENT_ID: CLIENT_ID,
  };
  vi.stubEnv("XDG_CONFIG_HOME", mkdtempSync(join(work, "home-")));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await client?.close();
  client = undefined;
  await Promise.all(apis.map((name) => upstreams[name].stop()));
});

const bearerOf = ({ headers }: Upstream["received"][number]): string =>
  headers.authorization?.replace(/^Bearer /, "") ?? "";

/** An API that accepts the tokens of its own authorization server. */
async function startApi(name: Api): Promise<Upstream> {
  const upstream = await startUpstream([]);
  upstream.respond = async (request, response) => {
    const verified = await providers[name].verify(bearerOf(request));
    response.setHeader("content-type", "application/json");
    if (!verified) response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' });
    response.end(JSON.stringify(verified ? [{ user: verified.user }] : { message: "who?" }));
  };
  return upstream;
}

/** Consents in a browser, which follows the redirect to the command. */
async function finishSignIn(address: string, code: string | undefined, user: string) {
  const url = await consent(address, code, user);
  if (code === undefined) await fetch(url);
}

/** Signs a user in to an API, in a browser or with a device code. */
async function signIn(name: Api, user: string, ...options: readonly string[]): Promise<void> {
  const api = plan.apis!.find((one) => one.name === name)!.plan.api;
  const browsing: Promise<unknown>[] = [];
  const writing = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    const [address] = /http:\S+/.exec(String(text)) ?? [];
    const [, code] = /enter the code (\S+)/.exec(String(text)) ?? [];
    if (address !== undefined) browsing.push(finishSignIn(address, code, user));
    return true;
  });
  const scopesOf = (): readonly string[] => ["pets:read", "offline_access"];
  const context = { api, apiContext: { api, env }, scopesOf };
  const code = await runSignInCommand("login", options, context);
  await Promise.all(browsing);
  expect([code, writing.mock.calls.length]).toEqual([0, 1]);
  writing.mockRestore();
}

async function call(name: Api, headers: Record<string, string> = {}): Promise<string> {
  client ??= await connect(plan, env, { headers, platform: { signedInToken } });
  const { content } = await client.callTool({ name: `list_${name}`, arguments: {} });
  return JSON.stringify(content);
}

/** Tokens that an API got, and the parameters of requests of its sign-in. */
const sentTo = (name: Api): string =>
  [...upstreams[name].received.map(({ text }) => text), ...granted[name]].join("\n");

/** Values that only one of the APIs may get, in a request to the other. */
function leaks(): readonly string[] {
  return apis.flatMap((name) => {
    const other = name === "pets" ? "vets" : "pets";
    const own = [...upstreams[name].received.map(bearerOf), ...granted[name].flatMap(secretsOf)];
    return [...new Set(own)].filter((secret) => secret !== "" && sentTo(other).includes(secret));
  });
}

/** Codes and tokens of the parameters of a token request. */
function secretsOf(parameters: string): readonly string[] {
  const values = JSON.parse(parameters) as Readonly<Record<string, string>>;
  return ["code", "device_code", "refresh_token", "code_verifier"].flatMap(
    (name) => values[name] ?? [],
  );
}

test("a browser for one API and a device for the other: each gets its own tokens", async () => {
  await signIn("pets", "ann");
  // Only the first API has a user.
  expect(await call("pets")).toContain("ann");
  expect(await call("vets")).toContain("CLINIC_VETS");
  expect(upstreams.vets.received).toEqual([]);
  await signIn("vets", "bob", "--device");
  expect(await call("vets")).toContain("bob");
  expect(await call("pets")).toContain("ann");
  expect(leaks()).toEqual([]);
});

test("a rejected token is refreshed at its own server, and only there", async () => {
  await signIn("pets", "ann");
  await signIn("vets", "bob");
  await Promise.all([call("pets"), call("vets")]);
  const [first] = upstreams.pets.received.map(bearerOf);
  const accept = upstreams.pets.respond;
  upstreams.pets.respond = (request, response) => {
    if (bearerOf(request) !== first) return accept(request, response);
    response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end();
  };
  const before = granted.vets.length;
  expect(await call("pets")).toContain("ann");
  expect(await call("vets")).toContain("bob");
  expect(granted.pets.filter((text) => text.includes("refresh_token"))).not.toEqual([]);
  expect(granted.vets).toHaveLength(before);
  expect(new Set(upstreams.vets.received.map(bearerOf)).size).toBe(1);
  expect(leaks()).toEqual([]);
});

test("a redirect to the other API carries no token", async () => {
  await signIn("pets", "ann");
  await signIn("vets", "bob");
  for (const status of [301, 302, 303, 307, 308]) {
    upstreams.pets.respond = (_, response) =>
      void response.writeHead(status, { location: `${upstreams.vets.url}/vets` }).end();
    await call("pets");
  }
  expect(upstreams.vets.received.map(bearerOf).filter(Boolean)).toEqual([]);
  expect(leaks()).toEqual([]);
});

test("an authorization server that is down leaves the other API unaffected", async () => {
  await signIn("pets", "ann");
  await signIn("vets", "bob");
  await call("vets");
  upstreams.pets.respond = (_, response) => void response.writeHead(401).end();
  providers.pets.setHealth("down");
  const [failed, other] = await Promise.all([call("pets"), call("vets")]);
  providers.pets.setHealth("up");
  expect(failed).not.toContain("ann");
  expect(other).toContain("bob");
  expect(leaks()).toEqual([]);
});

test("the token of a caller is exchanged for one of each API that asks for it", async () => {
  const [user, issuer] = ["ann", providers.vets.issuer];
  const { id, secret } = CONFIDENTIAL.client_secret_basic;
  env = {
    ...env,
    CLINIC_HTTP_OAUTH_ISSUER: issuer,
    CLINIC_HTTP_PUBLIC_URL: resource,
    CLINIC_VETS_TOKEN_EXCHANGE: API_AUDIENCE,
    CLINIC_VETS_TOKEN_EXCHANGE_CLIENT_ID: EXCHANGER.id,
    CLINIC_VETS_TOKEN_EXCHANGE_CLIENT_SECRET: EXCHANGER.secret,
    CLINIC_PETS_CLIENT_ID: id,
    CLINIC_PETS_CLIENT_SECRET: secret,
    CLINIC_PETS_TOKEN: "s3cret-of-the-pets",
  };
  const token = await accessTokenOf(providers.vets, user, resource);
  const headers = { authorization: `Bearer ${token}` };
  expect(await call("vets", headers)).toContain(user);
  await call("pets");
  expect(upstreams.pets.received.map(bearerOf)).toEqual(["s3cret-of-the-pets"]);
  for (const name of apis) expect(upstreams[name].received.map(bearerOf)).not.toContain(token);
  expect(sentTo("vets")).not.toContain(secret);
  expect(sentTo("pets")).not.toContain(EXCHANGER.secret);
  expect(leaks()).toEqual([]);
});
