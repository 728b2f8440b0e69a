/** Kinds of the values that a schema allows, as TypeScript distinguishes them. */
import { unescapePointerToken } from "../../json-pointer.js";
import { isObject, type JsonSchema } from "../../json.js";

type Kind = "string" | "number" | "boolean" | "null" | "array" | "object";

/** Kinds of the values of a schema; undefined for any value. */
type Kinds = ReadonlySet<Kind> | undefined;

const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
  ["array", "array"],
  ["object", "object"],
]);

const KINDS_OF_TYPE: ReadonlyMap<string, Kinds> = new Map(
  [...KINDS].map(([type, kind]) => [type as string, new Set([kind])]),
);

/** Maximum number of references and alternatives inside each other. */
const MAX_DEPTH = 24;

/**
 * The kinds of the values of a schema in model form; undefined for any value.
 * @param named schemas by name, to which references lead
 */
export function kindsOf(schema: unknown, named: ReadonlyMap<string, JsonSchema>, depth = 0): Kinds {
  if (!isObject(schema) || depth > MAX_DEPTH) return undefined;
  if (typeof schema.$ref === "string") {
    const name = unescapePointerToken(schema.$ref.replace(/^#\/\$defs\//, ""));
    return kindsOf(named.get(name), named, depth + 1);
  }
  if ("const" in schema) return new Set([kindOf(schema.const)]);
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(kindOf));
  const { anyOf, oneOf, allOf } = schema;
  const own = ownKinds(schema as JsonSchema);
  if (!anyOf && !oneOf && !allOf) return own; // nearly all
  return [
    ...[anyOf, oneOf].map((choice) => unionOf(choice, named, depth + 1)),
    ...(Array.isArray(allOf) ? allOf : []).map((part) => kindsOf(part, named, depth + 1)),
  ].reduce(intersection, own);
}

/** Kinds of the keywords beside combinators. */
function ownKinds({ type, properties, additionalProperties, items }: JsonSchema): Kinds {
  if (typeof type === "string") return KINDS_OF_TYPE.get(type) ?? new Set<Kind>();
  if (type !== undefined)
    return new Set([type].flat().flatMap((name: unknown) => KINDS.get(name) ?? []));
  if (isObject(properties) || isObject(additionalProperties)) return new Set<Kind>(["object"]);
  return items === undefined ? undefined : new Set<Kind>(["array"]);
}

function unionOf(choice: unknown, named: ReadonlyMap<string, JsonSchema>, depth: number): Kinds {
  if (!Array.isArray(choice)) return undefined;
  const kinds = choice.map((part) => kindsOf(part, named, depth));
  return kinds.includes(undefined) ? undefined : new Set(kinds.flatMap((one) => [...one!]));
}

function intersection(some: Kinds, others: Kinds): Kinds {
  if (!some || !others) return some ?? others;
  return new Set([...some].filter((kind) => others.has(kind)));
}

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return KINDS.get(typeof value) ?? "object";
}
