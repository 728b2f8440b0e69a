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
import { pathKey } from "./state-readers.js";
import { type DocumentFacts, type SignedState, signedState } from "./state-signs.js";
import { needsOf, readOfState, type ReadOfState } from "./ways.js";
import { isLasting, JOB_NOUNS, SHARED_NOUNS } from "./words.js";

/** A read of one thing that has a state. */
export interface StateRead extends ReadOfState {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
  /** Path without names of parameters, and without a word for the state behind the ID. */
  readonly key: string;
  /** Path without a word for the state at its end. */
  readonly thingPath: string;
  /** Words of its path that name no state. */
  readonly words: readonly string[];
  readonly state: SignedState;
  readonly signs: readonly Sign[];
  /** True for a job that may be one that people do. */
  readonly isShared: boolean;
}

/** Words of a path that name no thing of their own. */
const COMMON =
  /^(?:api|rest|v\d+|status(?:es)?|states?|progress|results?|get|list|check|info|details?|async|requests?|current|latest|last|by|id)$/;

/** Words of a path behind an ID that name the thing or its state, and no part. */
const ABOUT = /\/(?:json|info|details?|status|state|progress|last_?operation)$/i;

/** A segment that only says that an ID comes next: `/jobs/id/{id}`. */
const BY_ID = /\/(?:by[-_]?)?id(?=\/\{\}$)/i;

export const thingKey = (path: string): string =>
  pathKey(path).replace(ABOUT, "").replace(BY_ID, "");

/** Finds the operation of a method and a path. */
export type OperationOf = (method: string, path: string) => ClassifiedOperation | undefined;

/** Finds the reads of one thing with a state of all tools. */
export function stateReads(
  tools: readonly PlannedTool[],
  operationOf: OperationOf,
  schemasOf: SchemasOf,
  schemas: Schemas,
): readonly StateRead[] {
  const readers = tools.filter(
    ({ definition, workflow }) => definition.annotations.readOnlyHint && !workflow,
  );
  const operations = readers.flatMap(({ definition }) =>
    definition.operations.flatMap(
      ({ request: { method, path } }) => operationOf(method, path) ?? [],
    ),
  );
  const facts = { schemas, acceptsAll: acceptsAll(operations) };
  return readers.flatMap((tool) =>
    tool.definition.operations.flatMap(
      (binding) => stateRead(tool, binding, operationOf, schemasOf, facts) ?? [],
    ),
  );
}

/** True for the state of work on a thing: `operationState.phase`. */
const isOfOperation = ({ state: { path } }: SignedState): boolean =>
  path.some((name) => splitWords(name).some((word) => JOB_NOUNS.has(word)));

/** True if most operations have a 202. */
function acceptsAll(operations: readonly ClassifiedOperation[]): boolean {
  const accepting = operations.filter(({ successResponses }) =>
    successResponses.some(({ status }) => status === "202"),
  );
  return accepting.length >= MIN_ACCEPTING && accepting.length > (operations.length * 2) / 3;
}

/** Least number of reads with a 202 that makes it a habit of the document. */
const MIN_ACCEPTING = 5;

function stateRead(
  tool: PlannedTool,
  binding: OperationBinding,
  operationOf: OperationOf,
  schemasOf: SchemasOf,
  facts: DocumentFacts,
): StateRead | undefined {
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
  const state = signedState(classified, schema, nouns, facts);
  if (!state) return undefined;
  const words = statics.flatMap((one) => splitWords(one)).filter((word) => !COMMON.test(word));
  const ofId = identityOf(needs.at(-1)?.name ?? "").entity.split("_");
  const lasts = [last.at(-1), entity.at(-1), ofId.at(-1)].map((noun) => noun ?? "");
  const isJob = lasts.some((noun) => JOB_NOUNS.has(noun));
  const signs = signsOf({
    jobThing: isJob,
    lastingThing: !isJob && isLasting(last) && !isOfOperation(state),
  });
  return {
    tool,
    binding,
    key: thingKey(path),
    thingPath: path.replace(/\/$/, "").replace(ABOUT, ""),
    ...readOfState(needs, request, schema),
    words: words.map((word) => singularize(word)),
    state,
    isShared: lasts.some((noun) => SHARED_NOUNS.has(noun)),
    signs: [...signs, ...state.signs],
  };
}
