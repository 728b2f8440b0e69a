import { posix } from "node:path";
import { isObject } from "../../json.js";
import { toPointer } from "../pointer.js";
import type { SpecVersion } from "../types.js";
import { circularTargets, keyOf } from "./cycles.js";
import type { StoredFile } from "./file-store.js";
import type { Site, Target } from "./site.js";

type Dictionary = Record<string, unknown>;

/** Where an object of the joined document was written. */
export interface Origin {
  readonly file: StoredFile;
  readonly tokens: readonly string[];
}

/** Containers of the document for parts that have names, by kind. */
const containers: Readonly<
  Record<string, readonly [v2: readonly string[], v3: readonly string[]]>
> = {
  schemas: [["definitions"], ["components", "schemas"]],
  parameters: [["parameters"], ["components", "parameters"]],
  responses: [["responses"], ["components", "responses"]],
  headers: [["x-headers"], ["components", "headers"]],
  requestBodies: [["x-requestBodies"], ["components", "requestBodies"]],
  examples: [["x-examples"], ["components", "examples"]],
  links: [["x-links"], ["components", "links"]],
  /** What has no kind and refers to itself, such as a map of properties. */
  parts: [["x-parts"], ["components", "x-parts"]],
};

/**
 * Moves the named parts of other files (schemas, parameters, responses …) into the document's own
 * containers, so that references to them become local and they keep the names of their files
 * (`models/pet.yaml` → `pet`).
 *
 * This is not left to swagger-parser: it would put each part under the path of its first use, and
 * takes exponential time for schemas that refer to each other (50 such schemas: 7 s and a stack
 * overflow).
 */
export class Adoption {
  private readonly wanted = new Map<string, { readonly target: Target; readonly kind: string }>();
  private readonly pointers = new Map<string, string>();

  constructor(
    private readonly root: Dictionary,
    private readonly version: SpecVersion,
    private readonly origins: Map<object, Origin>,
  ) {}

  /** Adopts what the references of other files lead to, in their order. */
  adopt(references: ReadonlyMap<Site, Target>): void {
    for (const [site, target] of references) {
      const kind = target.file.id === 0 || !isObject(target.value) ? undefined : kindOf(site);
      if (kind !== undefined && !this.wanted.has(keyOf(target)))
        this.wanted.set(keyOf(target), { target, kind });
    }
    this.keepEntries(references);
    for (const { target, kind } of this.wanted.values()) this.place(target, kind);
    this.adoptCircular(references);
  }

  private adoptCircular(references: ReadonlyMap<Site, Target>): void {
    const unnamed = new Map(
      [...references].filter(
        ([site, target]) => site.use !== "mapping" && this.pointerOf(target) === undefined,
      ),
    );
    const circular = circularTargets(unnamed);
    for (const target of unnamed.values())
      if (circular.has(keyOf(target)) && isObject(target.value)) this.place(target, "parts");
  }

  /** The local pointer of a target; `undefined` while it stands in another file. */
  pointerOf(target: Target): string | undefined {
    return target.file.id === 0 ? toPointer(target.tokens) : this.pointers.get(keyOf(target));
  }

  /**
   * `components: {schemas: {Pet: {$ref: ./Pet.yaml}}}`: the entry becomes what it refers to, and
   * gives it its name.
   */
  private keepEntries(references: ReadonlyMap<Site, Target>): void {
    for (const [site, target] of references) {
      const key = keyOf(target);
      const kind = this.wanted.get(key)?.kind;
      if (
        kind === undefined ||
        this.pointers.has(key) ||
        site.file.id !== 0 ||
        Object.keys(site.holder).length !== 1
      )
        continue;
      const path = this.containerOf(kind);
      const name = site.tokens.at(-1);
      if (name === undefined || toPointer(site.tokens) !== toPointer([...path, name])) continue;
      path.reduce(ownObject, this.root)[name] = target.value;
      this.record(target, toPointer(site.tokens));
    }
  }

  private place(target: Target, kind: string): string {
    const key = keyOf(target);
    const known = this.pointers.get(key);
    if (known !== undefined) return known;
    const inside = this.insideAnother(target);
    if (inside !== undefined) return this.record(target, inside);
    const path = this.containerOf(kind);
    const container = path.reduce(ownObject, this.root);
    const name = freeName(container, target);
    container[name] = target.value;
    return this.record(target, toPointer([...path, name]));
  }

  /**
   * A part of a part that is adopted goes with it, unless it stands among definitions and so has a
   * name of its own.
   */
  private insideAnother({ file, tokens }: Target): string | undefined {
    if (isDefinitions(tokens.at(-2))) return undefined;
    for (let length = tokens.length - 1; length >= 0; length--) {
      const outer = this.wanted.get(keyOf({ file, tokens: tokens.slice(0, length) }));
      if (outer)
        return this.place(outer.target, outer.kind) + toPointer(tokens.slice(length)).slice(1);
    }
    return undefined;
  }

  private record(target: Target, pointer: string): string {
    this.pointers.set(keyOf(target), pointer);
    this.origins.set(target.value as object, { file: target.file, tokens: target.tokens });
    return pointer;
  }

  private containerOf(kind: string): readonly string[] {
    return containers[kind]?.[this.version === "2.0" ? 0 : 1] ?? [];
  }
}

/**
 * What a reference refers to, as the name of a container; `undefined` for what has no name (path
 * items, lists, maps).
 */
function kindOf({ schema, parentContext, context, use }: Site): string | undefined {
  if (context.mode !== "keywords") return undefined;
  if (schema) return "schemas";
  if (use === "example") return "examples";
  if (parentContext.mode === "keywords")
    return context.of === "requestBody" ? "requestBodies" : undefined;
  return Object.hasOwn(containers, parentContext.of) ? parentContext.of : undefined;
}

function isDefinitions(token: string | undefined): boolean {
  return token === "definitions" || token === "$defs" || token === "schemas";
}

function ownObject(parent: Dictionary, key: string): Dictionary {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  if (isObject(value)) return value;
  const made: Dictionary = {};
  parent[key] = made;
  return made;
}

function freeName(container: Dictionary, { file, tokens }: Target): string {
  const base = posix.basename(file.source.label).replace(/(?:\.(?:json|ya?ml))+$/i, "");
  const folder = posix.basename(posix.dirname(file.source.label));
  const name = clean(tokens.at(-1) ?? base);
  const candidates = [name, `${clean(tokens.length > 0 ? base : folder)}_${name}`];
  for (let n = 2; ; n++) {
    const candidate = candidates.shift() ?? `${name}_${n}`;
    if (candidate !== "__proto__" && !Object.hasOwn(container, candidate)) return candidate;
  }
}

/** Component names are limited to these characters (OpenAPI 3.1, "Components Object"). */
function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "_") || "part";
}
