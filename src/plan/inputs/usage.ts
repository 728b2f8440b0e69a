import { isObject, type JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { InputLocation } from "./candidates.js";

/** Fewest operations that show a habit of an API. */
const MIN_OPERATIONS = 3;

/** Number of operations that have each parameter and field. */
export interface InputUsage {
  /**
   * True when at least half of the operations have it, or half of those with a body and a quarter of
   * all.
   */
  readonly isCommon: (location: InputLocation, name: string) => boolean;
  /** True when a name at this location is common and satisfies the test. */
  readonly hasCommon: (location: InputLocation, test: (name: string) => boolean) => boolean;
}

/** Counts parameters by location and name, and the fields of bodies. */
export function countUsage(operations: readonly Operation[], schemas: Schemas): InputUsage {
  const counts = new Map<string, number>();
  const add = (location: string, names: Iterable<string>): void => {
    for (const name of new Set(names)) {
      const key = `${location} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  };
  for (const operation of operations) {
    for (const { in: location, name } of operation.parameters) add(location, [name]);
    add("body", bodyFieldNames(operation, schemas));
  }
  const bodies = operations.filter(({ body }) => body !== undefined).length;
  const isCommon: InputUsage["isCommon"] = (location, name) => {
    const count = counts.get(`${location} ${name}`) ?? 0;
    const total = location === "body" ? bodies : operations.length;
    // The few bodies of an API that mostly reads show no habit of it.
    const isHabit = count * 4 >= operations.length;
    return count >= MIN_OPERATIONS && count * 2 >= total && isHabit;
  };
  const common = [...counts.keys()].map((key) => key.split(/ (.*)/s) as [InputLocation, string]);
  return {
    isCommon,
    hasCommon: (location, test) =>
      common.some(([at, name]) => at === location && test(name) && isCommon(at, name)),
  };
}

/** Names of the fields that the media types of a body have. */
export function bodyFieldNames({ body }: Operation, schemas: Schemas): readonly string[] {
  return (body?.contents ?? []).flatMap(({ schema }) =>
    schema ? [...fieldNames(schema, schemas, 0)] : [],
  );
}

const MAX_COMPOSITION_DEPTH = 4;

function* fieldNames(schema: JsonSchema, schemas: Schemas, depth: number): Generator<string> {
  const { properties = {}, allOf = [] } = resolveSchema(schemas, schema);
  yield* Object.keys(properties);
  if (depth === MAX_COMPOSITION_DEPTH) return;
  for (const part of allOf)
    if (isObject(part)) yield* fieldNames(part as JsonSchema, schemas, depth + 1);
}
