import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared");

export interface CorpusDocument {
  /** Path relative to the corpus, for the table of results. */
  readonly name: string;
  readonly file: string;
  /** Number of operations by the index; undefined for documents from npm. */
  readonly operations?: number;
  /** Root folder for `$ref`s, for documents that refer to files outside of their own folder. */
  readonly refRoot?: string;
}

/** Root folders of documents that refer to files outside of their own folder. */
const refRoots = new Map([["petstore-separate-2.0/spec/swagger.yaml", "petstore-separate-2.0"]]);

/**
 * Lists published documents: the corpus beside the checkout, if it exists, and those from npm that
 * are not in it.
 */
export function corpusDocuments(): CorpusDocument[] {
  const indexed = documentsFromIndex();
  const known = new Set(indexed.map(({ file }) => digestOf(file)));
  return [...indexed, ...documentsFromNpm().filter(({ file }) => !known.has(digestOf(file)))];
}

/** Digest of a file, by which copies of a document are recognized. */
export function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/**
 * Lists the root documents of `corpus/INDEX.md`. The first column of its table is the file, the
 * seventh the number of operations.
 */
function documentsFromIndex(): CorpusDocument[] {
  const corpus = path.join(shared, "corpus");
  const index = path.join(corpus, "INDEX.md");
  if (!existsSync(index)) return [];
  const rows = readFileSync(index, "utf8")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows
    .filter(
      (cells) =>
        /\.(json|ya?ml)$/.test(cells[1] ?? "") && existsSync(path.join(corpus, cells[1] ?? "")),
    )
    .map((cells) => ({
      name: cells[1] ?? "",
      file: path.join(corpus, cells[1] ?? ""),
      operations: Number(cells[7]),
      ...refRootOf(corpus, cells[1] ?? ""),
    }));
}

function refRootOf(corpus: string, name: string): { refRoot?: string } {
  const folder = refRoots.get(name);
  return folder === undefined ? {} : { refRoot: path.join(corpus, folder) };
}

function documentsFromNpm(): CorpusDocument[] {
  const examples = path.join(root, "node_modules/@readme/oas-examples");
  const versions = ["2.0", "3.0", "3.1"]
    .map((version) => path.join(examples, version, "json"))
    .filter((folder) => existsSync(folder));
  const readme = versions.flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .filter((file) => file.endsWith(".json"))
      .map((file) => path.join(folder, file)),
  );
  const github = path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json");
  return [...readme, github].map((file) => ({
    name: `npm: ${path.relative(path.join(root, "node_modules"), file)}`,
    file,
  }));
}
