import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Lists the repository paths in a document: in code spans (`src/cli`) and as link targets. */
function pathsIn(document: string): readonly string[] {
  const text = readFileSync(join(root, document), "utf8").replace(/^```[^]*?^```/gm, "");
  const inCode = [
    ...text.matchAll(/`((?:src|test|templates|samples|bench|scripts|docs)\/[\w./-]*)`/g),
  ];
  const inLinks = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
  return [
    ...inCode.map(([, path]) => path as string).filter((path) => !inGeneratedProject.test(path)),
    ...inLinks.map(([, path]) => join(dirname(document), path as string)),
  ];
}

/** Paths that documents name as parts of a generated project. */
const inGeneratedProject =
  /^src\/(custom|tools|schemas\.ts|workflows|worker\.ts|main\.ts|apis)(\/|$)/;

test.each(documents)("paths named in %s exist", (document) => {
  expect(pathsIn(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(documents)("npm scripts named in %s exist", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  const generatedScripts = [
    "eval",
    "build:library",
    "build:worker",
    "bundle",
    "dev",
    "release",
    "start",
  ];
  const scriptNames = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string);
  expect(
    scriptNames.filter((name) => !(name in scripts) && !generatedScripts.includes(name)),
  ).toEqual([]);
});

test("files that ARCHITECTURE.md names without a folder are in the folder of the file before", () => {
  const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").match(/^\| an? .*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.flatMap(missingSiblings)).toEqual([]);
});

/** Names without a folder in a row, of files that the folder of the preceding path lacks. */
function missingSiblings(row: string): readonly string[] {
  let folder = "";
  return [...row.matchAll(/`((?:src\/[\w/-]*\/)?)([\w-]+\.ts)`/g)].flatMap(([, path, name]) => {
    folder = path || folder;
    return existsSync(join(root, folder, name as string)) ? [] : [`${folder}${name}`];
  });
}
