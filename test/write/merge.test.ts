import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { write } from "../../src/write/index.js";
import { fingerprint, parseManifest, splitMergeConflict } from "../../src/write/manifest.js";
import { filesOf, scratch, type TreeText } from "./tree.js";

test.each<readonly [what: string, text: string, sides: readonly [string, string] | undefined]>([
  ["no conflict", "a\nb\n", undefined],
  ["one", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n", ["a\nb\nd\n", "a\nc\nd\n"]],
  [
    "one with its base",
    "<<<<<<< ours\nb\n||||||| base\nx\n=======\nc\n>>>>>>> theirs\n",
    ["b\n", "c\n"],
  ],
  [
    "two, one of nothing",
    "<<<<<<< a\n=======\nc\n>>>>>>> b\nm\n<<<<<<< a\nd\n=======\n>>>>>>> b\n",
    ["m\nd\n", "c\nm\n"],
  ],
  ["CRLF", "<<<<<<< a\r\nb\r\n=======\r\nc\r\n>>>>>>> b\r\n", ["b\n", "c\n"]],
  ["what only looks like one", "a <<<<<<< b\n", undefined],
])("%s", (_, text, sides) => expect(splitMergeConflict(text)).toEqual(sides));

describe("a manifest with a merge conflict", () => {
  const of = (files: Readonly<Record<string, string>>): string =>
    `{\n  "layout": 1,\n  "files": {\n${Object.entries(files)
      .map(([path, text]) => `    "${path}": "${fingerprint(text)}"`)
      .join(",\n")}\n  }\n}\n`;
  const conflict = (ours: string, theirs: string): string =>
    `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> other\n`;

  test("has the files of both sides", () => {
    const manifest = parseManifest(
      conflict(of({ a: "1", b: "1", c: "1" }), of({ b: "1", c: "2", d: "2" })),
    );
    if (typeof manifest === "string") throw new Error(manifest);
    expect(Object.fromEntries(manifest)).toEqual({
      a: { digest: fingerprint("1") },
      b: { digest: fingerprint("1") },
      c: { digest: fingerprint("1"), other: fingerprint("2") },
      d: { digest: fingerprint("2") },
    });
  });

  test.each([
    ["is refused when a side is broken", conflict(of({ a: "1" }), "{\n"), "is not JSON"],
    [
      "is refused when a side names files elsewhere",
      conflict(of({ a: "1" }), of({ "../x": "1" })),
      'lists "../x", which mcp-gen did not write',
    ],
  ])("%s", (_, text, clause) => expect(parseManifest(text)).toBe(clause));
});

test("the next run resolves a merge of two regenerated branches", async () => {
  const root = scratch();
  const out = join(root, "server");
  const git = (...args: string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", ...args],
      { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    );
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`src/tools/tool_${i}.ts`, `export const tool = ${i};\n`]),
  );
  const index = (...names: readonly string[]): TreeText => ({
    "README.md": `# ${names.join(", ")}\n`,
  });
  const branches: readonly (readonly [string, TreeText])[] = [
    [
      "ours",
      {
        ...many,
        ...index("a", "ours"),
        "src/tools/tool_1.ts": "export const tool = 'ours';\n",
        "src/tools/ours.ts": "export const ours = 1;\n",
      },
    ],
    [
      "theirs",
      {
        ...many,
        ...index("a", "theirs"),
        "src/tools/tool_2.ts": "export const tool = 'theirs';\n",
        "src/tools/theirs.ts": "export const theirs = 1;\n",
      },
    ],
  ];
  const generate = async (tree: TreeText): ReturnType<typeof write> => write(filesOf(tree), out);
  git("init", "-q", "-b", "main");
  await generate({ ...many, ...index("a") });
  (git("add", "-A"), git("commit", "-qm", "base"));
  for (const [name, tree] of branches) {
    git("checkout", "-q", "-b", name, "main");
    await generate(tree);
    (git("add", "-A"), git("commit", "-qm", name));
  }
  expect(() => git("merge", "ours")).toThrow(/Command failed/);
  expect(git("diff", "--name-only", "--diff-filter=U").split("\n").filter(Boolean)).toEqual([
    "server/.mcp-gen/manifest.json",
    "server/README.md",
  ]);
  git("checkout", "--ours", "--", "server/README.md");

  const both = {
    ...branches[0]![1],
    ...branches[1]![1],
    ...index("a", "ours", "theirs"),
    "src/tools/tool_1.ts": "export const tool = 'ours';\n",
  };
  const { diagnostics, created, updated, deleted } = await generate(both);
  expect({ diagnostics, created, updated, deleted }).toEqual({
    diagnostics: [],
    created: [],
    updated: [".mcp-gen/manifest.json", "README.md"],
    deleted: [],
  });
  expect(readFileSync(join(out, ".mcp-gen/manifest.json"), "utf8")).not.toContain("<<<<");

  writeFileSync(join(out, "src/tools/tool_1.ts"), "// mine\n");
  expect((await generate(both)).refused).toEqual(["src/tools/tool_1.ts"]);
});
