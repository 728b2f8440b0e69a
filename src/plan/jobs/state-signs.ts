/** The state in the response of a read, with the signs that it is one of work. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { compositionParts } from "../../json-schema.js";
import {
  isStateField,
  normalizeState,
  STATE_WORDS,
  stageOfWord,
  waitsForMachine,
} from "../../language/state-words.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { isIdentity } from "../outputs/payload.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { type Sign, signsOf, weigh } from "./signs.js";
import {
  hasSetUp,
  namedStates,
  sortStates,
  stateWords,
  type States,
  type WorkEvidence,
} from "./sort-states.js";
import { statesOf, valuesOf, wordsOf } from "./states-of-field.js";
import { isLasting, PERSONAL_STATES, SHIPPING_STATES, WAITING_STATES } from "./words.js";

/** A field with the state of work, and its states by stage. */
export interface StateField extends States {
  /** Names from the top of the response. */
  readonly path: readonly string[];
}

/** A state that may be followed. */
export interface SignedState {
  readonly state: StateField;
  readonly signs: readonly Sign[];
  /** True for a read that answers with 202 until the work is done. */
  readonly isAccepted: boolean;
}

/** A field of a response, with the names on the way to it. */
interface Field {
  readonly path: readonly string[];
  readonly schema: AnySchema;
}

/** Maximum depth at which a state is looked for. */
const MAX_DEPTH = 3;

/** Maximum number of fields of a response that are read. */
const MAX_FIELDS = 200;

function fieldsOf(schema: AnySchema, schemas: Schemas): readonly Field[] {
  const found: Field[] = [];
  let level: Field[] = [{ path: [], schema }];
  for (let depth = 0; depth < MAX_DEPTH && found.length < MAX_FIELDS; depth++) {
    const next = level.flatMap(({ path, schema: holder }) =>
      [...fieldsOfParts(holder, schemas)].map(([name, variants]) => ({
        path: [...path, name],
        schema:
          variants.length === 1
            ? variants[0]!
            : { anyOf: variants, ...typeOfAll(variants, schemas) },
      })),
    );
    found.push(...next);
    level = next.filter(({ schema: field }) => isObject(field) && !isList(field, schemas));
  }
  return found.slice(0, MAX_FIELDS);
}

const typeOfAll = (variants: readonly AnySchema[], schemas: Schemas): JsonSchema => {
  const types = new Set(variants.flatMap((one) => typesOfField(one, schemas)));
  return types.size > 0 ? { type: [...types] as JsonSchema["type"] } : {};
};

/** Fields of an object, of its parts and of its alternatives, which may have different values. */
function fieldsOfParts(
  schema: AnySchema,
  schemas: Schemas,
  depth = 0,
): ReadonlyMap<string, readonly AnySchema[]> {
  const found = new Map<string, AnySchema[]>();
  if (!isObject(schema) || depth > MAX_PARTS) return found;
  const target = resolveSchema(schemas, schema as JsonSchema);
  const own = Object.entries((target.properties ?? {}) as Readonly<Record<string, AnySchema>>);
  for (const [name, field] of own) found.set(name, [field]);
  for (const part of compositionParts(target))
    for (const [name, variants] of fieldsOfParts(part, schemas, depth + 1))
      found.set(name, [...(found.get(name) ?? []), ...variants]);
  return found;
}

/** Maximum depth of compositions. */
const MAX_PARTS = 8;

const typesOfField = (field: AnySchema, schemas: Schemas): readonly string[] =>
  isObject(field) ? typesOf(resolveSchema(schemas, field as JsonSchema)) : [];

const isList = (field: AnySchema, schemas: Schemas): boolean =>
  typesOfField(field, schemas).includes("array");

const lastWord = (name: string): string => splitWords(name).at(-1) ?? "";

/** Names of states of all kinds: `requestState`, `lastRunStatus`, `stage`. */
const isStateName = (name: string): boolean =>
  /^(?:status|state|phase|stage)$/.test(lastWord(name)) &&
  !isLasting(splitWords(name).slice(0, -1)) &&
  !/\b(?:http|target|desired|previous|old|prev|expected)\b/i.test(normalizeState(name));

/** Facts of the document that identify the state of a read. */
export interface DocumentFacts {
  readonly schemas: Schemas;
  /** True if most reads have a 202, which then tells nothing of one. */
  readonly acceptsAll: boolean;
}

/** Finds the state of a response by the weight of its signs; undefined without one. */
export function signedState(
  { operation, successResponses }: ClassifiedOperation,
  schema: JsonSchema | undefined,
  nouns: ReadonlySet<string>,
  { schemas, acceptsAll }: DocumentFacts,
): SignedState | undefined {
  const isAccepted = successResponses.some(({ status }) => status === "202") && !acceptsAll;
  const texts = [operation.description, ...successResponses.map((one) => one.description)];
  const fields = schema === undefined ? [] : fieldsOf(schema, schemas);
  const found = [
    ...describedStates(fields, schemas, nouns, new Set(splitWords(operation.path))),
    ...plainStates(fields, texts, schemas, nouns),
    ...flags(fields, schemas),
  ];
  const [best] = found.toSorted(
    (one, other) =>
      weigh(other.signs) - weigh(one.signs) || one.state.path.length - other.state.path.length,
  );
  const ofRead = signsOf({
    statePath:
      /(?:status|state|progress)\b/i.test(operation.path.split("/").at(-1) ?? "") ||
      /\b(?:status|progress|poll)\b/i.test(
        `${operation.summary ?? ""} ${operation.operationId ?? ""}`,
      ),
    readAccepted: isAccepted,
    outcome: hasOutcome(fields, best?.state.path ?? []),
  });
  if (best) return { state: best.state, signs: [...best.signs, ...ofRead], isAccepted };
  if (isAccepted)
    return { state: { path: ["status"] }, signs: ["acceptedOnly", ...ofRead], isAccepted };
  // A read of a state that the document does not describe.
  const isUntold = fields.length === 0 && ofRead.includes("statePath");
  return isUntold ? { state: { path: ["status"] }, signs: ofRead, isAccepted } : undefined;
}

/** Names of fields of work beside its state. */
const OUTCOME =
  /^(?:errors?|(?:error|fail(?:ure)?)_?(?:message|reason|code)|results?|outputs?|progress|percent\w*|(?:result|download|file|output)_?url|(?:end(?:ed)?|finish(?:ed)?|completed?)(?:_?(?:at|date|time|on))?)$/i;

const hasOutcome = (fields: readonly Field[], state: readonly string[]): boolean =>
  fields.some(
    ({ path }) =>
      path.length === Math.max(1, state.length) &&
      path.join() !== state.join() &&
      OUTCOME.test(path.at(-1)!.replaceAll("-", "_")),
  );

const EVIDENCE: WorkEvidence = { isJob: true, isOnlyWork: true, nouns: new Set() };

type Found = Omit<SignedState, "isAccepted">;

/** States whose values the schema has. */
function describedStates(
  fields: readonly Field[],
  schemas: Schemas,
  nouns: ReadonlySet<string>,
  words: ReadonlySet<string>,
): readonly Found[] {
  return fields.flatMap(({ path, schema }) => {
    const name = path.at(-1)!;
    if (!isStateName(name) || isOfPart(path, fields)) return [];
    const all = isObject(schema)
      ? valuesOf(resolveSchema(schemas, schema as JsonSchema), schemas)
      : [];
    const ended = statesOf(schema, schemas, EVIDENCE) ?? endsOf(schema, schemas, words);
    const states = ended ?? (path.length > 2 ? undefined : settledStates(all));
    if (!states) return [];
    const signs = signsOf({
      described: ended?.running !== undefined,
      endsOnly: states.running === undefined,
      settles: !ended,
      fails: states.failed !== undefined,
      moves: stateWords(states).running.some((one) => !STATE_WORDS.waiting.has(one)),
      setsUp: hasSetUp(states),
      ends: stateWords(states).done.every((one) => one === "ended"),
      personal: all.some((one) => isPersonal(one)) && !all.some((one) => isOfMachines(one)),
      deep: path.length > 1 && !isOfState(path),
      ownName: !isStateField(name, nouns),
    });
    return [{ state: { path, ...states }, signs }];
  });
}

/** True for the state of a part: `lastRun.status` beside an ID. */
function isOfPart(path: readonly string[], fields: readonly Field[]): boolean {
  const holder = path.at(-2);
  if (holder === undefined || OWN_PARTS.test(holder)) return false;
  const beside = fields.filter((one) => one.path.length === path.length - 1);
  return (
    /^(?:last|latest|previous)/i.test(holder) || beside.some((one) => isIdentity(one.path.at(-1)!))
  );
}

/** Objects that have the fields of a thing beside its ID. */
const OWN_PARTS =
  /^(?:properties|attributes|info|\w*status(?:_?info)?|\w*state|progress|metadata)$/i;

/** True for `status.operationState.phase`: objects that have nothing but a state. */
const isOfState = (path: readonly string[]): boolean =>
  path.slice(0, -1).every((name) => /(?:status|state)$/i.test(name));

const isPersonal = (value: string): boolean => {
  const words = normalizeState(value);
  const isWaiting = WAITING_STATES.test(words) && !waitsForMachine(words);
  return isWaiting || PERSONAL_STATES.test(words);
};

/** True for a state by which the others are those of machines too: `waiting_for_capacity`. */
const isOfMachines = (value: string): boolean => waitsForMachine(normalizeState(value));

/** States of which only those at the end are listed: passed, skipped, failed. */
function endsOf(
  schema: AnySchema,
  schemas: Schemas,
  words: ReadonlySet<string>,
): States | undefined {
  if (!isObject(schema)) return undefined;
  const values = valuesOf(resolveSchema(schemas, schema as JsonSchema), schemas);
  const named = values.map((value) => normalizeState(value));
  const isLasting = named.some((value) => WAITING_STATES.test(value) && !waitsForMachine(value));
  if (isLasting || named.filter((value) => SHIPPING_STATES.test(value)).length > 1)
    return undefined;
  const of = (stage: string): readonly string[] =>
    values.filter((value) => stageOfWord(value) === stage);
  const failed = of("failed");
  // An idle thing may wait for somebody, unless it was pending before.
  const isPending = named.some((value) => /^(?:pending|queued)$/.test(value));
  const isIdle = (value: string): boolean => isPending && /^idle$/i.test(value);
  const ofDone = of("done");
  const done = [
    ...(ofDone.length > 0 ? ofDone : values.filter(isIdle)),
    ...values.filter((value) => isDoneTo(value, words)),
  ];
  const ended = new Set([...done, ...failed]);
  const others = values.filter((value) => !ended.has(value));
  const known = of("running").filter((value) => !ended.has(value));
  const running = others.length === 1 && /^active$/i.test(others[0]!) ? others : known;
  if (running.length > 0 && done.length > 0)
    return { running, done, ...(failed.length > 0 && { failed }) };
  return done.length > 0 && failed.length > 0 && done.length + failed.length === values.length
    ? { done, failed }
    : undefined;
}

/** States of a thing on its way out of use. */
const LEAVING = /^(?:delet|remov|stopp|terminat|deactivat|disabl|archiv)ing/i;

/** States of a thing that goes into use without an end: new, active, off. */
function settledStates(values: readonly string[]): States | undefined {
  const of = (stage: string | undefined): readonly string[] =>
    values.filter((value) => stageOfWord(value) === stage);
  const [running, failed] = [of("running"), of("failed")];
  const done = of(undefined).filter((value) => STATE_WORDS.settled.has(normalizeState(value)));
  const isSettled = done.length > 0 && !values.some((value) => isPersonal(value));
  if (!isSettled || running.every((value) => LEAVING.test(value))) return undefined;
  return { running, done, ...(failed.length > 0 && { failed }) };
}

/** True for `pinned`, where the path says `pin`. */
function isDoneTo(value: string, words: ReadonlySet<string>): boolean {
  const state = normalizeState(value);
  const stem = state.replace(/ed$/, "");
  return (
    state.endsWith("ed") && [stem, `${stem}e`, stem.slice(0, -1)].some((one) => words.has(one))
  );
}

/** States whose values the schema does not have. Texts of the operation may list them. */
function plainStates(
  fields: readonly Field[],
  texts: readonly (string | undefined)[],
  schemas: Schemas,
  nouns: ReadonlySet<string>,
): readonly Found[] {
  return fields.flatMap(({ path, schema }) => {
    const name = path.at(-1)!;
    if (path.length > 2 && !isOfState(path)) return [];
    if (!isStateField(name, nouns) || isOfPart(path, fields)) return [];
    const target = isObject(schema) ? resolveSchema(schemas, schema as JsonSchema) : {};
    if (!typesOf(target).includes("string") || valuesOf(target, schemas).length > 0) return [];
    const listed = texts.flatMap((text) => (text === undefined ? [] : [statesInText(text)]));
    const states = listed.find((one) => one !== undefined);
    const example = target.examples?.[0] ?? target["example"];
    const signs = signsOf({
      described: states !== undefined,
      plain: states === undefined,
      example: typeof example === "string" && stageOfWord(example) !== undefined,
      setsUp: /^provision/i.test(name),
      deep: path.length > 1 && !isOfState(path),
    });
    return [{ state: { path, ...states }, signs }];
  });
}

/** States that a text quotes. */
function statesInText(text: string): States | undefined {
  const { words, isQuoted } = wordsOf(text);
  return isQuoted ? sortStates(namedStates(words), EVIDENCE, true) : undefined;
}

/** Names of flags of work that goes on, and of work that ended. */
const [RUNNING_FLAG, DONE_FLAG] = [
  /^(?:is |are )?(?:being \w+|in progress|running|processing|pending|syncing)$/,
  /^(?:is |has )?(?:done|completed|complete|finished|ready|processed)$/,
];

function flags(fields: readonly Field[], schemas: Schemas): readonly Found[] {
  return fields.flatMap(({ path, schema }) => {
    const types = typesOfField(schema, schemas).filter((type) => type !== "null");
    if (types.join() !== "boolean" || isOfPart(path, fields)) return [];
    const name = normalizeState(path.at(-1)!);
    const isDone = DONE_FLAG.test(name);
    if (!isDone && !RUNNING_FLAG.test(name)) return [];
    const signs = signsOf({ flag: true, deep: path.length > 1 });
    return [{ state: { path, running: [!isDone], done: [isDone] }, signs }];
  });
}
