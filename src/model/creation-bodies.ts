/** Request bodies whose schema is also that of a creation. */
import type { Content, Operation } from "./types.js";

/**
 * Marks the bodies of updates whose schema is also the body of a POST to a collection. Its required
 * fields are those of a new thing.
 */
export function markCreationBodies(operations: readonly Operation[]): readonly Operation[] {
  const created = new Set(operations.filter(isCreation).flatMap(schemasOf));
  return operations.map((operation) => {
    const { body } = operation;
    if (!body || isCreation(operation) || !schemasOf(operation).some((one) => created.has(one)))
      return operation;
    return { ...operation, body: { ...body, isOfCreation: true as const } };
  });
}

const isCreation = ({ method, path }: Operation): boolean =>
  method === "POST" && !path.endsWith("}");

const schemasOf = ({ body }: Operation): readonly string[] =>
  (body?.contents ?? []).flatMap((content) => schemaKey(content) ?? []);

/** Maximum number of properties of an inline schema that is compared. */
const MAX_PROPERTIES = 60;

/** Name of a schema, also behind an `allOf` of one; of an inline schema, its fields. */
function schemaKey({ schema }: Content): string | undefined {
  if (!schema) return undefined;
  const [only, ...others] = schema.allOf ?? [];
  const named = others.length === 0 && typeof only === "object" ? only : schema;
  if (typeof named.$ref === "string") return named.$ref;
  const names = Object.keys(schema.properties ?? {});
  if (names.length < 2 || names.length > MAX_PROPERTIES || !schema.required) return undefined;
  return JSON.stringify([names.sort(), [...schema.required].sort()]);
}
