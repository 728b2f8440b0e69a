// Documents of the corpus without labels, for the counts that need none.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { corpus } from "./labels.mjs";

/**
 * Root documents of `corpus/INDEX.md` that have operations and are not the same as one of the given
 * files. The first column of its table is the file, the seventh the number of operations.
 */
export function otherDocuments(files) {
  const index = path.join(corpus, "INDEX.md");
  if (!existsSync(index)) return [];
  const contents = new Set(files.map((file) => readFileSync(file, "latin1")));
  return readFileSync(index, "utf8")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((cells) => /\.(json|ya?ml)$/.test(cells[1] ?? "") && Number(cells[7]) > 0)
    .map(([, document]) => ({ document, file: path.join(corpus, document) }))
    .filter(({ file }) => existsSync(file) && !contents.has(readFileSync(file, "latin1")));
}
