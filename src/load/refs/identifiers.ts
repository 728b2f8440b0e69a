import { isObject } from "../../json.js";

type Path = readonly string[];

/**
 * `$id`s, `$anchor`s and `$self` of one file (JSON Schema 2020-12 core, section 8.2; OpenAPI 3.2,
 * "$self"), with the paths of the schemas that have them.
 */
export class Identifiers {
  private readonly ids = new Map<string, Path>();
  private readonly anchors: {
    readonly name: string;
    readonly path: Path;
    readonly resource: Path;
  }[] = [];
  /** Pointers of schemas with an `$id`, and their absolute URIs. */
  private readonly bases = new Map<string, string>();

  constructor(root: unknown) {
    const self = isObject(root) && typeof root.$self === "string" ? root.$self : undefined;
    if (self !== undefined) {
      this.ids.set(absolute(self, undefined), []);
      this.bases.set("", self);
    }
    if (mentionsAny(root)) this.collect(root, [], [], self, new Set());
  }

  private collect(
    value: unknown,
    path: Path,
    resource: Path,
    base: string | undefined,
    seen: Set<object>,
  ): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const object = value as Record<string, unknown>;
    const id = typeof object.$id === "string" ? absolute(object.$id, base) : undefined;
    if (id !== undefined) {
      if (!this.ids.has(id)) this.ids.set(id, path);
      this.bases.set(path.join("\n"), id);
    }
    const around = id === undefined ? resource : path;
    for (const name of [object.$anchor, object.$dynamicAnchor])
      if (typeof name === "string") this.anchors.push({ name, path, resource: around });
    for (const key of Object.keys(object))
      this.collect(object[key], [...path, key], around, id ?? base, seen);
  }

  /** The schema whose `$id` an address names, seen from a place. */
  schema(address: string, from: Path): Path | undefined {
    if (this.ids.size === 0) return undefined;
    return (
      this.ids.get(absolute(address, this.bases.get(this.resource(from).join("\n")))) ??
      this.ids.get(address)
    );
  }

  /** The nearest schema with an `$id` around a place; the root when there is none. */
  resource(from: Path): Path {
    for (let length = this.bases.size === 0 ? 0 : from.length; length > 0; length--) {
      const path = from.slice(0, length);
      if (this.bases.has(path.join("\n"))) return path;
    }
    return [];
  }

  /** The schema with an anchor, in the resource around a place before others. */
  anchor(name: string, resource: Path): Path | undefined {
    const named = this.anchors.filter((anchor) => anchor.name === name);
    return (named.find((anchor) => anchor.resource.join("\n") === resource.join("\n")) ?? named[0])
      ?.path;
  }
}

function absolute(uri: string, base: string | undefined): string {
  const plain = uri.replace(/#$/, "");
  return base !== undefined && URL.canParse(plain, base) ? new URL(plain, base).href : plain;
}

/** A quick look without paths: nearly every document has none. */
function mentionsAny(root: unknown): boolean {
  const seen = new Set<unknown>();
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if ("$id" in value || "$anchor" in value || "$dynamicAnchor" in value) return true;
    for (const key in value) stack.push((value as Record<string, unknown>)[key]);
  }
  return false;
}
