import { posix } from "node:path";
import { isObject } from "../../json.js";
import type { SpecVersion } from "../types.js";
import type { Site, Target } from "./site.js";

type Dictionary = Record<string, unknown>;

/** The document's own place for named schemas, made when it is missing. */
export function schemaContainer(root: Dictionary, version: SpecVersion): { readonly pointer: string; readonly schemas: Dictionary } {
  if (version === "2.0") return { pointer: "#/definitions", schemas: ownObject(root, "definitions") };
  return { pointer: "#/components/schemas", schemas: ownObject(ownObject(root, "components"), "schemas") };
}

function ownObject(parent: Dictionary, key: string): Dictionary {
  const value = parent[key];
  if (Object.hasOwn(parent, key) && isObject(value)) return value;
  const made: Dictionary = {};
  parent[key] = made;
  return made;
}

/**
 * Gives every schema that stands in another file an entry among the named schemas of the document, so that bundling
 * puts it there under the name of its file (`models/pet.yaml` → `pet`) and not under the path of its first use.
 * @param addressOf the reference to write for a target; `undefined` for one that is in the document already
 * @returns the name for each reference
 */
export function hoistSchemas(schemas: Dictionary, sites: ReadonlyMap<Site, Target>, addressOf: (target: Target) => string | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, entry] of Object.entries(schemas)) {
    if (isObject(entry) && typeof entry.$ref === "string" && Object.keys(entry).length === 1 && !names.has(entry.$ref)) names.set(entry.$ref, name);
  }
  for (const [site, target] of sites) {
    const $ref = site.schema && isObject(target.value) ? addressOf(target) : undefined;
    if ($ref === undefined || names.has($ref)) continue;
    const name = freeName(schemas, target);
    names.set($ref, name);
    schemas[name] = { $ref };
  }
  return names;
}

function freeName(schemas: Dictionary, target: Target): string {
  const file = posix.basename(target.file.source.label).replace(/(?:\.(?:json|ya?ml))+$/i, "");
  const folder = posix.basename(posix.dirname(target.file.source.label));
  const base = clean(target.tokens.at(-1) ?? file);
  const candidates = [base, `${clean(target.tokens.length > 0 ? file : folder)}_${base}`];
  for (let n = 2; ; n++) {
    const name = candidates.shift() ?? `${base}_${n}`;
    if (name !== "__proto__" && !Object.hasOwn(schemas, name)) return name;
  }
}

/** Component names are limited to these characters (OpenAPI 3.1, "Components Object"). */
function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "_") || "schema";
}
