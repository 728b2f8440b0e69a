import type { JsonSchema } from "../json.js";
import type { ApiModel } from "../model/index.js";

type Schemas = ApiModel["schemas"];

/** A model beside others: names of schemas that these have already are given to nothing else. */
export function joined(
  schemas: Schemas,
  model: ApiModel,
): { readonly schemas: Schemas; readonly model: ApiModel } {
  const names = new Map<string, string>();
  for (const name of Object.keys(model.schemas))
    if (name in schemas) names.set(name, freeName(name, schemas, model.schemas, names));
  const renamed = names.size === 0 ? model : (withNames(model, names) as ApiModel);
  const own: Record<string, JsonSchema> = Object.create(null) as Record<string, JsonSchema>;
  for (const [name, schema] of Object.entries(renamed.schemas))
    own[names.get(name) ?? name] = schema;
  return {
    schemas: Object.assign(Object.create(null) as Record<string, JsonSchema>, schemas, own),
    model: { ...renamed, schemas: own },
  };
}

function freeName(
  name: string,
  ...taken: readonly [Schemas, Schemas, Map<string, string>]
): string {
  const [before, own, given] = taken;
  const used = new Set(given.values());
  for (let n = 2; ; n++)
    if (!(`${name}${n}` in before) && !(`${name}${n}` in own) && !used.has(`${name}${n}`))
      return `${name}${n}`;
}

const PREFIX = "#/$defs/";

/** A copy of plain data in which references to schemas have their new names. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const name =
        key === "$ref" && typeof part === "string" && part.startsWith(PREFIX)
          ? names.get(part.slice(PREFIX.length))
          : undefined;
      return [key, name === undefined ? withNames(part, names) : PREFIX + name];
    }),
  );
}
