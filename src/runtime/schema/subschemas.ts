/** The schemas that describe a part of a value, through references and alternatives. */
import { isObject, ownProperty } from "../data/values.js";
import type { JsonSchema } from "../types.js";
import type { PathSegment } from "./check.js";

const ALTERNATIVES = ["allOf", "anyOf", "oneOf"] as const;

/** All schemas that may apply to a value: through references and alternatives. */
export function expandSchemas(
  schemas: readonly JsonSchema[],
  root: JsonSchema,
): readonly JsonSchema[] {
  const all = new Set<JsonSchema>(schemas);
  for (const schema of all) {
    const target = targetOf(schema["$ref"], root);
    if (target) all.add(target);
    for (const key of ALTERNATIVES)
      if (Array.isArray(schema[key]))
        for (const part of schema[key]) if (isObject(part)) all.add(part as JsonSchema);
  }
  return [...all];
}

/** The schema in `$defs` that a reference names. */
export function targetOf(ref: unknown, root: JsonSchema): JsonSchema | undefined {
  const name = typeof ref === "string" ? /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1] : undefined;
  return ownProperty(root["$defs"] as Readonly<Record<string, JsonSchema>>, name ?? "");
}

/** The schemas of a member of an object or of an item of a list. */
export function memberSchemas(
  schemas: readonly JsonSchema[],
  step: PathSegment,
  root: JsonSchema,
): readonly JsonSchema[] {
  const parts = schemas.flatMap((schema) => {
    const part = typeof step === "number" ? schema["items"] : memberSchema(schema, step);
    return isObject(part) ? [part as JsonSchema] : [];
  });
  return expandSchemas(parts, root);
}

function memberSchema(schema: JsonSchema, name: string): unknown {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
}

/** Properties that a schema declares. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return isObject(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {};
}

/** The schema of a property, which allows anything if it is not declared. */
export function propertySchema(schema: JsonSchema, name: string): JsonSchema {
  return ownProperty(propertiesOf(schema), name) ?? {};
}

/** The schemas of the part at a path. */
export function schemasAt(root: JsonSchema, path: readonly PathSegment[]): readonly JsonSchema[] {
  return path.reduce<readonly JsonSchema[]>(
    (schemas, step) => memberSchemas(schemas, step, root),
    expandSchemas([root], root),
  );
}
