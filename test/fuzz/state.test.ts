import fc from "fast-check";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compareLocks, readLock } from "../../src/index.js";
import { write } from "../../src/write/index.js";
import { fingerprint } from "../../src/write/manifest.js";
import { document } from "./document.js";
import { generateProject } from "./check.js";
import { bounds, minutes, report, seed } from "./duration.js";
import { anyValue } from "./mutations.js";
import { slotsOf, withKey, withValue } from "./slots.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-fuzz-state-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const project = generateProject(JSON.stringify(document()));

/** Files of the user, which no manifest, journal or lock may touch. */
const OWN = {
  "src/custom/own.ts": "export const own = 1;\n",
  ".env": "KEY=1\n",
  ".env.local": "KEY=2\n",
  "mcp-gen.yaml": "tools: {}\n",
  "notes.md": "mine\n",
  "src/tools/notes.md": "mine\n",
  "scripts/run.sh": "true\n",
};
const generatedFiles = [
  { path: "README.md", content: "a\n" },
  { path: "src/main.ts", content: "export {};\n" },
];

const ownPath = fc.constantFrom(...Object.keys(OWN));
const anyPath = fc.oneof(
  ownPath,
  ownPath.map((path) => `./${path}`),
  ownPath.map((path) => path.toUpperCase()),
  ownPath.map((path) => `src/../${path}`),
  fc.constantFrom("src/tools/pets/get_pet.ts", "src/custom/index.ts", "../outside", "/etc/x", ""),
  fc.string(),
);
const digest = fc.oneof(
  fc.constantFrom(...Object.values(OWN)).map(fingerprint),
  fc.constant("0".repeat(64)),
);
const manifest = fc.record({
  layout: fc.constantFrom<unknown>(1, 1, 1, 2, "1"),
  files: fc.dictionary(anyPath, fc.oneof({ weight: 9, arbitrary: digest }, fc.string())),
  parts: fc.dictionary(anyPath, fc.stringMatching(/^([0-9a-f]{12}){0,3}$/)),
});
const journal = fc.record({
  created: fc.array(anyPath, { maxLength: 3 }),
  updated: fc.array(anyPath, { maxLength: 3 }),
  deleted: fc.array(anyPath, { maxLength: 3 }),
});

function plant(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

test(
  "manifests and journals of another branch: files of the user stay as they are",
  async () => {
    let count = 0;
    const state = fc.record({
      manifest: fc.oneof(
        manifest.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      journal: fc.option(fc.tuple(fc.constantFrom("journal.json", "rollback.json"), journal)),
      force: fc.boolean(),
    });
    const property = fc.asyncProperty(state, async ({ manifest: text, journal: moves, force }) => {
      const out = join(folder, `out-${count++}`);
      plant(out, OWN);
      plant(out, { ".mcp-gen/manifest.json": text });
      for (const path of moves ? Object.keys(OWN) : [])
        plant(out, {
          [`.mcp-gen/work/new/${path}`]: "forged",
          [`.mcp-gen/work/old/${path}`]: "forged",
        });
      if (moves) plant(out, { [`.mcp-gen/work/${moves[0]}`]: JSON.stringify(moves[1]) });
      const { diagnostics } = await write(generatedFiles, out, { force });
      for (const { message } of diagnostics) expect(message).not.toMatch(/\n\s+at /);
      for (const [path, own] of Object.entries(OWN))
        expect(readFileSync(join(out, path), "utf8"), path).toBe(own);
      rmSync(out, { recursive: true, force: true });
    });
    await fc.assert(property, { seed, ...bounds(100) });
    report(`${count} manifests and journals: no file of the user changed`);
  },
  120_000 + minutes * 60_000,
);

test(
  "mutated locks: a comparison, or a clear error",
  async () => {
    const { files = [] } = await project;
    const text = files.find(({ path }) => path === "mcp-gen.lock.json")?.content ?? "{}";
    const lock: unknown = JSON.parse(text);
    const slots = slotsOf(lock);
    const keySlots = slots.filter((slot) => typeof slot.at(-1) === "string");
    const mutated = fc.oneof(
      fc
        .tuple(fc.constantFrom(...slots), anyValue)
        .map(([slot, value]) => withValue(lock, slot, value)),
      fc
        .tuple(fc.constantFrom(...keySlots), fc.string())
        .map(([slot, name]) => withKey(lock, slot, name)),
    );
    const before = readLock(text);
    let count = 0;
    const property = fc.property(mutated, (value) => {
      count += 1;
      const after = readLock(JSON.stringify(value));
      if (typeof before === "object" && typeof after === "object") compareLocks(before, after);
    });
    fc.assert(property, { seed, ...bounds(300) });
    report(`${count} locks: none failed`);
  },
  120_000 + minutes * 60_000,
);
