import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programFor, type Report, run } from "./process.js";
import { plant, scratch, treeOf, type TreeText } from "./tree.js";

// Differences of Windows and macOS, simulated by faults.mjs.

const BEFORE: TreeText = { "README.md": "a\n", "src/tools/Notes.ts": "n\n" };

interface Case {
  readonly given: string;
  /** What the owner does between two runs. */
  readonly owner?: (out: string) => void;
  /** What is generated then. */
  readonly then: TreeText;
  readonly want: { readonly refused?: readonly string[]; readonly tree: TreeText };
}

const cases: readonly Case[] = [
  {
    given: "a user's file whose name differs in case from a new one",
    owner: (out) => plant(out, { dockerfile: "mine\n" }),
    then: { ...BEFORE, Dockerfile: "generated\n" },
    want: { refused: ["Dockerfile"], tree: { ...BEFORE, dockerfile: "mine\n" } },
  },
  {
    given: "a user's file in a folder whose name differs in case",
    owner: (out) => plant(out, { "SRC/a.ts": "mine\n" }),
    then: { ...BEFORE, "src/A.ts": "generated\n" },
    want: { refused: ["src/A.ts"], tree: { ...BEFORE, "SRC/a.ts": "mine\n" } },
  },
  {
    given: "a user's file whose name has a combining accent",
    owner: (out) => plant(out, { "cafe\u0301.md": "mine\n" }),
    then: { ...BEFORE, "caf\u00e9.md": "generated\n" },
    want: { refused: ["caf\u00e9.md"], tree: { ...BEFORE, "cafe\u0301.md": "mine\n" } },
  },
  {
    given: "a generated file renamed in case by the user",
    owner: (out) => renameSync(join(out, "README.md"), join(out, "readme.md")),
    then: { ...BEFORE, "more.md": "m\n" },
    want: { tree: { "src/tools/Notes.ts": "n\n", "more.md": "m\n", "readme.md": "a\n" } },
  },
  {
    given: "a file that is now generated in another spelling",
    then: { "README.md": "a\n", "src/tools/notes.ts": "n2\n" },
    want: { tree: { "README.md": "a\n", "src/tools/notes.ts": "n2\n" } },
  },
  {
    given: "an edited file that is now generated in another spelling",
    owner: (out) => writeFileSync(join(out, "src/tools/Notes.ts"), "mine\n"),
    then: { "README.md": "a\n", "src/tools/notes.ts": "n2\n" },
    want: {
      refused: ["src/tools/Notes.ts"],
      tree: { "README.md": "a\n", "src/tools/Notes.ts": "mine\n" },
    },
  },
];

const caseless = async (tree: TreeText, out: string): Promise<Report | undefined> =>
  await run(await programFor(tree), out, "none:0", "unlimited", "caseless");

test.each(cases)("on a case-insensitive disk: $given", async ({ owner, then, want }) => {
  const out = join(scratch(), "out");
  await caseless(BEFORE, out);
  owner?.(out);
  const report = await caseless(then, out);
  const { ".mcp-gen/manifest.json": _manifest, ...tree } = treeOf(out);
  expect({ refused: report?.refused, tree }).toEqual({
    refused: want.refused ?? [],
    tree: want.tree,
  });
});

test("on Windows, a briefly open file delays a run", async () => {
  const out = join(scratch(), "out");
  const reports = [
    await run(await programFor(BEFORE), out, "busy:2"),
    await run(await programFor({ "README.md": "b\n" }), out, "busy:1"),
  ];
  expect(reports.map((report) => report?.diagnostics)).toEqual([[], []]);
  expect(treeOf(out)).toEqual({ ".mcp-gen/manifest.json": "", "README.md": "b\n" });
});

test("on Windows, a file that stays open stops the run without changes", async () => {
  const out = join(scratch(), "out");
  await run(await programFor(BEFORE), out);
  const report = await run(await programFor({ "README.md": "b\n" }), out, "busy:1000");
  expect(report?.diagnostics).toMatchObject([
    {
      code: "write-failed",
      message: expect.stringMatching(
        /permission denied, or another program has a file open\. Nothing was changed\.$/,
      ),
    },
  ]);
  expect(treeOf(out)).toEqual({ ".mcp-gen/manifest.json": "", ...BEFORE });
});
