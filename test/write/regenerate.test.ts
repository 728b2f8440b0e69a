import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write, type WriteOptions } from "../../src/write/index.js";
import { filesOf, plant, scratch, treeOf, type TreeText } from "./tree.js";

const A: TreeText = {
  "README.md": "a\n",
  "src/tools/pets/find_pets.ts": "find\n",
  "src/tools/pets/get_pet.ts": "get\n",
  "src/custom/hooks.ts": "hooks\n",
};
const OWNED = ["src/custom/hooks.ts"];
const MANIFEST = ".mcp-gen/manifest.json";

interface Case {
  readonly given: string;
  /** The second generation; default: the first again. */
  readonly then?: TreeText;
  /** What the owner does in between. */
  readonly owner?: (out: string) => void;
  readonly options?: WriteOptions;
  readonly want: {
    created?: string[];
    updated?: string[];
    deleted?: string[];
    refused?: string[];
    code?: string;
    tree?: TreeText;
  };
}

const put = (path: string, text: string) => (out: string) => plant(out, { [path]: text });
const { "src/tools/pets/get_pet.ts": _get, ...withoutGet } = A;
const edited = { ...A, "README.md": "mine\n" };

const cases: readonly Case[] = [
  { given: "the same files", want: { tree: A } },
  {
    given: "a changed file",
    then: { ...A, "README.md": "b\n" },
    want: { updated: [MANIFEST, "README.md"], tree: { ...A, "README.md": "b\n" } },
  },
  {
    given: "a new file",
    then: { ...A, "src/new.ts": "n\n" },
    want: { created: ["src/new.ts"], updated: [MANIFEST], tree: { ...A, "src/new.ts": "n\n" } },
  },
  {
    given: "a removed file",
    then: withoutGet,
    want: { deleted: ["src/tools/pets/get_pet.ts"], updated: [MANIFEST], tree: withoutGet },
  },
  {
    given: "a removed folder",
    then: { "README.md": "a\n" },
    want: {
      deleted: ["src/tools/pets/find_pets.ts", "src/tools/pets/get_pet.ts"],
      updated: [MANIFEST],
      tree: { "README.md": "a\n", "src/custom/hooks.ts": "hooks\n" },
    },
  },
  {
    given: "a file deleted by the user",
    owner: (out) => rmSync(join(out, "README.md")),
    want: { created: ["README.md"], tree: A },
  },
  {
    given: "an edited file, unchanged by the generator",
    owner: put("README.md", "mine\n"),
    want: {
      updated: ["README.md"],
      refused: ["README.md"],
      code: "write-files-edited",
      tree: edited,
    },
  },
  {
    given: "an edited file, changed by the generator",
    owner: put("README.md", "mine\n"),
    then: { ...A, "README.md": "b\n" },
    want: {
      updated: [MANIFEST, "README.md"],
      refused: ["README.md"],
      code: "write-files-edited",
      tree: edited,
    },
  },
  {
    given: "an edited file that is no longer generated",
    owner: put("src/tools/pets/get_pet.ts", "mine\n"),
    then: withoutGet,
    want: {
      updated: [MANIFEST],
      deleted: ["src/tools/pets/get_pet.ts"],
      refused: ["src/tools/pets/get_pet.ts"],
      code: "write-files-edited",
      tree: { ...A, "src/tools/pets/get_pet.ts": "mine\n" },
    },
  },
  {
    given: "an edit equal to the generated change",
    owner: put("README.md", "b\n"),
    then: { ...A, "README.md": "b\n" },
    want: { updated: [MANIFEST], tree: { ...A, "README.md": "b\n" } },
  },
  {
    given: "an edited file, and force",
    owner: put("README.md", "mine\n"),
    options: { force: true },
    want: { updated: ["README.md"], tree: A },
  },
  {
    given: "an edited owned file",
    owner: put("src/custom/hooks.ts", "mine\n"),
    then: { ...A, "src/custom/hooks.ts": "newer\n" },
    want: { tree: { ...A, "src/custom/hooks.ts": "mine\n" } },
  },
  {
    given: "an edited owned file, and force",
    owner: put("src/custom/hooks.ts", "mine\n"),
    options: { force: true },
    want: { tree: { ...A, "src/custom/hooks.ts": "mine\n" } },
  },
  {
    given: "an owned file that is no longer generated",
    then: {
      "README.md": "a\n",
      "src/tools/pets/find_pets.ts": "find\n",
      "src/tools/pets/get_pet.ts": "get\n",
    },
    want: { tree: A },
  },
  {
    given: "a user file deleted by the user",
    owner: (out) => rmSync(join(out, "src/custom"), { recursive: true }),
    want: { created: ["src/custom/hooks.ts"], tree: A },
  },
  {
    given: "other files of the user",
    owner: put("src/mine.ts", "m\n"),
    then: withoutGet,
    want: {
      deleted: ["src/tools/pets/get_pet.ts"],
      updated: [MANIFEST],
      tree: { ...withoutGet, "src/mine.ts": "m\n" },
    },
  },
  {
    given: "a user's file at the path of a new one",
    owner: put("src/new.ts", "m\n"),
    then: { ...A, "src/new.ts": "n\n" },
    want: {
      updated: [MANIFEST, "src/new.ts"],
      refused: ["src/new.ts"],
      code: "write-files-not-generated",
      tree: { ...A, "src/new.ts": "m\n" },
    },
  },
  {
    given: "a user's file at the path of a new one, with force",
    owner: put("src/new.ts", "m\n"),
    then: { ...A, "src/new.ts": "n\n" },
    options: { force: true },
    want: { updated: [MANIFEST, "src/new.ts"], tree: { ...A, "src/new.ts": "n\n" } },
  },
  {
    given: "a user's file equal to the new one",
    owner: put("src/new.ts", "n\n"),
    then: { ...A, "src/new.ts": "n\n" },
    want: { updated: [MANIFEST], tree: { ...A, "src/new.ts": "n\n" } },
  },
  {
    given: "a checkout with CRLF",
    owner: put("README.md", "a\r\n"),
    want: { tree: { ...A, "README.md": "a\r\n" } },
  },
  {
    given: "a checkout with CRLF and a changed file",
    owner: put("README.md", "a\r\n"),
    then: { ...A, "README.md": "b\n" },
    want: { updated: [MANIFEST, "README.md"], tree: { ...A, "README.md": "b\n" } },
  },
  {
    given: "a link in place of a generated file",
    owner: (out) => (rmSync(join(out, "README.md")), plant(out, { "README.md": "-> ../secret" })),
    want: {
      refused: ["README.md"],
      code: "write-not-a-file",
      tree: { ...A, "README.md": "-> ../secret" },
    },
  },
  {
    given: "a link in place of a generated file, and force",
    owner: (out) => (rmSync(join(out, "README.md")), plant(out, { "README.md": "-> ../secret" })),
    options: { force: true },
    want: {
      refused: ["README.md"],
      code: "write-not-a-file",
      tree: { ...A, "README.md": "-> ../secret" },
    },
  },
  {
    given: "a link in place of a folder",
    owner: (out) => (
      rmSync(join(out, "src/tools"), { recursive: true }),
      plant(out, { "src/tools": "-> ../../elsewhere" })
    ),
    then: { ...A, "src/tools/pets/new.ts": "n\n" },
    want: {
      updated: [MANIFEST],
      refused: [
        "src/tools/pets/find_pets.ts",
        "src/tools/pets/get_pet.ts",
        "src/tools/pets/new.ts",
      ],
      code: "write-not-a-file",
      tree: {
        "README.md": "a\n",
        "src/custom/hooks.ts": "hooks\n",
        "src/tools": "-> ../../elsewhere",
      },
    },
  },
  {
    given: "a folder in place of a generated file",
    owner: (out) => (rmSync(join(out, "README.md")), plant(out, { "README.md/x": "x" })),
    options: { force: true },
    want: { refused: ["README.md"], code: "write-not-a-file" },
  },
  {
    given: "a dry run",
    then: { ...withoutGet, "src/new.ts": "n\n", "README.md": "b\n" },
    options: { dryRun: true },
    want: {
      created: ["src/new.ts"],
      updated: [MANIFEST, "README.md"],
      deleted: ["src/tools/pets/get_pet.ts"],
      tree: A,
    },
  },
  {
    given: "a dry run over an edited file",
    owner: put("README.md", "mine\n"),
    options: { dryRun: true },
    want: {
      updated: ["README.md"],
      refused: ["README.md"],
      code: "write-files-edited",
      tree: edited,
    },
  },
];

for (const { given, then = A, owner, options, want } of cases) {
  test(`regenerating over ${given}`, async () => {
    const out = join(scratch(), "server");
    expect((await write(filesOf(A, OWNED), out)).diagnostics).toEqual([]);
    owner?.(out);

    const result = await write(filesOf(then, OWNED), out, options);

    expect(result.diagnostics.map((d) => d.code)).toEqual(want.code ? [want.code] : []);
    const { created, updated, deleted, refused } = result;
    expect({ created, updated, deleted, refused }).toEqual({
      created: want.created ?? [],
      updated: want.updated ?? [],
      deleted: want.deleted ?? [],
      refused: want.refused ?? [],
    });
    if (want.tree) expect(treeOf(out)).toEqual({ ".mcp-gen/manifest.json": "", ...want.tree });
  });
}

test("a run without changes writes no file", async () => {
  const out = join(scratch(), "server");
  await write(filesOf(A, OWNED), out);
  const before = Object.keys(treeOf(out)).map((path) =>
    statSync(join(out, path), { bigint: true }),
  );

  const result = await write(filesOf(A, OWNED), out);

  expect(result).toEqual({
    created: [],
    updated: [],
    deleted: [],
    unchanged: 5,
    refused: [],
    preserved: [],
    diagnostics: [],
  });
  const after = Object.keys(treeOf(out)).map((path) => statSync(join(out, path), { bigint: true }));
  expect(after.map((s) => [s.ino, s.mtimeNs])).toEqual(before.map((s) => [s.ino, s.mtimeNs]));
});

test("an update keeps the times of unchanged files", async () => {
  const out = join(scratch(), "server");
  await write(filesOf(A, OWNED), out);
  const before = statSync(join(out, "src/tools/pets/get_pet.ts"), { bigint: true });
  await write(filesOf({ ...A, "README.md": "b\n" }, OWNED), out);
  expect(statSync(join(out, "src/tools/pets/get_pet.ts"), { bigint: true }).mtimeNs).toBe(
    before.mtimeNs,
  );
});

test("a file list with no files is a folder with a manifest", async () => {
  const out = join(scratch(), "server");
  await write([], out);
  expect(treeOf(out)).toEqual({ [MANIFEST]: "" });
});

test("the manifest is sorted, has LF, and names every generated file but not the owned ones", async () => {
  const out = join(scratch(), "server");
  await write(filesOf({ ...A, "Z.md": "z\n", "a.md": "a\n" }, OWNED), out);
  const manifest = JSON.parse(readFileSync(join(out, MANIFEST), "utf8")) as {
    files: Record<string, string>;
  };
  expect(Object.keys(manifest.files)).toEqual([
    "README.md",
    "Z.md",
    "a.md",
    "src/tools/pets/find_pets.ts",
    "src/tools/pets/get_pet.ts",
  ]);
});

test("the generator version in the manifest is updated", async () => {
  const out = join(scratch(), "server");
  await write(filesOf(A, OWNED), out);
  const path = join(out, MANIFEST);
  writeFileSync(path, readFileSync(path, "utf8").replace(/mcp-gen [\d.]+/, "mcp-gen 0.0.1"));
  expect((await write(filesOf(A, OWNED), out)).updated).toEqual([MANIFEST]);
});
