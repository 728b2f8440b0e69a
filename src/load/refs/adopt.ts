import { isObject } from "../../json.js";
import { toPointer } from "../pointer.js";
import type { StoredFile } from "./file-store.js";
import type { Target } from "./site.js";

type Dictionary = Record<string, unknown>;

/** Where an object of the joined document was written. */
export interface Origin {
  readonly file: StoredFile;
  readonly tokens: readonly string[];
}

/**
 * Whole containers are often kept in a file (`components: {schemas: {$ref: ./schemas/_index.yaml}}`). They are copied
 * into the document, so that their entries are its own and keep their names.
 * @param targets what each `$ref` holder leads to
 * @param origins receives where the entries were written
 * @returns the local pointers of the entries, when anything was copied
 */
export function adoptContainers(root: Dictionary, targets: ReadonlyMap<object, Target>, origins: Map<object, Origin>): ReadonlyMap<object, string> {
  const adopt = (parent: Dictionary, key: string): boolean => {
    const target = targets.get(parent[key] as object);
    if (!target || !isObject(target.value)) return false;
    parent[key] = { ...target.value };
    for (const [name, entry] of Object.entries(target.value)) if (isObject(entry)) origins.set(entry, { file: target.file, tokens: [...target.tokens, name] });
    return true;
  };
  const paths = [["definitions"]];
  let adopted = adopt(root, "definitions");
  if (adopt(root, "components")) adopted = true;
  const { components } = root;
  if (isObject(components)) {
    for (const kind of Object.keys(components)) {
      if (adopt(components, kind)) adopted = true;
      paths.push(["components", kind]);
    }
  }
  return adopted ? new Map(paths.flatMap((path) => entriesAt(root, path))) : new Map();
}

function entriesAt(root: Dictionary, path: readonly string[]): [object, string][] {
  const container = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
  if (!isObject(container)) return [];
  return Object.entries(container).flatMap(([name, entry]) => (isObject(entry) ? [[entry, toPointer([...path, name])] as [object, string]] : []));
}
