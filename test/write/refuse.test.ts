import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { write, type WriteOptions } from "../../src/write/index.js";
import { filesOf, plant, scratch, treeOf, type TreeText } from "./tree.js";

const FILES = filesOf({ "README.md": "a\n", "src/main.ts": "m\n" });
const DIGEST = "a".repeat(64);
const manifestOf = (files: unknown, more: object = { layout: 1 }): string =>
  JSON.stringify({ ...more, files });

interface Case {
  readonly given: string;
  /** Folder that everything happens in. */
  readonly tree: TreeText;
  /** Relative to that folder; default `out`. */
  readonly out?: string;
  readonly options?: WriteOptions;
  readonly code: string;
  readonly says: RegExp;
}

const cases: readonly Case[] = [
  {
    given: "a file as the folder",
    tree: { out: "text" },
    code: "write-folder-unusable",
    says: /is not a folder/,
  },
  {
    given: "a file as the folder, and force",
    tree: { out: "text" },
    options: { force: true },
    code: "write-folder-unusable",
    says: /is not a folder/,
  },
  {
    given: "no parent",
    tree: {},
    out: "a/b",
    code: "write-folder-unusable",
    says: /the folder .* does not exist/,
  },
  {
    given: "a file as the parent",
    tree: { a: "text" },
    out: "a/b",
    code: "write-folder-unusable",
    says: /the folder .* does not exist/,
  },
  {
    given: "a file as the grandparent",
    tree: { a: "text" },
    out: "a/b/c",
    code: "write-folder-unusable",
    says: /the folder .* does not exist/,
  },
  {
    given: "a link to a folder",
    tree: { "real/": "", out: "-> real" },
    code: "write-folder-unusable",
    says: /symbolic link/,
  },
  {
    given: "a link to a folder, and force",
    tree: { "real/": "", out: "-> real" },
    options: { force: true },
    code: "write-folder-unusable",
    says: /symbolic link/,
  },
  {
    given: "a link to a folder with a slash",
    tree: { "real/": "", out: "-> real" },
    out: "out/",
    code: "write-folder-unusable",
    says: /symbolic link/,
  },
  {
    given: "a dangling link",
    tree: { out: "-> nowhere" },
    code: "write-folder-unusable",
    says: /symbolic link/,
  },
  {
    given: "a folder with other files",
    tree: { "out/notes.txt": "n" },
    code: "write-folder-not-empty",
    says: /is not empty/,
  },
  {
    given: "a folder with .git and a file",
    tree: { "out/.git/HEAD": "h", "out/x": "x" },
    code: "write-folder-not-empty",
    says: /is not empty/,
  },
  {
    given: "a dry run over other files",
    tree: { "out/notes.txt": "n" },
    options: { dryRun: true },
    code: "write-folder-not-empty",
    says: /is not empty/,
  },
  {
    given: "a manifest that is not JSON",
    tree: { "out/.mcp-gen/manifest.json": "{" },
    code: "write-manifest-invalid",
    says: /is not JSON/,
  },
  {
    given: "a manifest without files",
    tree: { "out/.mcp-gen/manifest.json": "{}" },
    code: "write-manifest-invalid",
    says: /has no `files`/,
  },
  {
    given: "a manifest of a later layout",
    tree: { "out/.mcp-gen/manifest.json": manifestOf({}, { layout: 9 }) },
    code: "write-manifest-invalid",
    says: /layout/,
  },
  ...[
    "../../x",
    "/etc/x",
    "src/../../x",
    "a//b",
    "./a",
    "C:\\x",
    "a\\b",
    ".git/config",
    "sub/.git/config",
    ".mcp-gen/manifest.json",
    "node_modules/x.js",
    "a\u0000b",
    "",
  ].map((path): Case => ({
    given: `a manifest that lists ${JSON.stringify(path)}`,
    tree: { x: "target", "out/.mcp-gen/manifest.json": manifestOf({ [path]: DIGEST }) },
    code: "write-manifest-invalid",
    says: /lists .* which mcp-gen did not write/,
  })),
  {
    given: "a manifest with an invalid digest",
    tree: { "out/.mcp-gen/manifest.json": manifestOf({ "a.ts": "../x" }) },
    code: "write-manifest-invalid",
    says: /lists "a.ts"/,
  },
  {
    given: "a link in place of mcp-gen's folder",
    tree: { "real/": "", "out/.mcp-gen": "-> ../real" },
    code: "write-not-a-file",
    says: /not a folder/,
  },
  {
    given: "a link in place of the manifest",
    tree: { real: manifestOf({}), "out/.mcp-gen/manifest.json": "-> ../../real" },
    code: "write-not-a-file",
    says: /not a plain file/,
  },
  {
    given: "a journal that names a path outside",
    tree: {
      x: "target",
      "out/.mcp-gen/work/new/y": "evil",
      "out/.mcp-gen/work/journal.json": '{"created":["../x"],"updated":[],"deleted":[]}',
    },
    code: "write-manifest-invalid",
    says: /not a journal/,
  },
  {
    given: "a journal that is not JSON",
    tree: { "out/.mcp-gen/work/journal.json": "{" },
    code: "write-manifest-invalid",
    says: /not a journal/,
  },
  {
    given: "a journal whose staging is a link",
    tree: {
      "real/a": "secret",
      "out/.mcp-gen/work/new": "-> ../../../real",
      "out/.mcp-gen/work/journal.json": '{"created":["a"],"updated":[],"deleted":[]}',
    },
    code: "write-not-a-file",
    says: /not a folder/,
  },
  {
    given: "a journal whose staging has a link",
    tree: {
      "real/a": "secret",
      "out/.mcp-gen/work/new/d": "-> ../../../../real",
      "out/.mcp-gen/work/journal.json": '{"created":["d/a"],"updated":[],"deleted":[]}',
    },
    code: "write-not-a-file",
    says: /not a folder/,
  },
  {
    given: "a journal that writes through a link",
    tree: {
      "real/": "",
      "out/d": "-> ../real",
      "out/.mcp-gen/work/new/d/a": "evil",
      "out/.mcp-gen/work/journal.json": '{"created":["d/a"],"updated":[],"deleted":[]}',
    },
    code: "write-not-a-file",
    says: /not a folder/,
  },
  {
    given: "a rollback that deletes through a link",
    tree: {
      "real/a": "precious",
      "out/d": "-> ../real",
      "out/.mcp-gen/work/rollback.json": '{"created":["d/a"],"updated":[],"deleted":[]}',
    },
    code: "write-not-a-file",
    says: /not a folder/,
  },
  {
    given: "a dry run over an interrupted run",
    tree: { "out/.mcp-gen/work/journal.json": '{"created":[],"updated":[],"deleted":[]}' },
    options: { dryRun: true },
    code: "write-interrupted",
    says: /interrupted/,
  },
];

for (const { given, tree, out = "out", options, code, says } of cases) {
  test(`${given} is refused, and nothing is changed`, async () => {
    const root = scratch();
    plant(root, tree);
    const before = treeOf(root);

    const result = await write(FILES, join(root, out) + (out.endsWith("/") ? "/" : ""), options);

    expect(result.diagnostics.map((d) => [d.code, d.severity])).toEqual([[code, "error"]]);
    expect(result.diagnostics[0]?.message).toMatch(says);
    expect(result.diagnostics[0]?.message).not.toMatch(/\n/);
    expect(treeOf(root)).toEqual(before);
  });
}

const home = process.env.HOME;
const cwd = process.cwd();
afterEach(() => {
  process.env.HOME = home;
  process.chdir(cwd);
});

test("the root, the home folder and the current folder are refused under any name", async () => {
  const root = scratch();
  mkdirSync(join(root, "home"));
  plant(root, { "here/notes.txt": "n" });
  symlinkSync(root, join(root, "again"));
  process.env.HOME = join(root, "home");
  process.chdir(join(root, "here"));
  const before = treeOf(root);
  for (const [out, name] of [
    ["/", "the root"],
    [join(root, "home"), "the home"],
    [".", "the current"],
    ["../here", "the current"],
    [join(root, "again/home"), "the home"],
  ] as const) {
    const { diagnostics } = await write(FILES, out);
    expect(diagnostics.map((d) => d.code)).toEqual(["write-folder-refused"]);
    expect(diagnostics[0]?.message).toContain(name);
  }
  expect(treeOf(root)).toEqual(before);
});

test("the current folder is allowed when it is empty", async () => {
  const root = scratch();
  plant(root, { ".git/HEAD": "x" });
  process.chdir(root);
  expect((await write(FILES, ".")).diagnostics).toEqual([]);
});

test("the current folder is allowed with force, and afterwards without", async () => {
  process.chdir(scratch());
  plant(".", { "notes.txt": "n" });
  expect((await write(FILES, ".", { force: true })).diagnostics).toEqual([]);
  expect((await write([...FILES, { path: "b.md", content: "b\n" }], ".")).created).toEqual([
    "b.md",
  ]);
});

const welcome: readonly { given: string; tree: TreeText; options?: WriteOptions }[] = [
  { given: "an absent folder", tree: {} },
  { given: "an empty folder", tree: { "out/": "" } },
  { given: "a new repository", tree: { "out/.git/HEAD": "ref: refs/heads/main\n" } },
  { given: "an empty folder with a .DS_Store", tree: { "out/.DS_Store": "x" } },
  {
    given: "a folder with files, and force",
    tree: { "out/notes.txt": "n", "out/README.md": "old" },
    options: { force: true },
  },
  {
    given: "a broken manifest, and force",
    tree: { "out/.mcp-gen/manifest.json": "{", "out/README.md": "old" },
    options: { force: true },
  },
  {
    given: "a manifest with hostile paths, and force",
    tree: { x: "target", "out/.mcp-gen/manifest.json": manifestOf({ "../x": DIGEST }) },
    options: { force: true },
  },
  {
    given: "leftovers of a killed first run, beside",
    tree: {
      ".out.mcp-gen/work/new/README.md": "half",
      ".out.mcp-gen/lock": '{"pid":1e9,"host":"x"}',
    },
  },
];

for (const { given, tree, options } of welcome) {
  test(`${given} is written to`, async () => {
    const root = scratch();
    plant(root, tree);
    if (given.includes("leftovers"))
      writeFileSync(
        join(root, ".out.mcp-gen/lock"),
        JSON.stringify({ pid: 999_999_999, host: (await import("node:os")).hostname() }),
      );
    expect((await write(FILES, join(root, "out"), options)).diagnostics).toEqual([]);
    const leftover = Object.keys(tree).some((path) => path.startsWith(".out"));
    const { "out/": _empty, ...rest } = leftover ? {} : tree;
    expect(treeOf(root)).toEqual({
      ...rest,
      "out/.mcp-gen/manifest.json": "",
      "out/README.md": "a\n",
      "out/src/main.ts": "m\n",
    });
  });
}

const illegal = [
  "../x",
  "/x",
  "a/../../x",
  "a\\b",
  "",
  ".",
  "a/",
  ".mcp-gen/x",
  ".git/hooks/pre-commit",
  "a\nb",
  "x\u0000",
  "git~1/hooks/pre-commit",
  ".g\u200cit/config",
  "src/con.ts",
  "AUX",
  "nul.tar.gz",
  "docs./a.md",
  "a.md ",
  "com1 .txt",
];
test.each(illegal)("a generated file at %j is refused", async (path) => {
  const root = scratch();
  const result = await write([{ path, content: "" }], join(root, "out"));
  expect(result.diagnostics.map((d) => d.code)).toEqual(["write-path-invalid"]);
  expect(treeOf(root)).toEqual({});
});

test.each([
  ["in case", ["a/B.ts", "A/b.ts"]],
  ["in how an accent is written", ["caf\u00e9.md", "cafe\u0301.md"]],
])("two generated files that differ only %s are refused", async (_what, paths) => {
  const out = join(scratch(), "out");
  expect(
    (
      await write(
        paths.map((path) => ({ path, content: path })),
        out,
      )
    ).diagnostics.map((d) => d.code),
  ).toEqual(["write-path-invalid"]);
  expect(treeOf(dirname(out))).toEqual({});
  rmSync(out, { force: true });
});
