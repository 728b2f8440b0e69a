import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { write } from "../../src/write/index.js";
import { programFor, run } from "./process.js";
import { filesOf, plant, scratch, treeOf, type TreeText } from "./tree.js";

// A run is stopped at every single file operation, one after the other, and the
// next run must recover.

const OLD: TreeText = {
  "README.md": "old\n",
  "src/tools/a.ts": "a\n",
  "src/tools/gone/b.ts": "b\n",
  "src/tools/same.ts": "same\n",
};
const NEW: TreeText = {
  "README.md": "new\n",
  "src/tools/a.ts": "a2\n",
  "src/tools/fresh/c.ts": "c\n",
  "src/tools/same.ts": "same\n",
};
const MINE: TreeText = { "src/mine.ts": "mine\n" };
const withManifest = (tree: TreeText): TreeText => ({ ".mcp-gen/manifest.json": "", ...tree });

/**
 * Where a run starts from; `old` is what the folder holds then, `wanted` what it holds after a run.
 */
const starts: readonly {
  name: string;
  old: TreeText | undefined;
  wanted: TreeText;
  prepare: (root: string) => Promise<void>;
}[] = [
  { name: "no folder", old: undefined, wanted: withManifest(NEW), prepare: async () => undefined },
  {
    name: "an empty folder",
    old: {},
    wanted: withManifest(NEW),
    prepare: async (root) => void mkdirSync(join(root, "out")),
  },
  {
    name: "a generated folder",
    old: withManifest({ ...OLD, ...MINE }),
    wanted: withManifest({ ...NEW, ...MINE }),
    prepare: async (root) => {
      await write(filesOf(OLD), join(root, "out"));
      plant(join(root, "out"), MINE);
    },
  },
];

let program = "";
beforeAll(async () => {
  program = await programFor(NEW);
});

/** The folder without mcp-gen's scratch; undefined when it is absent. */
function contentOf(root: string): TreeText | undefined {
  const below = Object.entries(treeOf(root)).filter(([path]) => path.startsWith("out/"));
  if (below.length === 0) return undefined;
  return Object.fromEntries(
    below
      .map(([path, text]) => [path.slice(4), text] as const)
      .filter(([path]) => path !== "" && !/^\.mcp-gen\/(lock|work|$)/.test(path)),
  );
}

const isUndecided = (root: string): boolean =>
  Object.keys(treeOf(root)).some((path) => /work\/(journal|rollback)\.json$/.test(path));

/**
 * Does `attempt` with 1, 2, 3 … until it says that there was nothing left to disturb; a few at a
 * time.
 * @returns how many were disturbed
 */
async function atEveryMoment(attempt: (n: number) => Promise<boolean>): Promise<number> {
  for (let n = 1; ; n += 4) {
    const disturbed = await Promise.all([n, n + 1, n + 2, n + 3].map(attempt));
    const spared = disturbed.indexOf(false);
    if (spared >= 0) return n - 1 + spared;
  }
}

function copyOf(origin: string): string {
  const root = scratch();
  cpSync(origin, root, { recursive: true });
  return root;
}

for (const { name, old, wanted, prepare } of starts) {
  test(`a run into ${name} may be killed at any moment`, async () => {
    const origin = scratch();
    await prepare(origin);
    const kills = await atEveryMoment(async (n) => {
      const root = copyOf(origin);
      if (await run(program, join(root, "out"), `kill:${n}`)) return false;
      if (!isUndecided(root))
        expect([old, wanted], `killed at ${n}`).toContainEqual(contentOf(root));
      await expectMended(root, wanted, `killed at ${n}`);
      return true;
    });
    expect(kills).toBeGreaterThan(10);
  });

  test(`a run into ${name} may fail at any moment`, async () => {
    const origin = scratch();
    await prepare(origin);
    const before = treeOf(origin);
    const failures = await atEveryMoment(async (n) => {
      const root = copyOf(origin);
      const result = await run(program, join(root, "out"), `fail:${n}`);
      if (result?.spared !== false) return false;
      // What is reported is true. A failed hard link, or scratch that cannot be cleared away, is no
      // failure of the run.
      expect(contentOf(root), `failed at ${n}`).toEqual(
        result.diagnostics.length > 0 ? old : wanted,
      );
      if (result.diagnostics.length > 0) expect(treeOf(root), `failed at ${n}`).toEqual(before);
      await expectMended(root, wanted, `failed at ${n}`);
      return true;
    });
    expect(failures).toBeGreaterThan(10);
  });
}

async function expectMended(root: string, wanted: TreeText, when: string): Promise<void> {
  const { diagnostics } = await write(filesOf(NEW), join(root, "out"));
  expect(
    diagnostics.filter((d) => d.severity === "error"),
    when,
  ).toEqual([]);
  expect(treeOf(root), when).toEqual(
    Object.fromEntries(Object.entries(wanted).map(([path, text]) => [`out/${path}`, text])),
  );
}

test("the recovering run may be killed at any moment too", async () => {
  const origin = scratch();
  await starts[2]?.prepare(origin);
  for (let n = 1; !isUndecided(origin); n += 1)
    await run(program, join(origin, "out"), `kill:${n}`);
  await atEveryMoment(async (n) => {
    const root = copyOf(origin);
    if (await run(program, join(root, "out"), `kill:${n}`)) return false;
    await expectMended(root, starts[2]?.wanted ?? {}, `killed at ${n}`);
    return true;
  });
});

test("a rollback that was interrupted is finished by the next run", async () => {
  const root = scratch();
  await starts[2]?.prepare(root);
  const changes = {
    created: ["src/tools/fresh/c.ts"],
    updated: [".mcp-gen/manifest.json", "README.md"],
    deleted: ["src/tools/gone/b.ts"],
  };
  const out = join(root, "out");
  const before = treeOf(root);
  plant(out, {
    ".mcp-gen/work/rollback.json": JSON.stringify(changes),
    ".mcp-gen/work/old/README.md": "old\n",
    ".mcp-gen/work/old/src/tools/gone/b.ts": "b\n",
    "src/tools/fresh/c.ts": "c\n",
    "README.md": "new\n",
  });
  const { diagnostics, ...rest } = await write(filesOf(OLD), out);
  expect(diagnostics.map((d) => d.code)).toEqual(["write-recovered"]);
  expect(rest).toEqual({
    created: [],
    updated: [],
    deleted: [],
    unchanged: 5,
    refused: [],
    preserved: [],
  });
  expect(treeOf(root)).toEqual(before);
});

test("a full disk leaves the folder unchanged and no temporary files", async () => {
  const large = await programFor({ ...NEW, "src/large.ts": "x".repeat(200_000) });
  for (const { prepare } of starts) {
    const root = scratch();
    await prepare(root);
    const before = treeOf(root);
    const result = await run(large, join(root, "out"), "none:0", "100");
    expect(result?.diagnostics.map((d) => d.code)).toEqual(["write-failed"]);
    expect(result?.diagnostics[0]?.message).toMatch(
      /could not be written: .*\. Nothing was changed\.$/,
    );
    expect(treeOf(root)).toEqual(before);
  }
});
