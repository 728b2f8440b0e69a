import { isObject } from "../../json.js";
import type { Origin } from "./adopt.js";
import type { Site, Target } from "./site.js";

type Dictionary = Record<string, unknown>;

/**
 * Whole containers are often kept in a file (`components: {schemas: {$ref:
 * ./schemas/_index.yaml}}`). They are copied into the document, so that their entries are its own
 * and keep their names.
 * @param origins receives where the entries were written
 * @returns the references that remain, with what was copied as a part of the document
 */
export function openContainers(
  root: Dictionary,
  references: ReadonlyMap<Site, Target>,
  origins: Map<object, Origin>,
): ReadonlyMap<Site, Target> {
  const targets = new Map<unknown, Target>(
    [...references].map(([site, target]) => [site.holder, target]),
  );
  const opened = new Set<unknown>();
  const open = (parent: Dictionary, key: string): void => {
    for (
      let target = targets.get(parent[key]);
      target && isObject(target.value) && !opened.has(parent[key]);
      target = targets.get(parent[key])
    ) {
      opened.add(parent[key]);
      parent[key] = targets.has(target.value) ? target.value : { ...target.value };
      for (const [name, entry] of Object.entries(target.value))
        if (isObject(entry))
          origins.set(entry, { file: target.file, tokens: [...target.tokens, name] });
    }
  };
  open(root, "definitions");
  open(root, "components");
  const { components } = root;
  if (isObject(components)) for (const kind of Object.keys(components)) open(components, kind);
  return opened.size === 0 ? references : relocate(root, references, opened);
}

/**
 * Entries of opened containers are parts of the document now, for those who refer to them and in
 * what they refer to.
 */
function relocate(
  root: Dictionary,
  references: ReadonlyMap<Site, Target>,
  opened: ReadonlySet<unknown>,
): ReadonlyMap<Site, Target> {
  const places = entryPlaces(root);
  const main = [...references.keys()].find(({ file }) => file.id === 0)?.file;
  const rest = new Map<Site, Target>();
  for (const [site, target] of references) {
    if (!main || opened.has(site.holder)) continue;
    const at = places.get(site.holder);
    const to = places.get(target.value);
    const moved = at
      ? { ...site, file: main, tokens: [...at.path, at.name], parent: at.parent, key: at.name }
      : site;
    rest.set(
      moved,
      to ? { file: main, tokens: [...to.path, to.name], value: target.value } : target,
    );
  }
  return rest;
}

interface EntryPlace {
  readonly parent: Dictionary;
  readonly path: readonly string[];
  readonly name: string;
}

function entryPlaces(root: Dictionary): ReadonlyMap<unknown, EntryPlace> {
  const { components } = root;
  const paths = [
    ["definitions"],
    ...(isObject(components) ? Object.keys(components).map((kind) => ["components", kind]) : []),
  ];
  const places = new Map<unknown, EntryPlace>();
  for (const path of paths) {
    const parent = path.reduce<unknown>(
      (value, key) => (isObject(value) ? value[key] : undefined),
      root,
    );
    if (isObject(parent))
      for (const [name, entry] of Object.entries(parent))
        if (isObject(entry)) places.set(entry, { parent, path, name });
  }
  return places;
}
