import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { plant, scratch, treeOf } from "./write/tree.js";
import { ensureFreshBuild } from "./fresh-build.js";

ensureFreshBuild();

const root = join(import.meta.dirname, "..");
const PETS =
  '{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}], "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": "Pets"}}}}}}';

let folder: string;
/** Copies the installation, without its code cache. */
beforeEach(() => {
  folder = scratch();
  plant(folder, { "pets.json": PETS });
  // Other tests run the same program, and may write or remove its code cache during the copy.
  const program = readdirSync(join(root, "dist"))
    .filter((name) => !name.endsWith(".bin") && name !== "types")
    .map((name) => `dist/${name}`);
  for (const part of ["templates", "src/runtime", "src/mock", "package.json", ...program])
    cpSync(join(root, part), join(folder, "app", part), { recursive: true });
});

const run = (args: readonly string[], env: Record<string, string> = {}): string =>
  execFileSync(process.execPath, [join(folder, "app/dist/cli.cjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: undefined, ...env },
  });
const cacheFiles = (): readonly string[] =>
  readdirSync(join(folder, "app/dist")).filter((name) => name.includes(".bin"));

test("the first generating run writes a code cache for its program, Node and machine; the next run reuses it", () => {
  run(["pets.json", "-o", "first"]);
  expect(cacheFiles()).toEqual([
    expect.stringMatching(
      new RegExp(`^program-\\w+-${process.version.replaceAll(".", "\\.")}-${process.arch}\\.bin$`),
    ),
  ]);
  const file = join(folder, "app/dist", cacheFiles()[0] ?? "");
  const before = statSync(file).mtimeMs;
  run(["pets.json", "-o", "second"]);
  expect(statSync(file).mtimeMs).toBe(before);
  expect(treeOf(join(folder, "second"))).toEqual(treeOf(join(folder, "first")));
});

test("an invalid code cache is replaced", () => {
  run(["pets.json", "-o", "first"]);
  const file = join(folder, "app/dist", cacheFiles()[0] ?? "");
  const validCache = readFileSync(file);
  writeFileSync(file, "invalid");
  run(["pets.json", "-o", "second"]);
  expect(readFileSync(file).length).toBeGreaterThan(validCache.length / 2);
  expect(treeOf(join(folder, "second"))).toEqual(treeOf(join(folder, "first")));
});

test.each<readonly [string, readonly string[], Record<string, string>]>([
  ["a run that only prints", ["--version"], {}],
  ["NODE_DISABLE_COMPILE_CACHE", ["pets.json", "-o", "out"], { NODE_DISABLE_COMPILE_CACHE: "1" }],
])("no code cache is written with %s", (_, args, env) => {
  run(args, env);
  expect(cacheFiles()).toEqual([]);
});

test("a failed run reports its error and writes no code cache", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(folder, "app/dist/cli.cjs"), "nothing.json", "-o", "out"],
    { cwd: folder, encoding: "utf8" },
  );
  expect({ status, stderr }).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("nothing.json") as string,
  });
  expect(cacheFiles()).toEqual([]);
});

test("external packages are loaded with a code cache, too", () => {
  plant(folder, { "broken.yaml": "openapi: 3.1.0\npaths: [\n" });
  const runInPlace = (file: string) =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), file, "-o", "out"], {
      cwd: folder,
      encoding: "utf8",
    });
  expect(runInPlace("pets.json").status).toBe(0);
  expect(runInPlace("broken.yaml")).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^error: broken\.yaml:\d+:\d+: This is not valid YAML/) as string,
  });
});

test("a run succeeds if the code cache cannot be written", () => {
  run(["pets.json", "-o", "first"]);
  const file = join(folder, "app/dist", cacheFiles()[0] ?? "");
  rmSync(file);
  mkdirSync(file);
  run(["pets.json", "-o", "second"]);
  expect(cacheFiles()).toHaveLength(1);
  expect(treeOf(join(folder, "second"))).toEqual(treeOf(join(folder, "first")));
});
