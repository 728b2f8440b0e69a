/** Joining of small modules: a file to write and to load takes half a millisecond of processor time. */
import { posix } from "node:path";

/** A compiled module: its path, and its code. */
type Module = readonly [path: string, code: string];

/** A module that only imports names and exports one constant. */
interface ConstantModule {
  readonly name: string;
  /** The constant without `export`. */
  readonly declaration: string;
  /** Imports by the name that they have in the module. */
  readonly imports: ReadonlyMap<string, Import>;
}

interface Import {
  /** The name, also with `as`. */
  readonly specifier: string;
  /** Path of the imported module. */
  readonly source: string;
}

const importStatement = /^import \{([^{}]*)\} from "(\.[^"\n]+)";\n?/gm;
const constant = /^export (const ([\w$]+) = [^]*;)$/;
const declarations = /^(?:export )?const ([\w$]+)/gm;
const statement = /^(?:import|export|const|let|var|function|async|class)\b/gm;

/**
 * Moves the constants of modules into the index that imports them, such as tools into the list of
 * tools. Modules of another form, and those whose names clash, stay as they are.
 * @param index path of the index
 */
export function joinModules(modules: readonly Module[], index: string): readonly Module[] {
  const code = modules.find(([path]) => path === index)?.[1];
  if (code === undefined) return modules;
  const imports = readImports(code, index);
  const joined = joinableModules(modules, index, imports);
  const needed = new Map([...imports].filter(([, { source }]) => !joined.has(source)));
  for (const { imports: own } of joined.values())
    for (const [name, one] of own) needed.set(name, one);
  const text = [
    ...Array.from(needed.values(), (one) => printImport(one, index)),
    ...Array.from(joined.values(), ({ declaration }) => declaration),
    code.replace(importStatement, "").trim(),
  ].join("\n");
  return modules
    .filter(([path]) => !joined.has(path))
    .map(([path, own]) => [path, path === index ? text : own]);
}

/** The modules that can be joined, by path. */
function joinableModules(
  modules: readonly Module[],
  index: string,
  imports: ReadonlyMap<string, Import>,
): ReadonlyMap<string, ConstantModule> {
  const codes = new Map(modules);
  const elsewhere = importedElsewhere(modules, index);
  const meanings = new Map([...imports].map(([name, one]) => [name, meaningOf(one)] as const));
  for (const [, name = ""] of codes.get(index)!.matchAll(declarations)) meanings.set(name, index);
  const candidates = Array.from(imports.values(), ({ specifier, source }) => {
    const found = elsewhere.has(source) ? undefined : readConstant(codes.get(source) ?? "", source);
    return found?.name === specifier ? ([source, found] as const) : undefined;
  });
  return new Map(
    candidates
      .filter((one) => one !== undefined)
      .filter(([, { imports: own }]) => addNames(own, meanings)),
  );
}

const meaningOf = ({ specifier, source }: Import): string => `${specifier} of ${source}`;

const printImport = ({ specifier, source }: Import, index: string): string =>
  `import { ${specifier} } from "./${posix.relative(posix.dirname(index), source)}";`;

function importedElsewhere(modules: readonly Module[], index: string): ReadonlySet<string> {
  const importing = modules.filter(([path]) => path !== index);
  return new Set(
    importing.flatMap(([path, code]) =>
      [...code.matchAll(/(?:from |import\()"(\.[^"\n]+)"/g)].map(([, source = ""]) =>
        posix.join(posix.dirname(path), source),
      ),
    ),
  );
}

/** Adds imported names to the known ones, unless one of them means something else there. */
function addNames(imports: ReadonlyMap<string, Import>, meanings: Map<string, string>): boolean {
  const own = [...imports].map(([name, one]) => [name, meaningOf(one)] as const);
  if (own.some(([name, meaning]) => (meanings.get(name) ?? meaning) !== meaning)) return false;
  for (const [name, meaning] of own) meanings.set(name, meaning);
  return true;
}

function readConstant(code: string, path: string): ConstantModule | undefined {
  const rest = code
    .replace(importStatement, "")
    .trimStart()
    .replace(/^(?:\/\/.*\n\s*)+/, "")
    .trim();
  const [, declaration, name] = constant.exec(rest) ?? [];
  if (declaration === undefined || rest.match(statement)?.length !== 1) return undefined;
  return { name: name!, declaration, imports: readImports(code, path) };
}

function readImports(code: string, path: string): ReadonlyMap<string, Import> {
  return new Map(
    [...code.matchAll(importStatement)].flatMap(([, names = "", source = ""]) => {
      const target = posix.join(posix.dirname(path), source);
      const specifiers = names.split(",").map((one) => one.trim());
      return specifiers
        .filter((one) => one !== "")
        .map((one) => [one.split(" ").at(-1)!, { specifier: one, source: target }] as const);
    }),
  );
}
