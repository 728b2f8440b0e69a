import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write } from "../../src/write/index.js";
import { programFor, run } from "./process.js";
import { filesOf, plant, scratch, treeOf, type TreeText } from "./tree.js";

// Writing a new folder in a second thread while files are rendered.

const TREE: TreeText = {
  "README.md": "new\n",
  "src/a.ts": "a2\n",
  "src/fresh/c.ts": "c\r\n",
  "src/ü.ts": "ü \u{1f600}\n",
};
const WANTED: TreeText = Object.fromEntries(
  Object.entries({ ...TREE, ".mcp-gen/manifest.json": "" }).map(([path, text]) => [
    `out/${path}`,
    text,
  ]),
);

test("the folder equals one written without a thread", async () => {
  const [root, other] = [scratch(), scratch()];
  const result = await run(await programFor(TREE, "ahead"), join(root, "out"));
  const { created, updated, deleted, unchanged, refused, diagnostics } = await write(
    filesOf(TREE),
    join(other, "out"),
  );
  expect(result).toMatchObject({ created, updated, deleted, unchanged, refused, diagnostics });
  expect(treeOf(root)).toEqual(WANTED);
  const again = await write(filesOf(TREE), join(root, "out"), { dryRun: true });
  expect(again).toMatchObject({ created: [], updated: [], unchanged: 5, diagnostics: [] });
});

const inTheWay: TreeText = {
  "out/mine.txt": "mine\n",
  ".out.mcp-gen/lock": JSON.stringify({ pid: process.ppid, host: "elsewhere" }),
  out: "a file\n",
};
for (const [path, text] of Object.entries(inTheWay)) {
  test(`nothing is written ahead where ${path} stands`, async () => {
    const root = scratch();
    plant(root, { [path]: text });
    const before = treeOf(root);
    const result = await run(await programFor(TREE, "ahead"), join(root, "out"));
    expect(result?.diagnostics).toHaveLength(1);
    expect(treeOf(root)).toEqual(before);
  });
}

test("paths outside of the folder and duplicate paths are refused", async () => {
  const trees: readonly TreeText[] = [{ "../evil.txt": "x" }, { "A.md": "x", "a.md": "y" }];
  for (const tree of trees) {
    const root = scratch();
    const result = await run(
      await programFor({ ...TREE, ...tree }, "ahead"),
      join(root, "inner", "..", "out"),
    );
    expect(result?.diagnostics.map(({ code }) => code)).toEqual(["write-path-invalid"]);
    expect(treeOf(root)).toEqual({});
  }
});

for (const what of ["kill", "fail"]) {
  test(`after a ${what} at any moment the folder is complete or absent, and the next run completes it`, async () => {
    const program = await programFor(TREE, "ahead");
    for (let n = 1, spared = false; !spared; n += 1) {
      const root = scratch();
      const result = await run(program, join(root, "out"), `${what}:${n}`);
      spared = result?.spared === true && n > 12;
      if (existsSync(join(root, "out")))
        expect(treeOf(root), `${what} at ${n}`).toMatchObject(WANTED);
      else
        expect(
          result?.diagnostics.map(({ code }) => code) ?? ["killed"],
          `${what} at ${n}`,
        ).toEqual([what === "kill" ? "killed" : "write-failed"]);
      const { diagnostics } = await write(filesOf(TREE), join(root, "out"));
      expect(diagnostics, `${what} at ${n}`).toEqual([]);
      expect(treeOf(root), `${what} at ${n}`).toEqual(WANTED);
    }
  });
}
