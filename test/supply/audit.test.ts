/**
 * The audit of `npm run supply`, with npm itself, against registries without advisories, with
 * advisories, and without an audit endpoint.
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

const project = "samples/clinic/server";
const lock = readFileSync(join(project, "package-lock.json"), "utf8");
const { packages } = JSON.parse(lock) as {
  packages: Record<string, { version: string; dev?: boolean }>;
};
const versionOf = (name: string): string => packages[`node_modules/${name}`]!.version;

/** Body of an audit request: installed versions by package name. */
type AuditRequest = Readonly<Record<string, readonly string[]>>;
type Registry = (request: AuditRequest, response: ServerResponse) => void;

const servers: Server[] = [];
let requests: AuditRequest[] = [];
let folder = "";

beforeAll(() => {
  folder = scratch();
  plant(folder, {
    "package.json": readFileSync(join(project, "package.json"), "utf8"),
    "package-lock.json": lock,
  });
});
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function bodyOf(request: IncomingMessage): Promise<AuditRequest> {
  const body =
    request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
  return (await json(body)) as AuditRequest;
}

/** Serves the audit endpoint; every other request is answered with 404. */
async function serve(registry: Registry): Promise<string> {
  requests = [];
  const server = createServer((request, response) => {
    if (request.method !== "POST" || request.url !== "/-/npm/v1/security/advisories/bulk")
      return void response.writeHead(404).end("{}");
    void bodyOf(request).then((body) => (requests.push(body), registry(body, response)));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Environment without the npm settings of this machine, such as proxies and scoped registries. */
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

const replyWith =
  (status: number, body: object = {}): Registry =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));

/** Registry with an advisory for the installed version of a package. */
function withAdvisory(name: string, severity: string): Registry {
  const version = versionOf(name);
  const advisory = {
    id: 1,
    url: "https://advisories.example/1",
    title: `Vulnerability in ${name}`,
    severity,
    vulnerable_versions: version,
    cwe: [],
    cvss: { score: 0, vectorString: null },
  };
  return (body, response) =>
    replyWith(200, body[name]?.includes(version) ? { [name]: [advisory] } : {})(body, response);
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
  ["no advisory", replyWith(200), [], "passed", /^no known vulnerabilities in \d\d+ packages$/],
  [
    "a severe advisory for a runtime dependency",
    withAdvisory("zod", "high"),
    ["--omit=dev"],
    "failed",
    /(^|; )zod \(high\): Vulnerability in zod \(\d[\d.]+\) https:\/\/advisories.example\/1($|; )/,
  ],
  [
    "a minor advisory for a build dependency",
    withAdvisory("esbuild", "low"),
    [],
    "failed",
    /^esbuild \(low\): Vulnerability in esbuild \S+ \S+$/,
  ],
  [
    "an advisory for an omitted build dependency",
    withAdvisory("esbuild", "critical"),
    ["--omit=dev"],
    "passed",
    /^no known vulnerabilities/,
  ],
  [
    "an informational advisory",
    withAdvisory("zod", "info"),
    [],
    "passed",
    /^no known vulnerabilities/,
  ],
])("a registry with %s", async (_, registry, options, outcome, summary) => {
  expect(await audit(folder, options, envFor(await serve(registry)))).toEqual({
    outcome,
    summary: expect.stringMatching(summary) as string,
  });
  // npm sent the installed packages with their versions.
  expect(requests.map((body) => [body["zod"], "esbuild" in body])).toEqual([
    [[versionOf("zod")], !options.includes("--omit=dev")],
  ]);
});

test.each([404, 405, 501])(
  "a registry without the endpoint (%i) is reported as skipped, not as passed",
  async (status) => {
    expect(await audit(folder, [], envFor(await serve(replyWith(status))))).toEqual({
      outcome: "skipped",
      summary: expect.stringMatching(
        `^not checked: the registry has no audit endpoint \\(${status} `,
      ) as string,
    });
  },
);

test("a failing or unreachable registry fails the audit", async () => {
  const registry = await serve(replyWith(400));
  expect(await audit(folder, [], envFor(registry))).toEqual({
    outcome: "failed",
    summary: expect.stringMatching(/^npm audit does not work: 400 /) as string,
  });
  servers.splice(0).forEach((server) => server.close());
  expect(await audit(folder, [], { ...envFor(registry), npm_config_fetch_retries: "0" })).toEqual({
    outcome: "failed",
    summary: expect.stringMatching(/^npm audit does not work: .*ECONNREFUSED/) as string,
  });
});

test("a folder without a lock fails the audit", async () => {
  const empty = scratch();
  plant(empty, { "package.json": "{}" });
  expect(await audit(empty, [], envFor(await serve(replyWith(200))))).toEqual({
    outcome: "failed",
    summary: expect.stringMatching(/requires an existing lockfile/) as string,
  });
  expect(requests).toEqual([]);
});
