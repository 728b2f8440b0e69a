/** Imports of a TypeScript module that is joined from others. */
import { memoize } from "../memoize.js";

/** Parts of an `import … from` or `export … from` statement. */
export interface ImportStatement {
  readonly keyword: "import" | "export";
  readonly isType: boolean;
  /** `{ a, type B }`, `* as name`, `name`, or `*`. */
  readonly clause: string;
  readonly from: string;
}

/** Statements in the formatting of this project, with their line ends. */
const statement =
  /^(import|export) (type )?(\{[^}]*\}|\*(?: as \w+)?|\w+(?:, \{[^}]*\})?) from "([^"]+)";\n/gm;

/** The statements of a module. */
export const importsOf = memoize((text): readonly ImportStatement[] =>
  [...text.matchAll(statement)].map(([, keyword, type, clause = "", from = ""]) => ({
    keyword: keyword === "export" ? keyword : "import",
    isType: type !== undefined,
    clause,
    from,
  })),
);

/** The text of a module without the statements. */
export function withoutImports(text: string): string {
  return text.replace(statement, "");
}

/** Longest line of a statement. */
const MAX_LINE = 100;

/** Collects imports. Statements of the same module become one; a name is imported once. */
export class ImportList {
  /** Names in braces by keyword and module, and whether all uses of a name are types. */
  readonly #names = new Map<string, Map<string, boolean>>();
  /** Other statements. */
  readonly #others = new Set<string>();

  add({ keyword, isType, clause, from }: ImportStatement): void {
    const key = `${keyword} from "${from}";`;
    const [, before = "", list] = /^([^{,]*)(?:, )?(?:\{([^}]*)\})?$/.exec(clause) ?? [];
    if (before !== "")
      this.#others.add(`${keyword} ${isType ? "type " : ""}${before} from "${from}";`);
    if (list === undefined) return;
    const names = this.#names.get(key) ?? new Map<string, boolean>();
    for (const item of list
      .split(",")
      .map((text) => text.trim())
      .filter(Boolean)) {
      const name = item.replace(/^type /, "");
      names.set(name, (isType || name !== item) && names.get(name) !== false);
    }
    this.#names.set(key, names);
  }

  /** The statements: packages first, then modules of the project. */
  toString(): string {
    const named = [...this.#names].map(([key, names]) => formatStatement(key, names));
    return [...this.#others, ...named]
      .sort((a, b) => compareText(sortKey(a), sortKey(b)))
      .map((statement) => `${statement}\n`)
      .join("");
  }
}

function formatStatement(key: string, names: ReadonlyMap<string, boolean>): string {
  const [keyword, from] = [key.slice(0, "import".length), key.slice("import ".length)];
  const areTypes = [...names.values()].every(Boolean);
  const items = [...names]
    .sort(([a], [b]) => compareText(a.toLowerCase(), b.toLowerCase()))
    .map(([name, isType]) => (isType && !areTypes ? `type ${name}` : name));
  const start = `${keyword}${areTypes ? " type" : ""} {`;
  const line = `${start} ${items.join(", ")} } ${from}`;
  return line.length <= MAX_LINE ? line : `${start}\n  ${items.join(",\n  ")},\n} ${from}`;
}

/** Packages before modules of the project, and exports last. */
function sortKey(statement: string): string {
  const from = /"([^"]+)";$/.exec(statement)?.[1] ?? "";
  const group = from.startsWith("node:")
    ? 0
    : from.startsWith("..")
      ? 2
      : from.startsWith(".")
        ? 3
        : 1;
  return `${statement.startsWith("export") ? 1 : 0}${group}${from}`;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
