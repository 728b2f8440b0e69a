import { canParseUrl } from "../runtime/data/urls.js";
import { isObject, type JsonObject } from "../json.js";
import type { Pointer } from "./pointer.js";
import { escapePointerToken } from "../json-pointer.js";

/**
 * `$id`s and anchors of a 3.1 or 3.2 document as JSON pointers. Resource `#` is the document
 * itself.
 */
export interface Identifiers {
  /** Pointer of the enclosing schema resource: the nearest `$id` above, or `#`. */
  resourceOf(pointer: Pointer): string;
  /** Pointer of the resource with this URI, relative to the resource that encloses `from`. */
  resource(uri: string, from: Pointer): string | undefined;
  /** Pointer of `#name` in the resource that encloses `from`. */
  anchor(fragment: string, from: Pointer): string | undefined;
}

interface IndexedNode {
  readonly node: unknown;
  readonly pointer: string;
  readonly resource: string;
  /** True when its keys are names that the author chose, such as those of `properties`. */
  readonly hasNames: boolean;
}

/** Keys of objects whose keys are names, in which a schema can be called `default` or `value`. */
const NAMED_MAPS = new Set(
  (
    "properties patternProperties $defs definitions dependentSchemas schemas responses " +
    "parameters headers requestBodies"
  ).split(" "),
);

/** Keywords whose values are data. An `$id` inside them is not an identifier. */
const DATA_KEYWORDS = new Set("example examples default enum const value mapping".split(" "));

/**
 * Indexes all identifiers in one walk over the document.
 * @returns undefined when the document has no `$id` and no anchor, which is the usual case
 */
export function indexIdentifiers(root: JsonObject): Identifiers | undefined {
  if (!hasIdentifiers(root)) return undefined;
  const index = new IdentifierIndex(typeof root.$self === "string" ? root.$self : undefined);
  const stack: IndexedNode[] = [{ node: root, pointer: "#", resource: "#", hasNames: false }];
  const visited = new Set<unknown>();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, pointer, hasNames } = next;
    if (typeof node !== "object" || node === null || visited.has(node)) continue;
    visited.add(node);
    const resource = isObject(node) ? index.add(node, pointer, next.resource) : next.resource;
    for (const [key, child] of Object.entries(node)) {
      if (typeof child !== "object" || child === null) continue;
      if (!hasNames && isObject(node) && DATA_KEYWORDS.has(key)) continue;
      const childPointer = `${pointer}/${escapePointerToken(key)}`;
      const hasNamesInside = !hasNames && NAMED_MAPS.has(key);
      stack.push({ node: child, pointer: childPointer, resource, hasNames: hasNamesInside });
    }
  }
  return index.isEmpty ? undefined : index;
}

/** Maximum nodes visited. YAML aliases can expand a small document into a huge one. */
const MAX_NODES = 5_000_000;

/** Cheap check without pointers: almost no document has identifiers. */
function hasIdentifiers(root: JsonObject): boolean {
  const stack: object[] = [root];
  let visited = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++visited > MAX_NODES) return true;
    if (!Array.isArray(node) && ("$id" in node || "$anchor" in node || "$dynamicAnchor" in node))
      return true;
    for (const key in node) {
      const child = (node as Record<string, unknown>)[key];
      if (typeof child === "object" && child !== null) stack.push(child);
    }
  }
  return false;
}

class IdentifierIndex implements Identifiers {
  /** URI → pointer, and the inverse. */
  private readonly resources = new Map<string, string>();
  private readonly uris = new Map<string, string>();
  /** `<resource pointer> #name` → pointer. */
  private readonly anchors = new Map<string, string>();

  /** @param self base URI of relative `$id`s (OpenAPI 3.2, "$self") */
  constructor(self: string | undefined) {
    if (self !== undefined) this.uris.set("#", self);
  }

  get isEmpty(): boolean {
    return this.resources.size === 0 && this.anchors.size === 0;
  }

  /**
   * Adds the identifiers of one object.
   * @returns the resource that its children belong to
   */
  add(node: Record<string, unknown>, path: string, resource: string): string {
    let enclosing = resource;
    if (typeof node.$id === "string" && path !== "#") {
      const uri = resolveUri(node.$id, this.uris.get(resource));
      if (!this.resources.has(uri)) this.resources.set(uri, path);
      this.uris.set(path, uri);
      enclosing = path;
    }
    for (const name of [node.$anchor, node.$dynamicAnchor]) {
      if (typeof name === "string" && !this.anchors.has(`${enclosing} #${name}`))
        this.anchors.set(`${enclosing} #${name}`, path);
    }
    return enclosing;
  }

  resourceOf(pointer: Pointer): string {
    let path = pointer.text;
    while (path !== "#" && !this.uris.has(path)) path = path.slice(0, path.lastIndexOf("/"));
    return path;
  }

  resource(uri: string, from: Pointer): string | undefined {
    return (
      this.resources.get(resolveUri(uri, this.uris.get(this.resourceOf(from)))) ??
      this.resources.get(uri)
    );
  }

  anchor(fragment: string, from: Pointer): string | undefined {
    return (
      this.anchors.get(`${this.resourceOf(from)} ${fragment}`) ?? this.anchors.get(`# ${fragment}`)
    );
  }
}

function resolveUri(uri: string, base: string | undefined): string {
  const text = uri.endsWith("#") ? uri.slice(0, -1) : uri;
  return canParseUrl(text, base) ? new URL(text, base).href : text;
}
