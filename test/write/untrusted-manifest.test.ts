import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../src/index.js";
import { generateApis } from "../../src/generate-apis.js";
import { canBeGenerated } from "../../src/write/paths.js";
import { write } from "../../src/write/index.js";
import { fingerprint } from "../../src/write/manifest.js";
import { document } from "../fuzz/document.js";
import { filesOf, plant, scratch } from "./tree.js";

const FILES = filesOf({ "README.md": "a\n", "src/main.ts": "m\n" });
const TEXT = "yours\n";

/** Files of a user that a manifest from another branch may list. */
const foreign = [
  "src/custom/index.ts",
  "src/custom/hooks/deep.ts",
  ".env",
  ".env.local",
  ".env.production",
  ".env.example.bak",
  "mcp-gen.yaml",
  "mcp-gen.yml",
  "openapi.json",
  "notes.md",
  "scripts/deploy.sh",
  ".github/workflows/ci.yml",
  ".vscode/settings.json",
  "src/app.ts",
  "src/lib/main.ts",
  "src/tools/pets/notes.md",
  "src/tools/a/b/c.ts",
  "src/tools/index.test.ts",
  "src/runtime/notes.md",
  "src/Custom/index.ts",
  "SRC/main.ts",
  "readme.md",
  "test/own.test.ts",
  "docs/README.md",
  "package.json.bak",
  "tsconfig.build.json",
] as const;

const manifestOf = (paths: readonly string[], digest: string): string =>
  JSON.stringify({ layout: 1, files: Object.fromEntries(paths.map((path) => [path, digest])) });

describe.each([
  { fingerprints: "of the text", digest: fingerprint(TEXT) },
  { fingerprints: "of another text", digest: "0".repeat(64) },
])("files in a manifest with fingerprints $fingerprints", ({ digest }) => {
  test.each([
    { mode: "a run", options: {} },
    { mode: "a forced run", options: { force: true } },
    { mode: "a dry run", options: { dryRun: true } },
  ])("are left unchanged by $mode", async ({ options }) => {
    const out = join(scratch(), "out");
    plant(out, { ".mcp-gen/manifest.json": manifestOf(foreign, digest) });
    plant(out, Object.fromEntries(foreign.map((path) => [path, TEXT])));
    const { diagnostics, deleted, updated } = await write(FILES, out, options);
    expect(deleted).toEqual([]);
    expect(updated.filter((path) => (foreign as readonly string[]).includes(path))).toEqual([]);
    for (const path of foreign) expect(readFileSync(join(out, path), "utf8"), path).toBe(TEXT);
    const report = diagnostics.find(({ code }) => code === "write-manifest-foreign");
    expect(report?.message).toContain(`lists ${foreign.length} files that mcp-gen cannot have`);
    expect(report?.message).toContain("src/custom/index.ts");
  });

  test("are reported once", async () => {
    const out = join(scratch(), "out");
    plant(out, { ".mcp-gen/manifest.json": manifestOf(["notes.md"], digest), "notes.md": TEXT });
    const codes = async (): Promise<readonly string[]> =>
      (await write(FILES, out)).diagnostics.map(({ code }) => code);
    expect(await codes()).toEqual(["write-manifest-foreign"]);
    expect(await codes()).toEqual([]);
  });
});

test("a file that mcp-gen generated and generates no longer is deleted", async () => {
  const out = join(scratch(), "out");
  const paths = ["src/tools/pets/get_pet.ts", "src/worker.ts", "Dockerfile"];
  plant(out, { ".mcp-gen/manifest.json": manifestOf(paths, fingerprint(TEXT)) });
  plant(out, Object.fromEntries(paths.map((path) => [path, TEXT])));
  expect((await write(FILES, out)).deleted).toEqual(paths.toSorted());
});

describe.each(["journal.json", "rollback.json"])("a forged %s", (name) => {
  test.each(["created", "updated", "deleted"])(
    "changes no file of the user that it calls %s",
    async (kind) => {
      for (const path of ["src/custom/index.ts", ".env", "mcp-gen.yaml", "notes.md"]) {
        const out = join(scratch(), "out");
        const changes = { created: [], updated: [], deleted: [], [kind]: [path] };
        plant(out, {
          ".mcp-gen/manifest.json": manifestOf([], ""),
          [`.mcp-gen/work/${name}`]: JSON.stringify(changes),
          [`.mcp-gen/work/old/${path}`]: "forged\n",
          [path]: TEXT,
        });
        if (name === "journal.json") plant(out, { [`.mcp-gen/work/new/${path}`]: "forged\n" });
        await write(FILES, out);
        expect(existsSync(join(out, path)) && readFileSync(join(out, path), "utf8"), path).toBe(
          TEXT,
        );
      }
    },
  );
});

test("every generated path is known, in every form of project", async () => {
  const paths = new Set<string>();
  for (const runtime of ["copy", "package"] as const)
    for (const openapi of ["3.1.0", "3.0.3"]) {
      const path = join(scratch(), "openapi.json");
      plant(join(path, ".."), { "openapi.json": JSON.stringify({ ...document(), openapi }) });
      const { files = [] } = await generate(path, undefined, { runtime } as never);
      for (const file of files) if (file.writeOnce !== true) paths.add(file.path);
      const apis = ["crm", "shop"].map((name) => ({ name, source: path }));
      const several = await generateApis(apis, undefined, { runtime } as never);
      expect(several.files?.length).toBeGreaterThan(20);
      for (const file of several.files ?? []) if (file.writeOnce !== true) paths.add(file.path);
    }
  expect(paths.size).toBeGreaterThan(40);
  expect([...paths].filter((path) => !canBeGenerated(path))).toEqual([]);
});
