import { type Code, freeIdentifier, join, ts } from "../code.js";

/** Collects the named types that a module uses, and gives each a name that is free there. */
export class Imports {
  readonly #used = new Map<string, { readonly name: Code; readonly clause: Code }>();

  /**
   * @param types names in `src/schemas.ts`, by key
   * @param taken names that the module declares itself
   */
  constructor(
    private readonly types: ReadonlyMap<string, Code>,
    private readonly taken: Set<string>,
  ) {}

  /**
   * The local name of a type, which is imported from now on; nothing when there is no such type.
   */
  nameOf(ref: string): Code | undefined {
    const type = this.types.get(ref);
    if (type === undefined) return undefined;
    const known = this.#used.get(ref);
    if (known) return known.name;
    const name = freeIdentifier(this.taken.has(type) ? `${type}Schema` : type, this.taken);
    this.taken.add(name);
    this.#used.set(ref, { name, clause: name === type ? name : ts`${type} as ${name}` });
    return name;
  }

  /** What `import type … from` names, in order, with its braces; nothing when no type is used. */
  clause(): Code | undefined {
    const clauses = [...this.#used.values()].map(({ clause }) => clause).sort();
    if (clauses.length === 0) return undefined;
    const flat = join(clauses, ts`, `);
    return flat.length <= 70 ? ts`{ ${flat} }` : ts`{\n  ${join(clauses, ts`,\n  `)},\n}`;
  }
}
