/** Work that is found by the weight of its signs, where no single one tells it. */
import { isPlural, singularize, singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { JobMapping, OperationBinding } from "../../runtime/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { returnsItems } from "../pagination/detect.js";
import { withoutNames } from "../path-readers.js";
import { entityOfSchema } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { isObject, type JsonSchema } from "../../json.js";
import { stageOfWord } from "../../language/state-words.js";
import { identityOf } from "./identity.js";
import { valuesOf } from "./states-of-field.js";
import type { SchemasOf } from "./followed-things.js";
import { isChildOf, needsOf, type ReadOfState, type Sources, sourcesOf } from "./read-sources.js";
import { type WeighedState, weighState } from "./state-signs.js";
import { JOB_NOUNS, LASTING_NOUNS } from "./words.js";
import { weighWork } from "./work-signs.js";

/** A read whose response may tell how work stands. */
export interface WeighedRead extends ReadOfState {
  readonly tool: PlannedTool;
  readonly weighed: WeighedState;
  /** Words of its path that name no state. */
  readonly words: readonly string[];
  readonly isLasting: boolean;
}

/** Least weights of the state, of the start and of both with the way between them. */
const MIN_STATE = 1;
const MIN_WORK = 1;
const MIN_WEIGHT = 6.5;

/** Greatest weight of a way. */
const MAX_WAY = 4;

/** Words of a path that name no thing of their own. */
const COMMON =
  /^(?:api|rest|v\d+|status(?:es)?|states?|progress|results?|get|list|check|info|details?|async|requests?|current|latest|last|by|id)$/;

/** Finds the reads whose response may tell how work stands. */
export function weighedReads(
  tools: readonly PlannedTool[],
  operationOf: (method: string, path: string) => ClassifiedOperation | undefined,
  schemasOf: SchemasOf,
  schemas: Schemas,
): readonly WeighedRead[] {
  return tools.flatMap((tool) =>
    tool.definition.annotations.readOnlyHint && !tool.workflow
      ? tool.definition.operations.flatMap(
          (binding) => weighedRead(tool, binding, operationOf, schemasOf, schemas) ?? [],
        )
      : [],
  );
}

function weighedRead(
  tool: PlannedTool,
  binding: OperationBinding,
  operationOf: (method: string, path: string) => ClassifiedOperation | undefined,
  schemasOf: SchemasOf,
  schemas: Schemas,
): WeighedRead | undefined {
  const { request, response } = binding;
  const { method, path } = request;
  const classified = operationOf(method, path);
  if (method !== "GET" || request.isRaw || request.unsafe || !classified || returnsItems(response))
    return undefined;
  const needs = needsOf(tool, binding);
  if (!needs) return undefined;
  const schema = schemasOf(method, path)?.success;
  const statics = withoutNames(path)
    .split("/")
    .filter((one) => one !== "" && one !== "{}");
  const last = singularizeLast(splitWords(statics.findLast((one) => !COMMON.test(one)) ?? ""));
  const ofSchema = schema === undefined ? undefined : refName(schema);
  const nouns = new Set([
    ...last,
    ...(ofSchema === undefined ? [] : entityOfSchema(ofSchema).split("_")),
  ]);
  const weighed = weighState(classified, schema, nouns, schemas);
  if (!weighed || weighed.weight < MIN_STATE) return undefined;
  const words = statics.flatMap((one) => splitWords(one)).filter((word) => !COMMON.test(word));
  return {
    tool,
    needs,
    request,
    schema,
    weighed,
    words: words.map((word) => singularize(word)),
    isLasting: LASTING_NOUNS.has(last.at(-1) ?? ""),
  };
}

/** The write that may start work. */
export interface WeighedWrite {
  readonly classified: ClassifiedOperation;
  readonly binding: OperationBinding;
  readonly schema: ReadOfState["schema"];
  /** True if a GET of its path, or one right below it, reads other things. */
  readonly hasChildren: boolean;
  /** True if a GET right below its path reads the thing that it creates. */
  readonly hasOwnRead: boolean;
  isExcluded(state: WeighedState["state"], read: WeighedRead): boolean;
}

/** Finds the read with the heaviest signs; undefined if they do not suffice. */
export function weighJob(
  write: WeighedWrite,
  reads: readonly WeighedRead[],
  schemas: Schemas,
): JobMapping | undefined {
  const work = weighWork(write.classified);
  if (work < MIN_WORK) return undefined;
  const found = reads.flatMap((read) => {
    if (work + read.weighed.weight + MAX_WAY < MIN_WEIGHT) return [];
    const sources = sourcesOf(
      { request: write.binding.request, schema: write.schema },
      read,
      schemas,
    );
    if (!sources || write.isExcluded(read.weighed.state, read)) return [];
    const way = weighWay(write, read, sources, schemas);
    const weight = work + read.weighed.weight + way;
    const isEnough = read.weighed.weight >= 2.6 || work >= 3;
    return isEnough && way >= 1 && weight >= MIN_WEIGHT ? [{ read, sources, weight }] : [];
  });
  const [best] = found.toSorted((one, other) => other.weight - one.weight);
  return best && jobOf(write, best.read, best.sources, schemas);
}

/** Weight of the way from a write to a read. */
function weighWay(
  write: WeighedWrite,
  read: WeighedRead,
  { weight, fields }: Sources,
  schemas: Schemas,
): number {
  const { request } = write.binding;
  const own = new Set(
    splitWords(request.path.replaceAll(/\{[^{}]*\}/g, "")).map((word) => singularize(word)),
  );
  const others = read.words.filter((word) => !own.has(word) && !JOB_NOUNS.has(word));
  const isAtPlace = Object.keys(fields).length === 0;
  const isOwn = withoutNames(read.request.path) === withoutNames(request.path);
  if (isOwn && request.method !== "POST") return 0;
  if (isAtPlace && !isPlaceOf(write, read, own, isOwn)) return 0;
  const started = stateIn(write.schema, read.weighed.state.path, schemas);
  const isOfOwn = isChildOf(read.request, request);
  const isOther =
    !isAtPlace && others.length > 0 && !isOfOwn && (write.hasOwnRead || !isIdOfWork(fields));
  if (isOther || (started && !mayGoOn(started, schemas))) return 0;
  const isAlone = isAtPlace && read.needs.length === 0;
  return (
    weight -
    (isAlone ? 0.5 : 0) -
    (others.length > 0 && weight <= 2.5 ? 1 : 0) -
    (read.isLasting ? 1.5 : 0) +
    (isAtPlace && isOwn ? 0.5 : 0) +
    (started ? 1 : 0)
  );
}

/**
 * True for a read by what the call has: of the thing that it works on, which is the last one in its
 * path. Changes of a thing and its removal are no work on it, and a new part of it neither.
 */
function isPlaceOf(
  { binding: { request }, hasChildren }: WeighedWrite,
  read: WeighedRead,
  own: ReadonlySet<string>,
  isOwn: boolean,
): boolean {
  const last = lastWords(request.path).at(-1) ?? "";
  const isPart = !isOwn && (hasChildren || isPlural(last));
  const isChange = !["POST", "PUT"].includes(request.method);
  const parameters = countParameters(request.path);
  return (
    !isPart &&
    !isChange &&
    countParameters(read.request.path) >= parameters &&
    read.words.length > 0 &&
    read.words.every((word) => own.has(word))
  );
}

const countParameters = (path: string): number => path.split("{").length - 1;

const lastWords = (path: string): readonly string[] =>
  splitWords(path.split(/[/:.]/).findLast((one) => one !== "" && !one.includes("{")) ?? "");

/** True if a response names the ID as that of work. */
function isIdOfWork(fields: Sources["fields"]): boolean {
  const last = Object.values(fields).at(-1)?.at(-1) ?? "";
  const words = identityOf(last).entity.split("_");
  return words.some((word) => JOB_NOUNS.has(word) || /^(?:request|status|event)$/.test(word));
}

/** The field at a path of a response. */
const stateIn = (
  schema: AnySchema | undefined,
  path: readonly string[],
  schemas: Schemas,
): AnySchema | undefined =>
  path.reduce<AnySchema | undefined>(
    (holder, name) => (holder === undefined ? undefined : allFields(holder, schemas).get(name)),
    schema,
  );

/** True unless a state in the response of a write can only be one that has ended. */
function mayGoOn(state: AnySchema, schemas: Schemas): boolean {
  const values = isObject(state)
    ? valuesOf(resolveSchema(schemas, state as JsonSchema), schemas)
    : [];
  return (
    values.length === 0 ||
    values.some((value) => stageOfWord(value) === "running") ||
    !values.some((value) => stageOfWord(value) === "done")
  );
}

const fieldPath = (path: readonly string[]): FieldPath => (path.length === 1 ? path[0]! : path);

function jobOf(
  { schema }: WeighedWrite,
  {
    tool,
    weighed: {
      state: { path, ...states },
      isAccepted,
    },
  }: WeighedRead,
  { inputs, fields }: Sources,
  schemas: Schemas,
): JobMapping {
  const hasState = stateIn(schema, path, schemas) !== undefined;
  const entries = Object.entries(fields).map(([input, from]) => [input, fieldPath(from)] as const);
  return {
    ...(hasState && { started: fieldPath(path) }),
    state: fieldPath(path),
    ...states,
    ...(isAccepted && { isAccepted: true as const }),
    follow: { tool: tool.definition.name, inputs, fields: Object.fromEntries(entries) },
  };
}
