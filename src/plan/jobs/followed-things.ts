/** Things whose state tells how work stands, with the reads that tell it. */
import type { JsonSchema } from "../../json.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { returnsItems } from "../pagination/detect.js";
import { entityOfSchema } from "../producers/resources.js";
import { refName, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { envelopedSchema, findPlainState, findState, type StateField } from "./find-state.js";
import { type ThingReader, thingReadersOf } from "./state-readers.js";
import { JOB_NOUNS, LASTING_NOUNS, SHARED_NOUNS } from "./words.js";

/** A thing whose state can be read by its ID. */
export interface FollowedThing extends ThingReader {
  readonly schema: JsonSchema;
  readonly state: StateField;
  /** True for things that are work by their name. */
  readonly isJob: boolean;
  /** Nouns by which a response names it, without those of other things that have no such state. */
  readonly handleNouns: readonly (readonly string[])[];
}

/** Schemas of an operation: that of its success, and those of its body. */
export interface OperationSchemas {
  readonly success: JsonSchema | undefined;
  readonly bodies: readonly JsonSchema[];
}

/** Finds the schemas of an operation; undefined for one that was not selected. */
export type SchemasOf = (method: string, path: string) => OperationSchemas | undefined;

/** Collects the schemas of operations. */
export function operationSchemas(operations: readonly ClassifiedOperation[]): SchemasOf {
  const byKey = new Map(
    operations.map(({ operation: { method, path, body }, jsonContents }) => [
      `${method} ${path}`,
      {
        success: jsonContents.find(({ schema }) => schema !== undefined)?.schema,
        bodies: (body?.contents ?? []).flatMap(({ schema }) => (schema ? [schema] : [])),
      },
    ]),
  );
  return (method, path) => byKey.get(`${method} ${path}`);
}

/** Things with a state, by path without names of parameters, and reads of things without one. */
export interface Things {
  readonly followed: ReadonlyMap<string, FollowedThing>;
  readonly others: readonly ThingReader[];
}

/** Finds the things with a state. */
export function followedThings(
  tools: readonly PlannedTool[],
  schemasOf: SchemasOf,
  schemas: Schemas,
): Things {
  const readers = thingReadersOf(tools);
  const things = readers.map((reader) => followedThing(reader, schemasOf, schemas));
  const others = readers.filter((_, i) => !things[i]);
  const nouns = new Set(others.map(({ collection }) => collection.join("_")));
  const found = things.flatMap((thing) => {
    if (!thing) return [];
    const { key, collection, entity } = thing;
    const handleNouns = [nouns.has(collection.join("_")) ? [] : collection, entity];
    return [
      [key, { ...thing, handleNouns: handleNouns.filter(({ length }) => length > 0) }] as const,
    ];
  });
  return { followed: new Map(found), others };
}

function followedThing(
  reader: ThingReader,
  schemasOf: SchemasOf,
  schemas: Schemas,
): Omit<FollowedThing, "handleNouns"> | undefined {
  const { request, response } = reader.binding;
  const schema = schemasOf(request.method, request.path)?.success;
  if (!schema || returnsItems(response)) return undefined;
  const ofSchema = refName(envelopedSchema(schema, schemas));
  const ofThing = ofSchema === undefined ? [] : entityOfSchema(ofSchema).split("_");
  const lasts = [reader.collection, reader.entity, ofThing].map((noun) => noun.at(-1) ?? "");
  const isJob = lasts.some((noun) => JOB_NOUNS.has(noun));
  if (!isJob && lasts.some((noun) => LASTING_NOUNS.has(noun))) return undefined;
  const isOnlyWork = lasts.some((noun) => JOB_NOUNS.has(noun) && !SHARED_NOUNS.has(noun));
  const plain = isOnlyWork ? findPlainState(schema, schemas) : undefined;
  const state = findState(schema, schemas, isJob) ?? plain;
  return state && { ...reader, schema, state, isJob };
}
