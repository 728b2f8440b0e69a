/**
 * A project that imports its runtime from the packed package mcp-gen: installed, generated,
 * type-checked, bundled, tested and started.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { scratch } from "../write/tree.js";
import { clients } from "./clients.js";

const folder = scratch();
const server = join(folder, "server");
const cli = (): string => join(folder, "node_modules/mcp-gen/dist/cli.cjs");

/** Installs from the npm cache if possible, else from the registry. */
const installFlags = [
  "--prefer-offline",
  "--no-audit",
  "--no-fund",
  "--no-save",
  "--ignore-scripts",
];

function npm(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

function generate(runtime: "copy" | "package", ...args: readonly string[]): string {
  const command = [cli(), "openapi.yaml", "-o", "server", "--runtime", runtime, ...args];
  return execFileSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
}

const filesIn = (path: string): string[] =>
  readdirSync(join(server, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

beforeAll(() => {
  cpSync(resolve("samples/clinic/openapi.yaml"), join(folder, "openapi.yaml"));
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  npm(resolve("."), "pack", "--ignore-scripts", "--silent", "--pack-destination", folder);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  npm(folder, "install", ...installFlags, tarball);
  generate("package");
  npm(server, "install", ...installFlags, tarball);
}, 300_000);

test("the project imports the runtime at the exact version of mcp-gen", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const manifest = JSON.parse(readFileSync(join(server, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(manifest.devDependencies["mcp-gen"]).toBe(version);
  expect(readFileSync(join(server, "src/runtime/index.ts"), "utf8")).toContain(
    'export * from "mcp-gen/runtime";',
  );
  expect(filesIn("src/runtime").sort()).toEqual([
    "bundle.ts",
    "index.ts",
    "index.ts",
    "sdk-shims.ts",
    "serve.ts",
  ]);
});

test("it type-checks, bundles and passes its tests", () => {
  npm(server, "run", "build");
  npm(server, "run", "build:worker");
  expect(npm(server, "test")).toMatch(/^# fail 0$/m);
  const bundle = readFileSync(join(server, "dist/server.js"), "utf8");
  expect(bundle).toMatch(/"fingerprint":\s*"sha256:/);
  expect(bundle).toMatch(/"postings\\?":/);
}, 120_000);

test("the bundled server answers", async () => {
  const client = await clients[2]![1]({
    command: process.execPath,
    args: [join(server, "dist/server.js")],
    env: {},
  });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("find_pets");
  await client.close();
});

test("another run of the same options changes nothing", () => {
  expect(generate("package", "--check")).toMatch(/is up to date/);
});

test("the runtime moves between the package and the project", () => {
  generate("copy");
  expect(existsSync(join(server, "src/runtime/call.ts"))).toBe(true);
  expect(readFileSync(join(server, "package.json"), "utf8")).not.toContain('"mcp-gen"');
  expect(readFileSync(join(server, "src/runtime/index.ts"), "utf8")).not.toContain(
    "mcp-gen/runtime",
  );
  expect(existsSync(join(server, "package-lock.json"))).toBe(true);
  generate("package");
  expect(filesIn("src/runtime")).toHaveLength(5);
  expect(existsSync(join(server, "package-lock.json"))).toBe(false);
});
