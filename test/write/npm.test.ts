import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write, type WriteOptions } from "../../src/write/index.js";
import { filesOf, plant, scratch, treeOf, type TreeText } from "./tree.js";

type Data = Readonly<Record<string, unknown>>;

const text = (data: unknown): string => `${JSON.stringify(data, null, 2)}\n`;
const PACKAGE = {
  name: "clinic",
  version: "1.0.0",
  scripts: { build: "b", test: "t" },
  dependencies: { jose: "6.0.0", minisearch: "7.0.0" },
};
/** A lock of npm's for a package.json. */
const lockOf = ({ name, version, dependencies }: Data, more: Data = {}): Data => ({
  name,
  version,
  packages: { "": { name, version, dependencies }, ...more },
});
const project = (manifest: Data): TreeText => ({
  "package.json": text(manifest),
  "package-lock.json": text(lockOf(manifest)),
});

/** Another pin, a package more, and a script less. */
const NEXT = {
  name: "clinic",
  version: "1.1.0",
  scripts: { build: "b" },
  dependencies: { jose: "6.1.0", "json-p3": "2.0.0", minisearch: "7.0.0" },
};
/** The same in a folder that has a version already. */
const NOW = { ...NEXT, version: PACKAGE.version };
const withLuxon = (data: typeof NEXT | typeof PACKAGE): Data => ({
  ...data,
  dependencies: Object.fromEntries(
    Object.entries({ ...data.dependencies, luxon: "3.0.0" }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
});
const luxon = withLuxon(PACKAGE);
const withJose = (jose: string): Data => ({
  ...PACKAGE,
  dependencies: { ...PACKAGE.dependencies, jose },
});

interface Case {
  readonly given: string;
  /** What the owner left; the lock of it by default. */
  readonly owner: Data | string;
  readonly lock?: Data | undefined;
  /** What is generated then; the same by default. */
  readonly next?: Data;
  readonly options?: WriteOptions;
  readonly want: {
    readonly manifest?: Data | string;
    readonly lock?: Data;
    readonly kept?: readonly string[];
    readonly codes?: readonly string[];
  };
}

const cases: readonly Case[] = [
  {
    given: "what was generated",
    owner: PACKAGE,
    next: NEXT,
    want: { manifest: NOW, lock: lockOf(NOW) },
  },
  { given: "a user's package", owner: luxon, want: { kept: ["dependencies.luxon"] } },
  {
    given: "a user's package and another pin",
    owner: luxon,
    next: NEXT,
    want: {
      manifest: withLuxon(NOW),
      kept: ["dependencies.luxon"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "a user's package that is not installed yet",
    owner: luxon,
    lock: lockOf(PACKAGE),
    want: {
      lock: lockOf(PACKAGE),
      kept: ["dependencies.luxon"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "a user's package without a lockfile",
    owner: luxon,
    lock: undefined,
    want: {
      lock: lockOf(PACKAGE),
      kept: ["dependencies.luxon"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "a user's script, group and member",
    owner: {
      ...PACKAGE,
      scripts: { ...PACKAGE.scripts, lint: "l" },
      optionalDependencies: { a: "1.0.0" },
      license: "MIT",
    },
    next: NEXT,
    want: {
      manifest: {
        ...NOW,
        scripts: { build: "b", lint: "l" },
        optionalDependencies: { a: "1.0.0" },
        license: "MIT",
      },
      lock: lockOf(NOW),
      kept: ["scripts.lint", "optionalDependencies.a", "license"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "another order and other indentation",
    owner: JSON.stringify(Object.fromEntries(Object.entries(PACKAGE).reverse())),
    lock: lockOf(PACKAGE),
    want: {},
  },
  {
    given: "a package that is now generated too",
    owner: { ...PACKAGE, dependencies: { ...PACKAGE.dependencies, "json-p3": "2.0.0" } },
    next: NEXT,
    want: { manifest: NOW, codes: ["write-lockfile-outdated"] },
  },
  {
    given: "the name __proto__",
    owner: JSON.stringify(PACKAGE).replace('"jose"', '"__proto__":"1.0.0","jose"'),
    lock: lockOf(PACKAGE),
    next: NEXT,
    want: {
      manifest:
        JSON.stringify(NOW, null, 2).replace('"jose"', '"__proto__": "1.0.0",\n    "jose"') + "\n",
      lock: lockOf(NOW),
      kept: ["dependencies.__proto__"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "a newer version",
    owner: withJose("6.0.1"),
    want: { kept: ["dependencies.jose"] },
  },
  {
    given: "a newer version as the lowest of a range",
    owner: withJose("^6.4.0"),
    want: { kept: ["dependencies.jose"] },
  },
  {
    given: "a newer version, which the next one exceeds",
    owner: withJose("6.0.1"),
    next: NEXT,
    want: { manifest: NOW, codes: ["write-lockfile-outdated"] },
  },
  {
    given: "a newer version than the next one",
    owner: withJose("6.2.0"),
    next: NEXT,
    want: {
      manifest: { ...NOW, dependencies: { ...NOW.dependencies, jose: "6.2.0" } },
      kept: ["dependencies.jose"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "a newer major version",
    owner: withJose("7.0.0"),
    want: { kept: ["dependencies.jose"], codes: ["write-package-untested"] },
  },
  { given: "an older version", owner: withJose("5.9.0"), want: { codes: ["write-files-edited"] } },
  {
    given: "a prerelease of the version",
    owner: withJose("6.0.0-rc.1"),
    want: { codes: ["write-files-edited"] },
  },
  { given: "a tag", owner: withJose("latest"), want: { codes: ["write-files-edited"] } },
  {
    given: "another version than the configured one",
    owner: withJose("6.2.0"),
    options: { packages: { jose: "6.0.0" } },
    want: { manifest: PACKAGE, codes: ["write-lockfile-outdated"] },
  },
  {
    given: "a user's pin, with force",
    owner: { ...luxon, scripts: { build: "mine", test: "t" } },
    next: NEXT,
    options: { force: true },
    want: {
      manifest: withLuxon(NOW),
      kept: ["dependencies.luxon"],
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "all scripts removed by the user, with force",
    owner: { ...PACKAGE, scripts: {} },
    next: NEXT,
    options: { force: true },
    want: { manifest: NOW, lock: lockOf(NOW) },
  },
  {
    given: "an object instead of a text, with force",
    owner: { ...PACKAGE, name: { first: "clinic" } },
    next: NEXT,
    options: { force: true },
    want: { manifest: NOW, lock: lockOf(NOW) },
  },
  {
    given: "a script removed by the user",
    owner: { ...PACKAGE, scripts: { build: "b" } },
    want: { codes: ["write-files-edited"] },
  },
  {
    given: "invalid JSON",
    owner: "{",
    lock: lockOf(PACKAGE),
    next: NEXT,
    want: { codes: ["write-files-edited"] },
  },
  {
    given: "a lockfile changed by npm",
    owner: PACKAGE,
    lock: lockOf(PACKAGE, { "node_modules/zod": {} }),
    want: { lock: lockOf(PACKAGE, { "node_modules/zod": {} }) },
  },
  {
    given: "a lockfile changed by npm, and another pin",
    owner: PACKAGE,
    lock: lockOf(PACKAGE, { "node_modules/zod": {} }),
    next: NEXT,
    want: {
      manifest: NOW,
      lock: lockOf(PACKAGE, { "node_modules/zod": {} }),
      codes: ["write-lockfile-outdated"],
    },
  },
  {
    given: "a lockfile changed by npm, another pin, with force",
    owner: PACKAGE,
    lock: lockOf(PACKAGE, { "node_modules/zod": {} }),
    next: NEXT,
    options: { force: true },
    want: { manifest: NOW, lock: lockOf(NOW) },
  },
];

test.each(cases)("$given", async ({ owner, next = PACKAGE, options, want, ...given }) => {
  const out = join(scratch(), "server");
  await write(filesOf(project(PACKAGE)), out);
  const left = typeof owner === "string" ? owner : text(owner);
  const lock = "lock" in given ? given.lock : lockOf(owner as Data);
  plant(out, { "package.json": left, ...(lock && { "package-lock.json": text(lock) }) });
  if (!lock) rmSync(join(out, "package-lock.json"));

  const result = await write(filesOf(project(next)), out, options);
  const manifest =
    want.manifest === undefined || typeof want.manifest === "string"
      ? want.manifest
      : text(want.manifest);
  expect(treeOf(out)).toMatchObject({
    "package.json": manifest ?? left,
    "package-lock.json": text(want.lock ?? lock),
  });
  expect(result).toMatchObject({
    preserved: want.kept ? [{ path: "package.json", names: want.kept }] : [],
  });
  expect(result.diagnostics.map(({ code }) => code)).toEqual(want.codes ?? []);

  if (want.codes?.includes("write-files-edited")) return;
  const again = await write(filesOf(project(next)), out, options);
  expect(again).toMatchObject({ created: [], updated: [], deleted: [], refused: [] });
});

test("an edited lockfile that is no longer generated is kept", async () => {
  const out = join(scratch(), "server");
  const only = (manifest: Data): TreeText => ({ "package.json": text(manifest) });
  await write(filesOf(project(PACKAGE)), out);
  plant(out, { "package-lock.json": "{}" });
  expect(await write(filesOf(only(NEXT)), out)).toMatchObject({
    updated: [".mcp-gen/manifest.json", "package.json"],
    deleted: [],
    diagnostics: [{ code: "write-lockfile-outdated" }],
  });
  expect(await write(filesOf(project(NEXT)), out)).toMatchObject({
    created: [],
    refused: [],
    diagnostics: [{ code: "write-lockfile-outdated" }],
  });
  expect(treeOf(out)["package-lock.json"]).toBe("{}");
});
