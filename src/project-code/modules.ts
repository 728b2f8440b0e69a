/** The TypeScript modules of a project, read on demand and only below its folder. */
import { dirname, join, relative, sep } from "node:path";
import { ts } from "ts-morph";
import { type CodeModule, createBudget } from "./evaluate.js";
import { readGenerated, readText } from "./read-text.js";

/** Reads modules below a folder. */
export class ModuleReader {
  readonly #modules = new Map<string, CodeModule | undefined>();
  readonly #budget = createBudget();

  constructor(private readonly root: string) {}

  /** The module of a file; undefined if it cannot be read. */
  read(path: string): CodeModule | undefined {
    if (!this.#modules.has(path)) this.#modules.set(path, this.#parse(path));
    return this.#modules.get(path);
  }

  #parse(path: string): CodeModule | undefined {
    const isOwn = path.startsWith(join(this.root, "custom"));
    const text = isOwn ? readText(path) : readGenerated(path) || undefined;
    if (text === undefined) return undefined;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
    const resolve = (specifier: string): CodeModule | undefined => this.#resolve(specifier, path);
    return { file, resolve, budget: this.#budget };
  }

  #resolve(specifier: string, from: string): CodeModule | undefined {
    if (!/^\.\.?\//.test(specifier)) return undefined;
    const path = join(dirname(from), specifier.replace(/\.[jt]s$/, ""));
    const isOutside = relative(this.root, path).split(sep)[0] === "..";
    return isOutside ? undefined : (this.read(`${path}.ts`) ?? this.read(join(path, "index.ts")));
  }
}
