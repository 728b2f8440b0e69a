import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CLIENT_ID, consent, startProvider, type TestProvider } from "./provider.js";

const work = mkdtempSync(join(tmpdir(), "mcp-gen-sign-in-"));
const server = join(work, "server.mjs");
let provider: TestProvider;
let home: string;

beforeAll(async () => {
  provider = await startProvider();
  await build({
    entryPoints: [new URL("./clinic-server.ts", import.meta.url).pathname],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: server,
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
}, 60_000);
afterAll(() => {
  provider.close();
  rmSync(work, { recursive: true, force: true });
});
beforeEach(() => {
  home = mkdtempSync(join(work, "home-"));
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly done: Promise<number>;
}

let endpoints = "metadata";

function run(...args: string[]): Run {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    APPDATA: join(home, "config"),
    ISSUER: provider.issuer,
    ENDPOINTS: endpoints,
    CLINIC_CLIENT_ID: CLIENT_ID,
    CLINIC_ENV_FILE: "",
  };
  const child = spawn(process.execPath, [server, ...args], { env });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  const done = once(child, "close").then(([code]) => Number(code));
  return { child, output: () => text, done };
}

async function addressOf({ output, child }: Run): Promise<URL> {
  for (;;) {
    const [address] = /http:\S+\/auth\S+/.exec(output()) ?? [];
    if (address !== undefined) return new URL(address);
    if (child.exitCode !== null) throw new Error(output());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function logIn(): Promise<string> {
  const login = run("login");
  const callback = await consent((await addressOf(login)).href);
  await fetch(callback);
  expect(await login.done, login.output()).toBe(0);
  return login.output();
}

const folder = (): string => join(home, "config/mcp-gen-sign-in");
const sessionFile = (): string =>
  join(folder(), readdirSync(folder()).find((name) => name.endsWith(".json")) ?? "none");
const session = () => JSON.parse(readFileSync(sessionFile(), "utf8"));

/** Asks a process for the header that a call sends. */
async function authorization(rejected = ""): Promise<string> {
  const call = run("print-authorization", rejected);
  await call.done;
  return call.output().trim();
}

function expire(): void {
  writeFileSync(sessionFile(), JSON.stringify({ ...session(), usableUntil: 0 }));
}

describe("login", () => {
  test("stores tokens for the user only, with the scopes of the offered tools", async () => {
    expect(await authorization()).toContain("run `node dist/server.js login`");
    expect(await logIn()).toContain(
      "If the provider rejects the redirect URI, register http://127.0.0.1:8123/callback there and add --port 8123.",
    );
    expect(lstatSync(folder()).mode & 0o777).toBe(0o700);
    expect(lstatSync(sessionFile()).mode & 0o777).toBe(0o600);
    expect(session().scopes).toEqual(["pets:read"]);
    expect(session().server.issuer).toBe(provider.issuer);
    expect(await authorization()).toMatch(/^Bearer \S+$/);
  });

  test.each(["--help", "-h"])("login %s prints the flags", async (flag) => {
    const { done, output } = run("login", flag);
    expect(await done).toBe(0);
    expect(output()).toContain("login [SCHEME]");
  });

  test("status survives a lifetime beyond all dates", async () => {
    await logIn();
    writeFileSync(sessionFile(), JSON.stringify({ ...session(), expiresAt: 1e20 }));
    const status = run("status");
    expect(await status.done).toBe(0);
    expect(status.output()).toContain("expires  unknown");
  });

  test("status shows scopes and expiry, never a token; logout revokes", async () => {
    await logIn();
    const { accessToken, refreshToken } = session();
    const status = run("status");
    await status.done;
    expect(status.output()).toContain("pets:read");
    expect(status.output()).not.toContain(accessToken);
    expect(status.output()).not.toContain(refreshToken);
    const logout = run("logout");
    expect(await logout.done).toBe(0);
    expect(logout.output()).toContain("revoked");
    expect(readdirSync(folder())).toEqual([]);
    expect(await authorization()).toContain("login");
  });
});

test("endpoints of the document are completed by metadata at their origin", async () => {
  endpoints = "document";
  try {
    await logIn();
    expect(session().server.revocation_endpoint).toContain(provider.issuer);
    expect(await authorization()).toMatch(/^Bearer \S+$/);
  } finally {
    endpoints = "metadata";
  }
});

test("a device sign-in asks for a code on another device", async () => {
  const login = run("login", "--device");
  let shown: RegExpExecArray | null = null;
  while (!(shown = /Open (\S+) .*code (\S+)/.exec(login.output()))) {
    if (login.child.exitCode !== null) throw new Error(login.output());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await consent(shown[1] ?? "", shown[2]);
  expect(await login.done, login.output()).toBe(0);
  expect(await authorization()).toMatch(/^Bearer \S+$/);
});

describe("redirects", () => {
  test("a foreign state, host, path and method are refused, and the sign-in goes on", async () => {
    const login = run("login");
    const callback = await consent((await addressOf(login)).href);
    const change = (edit: (url: URL) => void): URL => {
      const url = new URL(callback);
      edit(url);
      return url;
    };
    const foreign = [
      change(({ searchParams }) => searchParams.set("state", "x".repeat(43))),
      change(({ searchParams }) => searchParams.delete("state")),
      change(({ searchParams }) => searchParams.append("state", "again")),
      change((url) => (url.pathname = "/other")),
      change((url) => (url.hostname = "localhost")),
    ];
    for (const url of foreign) {
      const status = await fetch(url).then(
        (response) => response.status,
        () => 400,
      );
      expect(status, url.href).toBe(400);
    }
    expect((await fetch(callback, { method: "POST" })).status).toBe(400);
    expect((await fetch(callback)).status).toBe(200);
    expect(await login.done, login.output()).toBe(0);
    await expect(fetch(callback), "replayed").rejects.toThrow();
  });

  test.each<readonly [string, (parameters: URLSearchParams) => void | Promise<void>]>([
    ["another issuer (mix-up)", (parameters) => parameters.set("iss", "https://evil.example")],
    ["no issuer, although the metadata promises one", (parameters) => parameters.delete("iss")],
    ["a code of the attacker's own", (parameters) => parameters.set("code", "stolen")],
    [
      "a valid code of another sign-in (injection)",
      async (parameters) => {
        const other = run("login");
        const { searchParams } = await consent((await addressOf(other)).href);
        other.child.kill();
        parameters.set("code", searchParams.get("code") ?? "");
      },
    ],
    ["two codes", (parameters) => parameters.append("code", "another")],
    ["an error instead of a code", (parameters) => parameters.set("error", "access_denied")],
  ])("%s ends the sign-in without a session", async (_, attack) => {
    const login = run("login");
    const callback = await consent((await addressOf(login)).href);
    await attack(callback.searchParams);
    await fetch(callback);
    expect(await login.done).toBe(2);
    expect(login.output()).not.toMatch(/ at .*:\d+/);
    expect(() => readdirSync(folder())).toThrow();
  });

  test("the authorization server accepts no redirect to another origin", async () => {
    const login = run("login");
    const address = await addressOf(login);
    address.searchParams.set("redirect_uri", "http://evil.example/callback");
    const response = await fetch(address, { redirect: "manual" });
    expect(response.status).toBe(400);
    login.child.kill();
    await login.done;
  });
});

describe("refresh", () => {
  test("two processes refresh a rotating token once", async () => {
    await logIn();
    const before = session();
    const count = provider.grants("refresh_token");
    const headers = await Promise.all([
      authorization(before.accessToken),
      authorization(before.accessToken),
    ]);
    expect(provider.grants("refresh_token") - count).toBe(1);
    expect(new Set(headers)).toEqual(new Set([`Bearer ${session().accessToken}`]));
    expect(session().refreshToken).not.toBe(before.refreshToken);
    expire();
    expect(await authorization()).toMatch(/^Bearer \S+$/);
  });

  test("a revoked refresh token ends the session, and the error names the command", async () => {
    await logIn();
    await provider.revokeAll();
    expire();
    expect(await authorization()).toMatch(/was revoked.*node dist\/server\.js login/);
    expect(readdirSync(folder())).toEqual([]);
  });
});

describe("the store", () => {
  test.skipIf(process.platform === "win32").each<[string, () => void, RegExp]>([
    [
      "a symbolic link in place of the file",
      () => {
        const [from, to] = [sessionFile(), join(home, "elsewhere.json")];
        renameSync(from, to);
        symlinkSync(to, from);
      },
      /is a symbolic link/,
    ],
    [
      "a symbolic link in place of the folder",
      () => {
        renameSync(folder(), join(home, "moved"));
        symlinkSync(join(home, "moved"), folder());
      },
      /is a symbolic link/,
    ],
    [
      "a folder in place of the file",
      () => {
        const path = sessionFile();
        rmSync(path);
        mkdirSync(path, { mode: 0o700 });
      },
      /is not a session file/,
    ],
    ["a file that others can read", () => chmodSync(sessionFile(), 0o644), /other users/],
    ["a folder that others can read", () => chmodSync(folder(), 0o755), /other users/],
  ])("refuses %s", async (_, attack, problem) => {
    await logIn();
    attack();
    const output = await authorization();
    expect(output).toMatch(problem);
    expect(output).not.toContain("Bearer");
  });

  test.skipIf(process.platform === "win32")(
    "refuses a symbolic link that waits for the first sign-in",
    async () => {
      mkdirSync(join(home, "config"));
      mkdirSync(join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), folder());
      const login = run("login");
      await fetch(await consent((await addressOf(login)).href));
      expect(await login.done).toBe(2);
      expect(login.output()).toContain("is a symbolic link");
      expect(readdirSync(join(home, "elsewhere"))).toEqual([]);
    },
  );

  test.skipIf(process.getuid?.() !== 0)("is closed to a second local user", async () => {
    await logIn();
    for (const path of [work, home, join(home, "config")]) chmodSync(path, 0o755);
    const [file, nobody] = [sessionFile(), 65_534];
    for (const command of [
      ["cat", file],
      ["ls", folder()],
      ["rm", "-f", file],
    ] as const) {
      const { status } = spawnSync(command[0], command.slice(1), { uid: nobody, gid: nobody });
      expect(status, command.join(" ")).not.toBe(0);
    }
    expect(await authorization()).toMatch(/^Bearer /);
    chownSync(file, nobody, nobody);
    expect(await authorization()).toContain("belongs to another user");
  });
});
