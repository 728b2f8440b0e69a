/** No token, code, verifier or client secret stands where others read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleServer, listen } from "./http-lab.js";
import { CONFIDENTIAL, consent, startProvider, type TestProvider } from "./provider.js";

const work = mkdtempSync(join(tmpdir(), "mcp-gen-secrets-"));
const { id, secret } = CONFIDENTIAL.client_secret_post;
const telemetry = pathToFileURL(join(import.meta.dirname, "../../support/telemetry.mjs")).href;
let provider: TestProvider;
let env: Record<string, string>;
let server: string;

/** Secrets of a sign-in, by kind, and the texts of a whole session, by place. */
const secrets = new Map<string, Set<string>>();
const places = new Map<string, string>();

const add = (kind: string, value: unknown): void => {
  if (typeof value !== "string") return;
  secrets.set(kind, (secrets.get(kind) ?? new Set()).add(value));
};

function noteSession(): void {
  const folder = join(work, "config/mcp-gen-sign-in");
  const name = readdirSync(folder).find((file) => file.endsWith(".json")) ?? "none";
  const session = JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>;
  add("access token", session["accessToken"]);
  add("refresh token", session["refreshToken"]);
}

/** An API that knows every secret, and says it in every way. */
const api = createServer(({ url = "", headers }, response) => {
  const page = Number(new URL(url, "http://api").searchParams.get("page"));
  const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
  const known = [
    token,
    ...[...secrets].flatMap(([kind, values]) => (isSent(kind) ? [...values] : [])),
  ];
  const echo = known.flatMap((value) => [
    value,
    Buffer.from(value).toString("base64"),
    encodeURIComponent(value),
  ]);
  const large = page === 2 ? Array.from({ length: 400 }, (_, i) => `note ${i}`) : [];
  const isRejected = page === 3 && secrets.get("access token")?.has(token) === true;
  response.writeHead(isRejected ? 401 : page === 1 ? 500 : 200, {
    "content-type": "application/json",
  });
  response.end(JSON.stringify({ message: echo.join(" "), [token]: echo, large }));
});

/** Secrets that the server still holds when it calls the API. Codes and verifiers are used up. */
const isSent = (kind: string): boolean => /token|secret/.test(kind);

/** Does in the page what the user does in a browser, and follows its redirect. */
async function openInBrowser(address: string): Promise<void> {
  const callback = await consent(address);
  add("authorization code", callback.searchParams.get("code"));
  await fetch(callback);
}

/** Runs a command of the server. Returns its output. */
async function run(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [server, ...args], { env });
  let text = "";
  let isOpened = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
      const [address] = /http:\S+\/auth\S+(?=\n)/.exec(text) ?? [];
      if (address === undefined || isOpened) return;
      isOpened = true;
      void openInBrowser(address);
    });
  await once(child, "close");
  return text;
}

beforeAll(async () => {
  provider = await startProvider({
    onGrant: (parameters) => add("PKCE verifier", parameters["code_verifier"]),
  });
  server = await bundleServer(work);
  env = {
    PATH: process.env["PATH"] ?? "",
    HOME: work,
    XDG_CONFIG_HOME: join(work, "config"),
    APPDATA: join(work, "config"),
    ISSUER: provider.issuer,
    CLINIC_BASE_URL: await listen(api),
    CLINIC_ENV_FILE: "",
    CLINIC_CLIENT_ID: id,
    CLINIC_CLIENT_SECRET: secret,
    CLINIC_MAX_RESULT_TOKENS: "500",
    LOG_LEVEL: "debug",
  };
  add("client secret", secret);
  places.set("login", await run("login"));
  noteSession();
  places.set("status", await run("status"));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server],
    env: { ...env, NODE_OPTIONS: `--import=${telemetry}` },
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (chunk) => (log += chunk));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const call = (page: number) => client.callTool({ name: "find_pets", arguments: { page } });
  places.set("result", JSON.stringify(await call(0)));
  places.set("error", JSON.stringify(await call(1)));
  const large = await call(2);
  const link = large.content.find(({ type }) => type === "resource_link") as { uri: string };
  places.set("kept result", JSON.stringify(await client.readResource({ uri: link.uri })));
  places.set("result after a refresh", JSON.stringify(await call(3)));
  noteSession();
  await client.close();
  places.set("log and spans", log);
  places.set("logout", await run("logout"));
}, 120_000);
afterAll(() => {
  provider.close();
  api.close();
  rmSync(work, { recursive: true, force: true });
});

test("the session has every kind of secret, and fills every place", () => {
  expect(places.get("login")).toContain("Signed in");
  expect(places.get("status")).toContain("scopes   pets:read");
  expect(places.get("logout")).toContain("revoked");
  expect(places.get("log and spans")).toContain("span tools/call find_pets");
  expect(places.get("log and spans")).toContain('"tool":"find_pets"');
  for (const place of ["result", "error", "kept result"])
    expect(places.get(place), place).toContain("[redacted]");
  expect(places.get("result after a refresh")).not.toContain("isError");
  expect(secrets.get("access token")?.size, "refreshed").toBe(2);
});

describe.each([
  "access token",
  "refresh token",
  "client secret",
  "authorization code",
  "PKCE verifier",
])("%s", (kind) => {
  test.each([
    "login",
    "status",
    "logout",
    "result",
    "error",
    "kept result",
    "result after a refresh",
    "log and spans",
  ])("is not in: %s", (place) => {
    const values = [...(secrets.get(kind) ?? [])];
    expect(values.length).toBeGreaterThan(0);
    for (const value of values)
      for (const form of [value, Buffer.from(value).toString("base64"), encodeURIComponent(value)])
        expect(places.get(place)).not.toContain(form);
  });
});
