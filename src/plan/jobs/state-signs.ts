/** The state in the response of a read, with the weight of the signs that it is one of work. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { isStateField, normalizeState, stageOfWord } from "../../language/state-words.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { StateField } from "./find-state.js";
import { namedStates, sortStates, type States, type WorkEvidence } from "./sort-states.js";
import { statesOf, valuesOf, wordsOf } from "./states-of-field.js";
import { PERSONAL_STATES, WAITING_STATES } from "./words.js";

/** A state that may be followed. */
export interface WeighedState {
  readonly state: StateField;
  readonly weight: number;
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
      [...allFields(holder, schemas)].map(([name, field]) => ({
        path: [...path, name],
        schema: field,
      })),
    );
    found.push(...next);
    level = next.filter(({ schema: field }) => isObject(field) && !isList(field, schemas));
  }
  return found.slice(0, MAX_FIELDS);
}

const typesOfField = (field: AnySchema, schemas: Schemas): readonly string[] =>
  isObject(field) ? typesOf(resolveSchema(schemas, field as JsonSchema)) : [];

const isList = (field: AnySchema, schemas: Schemas): boolean =>
  typesOfField(field, schemas).includes("array");

const lastWord = (name: string): string => splitWords(name).at(-1) ?? "";

/** Names of states of all kinds: `requestState`, `lastRunStatus`, `stage`. */
const isStateName = (name: string): boolean =>
  /^(?:status|state|phase|stage)$/.test(lastWord(name)) &&
  !/\b(?:http|target|desired|previous|old|prev|expected)\b/i.test(normalizeState(name));

/** Finds the state of a response by the weight of its signs; undefined without one. */
export function weighState(
  { operation, successResponses }: ClassifiedOperation,
  schema: JsonSchema | undefined,
  nouns: ReadonlySet<string>,
  schemas: Schemas,
): WeighedState | undefined {
  const isAccepted = successResponses.some(({ status }) => status === "202");
  const texts = [operation.description, ...successResponses.map((one) => one.description)];
  const isOfState =
    /(?:status|state|progress)\b/i.test(operation.path.split("/").at(-1) ?? "") ||
    /\b(?:status|progress|poll)\b/i.test(
      `${operation.summary ?? ""} ${operation.operationId ?? ""}`,
    );
  const fields = schema === undefined ? [] : fieldsOf(schema, schemas);
  const found = [
    ...describedStates(fields, schemas, nouns, new Set(splitWords(operation.path))),
    ...plainStates(fields, texts, schemas, nouns),
    ...flags(fields, schemas),
  ];
  const [best] = found.toSorted((one, other) => other.weight - one.weight);
  const bonus =
    (isOfState ? 1 : 0) +
    (isAccepted ? 2 : 0) +
    (hasOutcome(fields, best?.state.path ?? []) ? 1 : 0);
  if (best) return { ...best, weight: best.weight + bonus, isAccepted };
  return isAccepted ? { state: { path: ["status"] }, weight: bonus, isAccepted } : undefined;
}

/** Names of fields of work beside its state. */
const OUTCOME =
  /^(?:errors?|(?:error|fail(?:ure)?)_?(?:message|reason|code)|results?|outputs?|progress|percent\w*|(?:result|download|file|output)_?url|(?:end(?:ed)?|finish(?:ed)?|completed?)(?:_?(?:at|date|time|on))?)$/i;

const hasOutcome = (fields: readonly Field[], state: readonly string[]): boolean =>
  fields.some(
    ({ path }) =>
      path.length === Math.max(1, state.length) && OUTCOME.test(path.at(-1)!.replaceAll("-", "_")),
  );

const EVIDENCE: WorkEvidence = { isJob: true, isOnlyWork: true, nouns: new Set() };

type Found = Omit<WeighedState, "isAccepted">;

/** States whose values the schema has. */
function describedStates(
  fields: readonly Field[],
  schemas: Schemas,
  nouns: ReadonlySet<string>,
  words: ReadonlySet<string>,
): readonly Found[] {
  return fields.flatMap(({ path, schema }) => {
    const name = path.at(-1)!;
    if (!isStateName(name)) return [];
    const states = statesOf(schema, schemas, EVIDENCE) ?? endsOf(schema, schemas, words);
    if (!states) return [];
    const all = isObject(schema)
      ? valuesOf(resolveSchema(schemas, schema as JsonSchema), schemas)
      : [];
    const isStandard = isStateField(name, nouns);
    const weight =
      1 +
      (states.running ? 1 : 0) +
      (states.failed ? 1 : 0) -
      (all.some((one) => isPersonal(one)) ? 1 : 0) -
      (path.length > 1 && !isStandard ? 0.5 : 0) -
      (path.length - 1) * 0.1 -
      (isStandard ? 0 : 0.1);
    return [{ state: { path, ...states }, weight }];
  });
}

const isPersonal = (value: string): boolean => {
  const words = normalizeState(value);
  return PERSONAL_STATES.test(words) || WAITING_STATES.test(words);
};

/** States of which only those at the end are listed: passed, skipped, failed. */
function endsOf(
  schema: AnySchema,
  schemas: Schemas,
  words: ReadonlySet<string>,
): States | undefined {
  if (!isObject(schema)) return undefined;
  const values = valuesOf(resolveSchema(schemas, schema as JsonSchema), schemas);
  const of = (stage: string): readonly string[] =>
    values.filter((value) => stageOfWord(value) === stage);
  const failed = of("failed");
  const done = [...of("done"), ...values.filter((value) => isDoneTo(value, words))];
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
    const types = typesOfField(schema, schemas);
    const target = isObject(schema) ? resolveSchema(schemas, schema as JsonSchema) : {};
    const isPlain =
      path.length <= 2 &&
      isStateField(name, nouns) &&
      types.includes("string") &&
      valuesOf(target, schemas).length === 0;
    if (!isPlain) return [];
    const listed = texts.flatMap((text) => (text === undefined ? [] : [statesInText(text)]));
    const states = listed.find((one) => one !== undefined);
    if (states) return [{ state: { path, ...states }, weight: 2 - (path.length - 1) * 0.1 }];
    const example = target.examples?.[0] ?? target["example"];
    const isWord = typeof example === "string" && stageOfWord(example) !== undefined;
    return [{ state: { path }, weight: 1 + (isWord ? 0.5 : 0) - (path.length - 1) * 0.2 }];
  });
}

/** States that a text quotes. */
function statesInText(text: string): States | undefined {
  const { words, isQuoted } = wordsOf(text);
  return isQuoted ? sortStates(namedStates(words), EVIDENCE, true) : undefined;
}

/** Names of flags of work that goes on, and of work that ended. */
const [RUNNING_FLAG, DONE_FLAG] = [
  /^(?:is |are )?(?:being \w+|in progress|running|processing|pending|syncing|active)$/,
  /^(?:is |has )?(?:done|completed|complete|finished|ready|processed)$/,
];

function flags(fields: readonly Field[], schemas: Schemas): readonly Found[] {
  return fields.flatMap(({ path, schema }) => {
    if (
      typesOfField(schema, schemas)
        .filter((type) => type !== "null")
        .join() !== "boolean"
    )
      return [];
    const name = normalizeState(path.at(-1)!);
    const weight = 1.5 - (path.length - 1) * 0.2;
    const isDone = DONE_FLAG.test(name);
    if (!isDone && !RUNNING_FLAG.test(name)) return [];
    return [{ state: { path, running: [!isDone], done: [isDone] }, weight }];
  });
}
