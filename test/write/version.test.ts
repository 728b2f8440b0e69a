/**
 * The version of a package is its owner's: `npm version` changes it, and whatever repeats it
 * follows.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withVersion } from "../../src/write/package-json.js";
import { write } from "../../src/write/index.js";
import { filesOf, plant, scratch, treeOf, type TreeText } from "./tree.js";

const text = (data: unknown): string => `${JSON.stringify(data, null, 2)}\n`;
const packageJson = (version: unknown, more = {}): string =>
  text({ name: "clinic", version, ...more });
const packageLock = (version: string): string =>
  text({
    name: "clinic",
    version,
    packages: { "": { name: "clinic", version }, "node_modules/a": { version: "1.0.0" } },
  });
const serverJson = (version: string, title = "Clinic"): string =>
  text({ title, version, packages: [{ registryType: "npm", version }] });
const docker = (version: string, from = "node:24"): string =>
  `FROM ${from}\nLABEL title="version=" \\\n      org.opencontainers.image.version="${version}"\n`;
/** What is generated of a document, with the version of that. */
const project = (version: string, { title = "Clinic", from = "node:24" } = {}): TreeText => ({
  "package.json": packageJson(version, { dependencies: { version: "1.0.0" } }),
  "package-lock.json": packageLock(version),
  "server.json": serverJson(version, title),
  "manifest.json": text({
    manifest_version: "0.3",
    version,
    user_config: { version: { default: "1.0.0" } },
  }),
  Dockerfile: docker(version, from),
  "src/api.ts": `export const api = { version: "${version}" };\n`,
});
const follows = ["Dockerfile", "manifest.json", "server.json"];

/** A folder as it is generated of version 1.0.0, and what its owner then puts there. */
async function folderWith(owner: TreeText): Promise<string> {
  const out = join(scratch(), "server");
  await write(filesOf(project("1.0.0")), out);
  plant(out, owner);
  return out;
}
const check = (given: TreeText, out: string): ReturnType<typeof write> =>
  write(filesOf(given), out, { dryRun: true, anyVersion: true });
const raised = (version: string): TreeText => ({
  "package.json": project(version)["package.json"]!,
  "package-lock.json": packageLock(version),
});

describe("when npm has raised the version", () => {
  test.each(["1.0.1", "2.0.0-beta.1", "1.0.1+build.7"])(
    "to %s, --check passes, and the next run updates only the other files",
    async (version) => {
      const out = await folderWith(raised(version));
      const before = treeOf(out);
      const checked = await check(project("1.0.0"), out);
      expect(checked).toMatchObject({
        created: [],
        updated: [],
        deleted: [],
        refused: [],
        diagnostics: [
          {
            code: "write-version-outdated",
            message: expect.stringMatching(
              /^Dockerfile, manifest\.json, server\.json in /,
            ) as string,
          },
        ],
      });
      expect(treeOf(out)).toEqual(before);
      expect(await write(filesOf(project("1.0.0")), out, { dryRun: true })).toMatchObject({
        updated: follows,
        diagnostics: [],
      });

      expect(await write(filesOf(project("1.0.0")), out)).toMatchObject({
        created: [],
        updated: follows,
        refused: [],
        diagnostics: [],
      });
      expect(treeOf(out)).toEqual({
        ...before,
        ...project(version),
        "manifest.json": "",
        "src/api.ts": project("1.0.0")["src/api.ts"],
      });
      expect(await check(project("1.0.0"), out)).toMatchObject({
        created: [],
        updated: [],
        diagnostics: [],
      });
    },
  );

  test("without the lockfile, the lockfile is updated too", async () => {
    const out = await folderWith({ "package.json": raised("1.0.1")["package.json"]! });
    expect((await check(project("1.0.0"), out)).updated).toEqual([]);
    expect((await write(filesOf(project("1.0.0")), out)).updated).toEqual([
      "Dockerfile",
      "manifest.json",
      "package-lock.json",
      "server.json",
    ]);
    expect(treeOf(out)["package-lock.json"]).toBe(packageLock("1.0.1"));
  });

  test("a changed document does not change the version", async () => {
    const out = await folderWith(raised("1.0.1"));
    const next = project("3.0.0", { title: "Clinic of cats" });
    expect((await check(next, out)).updated).toEqual([
      ".mcp-gen/manifest.json",
      "server.json",
      "src/api.ts",
    ]);
    expect((await write(filesOf(next), out)).updated).toEqual([
      ".mcp-gen/manifest.json",
      ...follows,
      "src/api.ts",
    ]);
    expect(treeOf(out)).toMatchObject({
      "server.json": serverJson("1.0.1", "Clinic of cats"),
      "package.json": raised("1.0.1")["package.json"],
      Dockerfile: docker("1.0.1"),
    });
    expect(await check(next, out)).toMatchObject({ created: [], updated: [], diagnostics: [] });
  });

  test("two folders with the same version are equal", async () => {
    const [one, other] = [await folderWith(raised("1.0.1")), await folderWith(raised("0.9.0"))];
    await write(filesOf(project("1.0.0")), other);
    plant(other, raised("1.0.1"));
    for (const out of [one, other]) await write(filesOf(project("2.0.0")), out);
    expect(treeOf(one)).toEqual(treeOf(other));
  });
});

test("another version of the document alone changes no file that repeats that of the package", async () => {
  const out = await folderWith({});
  expect((await write(filesOf(project("3.0.0")), out)).updated).toEqual([
    ".mcp-gen/manifest.json",
    "src/api.ts",
  ]);
});

test.each<readonly [string, TreeText]>([
  ["another version in server.json alone", { "server.json": serverJson("7.0.0") }],
  [
    "other line endings, and another version",
    { "server.json": serverJson("7.0.0").replaceAll("\n", "\r\n") },
  ],
])("%s has the package version after the next run", async (_, owner) => {
  const out = await folderWith(owner);
  expect((await check(project("1.0.0"), out)).updated).toEqual([]);
  expect((await write(filesOf(project("1.0.0")), out)).updated).toEqual(["server.json"]);
  expect(treeOf(out)["server.json"]).toBe(serverJson("1.0.0"));
});

test.each<readonly [string, TreeText]>([
  [
    "a version that npm does not take",
    { "package.json": packageJson("1.0", { dependencies: { version: "1.0.0" } }) },
  ],
  [
    "a version that would leave its place",
    {
      "package.json": packageJson('1.0.1" \\\nRUN touch /pwned', {
        dependencies: { version: "1.0.0" },
      }),
    },
  ],
  [
    "a version that is no text",
    { "package.json": packageJson(2, { dependencies: { version: "1.0.0" } }) },
  ],
  ["no version", { "package.json": text({ name: "clinic", dependencies: { version: "1.0.0" } }) }],
  [
    "an older version of a package of that name",
    {
      ...raised("1.0.1"),
      "package.json": packageJson("1.0.1", { dependencies: { version: "0.9.0" } }),
    },
  ],
  ["another edit beside the version", { ...raised("1.0.1"), Dockerfile: docker("1.0.1", "mine") }],
])("%s is an edit", async (_, owner) => {
  const out = await folderWith(owner);
  const before = treeOf(out);
  expect((await write(filesOf(project("1.0.0")), out)).diagnostics.map(({ code }) => code)).toEqual(
    ["write-files-edited"],
  );
  expect(treeOf(out)).toEqual(before);
});

test.each<readonly [path: string, text: string, want: string]>([
  [
    "package.json",
    '{"version": "1.0.0", "scripts": {"version": "1.0.0"}}',
    '{"version": "9", "scripts": {"version": "1.0.0"}}',
  ],
  [
    "server.json",
    '{"version": "1.0.0", "packages": [{"version": "1.0.0"}, {"version": "2.0.0"}]}',
    '{"version": "9", "packages": [{"version": "9"}, {"version": "2.0.0"}]}',
  ],
  [
    "server.json",
    '{"description": "\\"version\\": \\"1.0.0\\"", "version": "1.0.0"}',
    '{"description": "\\"version\\": \\"1.0.0\\"", "version": "9"}',
  ],
  [
    "package-lock.json",
    '{"version": "1.0.0", "packages": {"": {"version": "1.0.0"}, "node_modules/a": {"version": "1.0.0"}}}',
    '{"version": "9", "packages": {"": {"version": "9"}, "node_modules/a": {"version": "1.0.0"}}}',
  ],
  [
    "Dockerfile",
    'LABEL org.opencontainers.image.version="1.0.0"\n',
    'LABEL org.opencontainers.image.version="9"\n',
  ],
  ["README.md", '"version": "1.0.0"', '"version": "1.0.0"'],
  ["toString", '"version": "1.0.0"', '"version": "1.0.0"'],
  ["server.json", '"version": "latest"', '"version": "latest"'],
])("%s: the version in %s", (path, given, want) => {
  expect(withVersion(path, given, "9")).toBe(want);
});
