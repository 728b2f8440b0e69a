/** Kinds of items: two collections with the same name may have different things. */
import { isObject, type JsonSchema } from "../../json.js";
import { fieldsOf, payloadOf } from "../outputs/payload.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

/** Fields that things of all kinds have. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "id uuid key object type kind name title description url uri href self links createdat " +
    "updatedat created updated createdby updatedby"
  ).split(" "),
);

const NO_FIELDS: ReadonlyMap<string, unknown> = new Map();

/** Fewer fields of its own do not tell a kind. */
const MIN_FIELDS = 2;

/**
 * Creates a function that tests whether an operation returns things of another kind than a second
 * one: both have fields of their own, and none of them is the same.
 */
export function createKindComparison(
  schemas: Schemas,
): (one: ClassifiedOperation, other: ClassifiedOperation) => boolean {
  const known = new WeakMap<ClassifiedOperation, ReadonlySet<string>>();
  const read = (operation: ClassifiedOperation): ReadonlySet<string> => {
    const fields = known.get(operation) ?? ownFields(operation, schemas);
    known.set(operation, fields);
    return fields;
  };
  return (one, other) => {
    const [first, second] = [read(one), read(other)];
    return (
      first.size >= MIN_FIELDS &&
      second.size >= MIN_FIELDS &&
      ![...first].some((name) => second.has(name))
    );
  };
}

/** Fields of a result, and of the objects in it: `show` of a saved show. */
function ownFields({ jsonContents }: ClassifiedOperation, schemas: Schemas): ReadonlySet<string> {
  const schema = jsonContents[0]?.schema;
  const fields = schema ? fieldsOf(payloadOf(schema, schemas).schema, schemas) : NO_FIELDS;
  const nested = [...fields.values()].filter(isObject).flatMap((field) => {
    const target = resolveSchema(schemas, field as JsonSchema);
    return [...fieldsOf(target, schemas).keys()];
  });
  const names = [...fields.keys(), ...nested];
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ""));
  return new Set(plain.filter((name) => !COMMON.has(name)));
}
