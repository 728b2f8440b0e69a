import { escapeToken, isObject, type JsonObject } from "../json.js";
import type { At } from "./at.js";

/**
 * `$id` and anchors of a 3.1 or 3.2 document, as JSON pointers. Resource `#` is the document
 * itself.
 */
export interface Identifiers {
  /** Pointer of the schema resource around a place: the nearest `$id` above it, or `#`. */
  resourceOf(at: At): string;
  /** Pointer of the resource with this URI, relative to the resource around `from`. */
  resource(uri: string, from: At): string | undefined;
  /** Pointer of `#name` in the resource around `from`. */
  anchor(fragment: string, from: At): string | undefined;
}

/** Values of these are data, not schemas: an `$id` in there is nobody's identifier. */
const DATA = new Set(["example", "examples", "default", "enum", "const", "value", "mapping"]);

/**
 * Walks the whole document once.
 * @returns undefined when there is no `$id` and no anchor, which is nearly always
 */
export function indexIdentifiers(root: JsonObject): Identifiers | undefined {
  if (!mentionsIdentifiers(root)) return undefined;
  const index = new Index(typeof root.$self === "string" ? root.$self : undefined);
  const open: { readonly node: unknown; readonly pointer: string; readonly resource: string }[] = [
    { node: root, pointer: "#", resource: "#" },
  ];
  const seen = new Set<unknown>();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, pointer } = next;
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    const resource = isObject(node) ? index.note(node, pointer, next.resource) : next.resource;
    for (const [key, child] of Object.entries(node)) {
      if (typeof child !== "object" || child === null || (isObject(node) && DATA.has(key)))
        continue;
      open.push({ node: child, pointer: `${pointer}/${escapeToken(key)}`, resource });
    }
  }
  return index.empty ? undefined : index;
}

/** More nodes than any document has: YAML aliases can make few into many. */
const MOST_NODES = 5_000_000;

/** A quick look without pointers: nearly every document has no identifiers. */
function mentionsIdentifiers(root: JsonObject): boolean {
  const open: object[] = [root];
  let visited = 0;
  for (let node = open.pop(); node; node = open.pop()) {
    if (++visited > MOST_NODES) return true;
    if (!Array.isArray(node) && ("$id" in node || "$anchor" in node || "$dynamicAnchor" in node))
      return true;
    for (const key in node) {
      const child = (node as Record<string, unknown>)[key];
      if (typeof child === "object" && child !== null) open.push(child);
    }
  }
  return false;
}

class Index implements Identifiers {
  /** URI → pointer, and the inverse. */
  private readonly resources = new Map<string, string>();
  private readonly uris = new Map<string, string>();
  /** `<resource pointer> #name` → pointer. */
  private readonly anchors = new Map<string, string>();

  /** @param self what relative `$id`s are relative to (OpenAPI 3.2, "$self") */
  constructor(self: string | undefined) {
    if (self !== undefined) this.uris.set("#", self);
  }

  get empty(): boolean {
    return this.resources.size === 0 && this.anchors.size === 0;
  }

  /** Notes the identifiers of one object. Gives the resource its children belong to. */
  note(node: Record<string, unknown>, pointer: string, resource: string): string {
    let around = resource;
    if (typeof node.$id === "string" && pointer !== "#") {
      const uri = absolute(node.$id, this.uris.get(resource));
      if (!this.resources.has(uri)) this.resources.set(uri, pointer);
      this.uris.set(pointer, uri);
      around = pointer;
    }
    for (const name of [node.$anchor, node.$dynamicAnchor]) {
      if (typeof name === "string" && !this.anchors.has(`${around} #${name}`))
        this.anchors.set(`${around} #${name}`, pointer);
    }
    return around;
  }

  resourceOf(at: At): string {
    let pointer = at.pointer;
    while (pointer !== "#" && !this.uris.has(pointer))
      pointer = pointer.slice(0, pointer.lastIndexOf("/"));
    return pointer;
  }

  resource(uri: string, from: At): string | undefined {
    return (
      this.resources.get(absolute(uri, this.uris.get(this.resourceOf(from)))) ??
      this.resources.get(uri)
    );
  }

  anchor(fragment: string, from: At): string | undefined {
    return (
      this.anchors.get(`${this.resourceOf(from)} ${fragment}`) ?? this.anchors.get(`# ${fragment}`)
    );
  }
}

function absolute(uri: string, base: string | undefined): string {
  const text = uri.endsWith("#") ? uri.slice(0, -1) : uri;
  return URL.canParse(text, base) ? new URL(text, base).href : text;
}
