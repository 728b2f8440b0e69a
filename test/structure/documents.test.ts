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

/** Files of this repository that a document names: in code (`src/cli`), and as targets of links. */
function pathsIn(document: string): readonly string[] {
  const text = readFileSync(join(root, document), "utf8").replace(/^```[^]*?^```/gm, "");
  const named = [
    ...text.matchAll(/`((?:src|test|templates|samples|bench|scripts|docs)\/[\w./-]*)`/g),
  ];
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
  return [
    ...named.map(([, path]) => path as string).filter((path) => !inGeneratedProject.test(path)),
    ...linked.map(([, path]) => join(dirname(document), path as string)),
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
  const ofGeneratedProjects = ["build:worker", "bundle", "dev", "release", "start"];
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string);
  expect(named.filter((name) => !(name in scripts) && !ofGeneratedProjects.includes(name))).toEqual(
    [],
  );
});
