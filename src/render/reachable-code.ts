/** Selection of the declarations of the runtime that a generated project can need. */
import { posix } from "node:path";
import { memoize } from "../memoize.js";
import { ImportList, type ImportStatement } from "./import-list.js";
import {
  type ImportedName,
  type SourceDeclaration,
  type SourceModule,
} from "./source-declarations.js";

/** Finds a file by its path below `src/runtime`. */
type FindModule = (path: string) => SourceModule | undefined;

/** A module with what its names refer to. */
interface Scope extends SourceModule {
  readonly declared: ReadonlyMap<string, readonly SourceDeclaration[]>;
  readonly imported: ReadonlyMap<string, Target>;
  readonly reexported: ReadonlyMap<string, Target>;
  /** Files all of whose names it exports again. */
  readonly starred: readonly string[];
}

interface Target {
  readonly path: string;
  readonly name: string;
}

/** The parts of a file that a project keeps. */
interface KeptParts {
  readonly declarations: Set<SourceDeclaration>;
  /** Names that the file exports from others. */
  readonly reexports: Set<string>;
}

/**
 * Keeps what the exports of some files use, directly or through others. Order and comments stay.
 * @param options.keepsFiles keeps all of a file of which something is used
 * @returns the texts of the files of which something is used
 */
export function reachableCode(
  find: FindModule,
  entries: readonly string[],
  { keepsFiles = false }: { readonly keepsFiles?: boolean } = {},
): ReadonlyMap<string, string> {
  const kept = new Reachable(find, keepsFiles).from(entries);
  return new Map([...kept].map(([path, parts]) => [path, textOf(find(path)!, parts)] as const));
}

class Reachable {
  readonly #kept = new Map<string, KeptParts>();
  readonly #scopes: (path: string) => Scope | undefined;

  readonly #keepsFiles: boolean;

  constructor(find: FindModule, keepsFiles: boolean) {
    this.#keepsFiles = keepsFiles;
    this.#scopes = memoize((path) => {
      const module = find(path);
      return module && scopeOf(path, module);
    });
  }

  from(entries: readonly string[]): ReadonlyMap<string, KeptParts> {
    for (const path of entries) this.#keepAll(path);
    return this.#kept;
  }

  /** Keeps all exports of a file. */
  #keepAll(path: string): void {
    const scope = this.#scopes(path);
    if (!scope) return;
    this.#parts(path, scope);
    for (const one of scope.declarations)
      if (/^export /m.test(one.text)) this.#keep(path, scope, one);
    for (const name of scope.reexported.keys()) this.#keepExport(path, name);
    for (const from of scope.starred) {
      this.#parts(path, scope).reexports.add("*");
      this.#keepAll(from);
    }
  }

  /** Keeps what a name of another file refers to. @returns false if the file does not export it */
  #keepExport(path: string, name: string): boolean {
    const scope = this.#scopes(path);
    if (!scope) return false;
    if (name === "*") {
      this.#keepAll(path);
      return true;
    }
    const declared = scope.declared.get(name);
    if (declared) {
      for (const one of declared) this.#keep(path, scope, one);
      return true;
    }
    const target = scope.reexported.get(name);
    const isExported = target
      ? this.#keepExport(target.path, target.name)
      : scope.starred.some((from) => this.#keepExport(from, name));
    if (isExported || target) this.#parts(path, scope).reexports.add(target ? name : "*");
    return isExported;
  }

  #keep(path: string, scope: Scope, declaration: SourceDeclaration): void {
    const { declarations } = this.#parts(path, scope);
    if (declarations.has(declaration)) return;
    declarations.add(declaration);
    for (const name of declaration.uses) {
      const target = scope.imported.get(name);
      if (target) this.#keepExport(target.path, target.name);
      for (const one of scope.declared.get(name) ?? []) this.#keep(path, scope, one);
    }
    for (const from of declaration.loads ?? []) this.#keepAll(targetOf(path, from));
  }

  /** The kept parts of a file, whose statements run as soon as something of it is used. */
  #parts(path: string, scope: Scope): KeptParts {
    const known = this.#kept.get(path);
    if (known) return known;
    const parts = { declarations: new Set<SourceDeclaration>(), reexports: new Set<string>() };
    this.#kept.set(path, parts);
    for (const one of scope.declarations)
      if (this.#keepsFiles || one.names.length === 0) this.#keep(path, scope, one);
    if (this.#keepsFiles) for (const name of scope.reexported.keys()) this.#keepExport(path, name);
    return parts;
  }
}

function scopeOf(path: string, module: SourceModule): Scope {
  const declared = new Map<string, SourceDeclaration[]>();
  for (const one of module.declarations)
    for (const name of one.names) declared.set(name, [...(declared.get(name) ?? []), one]);
  const names = module.imports
    .filter(({ from }) => from.startsWith("."))
    .flatMap(({ keyword, from, names: all }) => {
      const target = targetOf(path, from);
      return all.map(({ imported, local }) => ({
        ...{ keyword, local },
        target: { path: target, name: imported },
      }));
    });
  const targets = (wanted: ImportStatement["keyword"]): ReadonlyMap<string, Target> =>
    new Map(
      names.flatMap(({ keyword, local, target }) =>
        keyword === wanted && local !== "*" ? [[local, target] as const] : [],
      ),
    );
  const starred = names.filter(({ local }) => local === "*").map(({ target }) => target.path);
  return {
    ...module,
    declared,
    imported: targets("import"),
    reexported: targets("export"),
    starred,
  };
}

/** Path of the file that an import names. */
function targetOf(from: string, specifier: string): string {
  return targetIn(`${posix.dirname(from)}/${specifier}`);
}

const targetIn = memoize((path) => `${posix.normalize(path).slice(0, -".js".length)}.ts`);

/** The text of a file without what nothing uses. */
function textOf(
  { comment, imports, declarations, standIn }: SourceModule,
  kept: KeptParts,
): string {
  const remaining = declarations.filter((one) => kept.declarations.has(one));
  const names = new Set(remaining.flatMap(({ uses }) => uses));
  const list = new ImportList();
  for (const statement of imports) {
    const used = statement.keyword === "import" ? names : kept.reexports;
    const items = statement.names.filter(({ local }) => used.has(local));
    if (items.length > 0) list.add({ ...statement, clause: clauseOf(items) });
  }
  const isReplaced = standIn && remaining.every((one) => standIn.declarations.includes(one));
  const opening = isReplaced ? standIn.comment : comment;
  const body = remaining.map(({ text }) => text).join("");
  return `${`${opening}${list.toString()}\n${body}`.trim()}\n`;
}

function clauseOf(items: readonly ImportedName[]): string {
  const others = items.filter(({ isInList }) => !isInList).map(({ item }) => item);
  const list = items.filter(({ isInList }) => isInList).map(({ item }) => item);
  return [...others, ...(list.length > 0 ? [`{ ${list.join(", ")} }`] : [])].join(", ");
}
