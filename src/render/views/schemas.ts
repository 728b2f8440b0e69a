import type { ToolPlan } from "../../plan/types.js";
import { type Code, docComment, flattenString, uniqueIdentifier } from "../code/index.js";
import { circularAliases } from "../typescript/circular-aliases.js";
import { typeDeclaration } from "../typescript/schema-type.js";
import { fileHeader } from "./module.js";
import type { SchemasView } from "./views.js";

/**
 * Names of the named types in `src/schemas.ts`: their keys, changed where TypeScript reserves the
 * word.
 */
export function typeNames(types: ToolPlan["types"]): ReadonlyMap<string, Code> {
  const keys = new Set(types.map(({ name }) => name));
  const names = new Map<string, Code>();
  const taken = new Set<string>();
  for (const key of keys) {
    const free = uniqueIdentifier(key, {
      has: (name) => taken.has(name) || (name !== key && keys.has(name)),
    });
    taken.add(free);
    names.set(key, free);
  }
  return names;
}

/** `src/schemas.ts`: the named types in order. */
export function schemasView(plan: ToolPlan, names: ReadonlyMap<string, Code>): SchemasView {
  const none: ReadonlySet<string> = new Set();
  const circular = circularAliases(plan.types);
  const nameOf = (ref: string): Code | undefined => names.get(ref);
  const types = plan.types.map(({ name, schema }) => ({
    doc:
      docComment(schema.description ?? schema.title ?? "", 0, schema.deprecated === true) ||
      undefined,
    declaration: flattenString(
      typeDeclaration(names.get(name)!, schema, { nameOf, circular: circular.get(name) ?? none }),
    ),
  }));
  return { header: fileHeader(plan.source), types };
}
