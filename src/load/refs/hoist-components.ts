import { posix } from "node:path";
import { formatPointerFragment } from "../../json-pointer.js";
import { isObject } from "../../json.js";
import type { SpecVersion } from "../types.js";
import type { StoredFile } from "./file-store.js";
import { findCircularTargets, targetKey } from "./reference-cycles.js";
import type { RefOccurrence, RefTarget } from "./scan-references.js";

type Dictionary = Record<string, unknown>;

/** Original location of an object in the bundled document. */
export interface Origin {
  readonly file: StoredFile;
  readonly tokens: readonly string[];
}

/** Containers for named parts, by kind. */
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
  /** Parts of no kind that refer to themselves, such as a map of properties. */
  parts: [["x-parts"], ["components", "x-parts"]],
};

/**
 * Moves named parts of other files (schemas, parameters, responses …) into the document's own
 * components. References to them become local, and they keep the names of their files
 * (`models/pet.yaml` → `pet`).
 * swagger-parser would put each part under the path of its first use, and takes exponential time
 * for mutually recursive schemas (50 such schemas: 7 s and a stack overflow).
 */
export class ComponentHoister {
  private readonly requested = new Map<
    string,
    { readonly target: RefTarget; readonly kind: string }
  >();
  private readonly pointers = new Map<string, string>();

  constructor(
    private readonly root: Dictionary,
    private readonly version: SpecVersion,
    private readonly origins: Map<object, Origin>,
  ) {}

  /** Moves the targets of references, in order. */
  hoist(references: ReadonlyMap<RefOccurrence, RefTarget>): void {
    for (const [occurrence, target] of references) {
      const kind =
        target.file.id === 0 || !isObject(target.value) ? undefined : componentKind(occurrence);
      if (kind !== undefined && !this.requested.has(targetKey(target)))
        this.requested.set(targetKey(target), { target, kind });
    }
    this.hoistNamedEntries(references);
    for (const { target, kind } of this.requested.values()) this.insert(target, kind);
    this.hoistCircular(references);
  }

  private hoistCircular(references: ReadonlyMap<RefOccurrence, RefTarget>): void {
    const unnamed = new Map(
      [...references].filter(
        ([occurrence, target]) =>
          occurrence.use !== "mapping" && this.pointerOf(target) === undefined,
      ),
    );
    const circular = findCircularTargets(unnamed);
    for (const target of unnamed.values())
      if (circular.has(targetKey(target)) && isObject(target.value)) this.insert(target, "parts");
  }

  /** Local pointer of a target; `undefined` while it is in another file. */
  pointerOf(target: RefTarget): string | undefined {
    return target.file.id === 0
      ? formatPointerFragment(target.tokens)
      : this.pointers.get(targetKey(target));
  }

  /**
   * Replaces a component that only refers to another file by its target, under the component's
   * name: `components: {schemas: {Pet: {$ref: ./Pet.yaml}}}`.
   */
  private hoistNamedEntries(references: ReadonlyMap<RefOccurrence, RefTarget>): void {
    for (const [occurrence, target] of references) {
      const key = targetKey(target);
      const kind = this.requested.get(key)?.kind;
      if (
        kind === undefined ||
        this.pointers.has(key) ||
        occurrence.file.id !== 0 ||
        Object.keys(occurrence.holder).length !== 1
      )
        continue;
      const path = this.containerOf(kind);
      const name = occurrence.tokens.at(-1);
      if (
        name === undefined ||
        formatPointerFragment(occurrence.tokens) !== formatPointerFragment([...path, name])
      )
        continue;
      path.reduce(ensureObject, this.root)[name] = target.value;
      this.record(target, formatPointerFragment(occurrence.tokens));
    }
  }

  private insert(target: RefTarget, kind: string): string {
    const key = targetKey(target);
    const pointer = this.pointers.get(key);
    if (pointer !== undefined) return pointer;
    const nested = this.pointerInside(target);
    if (nested !== undefined) return this.record(target, nested);
    const path = this.containerOf(kind);
    const container = path.reduce(ensureObject, this.root);
    const name = freeName(container, target);
    container[name] = target.value;
    return this.record(target, formatPointerFragment([...path, name]));
  }

  /**
   * Pointer of a part inside a hoisted part. Definitions are hoisted by themselves, because they
   * have a name.
   */
  private pointerInside({ file, tokens }: RefTarget): string | undefined {
    if (isDefinitions(tokens.at(-2))) return undefined;
    for (let length = tokens.length - 1; length >= 0; length--) {
      const outer = this.requested.get(targetKey({ file, tokens: tokens.slice(0, length) }));
      if (outer)
        return (
          this.insert(outer.target, outer.kind) +
          formatPointerFragment(tokens.slice(length)).slice(1)
        );
    }
    return undefined;
  }

  private record(target: RefTarget, pointer: string): string {
    this.pointers.set(targetKey(target), pointer);
    this.origins.set(target.value as object, { file: target.file, tokens: target.tokens });
    return pointer;
  }

  private containerOf(kind: string): readonly string[] {
    return containers[kind]?.[this.version === "2.0" ? 0 : 1] ?? [];
  }
}

/**
 * Container for the target of a reference; `undefined` for targets without a name (path items,
 * lists, maps).
 */
function componentKind({ schema, parentContext, context, use }: RefOccurrence): string | undefined {
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

function ensureObject(parent: Dictionary, key: string): Dictionary {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  if (isObject(value)) return value;
  const created: Dictionary = {};
  parent[key] = created;
  return created;
}

function freeName(container: Dictionary, { file, tokens }: RefTarget): string {
  const base = posix.basename(file.source.label).replace(/(?:\.(?:json|ya?ml))+$/i, "");
  const folder = posix.basename(posix.dirname(file.source.label));
  const name = toComponentName(tokens.at(-1) ?? base);
  const candidates = [name, `${toComponentName(tokens.length > 0 ? base : folder)}_${name}`];
  for (let n = 2; ; n++) {
    const candidate = candidates.shift() ?? `${name}_${n}`;
    if (candidate !== "__proto__" && !Object.hasOwn(container, candidate)) return candidate;
  }
}

/** Converts a name to the characters allowed for components (OpenAPI 3.1, "Components Object"). */
function toComponentName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "_") || "part";
}

/**
 * Copies whole containers from other files (`components: {schemas: {$ref: ./schemas/_index.yaml}}`)
 * into the document, so that their entries keep their names.
 * @param origins receives the original location of the entries
 * @returns the remaining references; copied parts belong to the document
 */
export function inlineContainers(
  root: Dictionary,
  references: ReadonlyMap<RefOccurrence, RefTarget>,
  origins: Map<object, Origin>,
): ReadonlyMap<RefOccurrence, RefTarget> {
  const targets = new Map<unknown, RefTarget>(
    [...references].map(([occurrence, target]) => [occurrence.holder, target]),
  );
  const inlined = new Set<unknown>();
  const open = (parent: Dictionary, key: string): void => {
    let own: Dictionary = {};
    for (
      let target = targets.get(parent[key]);
      target && isObject(target.value) && !inlined.has(parent[key]);
      target = targets.get(parent[key])
    ) {
      inlined.add(parent[key]);
      // Entries beside the reference stay; they are the document's own.
      const { $ref: _, ...siblings } = parent[key] as Dictionary;
      own = { ...siblings, ...own };
      parent[key] = targets.has(target.value) ? target.value : { ...target.value, ...own };
      for (const [name, entry] of Object.entries(target.value))
        if (isObject(entry))
          origins.set(entry, { file: target.file, tokens: [...target.tokens, name] });
    }
  };
  open(root, "definitions");
  open(root, "components");
  const { components } = root;
  if (isObject(components)) for (const kind of Object.keys(components)) open(components, kind);
  return inlined.size === 0 ? references : relocate(root, references, inlined);
}

/** Relocates references that are in copied containers or refer to their entries. */
function relocate(
  root: Dictionary,
  references: ReadonlyMap<RefOccurrence, RefTarget>,
  inlined: ReadonlySet<unknown>,
): ReadonlyMap<RefOccurrence, RefTarget> {
  const locations = entryLocations(root);
  const main = [...references.keys()].find(({ file }) => file.id === 0)?.file;
  const remaining = new Map<RefOccurrence, RefTarget>();
  for (const [occurrence, target] of references) {
    if (!main || inlined.has(occurrence.holder)) continue;
    const source = locations.get(occurrence.holder);
    const to = locations.get(target.value);
    const relocated = source
      ? {
          ...occurrence,
          file: main,
          tokens: [...source.path, source.name],
          parent: source.parent,
          key: source.name,
        }
      : occurrence;
    remaining.set(
      relocated,
      to ? { file: main, tokens: [...to.path, to.name], value: target.value } : target,
    );
  }
  return remaining;
}

interface EntryLocation {
  readonly parent: Dictionary;
  readonly path: readonly string[];
  readonly name: string;
}

function entryLocations(root: Dictionary): ReadonlyMap<unknown, EntryLocation> {
  const { components } = root;
  const paths = [
    ["definitions"],
    ...(isObject(components) ? Object.keys(components).map((kind) => ["components", kind]) : []),
  ];
  const locations = new Map<unknown, EntryLocation>();
  for (const path of paths) {
    const parent = path.reduce<unknown>(
      (value, key) => (isObject(value) ? value[key] : undefined),
      root,
    );
    if (isObject(parent))
      for (const [name, entry] of Object.entries(parent))
        if (isObject(entry)) locations.set(entry, { parent, path, name });
  }
  return locations;
}
