/**
 * JSON of a value in its canonical form: members by code unit, no white space. RFC 8785.
 *
 * `JSON.stringify` writes numbers and strings as the RFC wants them, and is several times faster than anything in
 * JavaScript; so it writes a copy whose members are in order. Parts that values share are copied once.
 */
export class CanonicalJson {
  readonly #copies = new Map<object, object | undefined>();

  /** @param value of JSON; members that are `undefined` are left out */
  write(value: object): string {
    const copy = this.#copyOf(value);
    return copy === undefined ? written(value) : JSON.stringify(copy);
  }

  /** Undefined when JavaScript has an order of its own for the members of the value or of a part. */
  #copyOf(value: object): object | undefined {
    if (this.#copies.has(value)) return this.#copies.get(value);
    const copy = Array.isArray(value) ? this.#list(value) : this.#object(value as Members);
    this.#copies.set(value, copy);
    return copy;
  }

  #list(items: readonly unknown[]): readonly unknown[] | undefined {
    const copies = items.map((item) => (isParted(item) ? this.#copyOf(item) : item));
    return copies.includes(undefined) ? undefined : copies;
  }

  #object(object: Members): object | undefined {
    const copy: Record<string, unknown> = {};
    for (const name of ordered(Object.keys(object))) {
      const value = object[name];
      if (value === undefined) continue;
      const part = isParted(value) ? this.#copyOf(value) : value;
      if (part === undefined || outOfOrder.test(name)) return undefined;
      copy[name] = part;
    }
    return copy;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Names that are indices come before all others, by value; and one is the prototype. */
const outOfOrder = /^(?:\d|__proto__$)/;

function isParted(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function written(value: unknown): string {
  if (!isParted(value)) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  const members = value as Members;
  const names = ordered(Object.keys(members)).filter((name) => members[name] !== undefined);
  return `{${names.map((name) => `${JSON.stringify(name)}:${written(members[name])}`).join(",")}}`;
}

/** Sorts in place, by code unit. Most objects have a handful of members, for which nothing is faster. */
function ordered(names: string[]): string[] {
  if (names.length > 24) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}
