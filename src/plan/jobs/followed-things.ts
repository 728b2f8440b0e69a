/** Reads of things whose state tells how work stands. */
import type { JsonSchema } from "../../json.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { sourceInput } from "../bound-parameters.js";
import { returnsItems } from "../pagination/detect.js";
import { type PathReader, thingReaders } from "../path-readers.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { findState, type StateField } from "./find-state.js";
import { JOB_NOUNS, LASTING_NOUNS } from "./words.js";

/** A thing whose state can be read by its ID. */
export interface FollowedThing {
  readonly reader: PathReader;
  readonly schema: JsonSchema;
  readonly state: StateField;
  /** Words of one thing of the collection: `import job`. */
  readonly noun: readonly string[];
  /** True for things that are work by their name. */
  readonly isJob: boolean;
  /** True if other things with the noun have no such state. */
  readonly isAmbiguous: boolean;
  /** Path parameter with the ID, and its input. */
  readonly parameter: string;
  readonly input: string;
  /** Path before the ID. */
  readonly parentPath: string;
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

/** Finds the things with a state, by path without names of parameters. */
export function followedThings(
  tools: readonly PlannedTool[],
  schemasOf: SchemasOf,
  schemas: Schemas,
): ReadonlyMap<string, FollowedThing> {
  const readers = [...thingReaders(tools)].filter(([path]) => path.endsWith("/{}"));
  const things = readers.map(([, reader]) => followedThing(reader, schemasOf, schemas));
  const others = new Set(readers.flatMap(([path], i) => (things[i] ? [] : lastNoun(path))));
  const found = readers.flatMap(([path], i) => {
    const thing = things[i];
    const isAmbiguous = others.has(thing?.noun.at(-1) ?? "");
    return thing ? [[path, { ...thing, isAmbiguous }] as const] : [];
  });
  return new Map(found);
}

/** Last word of a collection: `job` of `/import-jobs/{}`. */
function lastNoun(path: string): readonly string[] {
  const collection = path.split("/").findLast((segment) => segment !== "{}") ?? "";
  return singularizeLast(splitWords(collection)).slice(-1);
}

function followedThing(
  reader: PathReader,
  schemasOf: SchemasOf,
  schemas: Schemas,
): Omit<FollowedThing, "isAmbiguous"> | undefined {
  const { request, response } = reader.binding;
  const [, parentPath = "", collection = "", parameter = ""] =
    /^(.*?([^/{}]+))\/\{([^{}]*)\}(?:\/[^/{}]*)?$/.exec(request.path) ?? [];
  const schema = schemasOf(request.method, request.path)?.success;
  if (!schema || collection === "" || returnsItems(response)) return undefined;
  const noun = singularizeLast(splitWords(collection));
  const last = noun.at(-1) ?? "";
  const isJob = JOB_NOUNS.has(last);
  const state = LASTING_NOUNS.has(last) ? undefined : findState(schema, schemas, isJob);
  const source = request.pathParams?.[parameter];
  const input = source === undefined ? undefined : sourceInput(source);
  if (!state || input === undefined) return undefined;
  return { reader, schema, state, noun, isJob, parameter, input, parentPath };
}
