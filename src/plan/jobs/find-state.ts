/** The field of a response that tells the stage of work. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import {
  isStateField,
  normalizeState,
  type Stage,
  STATE_WORDS,
  stageOfWord,
} from "../../language/state-words.js";
import type { JobMapping } from "../../runtime/types.js";
import { allFields } from "../schemas/flat-object.js";
import { isIdentity } from "../outputs/payload.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { PERSONAL_STATES } from "./words.js";

/** A field with the state of work. */
export interface StateField extends Pick<JobMapping, "running" | "done" | "failed"> {
  /** Names from the top of the response. */
  readonly path: readonly string[];
}

type States = Omit<StateField, "path">;

/**
 * Finds the state at the top of a response, or in the only object inside an envelope.
 * @param isJob true for a thing that is work by its name, whose states need less evidence
 */
export function findState(
  schema: JsonSchema,
  schemas: Schemas,
  isJob: boolean,
): StateField | undefined {
  const fields = allFields(schema, schemas);
  const own = stateAmong(fields, schemas, isJob);
  if (own || isThing(fields)) return own;
  const inner = [...fields].flatMap(([name, field]) => {
    const found = isInnerObject(field, schemas)
      ? stateAmong(allFields(field, schemas), schemas, isJob)
      : undefined;
    return found ? [{ ...found, path: [name, ...found.path] }] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/**
 * Finds a state that the document does not explain, of a thing that can only be work. The server
 * tells its stage by its word.
 */
export function findPlainState(schema: JsonSchema, schemas: Schemas): StateField | undefined {
  const [outer, inner] = [schema, envelopedSchema(schema, schemas)];
  const fields = allFields(inner, schemas);
  const name = [...fields.keys()]
    .filter((one) => isStateField(one) && isPlainText(fields.get(one)!, schemas))
    .toSorted((a, b) => a.length - b.length)[0];
  if (name === undefined) return undefined;
  if (outer === inner) return { path: [name] };
  const envelope = [...allFields(outer, schemas)].find(([, field]) => field === inner)?.[0];
  return envelope === undefined ? undefined : { path: [envelope, name] };
}

function isPlainText(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const target = resolveSchema(schemas, field as JsonSchema);
  return typesOf(target).includes("string") && valuesOf(target, schemas).length === 0;
}

/** True for the fields of a thing, whose parts have states of their own. */
export const isThing = (fields: ReadonlyMap<string, AnySchema>): boolean =>
  [...fields.keys()].some(isIdentity);

/** Schema of the thing inside an envelope; the schema itself for a thing. */
export function envelopedSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const fields = allFields(schema, schemas);
  if (isThing(fields)) return schema;
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
  isJob: boolean,
  depth = 0,
): StateField | undefined {
  const names = [...fields.keys()].filter(isStateField).toSorted((a, b) => a.length - b.length);
  for (const name of names) {
    const states = statesOf(fields.get(name)!, schemas, isJob);
    if (states) return { path: [name], ...states };
    const inner = isInnerObject(fields.get(name)!, schemas) && depth < 1;
    const found = inner && stateAmong(allFields(fields.get(name)!, schemas), schemas, isJob, 1);
    if (found) return { ...found, path: [name, ...found.path] };
  }
  const isOperation = isJob && fields.has("done") && fields.has("error");
  return isOperation && isBoolean(fields.get("done")!, schemas)
    ? { path: ["done"], running: [false], done: [true] }
    : undefined;
}

const isBoolean = (field: AnySchema, schemas: Schemas): boolean =>
  isObject(field) && typesOf(resolveSchema(schemas, field as JsonSchema)).join() === "boolean";

function statesOf(field: AnySchema, schemas: Schemas, isJob: boolean): States | undefined {
  if (!isObject(field)) return undefined;
  const target = resolveSchema(schemas, field as JsonSchema);
  const values = valuesOf(target, schemas);
  if (values.length > 0) return sortStates(values, isJob);
  if (!typesOf(target).includes("string")) return undefined;
  const { description = "" } = { ...target, ...(field as JsonSchema) };
  return sortStates(wordsOf(String(description)), isJob, true);
}

/** Values of an enum, and of alternatives that are enums or constants. */
function valuesOf(schema: JsonSchema, schemas: Schemas): readonly string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const inner = parts.flatMap((part) =>
    isObject(part) ? valuesOf(resolveSchema(schemas, part as JsonSchema), schemas) : [],
  );
  const own = "const" in schema ? [schema.const] : (schema.enum ?? []);
  return [...own, ...inner].filter((value) => typeof value === "string");
}

/** Maximum length of a description that is read. */
const MAX_TEXT = 1_000;

/** States that a description lists: quoted, or separated by commas and `or`. */
function wordsOf(description: string): readonly string[] {
  const text = description.slice(0, MAX_TEXT);
  const quoted = [...text.matchAll(/[`'"“*]{1,2}([A-Za-z][\w -]{1,24})[`'"”*]{1,2}/g)];
  const listed = text.split(/[,;|/\n:.()•]|\bor\b|\band\b/);
  const found = quoted.length >= 3 ? quoted.map(([, word]) => word!) : listed;
  return [...new Set(found.map((word) => word.trim()).filter((word) => word !== ""))];
}

/** A state with its words, without those that all states of the field begin with. */
interface NamedState {
  readonly value: string;
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
function sortStates(values: readonly string[], isJob: boolean, isText = false): States | undefined {
  const all = namedStates(values);
  const known = isText
    ? all.filter(({ words }) => stageOfWord(words) !== undefined || PERSONAL_STATES.test(words))
    : all;
  if (known.some(({ words }) => PERSONAL_STATES.test(words))) return undefined;
  return sortWork(known, isJob) ?? (isText ? undefined : sortSetup(known));
}

const isIn =
  (set: ReadonlySet<string>) =>
  ({ words }: NamedState): boolean =>
    set.has(words);

const ofStage = (all: readonly NamedState[], stage: Stage): readonly NamedState[] =>
  all.filter(({ words }) => stageOfWord(words) === stage);

/** True if states tell a failure, and not only that somebody ended the work. */
const canFail = (failed: readonly NamedState[]): boolean =>
  failed.some((state) => !isIn(STATE_WORDS.ended)(state));

/** Work that ends: queued → running → succeeded or failed. */
function sortWork(all: readonly NamedState[], isJob: boolean): States | undefined {
  const [running, failed] = [ofStage(all, "running"), ofStage(all, "failed")];
  const ended = ofStage(all, "done");
  const done = ended.length > 0 ? ended : all.filter(({ words }) => READY.test(words));
  const isMoving = running.some((state) => !isIn(STATE_WORDS.waiting)(state));
  if (running.length === 0 || done.length === 0) return undefined;
  const isWork = isJob ? isMoving || canFail(failed) : isMoving && canFail(failed);
  return isWork ? states(running, done, failed) : undefined;
}

/** Words of a result that can be fetched: queued → processing → ready. */
const READY = /^(?:ready|available)$/;

/** A thing that is set up: creating → available or failed. */
function sortSetup(all: readonly NamedState[]): States | undefined {
  const settled = all.filter(isIn(STATE_WORDS.settled));
  const moving = ofStage(all, "running").filter((state) => !settled.includes(state));
  const isSetUp = moving.some(({ words }) => SETUP.test(words));
  return isSetUp && settled.length > 0
    ? states(moving, settled, ofStage(all, "failed"))
    : undefined;
}

/** Words of a thing that is set up by machines. */
const SETUP =
  /^(?:creating|provisioning|building|initiali[sz]ing|starting|deploying|installing|booting|launching|allocating|spawning|restoring|rebuilding|configuring)\b/;

function states(
  running: readonly NamedState[],
  done: readonly NamedState[],
  failed: readonly NamedState[],
): States {
  const values = (list: readonly NamedState[]): readonly string[] => list.map(({ value }) => value);
  const ended = values(failed);
  return {
    running: values(running),
    done: values(done),
    ...(ended.length > 0 && { failed: ended }),
  };
}
