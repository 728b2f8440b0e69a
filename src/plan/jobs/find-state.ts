/** The field of a response that tells the stage of work. */
import { anyOfPhrases } from "../../language/patterns.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import {
  isStateField,
  normalizeState,
  type Stage,
  STATE_WORDS,
  stageOfWord,
  waitsForMachine,
} from "../../language/state-words.js";
import type { JobMapping, StateValue } from "../../runtime/types.js";
import { allFields } from "../schemas/flat-object.js";
import { isIdentity } from "../outputs/payload.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { entityOf } from "./identity.js";
import {
  HANDED_OVER,
  PERSONAL_STATES,
  PLAIN_NOUNS,
  SHIPPING_STATES,
  WAITING_STATES,
} from "./words.js";

/** A field with the state of work. */
export interface StateField extends Pick<JobMapping, "running" | "done" | "failed"> {
  /** Names from the top of the response. */
  readonly path: readonly string[];
}

type States = Omit<StateField, "path">;

/** Facts about a thing, beside its schema, that tell whether it is work. */
export interface WorkEvidence {
  /** True for a thing that is work by its name or its creation. Its states need less evidence. */
  readonly isJob: boolean;
  /** True for a job that no person does: flags tell its stage, and words of persons do not count. */
  readonly isOnlyWork: boolean;
  /** Words of the thing, which the name of its state may have. */
  readonly nouns: ReadonlySet<string>;
}

/** Finds the state at the top of a response, or in the only object inside an envelope. */
export function findState(
  schema: JsonSchema,
  schemas: Schemas,
  evidence: WorkEvidence,
): StateField | undefined {
  const fields = allFields(schema, schemas);
  const own = stateAmong(fields, schemas, evidence);
  if (own) return own;
  const isOuter = !isThing(fields);
  const inner = [...fields].flatMap(([name, field]) => {
    if (!isInnerObject(field, schemas) || !(isOuter || PARTS.has(name))) return [];
    const found = isOuter
      ? stateOfThing(allFields(field, schemas), schemas, evidence)
      : stateAmong(allFields(field, schemas), schemas, evidence);
    return found ? [{ ...found, path: [name, ...found.path] }] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** Objects that have the fields of a thing beside its ID. */
const PARTS: ReadonlySet<string> = new Set(["properties", "attributes", "info"]);

/** The state of the thing in an envelope, also among its `attributes`, or in an envelope of its own. */
function stateOfThing(
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  evidence: WorkEvidence,
): StateField | undefined {
  const own = stateAmong(fields, schemas, evidence);
  if (own) return own;
  const names = isThing(fields)
    ? [...PARTS].filter((part) => fields.has(part))
    : [...fields.keys()];
  const found = names.slice(0, MAX_PARTS).flatMap((name) => {
    const field = fields.get(name)!;
    const inner = isInnerObject(field, schemas)
      ? stateAmong(allFields(field, schemas), schemas, evidence)
      : undefined;
    return inner ? [{ ...inner, path: [name, ...inner.path] }] : [];
  });
  return isThing(fields) || found.length === 1 ? found[0] : undefined;
}

/** Maximum number of fields of an envelope that are read. */
const MAX_PARTS = 20;

/**
 * Finds a state that the document does not explain, of a thing that can only be work. The server
 * tells its stage by its word.
 */
export function findPlainState(
  schema: JsonSchema,
  schemas: Schemas,
  evidence: WorkEvidence,
): StateField | undefined {
  const { nouns } = evidence;
  const [outer, inner] = [schema, envelopedSchema(schema, schemas)];
  const fields = allFields(inner, schemas);
  const part = outer === inner ? [...PARTS].find((one) => fields.has(one)) : undefined;
  const parts = part === undefined ? undefined : allFields(fields.get(part)!, schemas);
  const provisioning = [...(parts?.keys() ?? [])].find(
    (one) => PROVISIONING.test(one) && isStateField(one) && isPlainText(parts!.get(one)!, schemas),
  );
  if (provisioning !== undefined) return { path: [part!, provisioning] };
  const name = plainStateAmong(fields, schemas, nouns);
  if (name === undefined && outer !== inner) return plainStateOf(outer, schemas, evidence);
  if (name === undefined) {
    const ofPart =
      parts && evidence.isOnlyWork ? plainStateAmong(parts, schemas, nouns) : undefined;
    return ofPart === undefined ? undefined : { path: [part!, ofPart] };
  }
  if (outer === inner) return { path: [name] };
  const envelope = [...allFields(outer, schemas)].find(([, field]) => field === inner)?.[0];
  return envelope === undefined ? undefined : { path: [envelope, name] };
}

/** Name of the shortest field with a state that the document does not explain. */
const plainStateAmong = (
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  nouns: ReadonlySet<string>,
): string | undefined =>
  [...fields.keys()]
    .filter((one) => isStateField(one, nouns) && isPlainText(fields.get(one)!, schemas))
    .toSorted((a, b) => a.length - b.length)[0];

/** The state beside the only object of a job, which is a result and no envelope. */
function plainStateOf(
  outer: JsonSchema,
  schemas: Schemas,
  { isOnlyWork, nouns }: WorkEvidence,
): StateField | undefined {
  const name = plainStateAmong(allFields(outer, schemas), schemas, nouns);
  return isOnlyWork && name !== undefined ? { path: [name] } : undefined;
}

function isPlainText(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const target = resolveSchema(schemas, field as JsonSchema);
  return typesOf(target).includes("string") && valuesOf(target, schemas).length === 0;
}

/** True for the fields of a thing, whose parts have states of their own. */
export const isThing = (fields: ReadonlyMap<string, AnySchema>): boolean =>
  [...fields.keys()].some(isIdentity);

/** True for the fields of a thing, or of a job with its ID in a `job_id`. */
export const isThingOrJob = (fields: ReadonlyMap<string, AnySchema>): boolean =>
  isThing(fields) || [...fields.keys()].some((name) => PLAIN_NOUNS.has(entityOf(name).join("_")));

/** Schema of the thing inside an envelope; the schema itself for a thing. */
export function envelopedSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const fields = allFields(schema, schemas);
  if (isThingOrJob(fields)) return schema;
  const inner = [...fields.values()].filter((field) => isInnerObject(field, schemas));
  return inner.length === 1 ? (inner[0] as JsonSchema) : schema;
}

function isInnerObject(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const types = typesOf(resolveSchema(schemas, field as JsonSchema));
  return types.length === 0 || types.includes("object");
}

/** The state among the fields of one object. A name without a word before it comes first. */
function stateAmong(
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  evidence: WorkEvidence,
  depth = 0,
): StateField | undefined {
  const names = [...fields.keys()]
    .filter(
      (name) => isStateField(name, evidence.nouns) || (depth > 0 && WHOLE_STATE_NAMES.has(name)),
    )
    .toSorted((a, b) => a.length - b.length);
  for (const name of names) {
    const isJob = evidence.isJob || PROVISIONING.test(name);
    const states = statesOf(fields.get(name)!, schemas, { ...evidence, isJob });
    if (states) return { path: [name], ...states };
    const inner = isInnerObject(fields.get(name)!, schemas) && depth < 1;
    const found = inner && stateAmong(allFields(fields.get(name)!, schemas), schemas, evidence, 1);
    if (found) return { ...found, path: [name, ...found.path] };
  }
  return depth === 0 ? flagAmong(fields, schemas, evidence) : undefined;
}

/** Names of the state of the whole thing, inside an object with several states. */
const WHOLE_STATE_NAMES: ReadonlySet<string> = new Set([
  "aggregated",
  "overall",
  "current",
  "value",
]);

/** Name of a state that machines set. */
const PROVISIONING = /^provision/i;

/** True for a state whose name says that machines set it. */
export const isProvisioning = ({ path }: Pick<StateField, "path">): boolean =>
  PROVISIONING.test(path.at(-1)!);

/** True for a state that no person sets: one of provisioning, or with words of machines. */
export const isOfMachine = (state: StateField): boolean =>
  isProvisioning(state) || stateWords(state).running.some((words) => SETUP.test(words));

/** Words of states by stage, without those that all states of the field begin with. */
function stateWords({
  running = [],
  done = [],
  failed = [],
}: States): Readonly<Record<Stage, readonly string[]>> {
  const named = namedStates([...running, ...done, ...failed].map(String));
  const words = named.map((state) => state.words);
  const ended = running.length + done.length;
  return {
    running: words.slice(0, running.length),
    done: words.slice(running.length, ended),
    failed: words.slice(ended),
  };
}

/** Names of flags of work that goes on, and of work that ended, in the form of `normalizeState`. */
const [RUNNING_FLAG, DONE_FLAG] = [
  /^(?:is )?(?:in progress|running|processing)$/,
  /^(?:is )?(?:done|completed|complete|finished)$/,
];

/** A flag that tells the stage of work: `done` beside an `error`, `inProgress`, `completed`. */
function flagAmong(
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  { isJob, isOnlyWork }: WorkEvidence,
): StateField | undefined {
  const hasOutcome = ["error", "result"].some((name) => fields.has(name));
  if (!isOnlyWork && !(isJob && hasOutcome)) return undefined;
  const flags = [...fields].filter(([, field]) => isBoolean(field, schemas)).map(([name]) => name);
  const done = flags.find((name) => DONE_FLAG.test(normalizeState(name)));
  if (done !== undefined) return { path: [done], running: [false], done: [true] };
  const running = flags.find((name) => RUNNING_FLAG.test(normalizeState(name)));
  return running === undefined ? undefined : { path: [running], running: [true], done: [false] };
}

const isBoolean = (field: AnySchema, schemas: Schemas): boolean =>
  isObject(field) && typesOf(resolveSchema(schemas, field as JsonSchema)).join() === "boolean";

function statesOf(field: AnySchema, schemas: Schemas, evidence: WorkEvidence): States | undefined {
  if (!isObject(field)) return undefined;
  const target = resolveSchema(schemas, field as JsonSchema);
  const values = valuesOf(target, schemas);
  if (values.length > 0) return sortStates(namedStates(values), evidence);
  const { description = "" } = { ...target, ...(field as JsonSchema) };
  const types = typesOf(target);
  if (types.includes("integer"))
    return sortStates(numberedStates(target, `${description}`), evidence);
  if (!types.includes("string")) return undefined;
  const { words, isQuoted } = wordsOf(String(description));
  return sortStates(namedStates(words), evidence, !isQuoted);
}

/** Numbers with the words that the document has for them: `0: idle, 1: running`. */
function numberedStates(schema: JsonSchema, description: string): readonly NamedState[] {
  const listed = [
    ...description
      .slice(0, MAX_TEXT)
      .matchAll(
        /(?<!\d)(\d{1,3})["'`*]{0,3}\s{0,4}[=:–-]{1,3}\s{0,4}["'`*]{0,3}([a-z][\w ]{0,60})/gi,
      ),
  ];
  const entries = listed.map(([, value, word]) => [value!, word!] as const);
  return (enumNames(schema) ?? entries).map(([value, word]) => ({
    value: Number(value),
    words: normalizeState(`${word}`),
  }));
}

/** Extensions with the names of the values of an enum, in their order. */
const ENUM_NAMES = ["x-enum-varnames", "x-enumNames", "x-enum-names", "x-enum-descriptions"];

/** Names of numbers by extensions of the schema. */
function enumNames(schema: JsonSchema): readonly (readonly [string, unknown])[] | undefined {
  const meanings = schema["x-enum-meanings"];
  if (isObject(meanings)) return Object.entries(meanings);
  const values = schema.enum ?? [];
  const names = ENUM_NAMES.map((key) => schema[key]).find(
    (list) => Array.isArray(list) && list.length === values.length,
  ) as readonly unknown[] | undefined;
  return names?.map((name, i) => [String(values[i]), name] as const);
}

/** Values of an enum, also of one that may grow, and of alternatives that are enums or constants. */
function valuesOf(schema: JsonSchema, schemas: Schemas): readonly string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const inner = parts.flatMap((part) =>
    isObject(part) ? valuesOf(resolveSchema(schemas, part as JsonSchema), schemas) : [],
  );
  const extensible = schema["x-extensible-enum"];
  const known = Array.isArray(extensible) ? (extensible as readonly unknown[]) : [];
  const own = "const" in schema ? [schema.const] : (schema.enum ?? known);
  return [...own, ...inner].filter((value) => typeof value === "string");
}

/** Maximum length of a description that is read. */
const MAX_TEXT = 1_000;

/** Maximum number of words of a state in a description. */
const MAX_WORDS = 3;

/** States that a description lists: quoted, or separated by commas and `or`. */
function wordsOf(description: string): {
  readonly words: readonly string[];
  readonly isQuoted: boolean;
} {
  const text = description.slice(0, MAX_TEXT);
  const quoted = [...text.matchAll(/[`'"“*]{1,2}([A-Za-z][\w -]{1,24})[`'"”*]{1,2}/g)];
  const listed = text.split(/[,;|/\n:.()•]|\bor\b|\band\b/);
  const isQuoted = quoted.length >= 3;
  const found = isQuoted ? quoted.map(([, word]) => word!) : listed;
  const isState = (word: string): boolean => word !== "" && word.split(/\s+/).length <= MAX_WORDS;
  const words = [...new Set(found.map((word) => word.trim()).filter(isState))];
  return { words, isQuoted };
}

/** A state with its words, without those that all states of the field begin with. */
interface NamedState {
  readonly value: StateValue;
  readonly words: string;
}

/** `JOB_STATE_QUEUED`, `JOB_STATE_DONE` → queued, done. */
function namedStates(values: readonly string[]): readonly NamedState[] {
  const all = values.map((value) => normalizeState(value).split(" "));
  const [first = []] = all;
  const isShared = (i: number): boolean =>
    all.every((words) => words[i] === first[i] && words.length > i + 1);
  let shared = 0;
  while (values.length > 2 && isShared(shared)) shared++;
  return values.map((value, i) => ({ value, words: all[i]!.slice(shared).join(" ") }));
}

/**
 * Sorts states by their stage. Undefined without states of each stage, or with one that a person
 * ends.
 * @param isText true for words of a description, of which only known ones are states
 */
function sortStates(
  all: readonly NamedState[],
  evidence: WorkEvidence,
  isText = false,
): States | undefined {
  const isPersonal = isPersonalFor(evidence);
  const known = isText ? all.filter((state) => isKnownState(state) || isPersonal(state)) : all;
  if (known.filter(isShipping).length > 1) return undefined;
  const { isJob, isOnlyWork } = evidence;
  const own = known.filter((state) => !isPersonal(state));
  if (isJob && isHandedOver(known, own)) return sortWork(known, isJob, isOnlyWork);
  if (!isOfMachines(own, known.length - own.length)) return undefined;
  const isSetUpInText = isText && !canFail(ofStage(own, "failed"));
  return sortWork(own, isJob, isOnlyWork) ?? (isSetUpInText ? undefined : sortSetup(own));
}

const isKnownState = (state: NamedState): boolean =>
  stageOfWord(state.words) !== undefined || isIn(STATE_WORDS.settled)(state);

/** True for a job whose only personal states are those of one that a machine got: `sent`. */
function isHandedOver(known: readonly NamedState[], own: readonly NamedState[]): boolean {
  const others = known.filter((state) => !own.includes(state));
  const ends = [ofStage(own, "done"), ofStage(own, "failed")];
  const isEnded = ends.every((stage) => stage.some((state) => END_WORDS.test(state.words)));
  return others.length > 0 && isEnded && others.every(({ words }) => HANDED_OVER.test(words));
}

/** Words that machines have for the end of an action. */
const END_WORDS = /^(?:success|succeeded|successful|error|errored|failure|failed|done)$/;

const isPersonalFor =
  ({ isOnlyWork }: WorkEvidence) =>
  ({ words }: NamedState): boolean =>
    (WAITING_STATES.test(words) && !waitsForMachine(words)) ||
    (!isOnlyWork && PERSONAL_STATES.test(words));

const isShipping = ({ words }: NamedState): boolean => SHIPPING_STATES.test(words);

/** True unless persons end the work: a volume with many states may also be handed over to one. */
function isOfMachines(own: readonly NamedState[], personal: number): boolean {
  if (personal === 0) return true;
  const moving = ofStage(own, "running").filter((state) => !isIn(STATE_WORDS.waiting)(state));
  return isSetUp(moving) && moving.length >= personal * MOVING_PER_PERSONAL;
}

/** Least number of states in which a machine works, for each state that a person ends. */
const MOVING_PER_PERSONAL = 6;

const isIn =
  (set: ReadonlySet<string>) =>
  ({ words }: NamedState): boolean =>
    set.has(words);

const ofStage = (all: readonly NamedState[], stage: Stage): readonly NamedState[] =>
  all.filter((state) => (stageOfWord(state.words) ?? stageAmong(state, all)) === stage);

/** `enabling` beside `enabled` goes on, and so does `sent`. */
const stageAmong = (state: NamedState, all: readonly NamedState[]): Stage | undefined =>
  isPaired(state, all) || HANDED_OVER.test(state.words) ? "running" : undefined;

/** True for `parking` and `unparking` beside `parked`. */
function isPaired({ words }: NamedState, all: readonly NamedState[]): boolean {
  if (!/^[a-z]{3,}ing$/.test(words)) return false;
  const ended = words.replace(/ing$/, "ed");
  return all.some((one) => [ended, ended.replace(/^(?:un|re|de|dis)/, "")].includes(one.words));
}

/** True if states tell a failure, and not only that somebody ended the work. */
const canFail = (failed: readonly NamedState[]): boolean =>
  failed.some((state) => !isIn(STATE_WORDS.ended)(state));

/** Work that ends: queued → running → succeeded or failed. */
function sortWork(
  all: readonly NamedState[],
  isJob: boolean,
  isOnlyWork: boolean,
): States | undefined {
  const [running, failed] = [ofStage(all, "running"), ofStage(all, "failed")];
  const ended = ofStage(all, "done");
  const done = ended.length > 0 ? ended : all.filter(({ words }) => READY.test(words));
  const isMoving = running.some((state) => !isIn(STATE_WORDS.waiting)(state));
  if (running.length === 0 || done.length === 0) return undefined;
  // A thing whose only final state is `ended`, such as a stream or a meeting, has no result.
  if (!isJob && done.every(({ words }) => words === "ended")) return undefined;
  const isWork = isJob ? isOnlyWork || isMoving || canFail(failed) : isMoving && canFail(failed);
  return isWork ? states(running, done, failed) : undefined;
}

/** True for the states of work that a machine does, ends and may fail at. */
export function isWorkThatEnds(state: StateField): boolean {
  const { running, done, failed } = stateWords(state);
  const isMoving = running.some((words) => !STATE_WORDS.waiting.has(words));
  return (
    isMoving &&
    done.some((words) => STATE_WORDS.done.has(words)) &&
    failed.some((words) => !STATE_WORDS.ended.has(words))
  );
}

/** Words of a result that can be fetched: queued → processing → ready. */
const READY = /^(?:ready|available)(?: (?:for|to) (?:use|download|execute|execution))?$/;

/** A thing that is set up: creating → available or failed. */
function sortSetup(all: readonly NamedState[]): States | undefined {
  const settled = all.filter((state) => isIn(STATE_WORDS.settled)(state) || isReached(state, all));
  const moving = ofStage(all, "running").filter((state) => !settled.includes(state));
  const failed = ofStage(all, "failed");
  const isChanged = canFail(failed) && moving.some((state) => isPaired(state, all));
  return (isSetUp(moving) || isChanged) && settled.length > 0
    ? states(moving, settled, failed)
    : undefined;
}

/** True for states of a thing that machines set up. */
const isSetUp = (moving: readonly NamedState[]): boolean =>
  moving.some(({ words }) => SETUP.test(words));

/**
 * True for a thing that need not start when it is created: it can be stopped, and no state creates or
 * completes it.
 */
export function mayRest(state: StateField): boolean {
  const { running, done, failed } = stateWords(state);
  const isCreated = running.some((words) => CREATION.test(words));
  const isCompleted = done.some((words) => STATE_WORDS.done.has(words));
  return failed.some((words) => STOPPED.test(words)) && !isCreated && !isCompleted;
}

/** True for `started` beside `starting` or `restarting`, and not for `stopped` beside `stopping`. */
const isReached = ({ words }: NamedState, all: readonly NamedState[]): boolean =>
  words.endsWith("ed") &&
  stageOfWord(words) !== "failed" &&
  all.some((one) => one.words.replace(/^re(?=start)/, "") === words.replace(/ed$/, "ing"));

/** Words of a thing that is set up by machines. */
const CREATION = new RegExp(
  `^(?:${anyOfPhrases(
    "creating, provisioning, building, initiali[sz]ing, deploying, installing, allocating, spawning",
    "restoring, rebuilding, configuring, importing, indexing, reconciling",
  )})\\b`,
);
const SETUP = new RegExp(
  `${CREATION.source}|^(?:starting|booting|launching|upgrading|activating|associating)\\b`,
);

/** Words of a thing that is there without running. */
const STOPPED = /^(?:stopped|off|halted|shut ?(?:down|off))$/;

function states(
  running: readonly NamedState[],
  done: readonly NamedState[],
  failed: readonly NamedState[],
): States {
  const values = (list: readonly NamedState[]): readonly StateValue[] =>
    list.map(({ value }) => value);
  const ended = values(failed);
  return {
    running: values(running),
    done: values(done),
    ...(ended.length > 0 && { failed: ended }),
  };
}
