/** Reads whose response may tell how work stands. */
import { singularize, singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { OperationBinding } from "../../runtime/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { returnsItems } from "../pagination/detect.js";
import { withoutNames } from "../path-readers.js";
import { entityOfSchema } from "../producers/resources.js";
import { refName, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import type { SchemasOf } from "./operation-schemas.js";
import { identityOf } from "./identity.js";
import { type Sign, signsOf } from "./signs.js";
import { type SignedState, signedState } from "./state-signs.js";
import { needsOf, readOfState, type ReadOfState } from "./ways.js";
import { JOB_NOUNS, LASTING_NOUNS, SHARED_NOUNS } from "./words.js";

/** A read of one thing. */
export interface ThingRead extends ReadOfState {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
  /** Path without a word for the state at its end. */
  readonly thingPath: string;
  /** Words of its path that name no state. */
  readonly words: readonly string[];
  /** Nouns of the thing: by its collection, by the schema, and by the parameter with its ID. */
  readonly nouns: readonly string[];
  readonly state?: SignedState;
  readonly signs: readonly Sign[];
}

/** A read that tells a state. */
export type StateRead = ThingRead & Required<Pick<ThingRead, "state">>;

/** Words of a path that name no thing of their own. */
const COMMON =
  /^(?:api|rest|v\d+|status(?:es)?|states?|progress|results?|get|list|check|info|details?|async|requests?|current|latest|last|by|id)$/;

/** Words of a path behind an ID that name the thing or its state, and no part. */
const ABOUT = /\/(?:json|info|details?|status|state|progress|last_?operation)$/i;

/** A segment that only says that an ID comes next: `/jobs/id/{id}`. */
const BY_ID = /\/(?:by[-_]?)?id(?=\/\{\}$)/i;

/** Path without names of parameters, and without a slash at its end. */
export const pathKey = (path: string): string => withoutNames(path).replace(/\/$/, "");

/** Key of the thing that a path reads. */
export const thingKey = (path: string): string =>
  pathKey(path).replace(ABOUT, "").replace(BY_ID, "");

/** Finds the operation of a method and a path. */
export type OperationOf = (method: string, path: string) => ClassifiedOperation | undefined;

/** Finds the reads of one thing of all tools. */
export function thingReads(
  tools: readonly PlannedTool[],
  operationOf: OperationOf,
  schemasOf: SchemasOf,
  schemas: Schemas,
): readonly ThingRead[] {
  return tools.flatMap((tool) =>
    tool.definition.annotations.readOnlyHint && !tool.workflow
      ? tool.definition.operations.flatMap(
          (binding) => thingRead(tool, binding, operationOf, schemasOf, schemas) ?? [],
        )
      : [],
  );
}

function thingRead(
  tool: PlannedTool,
  binding: OperationBinding,
  operationOf: OperationOf,
  schemasOf: SchemasOf,
  schemas: Schemas,
): ThingRead | undefined {
  const { request, response } = binding;
  const { method, path } = request;
  const classified = operationOf(method, path);
  const isSingle = method === "GET" && !request.isRaw && !request.unsafe;
  if (!isSingle || !classified || returnsItems(response)) return undefined;
  const needs = needsOf(tool, binding);
  if (!needs) return undefined;
  const schema = schemasOf(method, path)?.success;
  const statics = withoutNames(path)
    .split("/")
    .filter((one) => one !== "" && one !== "{}");
  const last = singularizeLast(splitWords(statics.findLast((one) => !COMMON.test(one)) ?? ""));
  const ofSchema = schema === undefined ? undefined : refName(schema);
  const entity = ofSchema === undefined ? [] : entityOfSchema(ofSchema).split("_");
  const nouns = new Set([...last, ...entity]);
  const words = statics.flatMap((one) => splitWords(one)).filter((word) => !COMMON.test(word));
  const ofId = identityOf(needs.at(-1)?.name ?? "").entity.split("_");
  const lasts = [last.at(-1), entity.at(-1), ofId.at(-1)].map((noun) => noun ?? "");
  const isJob = lasts.some((noun) => JOB_NOUNS.has(noun));
  const state = signedState(classified, schema, nouns, isJob, schemas);
  const signs = signsOf({
    jobThing: isJob,
    sharedThing: lasts.some((noun) => SHARED_NOUNS.has(noun)),
    lastingThing: !isJob && LASTING_NOUNS.has(last.at(-1) ?? ""),
  });
  return {
    tool,
    binding,
    thingPath: path.replace(/\/$/, "").replace(ABOUT, ""),
    ...readOfState(needs, request, thingKey(path), schema, schemas),
    words: words.map((word) => singularize(word)),
    nouns: lasts.filter((noun) => noun !== ""),
    ...(state && { state }),
    signs: [...signs, ...(state?.signs ?? [])],
  };
}
