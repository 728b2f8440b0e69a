/** From `login` to the first call, with a real authorization server and an API that checks tokens. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AnyClient, clients } from "../../../e2e/clients.js";
import { bundleServer, listen } from "./http-lab.js";
import { CLIENT_ID, CONFIDENTIAL, consent, startProvider, type TestProvider } from "./provider.js";

const work = mkdtempSync(join(tmpdir(), "mcp-gen-first-call-"));
let provider: TestProvider;
let api: Server;
let baseUrl: string;
let server: string;
let home: string;
/** Tokens that the API no longer accepts. */
const revoked = new Set<string>();

beforeAll(async () => {
  provider = await startProvider();
  api = createServer(async ({ headers }, response) => {
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    const verified = revoked.has(token) ? undefined : await provider.verify(token);
    response.setHeader("content-type", "application/json");
    if (!verified) response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' });
    response.end(JSON.stringify(verified ? { user: verified.user } : { message: "who are you?" }));
  });
  [baseUrl, server] = await Promise.all([listen(api), bundleServer(work)]);
}, 60_000);
afterAll(() => {
  provider.close();
  api.close();
  rmSync(work, { recursive: true, force: true });
});
beforeEach(() => {
  home = mkdtempSync(join(work, "home-"));
});

type Env = Record<string, string>;

const environment = (others: Env = {}): Env => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config"),
  APPDATA: join(home, "config"),
  ISSUER: provider.issuer,
  CLINIC_BASE_URL: baseUrl,
  CLINIC_ENV_FILE: "",
  CLINIC_CLIENT_ID: CLIENT_ID,
  ...others,
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly code: Promise<number>;
}

function run(env: Env, ...args: string[]): Run {
  const child = spawn(process.execPath, [server, ...args], { env });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  return { child, output: () => text, code: once(child, "close").then(([code]) => Number(code)) };
}

/** Runs `login`, and does in its page what the user does in a browser. */
async function logIn(env: Env): Promise<void> {
  const login = run(env, "login");
  let address: string | undefined;
  while (address === undefined) {
    if (login.child.exitCode !== null) throw new Error(login.output());
    await new Promise((resolve) => setTimeout(resolve, 20));
    [address] = /http:\S+\/auth\S+/.exec(login.output()) ?? [];
  }
  await fetch(await consent(address));
  expect(await login.code, login.output()).toBe(0);
}

const connect = (kind: number, env: Env): Promise<AnyClient> =>
  clients[kind]![1]({ command: process.execPath, args: [server], env });
const findPets = async (client: AnyClient): Promise<string> =>
  JSON.stringify((await client.callTool({ name: "find_pets", arguments: {} })).content);

function storedSession(): { readonly accessToken: string; readonly refreshToken: string } {
  const folder = join(home, "config/mcp-gen-sign-in");
  const name = readdirSync(folder).find((file) => file.endsWith(".json")) ?? "none";
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

test.each(clients.map(([name], kind) => [name, kind] as const))(
  "%s: a call says what to run, and works after the sign-in, without a restart",
  async (_, kind) => {
    const env = environment();
    const client = await connect(kind, env);
    expect(await findPets(client)).toContain("login");
    await logIn(env);
    expect(await findPets(client)).toContain('\\"user\\":\\"ann\\"');
    const { accessToken } = storedSession();
    revoked.add(accessToken);
    expect(await findPets(client), "after a 401, with a new token").toContain("ann");
    expect(storedSession().accessToken).not.toBe(accessToken);
    await provider.revokeAll();
    expect(await findPets(client)).toMatch(/was revoked.*login/);
    await client.close();
  },
);

test("concurrent calls with a token that the API rejects are all repeated", async () => {
  const env = environment();
  await logIn(env);
  const client = await connect(2, env);
  expect(await findPets(client)).toContain("ann");
  revoked.add(storedSession().accessToken);
  const count = provider.grants("refresh_token");
  const results = await Promise.all(Array.from({ length: 8 }, () => findPets(client)));
  for (const result of results) expect(result).toContain("ann");
  expect(provider.grants("refresh_token") - count).toBe(1);
  await client.close();
});

describe("confidential clients", () => {
  test.each(Object.entries(CONFIDENTIAL))("%s", async (_, { id, secret }) => {
    const env = environment({ CLINIC_CLIENT_ID: id, CLINIC_CLIENT_SECRET: secret });
    await logIn(env);
    const client = await connect(2, env);
    expect(await findPets(client)).toContain("ann");
    revoked.add(storedSession().accessToken);
    expect(await findPets(client), "refreshed").toContain("ann");
    await client.close();
    const logout = run(env, "logout");
    expect(await logout.code, logout.output()).toBe(0);
    expect(logout.output()).toContain("the tokens are revoked");
  });

  test("the refresh token of a stolen file is useless without the secret", async () => {
    const { id, secret } = CONFIDENTIAL.client_secret_basic;
    await logIn(environment({ CLINIC_CLIENT_ID: id, CLINIC_CLIENT_SECRET: secret }));
    const { accessToken } = storedSession();
    revoked.add(accessToken);
    const client = await connect(2, environment({ CLINIC_CLIENT_ID: id }));
    expect(await findPets(client)).toMatch(/refused to refresh the sign-in \(invalid_client\)/);
    await client.close();
    expect(storedSession().accessToken).toBe(accessToken);
  });
});

describe("metadata of the authorization server", () => {
  test.each(["down", "silent"] as const)("%s: login says so, and works later", async (health) => {
    provider.setHealth(health);
    const login = run(environment(), "login");
    expect(await login.code).toBe(2);
    provider.setHealth("up");
    expect(login.output()).toMatch(/^127\.0\.0\.1:\d+ .*metadata.*\n$/);
    await logIn(environment());
  });

  test("down: a failed refresh is reported, keeps the sign-in, and works later", async () => {
    const env = environment();
    await logIn(env);
    const client = await connect(2, env);
    revoked.add(storedSession().accessToken);
    expect(await findPets(client)).toContain("ann");
    provider.setHealth("down");
    revoked.add(storedSession().accessToken);
    expect(await findPets(client)).toContain("could not be refreshed. Try again in a minute");
    provider.setHealth("up");
    expect(await findPets(client)).toContain("ann");
    await client.close();
  });
});
