/**
 * Consent of callers with several APIs, of which two have an authorization server each, over HTTP.
 * One is also the issuer of the callers' tokens.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { generateApis } from "../../src/generate-apis.js";
import {
  accessToken,
  connectModern,
  connectOld,
  type ToolClient,
} from "../runtime/auth/sign-in/http-clients.js";
import { bundleServer, freePort, waitUntilListening } from "../runtime/auth/sign-in/http-lab.js";
import {
  browse,
  CLIENT_ID,
  startProvider,
  type TestProvider,
} from "../runtime/auth/sign-in/provider.js";
import { signInDocument, writeDocuments } from "./documents.js";
import { startUpstream, type Upstream } from "./server.js";

const signedIn = ["pets", "vets"] as const;
type SignedIn = (typeof signedIn)[number];

const work = mkdtempSync(join(tmpdir(), "mcp-gen-apis-consent-"));
const SHARED_TOKEN = "shared-token-of-the-vats";
let server: ChildProcess;
let providers: Record<SignedIn, TestProvider>;
let upstreams: Record<SignedIn | "vats", Upstream>;
let url: URL;
let env: Record<string, string>;
let program: string;
let users = 0;
let ann: string;

const bearerOf = ({ headers }: Upstream["received"][number]): string =>
  headers.authorization?.replace(/^Bearer /, "") ?? "";

/** An API that accepts the tokens of its own authorization server. */
async function startApi(name: SignedIn): Promise<Upstream> {
  const upstream = await startUpstream([]);
  upstream.respond = async (request, response) => {
    const verified = await providers[name].verify(bearerOf(request));
    if (!verified) response.writeHead(401);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify([{ user: verified?.user ?? "nobody" }]));
  };
  return upstream;
}

beforeAll(async () => {
  const port = await freePort();
  url = new URL(`http://127.0.0.1:${port}/mcp`);
  const redirects = ["user", "callback/pets", "callback/vets"].map(
    (path) => new URL(`/oauth/${path}`, url).href,
  );
  providers = {
    pets: await startProvider({ resource: url.href, redirects }),
    vets: await startProvider({ redirects }),
  };
  upstreams = {
    pets: await startApi("pets"),
    vets: await startApi("vets"),
    vats: await startUpstream([{ user: "all" }]),
  };
  const issuers = { ...providers, vats: providers.vets };
  const names = ["pets", "vets", "vats"] as const;
  const files = writeDocuments(
    Object.fromEntries(
      names.map((name) => [`${name}.json`, signInDocument(name, issuers[name].issuer)]),
    ),
  );
  const sources = names.map((name) => ({ name, source: files.path(`${name}.json`) }));
  const options = { planOnly: true, packageName: "clinic" } as const;
  const { plan } = await generateApis(sources, undefined, options);
  files.remove();
  const definition = join(work, "definition.json");
  const tools = plan!.tools.map((tool) => tool.definition);
  writeFileSync(definition, JSON.stringify({ api: plan!.api, tools }));
  program = await bundleServer(work, new URL("./consent-server.ts", import.meta.url));
  env = {
    PATH: process.env["PATH"]!,
    XDG_CONFIG_HOME: join(work, "config"),
    DEFINITION: definition,
    CLINIC_ENV_FILE: "",
    CLINIC_STORE: `file:${join(work, "store")}`,
    CLINIC_STORE_KEY: "the key of the store of this test, of 32 or more characters",
    CLINIC_HTTP_OAUTH_ISSUER: providers.pets.issuer,
    CLINIC_HTTP_PUBLIC_URL: url.href,
    CLINIC_HTTP_SIGN_IN_CLIENT_ID: CLIENT_ID,
    CLINIC_PETS_CLIENT_ID: CLIENT_ID,
    CLINIC_PETS_TOKEN: "shared-token-of-the-pets",
    CLINIC_VETS_CLIENT_ID: CLIENT_ID,
    CLINIC_VATS_TOKEN: SHARED_TOKEN,
    ...Object.fromEntries(
      names.map((name) => [`CLINIC_${name.toUpperCase()}_BASE_URL`, upstreams[name].url]),
    ),
  };
  server = spawn(process.execPath, [program, "--http", "--port", String(port)], { env });
  await waitUntilListening(server);
}, 90_000);
afterAll(async () => {
  server.kill();
  for (const name of signedIn) providers[name].close();
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.stop()));
  rmSync(work, { recursive: true, force: true });
});
beforeEach(() => {
  ann = `ann${++users}`;
  for (const upstream of Object.values(upstreams)) upstream.received.length = 0;
});

/** A further process of the same server, behind the same public URL. */
async function startReplica(): Promise<{ readonly process: ChildProcess; readonly at: URL }> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, "--http", "--port", String(port)], { env });
  await waitUntilListening(child);
  return { process: child, at: new URL(`http://127.0.0.1:${port}/mcp`) };
}

const clientOf = async (user: string): Promise<ToolClient> =>
  connectModern(url, await accessToken(providers.pets.issuer, user));

const call = (client: ToolClient, name: string) =>
  client.callTool({ name: `list_${name}`, arguments: {} });

/** The link in the text of an error result. */
async function linkOf(client: ToolClient, name: SignedIn): Promise<string> {
  const { isError, content } = await call(client, name);
  const [, link] = /browser: (\S+) \(valid for 10 minutes\)/.exec(JSON.stringify(content)) ?? [];
  expect(isError, JSON.stringify(content)).toBe(true);
  return link ?? "";
}

test("each API gets the tokens of its own server, after a consent of its own", async () => {
  const client = await clientOf(ann);
  const signIn = async (name: SignedIn) => browse(await linkOf(client, name), { login: ann });
  expect((await signIn("pets")).text).toContain("Signed in to pets.");
  expect(JSON.stringify(await call(client, "pets"))).toContain(ann);
  // The consent for one API is none for the other.
  expect(upstreams.vets.received).toEqual([]);
  expect((await signIn("vets")).text).toContain("Signed in to vets.");
  expect(JSON.stringify(await call(client, "vets"))).toContain(ann);
  const [pets, vets] = signedIn.map((name) => upstreams[name].received.map(({ text }) => text));
  const tokens = signedIn.map((name) => upstreams[name].received.map(bearerOf));
  for (const token of tokens[0]!) expect(vets!.join()).not.toContain(token);
  for (const token of tokens[1]!) expect(pets!.join()).not.toContain(token);
  expect(pets!.join()).not.toContain("shared-token");
  await client.close();
});

test("the request of 2025-11-25 names the API", async () => {
  const client = await connectOld(url, await accessToken(providers.pets.issuer, ann));
  const error: unknown = await call(client, "vets").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: -32042,
    data: { elicitations: [{ message: "vets needs your consent for list_vets." }] },
  });
  await client.close();
});

test("an API whose client is not set keeps the credentials of the server", async () => {
  const client = await clientOf(ann);
  expect((await call(client, "vats")).isError).toBeFalsy();
  expect(upstreams.vats.received.map(bearerOf)).toEqual([SHARED_TOKEN]);
  expect([...upstreams.pets.received, ...upstreams.vets.received]).toEqual([]);
  await client.close();
});

test("processes with one store share the consents, for each API apart", async () => {
  const token = await accessToken(providers.pets.issuer, ann);
  const replicas = await Promise.all([startReplica(), startReplica()]);
  onTestFinished(() => replicas.forEach(({ process: child }) => child.kill()));
  const [one, other] = await Promise.all(replicas.map(({ at }) => connectModern(at, token)));
  // The browser returns to the public URL, which is a third process.
  const { text } = await browse(await linkOf(one!, "vets"), { login: ann });
  expect(text).toContain("Signed in to vets.");
  for (const client of [one!, other!]) {
    expect(JSON.stringify(await call(client, "vets"))).toContain(ann);
    expect((await call(client, "pets")).isError).toBe(true);
  }
  expect(upstreams.pets.received).toEqual([]);
  expect(upstreams.vets.received.map(bearerOf).join()).not.toContain("shared-token");
  await browse(await linkOf(other!, "pets"), { login: ann });
  expect(JSON.stringify(await call(one!, "pets"))).toContain(ann);
  const [pets, vets] = signedIn.map((name) => new Set(upstreams[name].received.map(bearerOf)));
  expect([...pets!].filter((sent) => vets!.has(sent))).toEqual([]);
  await Promise.all([one!.close(), other!.close()]);
});

describe("no consent", () => {
  test("by a redirect of the server of the other API", async () => {
    const client = await clientOf(ann);
    const cookies = new Map<string, string>();
    const stopAt = "/oauth/callback/vets";
    const { url: back } = await browse(await linkOf(client, "vets"), {
      login: ann,
      stopAt,
      cookies,
    });
    const headers = { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") };
    const to = (path: string) =>
      fetch(new URL(path + back.search, url), { headers, redirect: "manual" });
    for (const path of ["/oauth/callback/pets", "/oauth/callback", "/oauth/callback/vats"])
      expect((await to(path)).status).toBeGreaterThanOrEqual(400);
    expect((await call(client, "vets")).isError).toBe(true);
    expect(upstreams.vets.received).toEqual([]);
    await client.close();
  });

  test("by another user", async () => {
    const client = await clientOf(ann);
    const { status } = await browse(await linkOf(client, "vets"), { login: "mallory" });
    expect(status).toBe(403);
    expect((await call(client, "vets")).isError).toBe(true);
    await client.close();
  });
});

describe("settings that stop the start", () => {
  test.each<readonly [string, Record<string, string>, string]>([
    [
      "no client of any API",
      { CLINIC_PETS_CLIENT_ID: "", CLINIC_VETS_CLIENT_ID: "" },
      "CLINIC_HTTP_SIGN_IN_CLIENT_ID needs CLINIC_PETS_CLIENT_ID, the client of this server",
    ],
    [
      "a token exchange beside the consent",
      {
        CLINIC_VETS_TOKEN_EXCHANGE: "https://vets.example",
        CLINIC_VETS_TOKEN_EXCHANGE_CLIENT_ID: "x",
      },
      "Set CLINIC_VETS_TOKEN_EXCHANGE or CLINIC_VETS_CLIENT_ID, not both.",
    ],
    [
      "a client of the callers' issuer for one API",
      { CLINIC_VETS_HTTP_SIGN_IN_CLIENT_ID: CLIENT_ID },
      "CLINIC_VETS_HTTP_SIGN_IN_CLIENT_ID is one client for all APIs: set CLINIC_HTTP_SIGN_IN_CLIENT_ID.",
    ],
  ])("%s", async (_, variables, problem) => {
    const other = spawn(process.execPath, [program, "--http", "--port", "0"], {
      env: { ...env, ...variables },
    });
    await expect(waitUntilListening(other)).rejects.toThrow(problem);
  });
});
