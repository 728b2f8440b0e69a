/** Imports of a TypeScript module that is joined from others. */

/** Longest line of a statement. */
const MAX_LINE = 100;

/** A name that a file imports, or exports again. */
export interface ImportedName {
  readonly keyword: "import" | "export";
  /** The specifier. */
  readonly from: string;
  /** Name in the file that exports it; `*` for all of its names. */
  readonly imported: string;
  readonly local: string;
  readonly isType?: true;
  /** True for a name outside braces: a default, or all names. */
  readonly isAlone?: true;
}

/** Collects imports. Statements of the same module become one; a name is imported once. */
export class ImportList {
  /** Names in braces by keyword and module, and whether all uses of a name are types. */
  readonly #names = new Map<string, Map<string, boolean>>();
  /** Other statements. */
  readonly #others = new Set<string>();

  add(one: ImportedName): void {
    const { keyword, isType = false, isAlone = false, from } = one;
    if (isAlone) {
      this.#others.add(`${keyword} ${isType ? "type " : ""}${nameAlone(one)} from "${from}";`);
      return;
    }
    const key = `${keyword} from "${from}";`;
    const names = this.#names.get(key) ?? new Map<string, boolean>();
    this.#names.set(key, names);
    const name = nameInList(one);
    names.set(name, isType && names.get(name) !== false);
  }

  /** The statements: packages first, then modules of the project. */
  toString(): string {
    const named = [...this.#names].map(([key, names]) => formatStatement(key, names));
    return [...this.#others, ...named]
      .map((statement) => ({ statement, key: orderOf(statement) }))
      .sort((a, b) => compareText(a.key, b.key))
      .map(({ statement }) => `${statement}\n`)
      .join("");
  }
}

const nameInList = ({ imported, local }: ImportedName): string =>
  imported === local ? imported : `${imported} as ${local}`;

function nameAlone({ imported, local }: ImportedName): string {
  if (imported !== "*") return local;
  return local === "*" ? "*" : `* as ${local}`;
}

function formatStatement(key: string, names: ReadonlyMap<string, boolean>): string {
  const [keyword, from] = [key.slice(0, "import".length), key.slice("import ".length)];
  const areTypes = [...names.values()].every(Boolean);
  const items = [...names]
    .map(([name, isType]) => ({
      key: name.toLowerCase(),
      item: isType && !areTypes ? `type ${name}` : name,
    }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ item }) => item);
  const start = `${keyword}${areTypes ? " type" : ""} {`;
  const line = `${start} ${items.join(", ")} } ${from}`;
  return line.length <= MAX_LINE ? line : `${start}\n${filledLines(items)}\n} ${from}`;
}

/** Names on as few lines as they need: joined modules import many. */
function filledLines(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1) ?? "";
    const filled = `${last} ${name},`;
    if (last !== "" && filled.length <= MAX_LINE) lines[lines.length - 1] = filled;
    else lines.push(`  ${name},`);
  }
  return lines.join("\n");
}

const orderOf = (statement: string): string =>
  importOrder({
    keyword: statement.startsWith("export") ? "export" : "import",
    from: /"([^"]+)";$/.exec(statement)?.[1] ?? "",
  });

/** Sort key of a statement: packages before modules of the project, and exports last. */
export function importOrder({ keyword, from }: Pick<ImportedName, "keyword" | "from">): string {
  return `${keyword === "export" ? 1 : 0}${groupOf(from)}${from}`;
}

function groupOf(from: string): number {
  if (from.startsWith("node:")) return 0;
  if (from.startsWith("..")) return 2;
  return from.startsWith(".") ? 3 : 1;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
