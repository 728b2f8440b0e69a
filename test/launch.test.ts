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

const root = join(import.meta.dirname, "..");
const PETS =
  '{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}], "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": "Pets"}}}}}}';

let folder: string;
/** An installation of its own, without compiled code. */
beforeEach(() => {
  folder = scratch();
  plant(folder, { "pets.json": PETS });
  // Compiled code may come and go there while this copies: other tests run the same program.
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
const kept = (): readonly string[] =>
  readdirSync(join(folder, "app/dist")).filter((name) => name.includes(".bin"));

test("the first run that generates keeps compiled code for its program, Node and machine; the next one uses it as it is", () => {
  run(["pets.json", "-o", "first"]);
  expect(kept()).toEqual([
    expect.stringMatching(
      new RegExp(`^program-\\w+-${process.version.replaceAll(".", "\\.")}-${process.arch}\\.bin$`),
    ),
  ]);
  const file = join(folder, "app/dist", kept()[0] ?? "");
  const before = statSync(file).mtimeMs;
  run(["pets.json", "-o", "second"]);
  expect(statSync(file).mtimeMs).toBe(before);
  expect(treeOf(join(folder, "second"))).toEqual(treeOf(join(folder, "first")));
});

test("compiled code of something else is replaced", () => {
  run(["pets.json", "-o", "first"]);
  const file = join(folder, "app/dist", kept()[0] ?? "");
  const good = readFileSync(file);
  writeFileSync(file, "of something else");
  run(["pets.json", "-o", "second"]);
  expect(readFileSync(file).length).toBeGreaterThan(good.length / 2);
  expect(treeOf(join(folder, "second"))).toEqual(treeOf(join(folder, "first")));
});

test.each<readonly [string, readonly string[], Record<string, string>]>([
  ["a run that only prints", ["--version"], {}],
  ["NODE_DISABLE_COMPILE_CACHE", ["pets.json", "-o", "out"], { NODE_DISABLE_COMPILE_CACHE: "1" }],
])("with %s nothing is kept", (_, args, env) => {
  run(args, env);
  expect(kept()).toEqual([]);
});

test("a run that fails says so, and keeps nothing", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(folder, "app/dist/cli.cjs"), "nothing.json", "-o", "out"],
    { cwd: folder, encoding: "utf8" },
  );
  expect({ status, stderr }).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("nothing.json") as string,
  });
  expect(kept()).toEqual([]);
});

test("packages that stay outside are loaded by compiled code, too", () => {
  plant(folder, { "broken.yaml": "openapi: 3.1.0\npaths: [\n" });
  const here = (file: string) =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), file, "-o", "out"], {
      cwd: folder,
      encoding: "utf8",
    });
  expect(here("pets.json").status).toBe(0);
  expect(here("broken.yaml")).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^error: broken\.yaml:\d+:\d+: This is not valid YAML/) as string,
  });
});

test("where nothing can be kept, a run is as good", () => {
  run(["pets.json", "-o", "first"]);
  const file = join(folder, "app/dist", kept()[0] ?? "");
  rmSync(file);
  mkdirSync(file);
  run(["pets.json", "-o", "second"]);
  expect(kept()).toHaveLength(1);
  expect(treeOf(join(folder, "second"))).toEqual(treeOf(join(folder, "first")));
});
