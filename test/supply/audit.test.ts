/**
 * The audit of `npm run supply`, npm and all, against registries that know of nothing, know of
 * something, and cannot tell.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { afterEach, beforeAll, expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { audit } from "./audit.mjs";

const generated = "samples/clinic/server";
const lock = readFileSync(join(generated, "package-lock.json"), "utf8");
const { packages } = JSON.parse(lock) as {
  packages: Record<string, { version: string; dev?: boolean }>;
};
const versionOf = (name: string): string => packages[`node_modules/${name}`]!.version;

/** What a registry is asked: names, each with the versions that are installed. */
type Asked = Readonly<Record<string, readonly string[]>>;
type Registry = (asked: Asked, response: ServerResponse) => void;

const started: Server[] = [];
let asked: Asked[] = [];
let folder = "";

beforeAll(() => {
  folder = scratch();
  plant(folder, {
    "package.json": readFileSync(join(generated, "package.json"), "utf8"),
    "package-lock.json": lock,
  });
});
afterEach(() => started.splice(0).forEach((server) => server.close()));

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  const body =
    request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
  return (await json(body)) as Asked;
}

/** Serves the one endpoint; whatever else is asked for is not there. */
async function serve(registry: Registry): Promise<string> {
  asked = [];
  const server = createServer((request, response) => {
    if (request.method !== "POST" || request.url !== "/-/npm/v1/security/advisories/bulk")
      return void response.writeHead(404).end("{}");
    void bodyOf(request).then((body) => (asked.push(body), registry(body, response)));
  });
  started.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/**
 * The settings of this machine's npm, proxies and registries of scopes among them, are none of the
 * test's.
 */
function envFor(registry: string): NodeJS.ProcessEnv {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|proxy$/i.test(name)),
  );
  return {
    ...env,
    npm_config_registry: registry,
    npm_config_userconfig: join(folder, "none"),
    npm_config_globalconfig: join(folder, "none-either"),
    npm_config_cache: scratch(),
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
  };
}

const answers =
  (status: number, body: object = {}): Registry =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));

/** Knows of a weakness of one version of a package, and tells who has it. */
function knows(name: string, severity: string): Registry {
  const version = versionOf(name);
  const advisory = {
    id: 1,
    url: "https://advisories.example/1",
    title: `A weakness of ${name}`,
    severity,
    vulnerable_versions: version,
    cwe: [],
    cvss: { score: 0, vectorString: null },
  };
  return (body, response) =>
    answers(200, body[name]?.includes(version) ? { [name]: [advisory] } : {})(body, response);
}

test.each<
  readonly [
    string,
    Registry,
    readonly string[],
    Awaited<ReturnType<typeof audit>>["outcome"],
    RegExp,
  ]
>([
  ["nothing", answers(200), [], "passed", /^no weakness is known of \d\d+ packages$/],
  [
    "a serious weakness of what it runs with",
    knows("zod", "high"),
    ["--omit=dev"],
    "failed",
    /(^|; )zod \(high\): A weakness of zod \(\d[\d.]+\) https:\/\/advisories.example\/1($|; )/,
  ],
  [
    "a small weakness of what builds it",
    knows("esbuild", "low"),
    [],
    "failed",
    /^esbuild \(low\): A weakness of esbuild \S+ \S+$/,
  ],
  [
    "a weakness of what builds it, which is left out",
    knows("esbuild", "critical"),
    ["--omit=dev"],
    "passed",
    /^no weakness is known/,
  ],
  ["a remark", knows("zod", "info"), [], "passed", /^no weakness is known/],
])("a registry knows of %s", async (_, registry, options, outcome, says) => {
  expect(await audit(folder, options, envFor(await serve(registry)))).toEqual({
    outcome,
    says: expect.stringMatching(says) as string,
  });
  // It was asked about what is installed, by its version.
  expect(asked.map((body) => [body["zod"], "esbuild" in body])).toEqual([
    [[versionOf("zod")], !options.includes("--omit=dev")],
  ]);
});

test.each([404, 405, 501])(
  "a registry without the endpoint (%i) is not taken for one that knows of nothing",
  async (status) => {
    expect(await audit(folder, [], envFor(await serve(answers(status))))).toEqual({
      outcome: "skipped",
      says: expect.stringMatching(
        `^not checked: the registry has no audit endpoint \\(${status} `,
      ) as string,
    });
  },
);

test("a registry that fails, or is not there, fails the audit", async () => {
  const registry = await serve(answers(400));
  expect(await audit(folder, [], envFor(registry))).toEqual({
    outcome: "failed",
    says: expect.stringMatching(/^npm audit does not work: 400 /) as string,
  });
  started.splice(0).forEach((server) => server.close());
  expect(await audit(folder, [], { ...envFor(registry), npm_config_fetch_retries: "0" })).toEqual({
    outcome: "failed",
    says: expect.stringMatching(/^npm audit does not work: .*ECONNREFUSED/) as string,
  });
});

test("a folder without a lock is no audit", async () => {
  const empty = scratch();
  plant(empty, { "package.json": "{}" });
  expect(await audit(empty, [], envFor(await serve(answers(200))))).toEqual({
    outcome: "failed",
    says: expect.stringMatching(/requires an existing lockfile/) as string,
  });
  expect(asked).toEqual([]);
});
