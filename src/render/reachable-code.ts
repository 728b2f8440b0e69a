/** Selection of the declarations of the runtime that a generated project can need. */
import { fingerprintsBelow } from "../source-parts.js";
import { ImportList } from "./import-list.js";
import type { RuntimeFile, RuntimeScope, ScopeDeclaration, ScopeImport } from "./runtime-scopes.js";

/** Finds a file by its path below `src/runtime`. */
type FindFile = (path: string) => RuntimeFile | undefined;

/** What a project keeps of a file. */
export interface KeptFile extends Omit<RuntimeFile, "scope"> {
  readonly scope: RuntimeScope;
  readonly kept: ReadonlySet<ScopeDeclaration>;
  /** Imports that the kept declarations use. */
  readonly used: ReadonlySet<ScopeImport>;
  /** Local names of what the file exports from others. */
  readonly reexports: ReadonlySet<string>;
}

interface KeptParts extends KeptFile {
  readonly kept: Set<ScopeDeclaration>;
  readonly used: Set<ScopeImport>;
  readonly reexports: Set<string>;
}

/**
 * Keeps what the exports of some files use, directly or through others. Order and comments stay.
 * @param options.keepsFiles keeps all of a file of which something is used
 * @returns the files of which something is used, by their path
 */
export function reachableCode(
  find: FindFile,
  entries: readonly string[],
  { keepsFiles = false }: { readonly keepsFiles?: boolean } = {},
): ReadonlyMap<string, KeptFile> {
  return new Reachable(find, keepsFiles).from(entries);
}

class Reachable {
  readonly #kept = new Map<string, KeptParts>();
  readonly #find: FindFile;
  readonly #keepsFiles: boolean;

  constructor(find: FindFile, keepsFiles: boolean) {
    this.#find = find;
    this.#keepsFiles = keepsFiles;
  }

  from(entries: readonly string[]): ReadonlyMap<string, KeptFile> {
    for (const path of entries) this.#keepAll(path);
    return this.#kept;
  }

  /** Keeps all exports of a file. */
  #keepAll(path: string): void {
    const parts = this.#parts(path);
    if (!parts) return;
    for (const one of parts.scope.declarations) if (one.isExported) this.#keep(parts, one);
    for (const { keyword, path: target, local } of parts.scope.imports) {
      if (keyword !== "export" || target === undefined) continue;
      if (local !== "*") this.#keepExport(path, local);
      else {
        parts.reexports.add("*");
        this.#keepAll(target);
      }
    }
  }

  /** Keeps what a name of another file refers to. @returns false if the file does not export it */
  #keepExport(path: string, name: string): boolean {
    const file = this.#find(path);
    if (!file) return false;
    if (name === "*") {
      this.#keepAll(path);
      return true;
    }
    const { declared, declarations } = file.scope();
    if (!Object.hasOwn(declared, name)) return this.#keepReexport(file, name);
    const parts = this.#parts(path)!;
    for (const i of declared[name] ?? []) this.#keep(parts, declarations[i]!);
    return true;
  }

  #keepReexport({ path, scope }: RuntimeFile, name: string): boolean {
    const others = scope().imports.filter((one) => one.keyword === "export" && one.path);
    const target = others.find(({ local }) => local === name);
    const isExported = target
      ? this.#keepExport(target.path!, target.imported)
      : others.some((one) => one.local === "*" && this.#keepExport(one.path!, name));
    if (isExported || target) this.#parts(path)!.reexports.add(target ? name : "*");
    return isExported;
  }

  #keep(parts: KeptParts, declaration: ScopeDeclaration): void {
    if (parts.kept.has(declaration)) return;
    parts.kept.add(declaration);
    const { imports, declarations } = parts.scope;
    for (const i of declaration.imports) this.#follow(parts, imports[i]!);
    for (const i of declaration.own) this.#keep(parts, declarations[i]!);
    for (const path of declaration.loads ?? []) this.#keepAll(path);
  }

  #follow({ used }: KeptParts, one: ScopeImport): void {
    if (used.has(one)) return;
    used.add(one);
    if (one.path !== undefined) this.#keepExport(one.path, one.imported);
  }

  /** The kept parts of a file, whose statements run as soon as something of it is used. */
  #parts(path: string): KeptParts | undefined {
    const known = this.#kept.get(path);
    if (known) return known;
    const file = this.#find(path);
    if (!file) return undefined;
    const scope = file.scope();
    const parts = {
      ...{ path, scope, body: file.body, fingerprints: file.fingerprints },
      ...{ kept: new Set<ScopeDeclaration>(), used: new Set<ScopeImport>() },
      reexports: new Set<string>(),
    };
    this.#kept.set(path, parts);
    for (const one of scope.declarations)
      if (this.#keepsFiles || one.isStatement) this.#keep(parts, one);
    if (this.#keepsFiles)
      for (const { keyword, path: from, local } of scope.imports)
        if (keyword === "export" && from !== undefined && local !== "*")
          this.#keepExport(path, local);
    return parts;
  }
}

/** The imports and re-exports that the kept declarations of a file use, in the order of the file. */
export function keptImports({ scope, used, reexports }: KeptFile): readonly ScopeImport[] {
  return scope.imports.filter((one) =>
    one.keyword === "import" ? used.has(one) : reexports.has(one.local),
  );
}

/** The comment about a file: that of its stand-in, if nothing else of it is kept. */
export function keptComment({ scope: { comment, declarations, standIn }, kept }: KeptFile): string {
  if (!standIn) return comment;
  const isReplaced = declarations.slice(standIn.declarations).every((one) => !kept.has(one));
  return isReplaced ? standIn.comment : comment;
}

/** True for a file of which a project has all declarations as they are. */
const isWhole = ({ scope: { declarations }, kept }: KeptFile): boolean =>
  declarations.length === kept.size && !declarations.some(({ loads }) => loads);

/** The texts of the kept declarations of a file. */
export function keptBody(
  file: KeptFile,
  change: (text: string) => string = (text) => text,
): string {
  const text = file.body();
  if (isWhole(file)) return text.trim();
  const { scope, kept } = file;
  return scope.declarations
    .filter((one) => kept.has(one))
    .map(({ range: [start, end], loads }) => {
      const slice = text.slice(start, end);
      return loads ? change(slice) : slice;
    })
    .join("")
    .trim();
}

/** Fingerprints of the parts of `body`, which is the body of a file that a project keeps. */
export function bodyFingerprints(file: KeptFile, body: string): string {
  return isWhole(file) ? file.fingerprints() : fingerprintsBelow(body);
}

/** The text of a file without what nothing uses. */
export function textOf(file: KeptFile): string {
  const list = new ImportList();
  for (const one of keptImports(file)) list.add(one);
  return `${`${keptComment(file)}${list.toString()}\n${keptBody(file)}`.trim()}\n`;
}
