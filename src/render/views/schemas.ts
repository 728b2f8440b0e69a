import type { ToolPlan } from "../../plan/types.js";
import { type Code, docComment, flat, freeIdentifier } from "../code.js";
import { circularAliases } from "../typescript/cycles.js";
import { declaration } from "../typescript/declare.js";
import { header } from "./header.js";
import type { SchemasView } from "./views.js";

/**
 * What the named types are called in `src/schemas.ts`: their keys, unless TypeScript keeps the word
 * for itself.
 */
export function typeNames(types: ToolPlan["types"]): ReadonlyMap<string, Code> {
  const keys = new Set(types.map(({ name }) => name));
  const names = new Map<string, Code>();
  const taken = new Set<string>();
  for (const key of keys) {
    const free = freeIdentifier(key, {
      has: (name) => taken.has(name) || (name !== key && keys.has(name)),
    });
    taken.add(free);
    names.set(key, free);
  }
  return names;
}

/** `src/schemas.ts`: the named types in order, and nothing else. */
export function schemasView(plan: ToolPlan, names: ReadonlyMap<string, Code>): SchemasView {
  const none: ReadonlySet<string> = new Set();
  const circular = circularAliases(plan.types);
  const nameOf = (ref: string): Code | undefined => names.get(ref);
  const types = plan.types.map(({ name, schema }) => ({
    doc:
      docComment(schema.description ?? schema.title ?? "", 0, schema.deprecated === true) ||
      undefined,
    declaration: flat(
      declaration(names.get(name)!, schema, { nameOf, circular: circular.get(name) ?? none }),
    ),
  }));
  return { header: header(plan.source), types };
}
