import { readFileSync, symlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write } from "../../src/write/index.js";
import { replaceFile, replaceNamedFile } from "../../src/write/add-files.js";
import { programFor, run } from "./process.js";
import { filesOf, plant, scratch, treeOf } from "./tree.js";

const FILES = filesOf({ "README.md": "a\n" });
const held = (pid: number, host = hostname()): string => JSON.stringify({ pid, host });
const NOBODY = 2 ** 30;
const LONG_AGO = 1_000_000_000;

const locks: readonly { given: string; lock: string; old?: boolean; taken: boolean }[] = [
  { given: "of a running process", lock: held(process.ppid), taken: false },
  { given: "of a running process, long ago", lock: held(process.ppid), old: true, taken: false },
  { given: "of an ended process", lock: held(NOBODY), taken: true },
  { given: "of an earlier process with the same ID", lock: held(process.pid), taken: true },
  { given: "of another machine", lock: held(1, "elsewhere"), taken: false },
  { given: "of another machine, long ago", lock: held(1, "elsewhere"), old: true, taken: true },
  { given: "that is not readable", lock: "{", taken: false },
  { given: "that is not readable, long ago", lock: "{", old: true, taken: true },
];

for (const { given, lock, old, taken } of locks) {
  for (const [where, path] of [
    ["inside", "out/.mcp-gen/lock"],
    ["beside", ".out.mcp-gen/lock"],
  ] as const) {
    test(`a lock ${where} ${given} is ${taken ? "taken over" : "respected"}`, async () => {
      const root = scratch();
      plant(root, { [path]: lock });
      if (old) utimesSync(join(root, path), LONG_AGO, LONG_AGO);
      const before = treeOf(root);

      const { diagnostics } = await write(FILES, join(root, "out"));

      expect(diagnostics.map((d) => d.code)).toEqual(taken ? [] : ["write-locked"]);
      expect(treeOf(root)).toEqual(
        taken ? { "out/.mcp-gen/manifest.json": "", "out/README.md": "a\n" } : before,
      );
    });
  }
}

test("nothing is written through a link at the path of an internal file", async () => {
  const root = scratch();
  plant(root, { "out/.mcp-gen/manifest.json": '{"layout":1,"files":{}}', victim: "as it was" });
  symlinkSync("../../victim", join(root, `out/.mcp-gen/lock.${process.pid}`));

  const { diagnostics } = await write(FILES, join(root, "out"));

  expect(diagnostics).toEqual([]);
  expect(readFileSync(join(root, "victim"), "utf8")).toBe("as it was");

  symlinkSync("victim", join(root, `.mcp-gen-draft-${process.pid}`));
  expect(replaceFile(join(root, "report.html"), "report")).toBeUndefined();
  expect(readFileSync(join(root, "victim"), "utf8")).toBe("as it was");
  expect(readFileSync(join(root, "report.html"), "utf8")).toBe("report");
});

test.each<[path: string, folder: string, written: string | undefined]>([
  ["repo/report.html", "repo", "repo/report.html"],
  ["repo/inner", "repo", "repo/docs/old.html"],
  ["repo/docs/new.html", "repo", "repo/docs/new.html"],
  ["other/report.html", "repo", "other/report.html"],
  ["linked/report.html", "repo", "other/report.html"],
  ["repo/outer", "repo", undefined],
  ["repo/absent", "repo", undefined],
  ["repo/linked/report.html", "repo", undefined],
  ["other/outer", "repo", undefined],
])("a file that the command line names is not written through a link: %s", (path, cwd, want) => {
  const root = scratch();
  plant(root, {
    "victim/file": "as it was",
    "repo/docs/old.html": "",
    "repo/inner": "-> docs/old.html",
    "repo/outer": "-> ../victim/file",
    "repo/absent": "-> ../victim/profile",
    "repo/linked": "-> ../victim",
    "other/outer": "-> ../victim/file",
    linked: "-> other",
  });
  const before = treeOf(root);
  const problem = replaceNamedFile(join(root, path), "report", join(root, cwd));
  expect(problem?.code).toBe(want === undefined ? "write-not-a-file" : undefined);
  expect(treeOf(root)).toEqual(want === undefined ? before : { ...before, [want]: "report" });
});

test("simultaneous runs produce one consistent result", async () => {
  const texts = ["one\n", "two\n", "three\n", "four\n"];
  const trees = texts.map((text) =>
    Object.fromEntries(
      ["a", "b", "c/d", "c/e", `src/tools/only-${text.trim()}.ts`].map((path) => [path, text]),
    ),
  );
  const programs = await Promise.all(trees.map((tree) => programFor(tree)));
  const root = scratch();
  const out = join(root, "out");
  for (let round = 0; round < 4; round += 1) {
    const results = await Promise.all(programs.map((program) => run(program, out)));
    for (const result of results)
      for (const { code } of result?.diagnostics ?? []) expect(code).toBe("write-locked");
    expect(results.some((result) => result?.diagnostics.length === 0)).toBe(true);
    const wanted = trees.map((tree) => ({
      "out/.mcp-gen/manifest.json": "",
      ...Object.fromEntries(Object.entries(tree).map(([path, text]) => [`out/${path}`, text])),
    }));
    expect(wanted).toContainEqual(treeOf(root));
  }
});
