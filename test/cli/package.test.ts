import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../compiler.js";
import { plant, scratch, treeOf } from "../write/tree.js";
import { ensureFreshBuild } from "../fresh-build.js";

ensureFreshBuild();

const root = join(import.meta.dirname, "../..");
const PETS =
  '{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}], "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": "Pets"}}}}}}';

/** Paths in the published package. */
const [{ files: packed }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"], {
    cwd: root,
    encoding: "utf8",
  }),
) as [{ files: readonly { readonly path: string }[] }];
const paths = packed.map(({ path }) => path);

test("the published package has its runtime files and no development files", () => {
  for (const path of [
    "dist/cli.cjs",
    "dist/index.js",
    "dist/types/index.d.ts",
    "dist/THIRD-PARTY-LICENSES.txt",
    "templates/package.json.hbs",
    "src/runtime/types.ts",
    "LICENSE",
    "README.md",
    "mcp-gen.schema.json",
    "package.json",
  ])
    expect(paths).toContain(path);
  expect(paths.filter((path) => /^(test|bench|\.ci|src\/(?!runtime|mock))/.test(path))).toEqual([]);
  expect(paths.filter((path) => /^samples\/clinic\//.test(path))).toEqual([
    "samples/clinic/eval.yaml",
    "samples/clinic/openapi.yaml",
  ]);
});

test("links of the published documents lead to files of the package", () => {
  const documents = paths.filter((path) => /^(?!dist|src|templates).*\.md$/.test(path));
  expect(documents).toContain("docs/quick-start.md");
  const dead = documents.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, link = ""]) => posix.join(posix.dirname(document), link))
      .filter((link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)))
      .map((link) => `${document}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test("main and types match `exports`", () => {
  const { main, types, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    main: string;
    types: string;
    exports: { ".": { types: string; default: string } };
  };
  expect({ types, default: main }).toEqual(exports["."]);
});

test("unpacked, it generates the same as here, without any of its dependencies", () => {
  const folder = scratch();
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: root,
  });
  execFileSync("tar", ["-xzf", readdirSync(folder)[0] ?? ""], { cwd: folder });
  plant(folder, { "pets.json": PETS });
  const run = (cli: string, out: string): string =>
    execFileSync(process.execPath, [cli, "pets.json", "-o", out], {
      cwd: folder,
      encoding: "utf8",
    });
  run(join(folder, "package/dist/cli.cjs"), "there");
  run(join(root, "dist/cli.cjs"), "here");
  expect(treeOf(join(folder, "there"))).toEqual(treeOf(join(folder, "here")));
});

test("installed, its types are whole: those of its dependencies are all that they need", async () => {
  const folder = scratch();
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: root,
  });
  execFileSync("tar", ["-xzf", readdirSync(folder)[0] ?? ""], { cwd: folder });
  const { dependencies } = JSON.parse(
    readFileSync(join(folder, "package/package.json"), "utf8"),
  ) as { dependencies: object };
  for (const name of ["@types/node", ...Object.keys(dependencies)]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  }
  renameSync(join(folder, "package"), join(folder, "node_modules/mcp-gen"));
  const options = {
    module: "nodenext",
    target: "es2022",
    strict: true,
    noEmit: true,
    types: ["node"],
    skipLibCheck: false,
  };
  const program =
    'import { generate, type GenerateOptions } from "mcp-gen";\nconst options: GenerateOptions = { granularity: "operation" };\n// @ts-expect-error a number is no document\nawait generate(1, undefined, options);\nexport const paths: string[] = ((await generate("pets.json", undefined, options)).files ?? []).map(({ path }) => path);\n';
  plant(folder, {
    "package.json": '{"type": "module"}',
    "tsconfig.json": JSON.stringify({ compilerOptions: options, files: ["program.ts"] }),
    "program.ts": program,
  });
  expect(await compile(folder)).toBe("");
});

test("a run from cached code also loads external modules", () => {
  const folder = scratch();
  plant(folder, { "pets.json": PETS });
  const run = (): string =>
    execFileSync(process.execPath, [join(root, "dist/cli.cjs"), "try", "pets.json"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  for (const verdict of [run(), run()]) expect(verdict).toContain("1 of 1 tool works");
});

test("the library is the pipeline", async () => {
  const { generate } = (await import(
    join(root, "dist/index.js")
  )) as typeof import("../../src/index.js");
  const folder = scratch();
  plant(folder, { "pets.json": PETS });
  const { ok, files, plan, written } = await generate(join(folder, "pets.json"), undefined);
  expect({ ok, written }).toEqual({ ok: true, written: undefined });
  expect(plan?.tools).toHaveLength(1);
  expect(files?.map(({ path }) => path)).toContain("package.json");
});
