import { sanitizeText, quoteText } from "../../diagnostics/text.js";
import type { JsonSchema } from "../../json.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { JsonValue, ParameterSource } from "../../runtime/types.js";
import { describeInput } from "../descriptions/input.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { createEnumMeaningWriter } from "../schemas/enum-meanings.js";
import { type LimitedPart, limitSchemas } from "../schemas/portable/limits.js";
import { MAX_DEPTH, type Projector } from "../schemas/portable/projector.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { matchesSchema } from "../schemas/values.js";
import type { PlannedInput } from "../types.js";
import { candidateOfParameter, type InputCandidate, type InputRole } from "./candidates.js";
import { inferDescription, isUninformative } from "./infer-description.js";
import { nameInputs } from "./input-names.js";
import { parameterSource } from "./parameter-source.js";
import { decideRole, explainRole, type IsAuthenticated, type RoleContext } from "./roles.js";

/** The inputs of one tool, their schema, and the wires from them to the request. */
export interface InputPlan {
  readonly inputs: readonly PlannedInput[];
  readonly schema: JsonSchema;
  /** Everything that is sent, constants too, in document order. */
  readonly sources: readonly (readonly [InputCandidate, ParameterSource])[];
  /** By wire name of a file field: the input that holds the file's name. */
  readonly fileNameInputs: ReadonlyMap<string, string>;
  readonly reasons: readonly string[];
}

export interface InputContext extends RoleContext {
  readonly schemas: Schemas;
  readonly projector: Projector;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Turns what an operation wants, parameters and parts of its body, into the flat input object of
 * its tool.
 */
export type InputPlanner = (
  operation: Operation,
  body: readonly InputCandidate[],
  isAuthenticated: IsAuthenticated,
) => InputPlan;

/** Parameters that many operations share are looked at once. */
export function createInputPlanner(given: InputContext): InputPlanner {
  const context: InputPlanningContext = {
    ...given,
    enumMeanings: createEnumMeaningWriter(given.schemas),
  };
  const shared = new Map<Parameter, InputCandidate>();
  const finished = new Map<InputCandidate, FinishedInput>();
  const candidateOf = (parameter: Parameter): InputCandidate => {
    const known = shared.get(parameter) ?? candidateOfParameter(parameter, context.schemas);
    shared.set(parameter, known);
    return known;
  };
  return (operation, body, isAuthenticated) => {
    const candidates = [...operation.parameters.map(candidateOf), ...body];
    return planInputs(operation, candidates, isAuthenticated, context, finished);
  };
}

function planInputs(
  operation: Operation,
  candidates: readonly InputCandidate[],
  isAuthenticated: IsAuthenticated,
  context: InputPlanningContext,
  finished: Map<InputCandidate, FinishedInput>,
): InputPlan {
  const roles = candidates.map((candidate) => decideRole(candidate, context, isAuthenticated));
  const open = candidates.filter((_, i) => roles[i]?.kind === "input");
  const names = nameInputs(open);
  const entries = open.map((candidate, i) =>
    entryOf(candidate, names[i] as string, context.schemas),
  );
  const wires: [InputCandidate, ParameterSource][] = [];
  const reasons: string[] = [];
  let next = 0;
  candidates.forEach((candidate, i) => {
    const role = roles[i] as InputRole;
    const entry = role.kind === "input" ? entries[next++] : undefined;
    const wire = parameterSource(candidate, role, entry?.name, entry?.defaultValue);
    if (wire !== undefined) wires.push([candidate, wire]);
    const reason = explainRole(candidate, role, entry?.name, context.diagnostics);
    if (reason !== undefined) reasons.push(reason);
  });
  const filenames = nameFileNameInputs(entries);
  return {
    ...buildInputSchema(entries, filenames, operation, context, finished),
    sources: wires,
    fileNameInputs: filenames,
    reasons,
  };
}

/** Required with a default is optional: the default is sent for it. */
function entryOf(candidate: InputCandidate, name: string, schemas: Schemas): InputEntry {
  if (!candidate.required) return { name, candidate, required: false };
  const value = candidate.schema.default ?? resolveSchema(schemas, candidate.schema).default;
  const fallback =
    value !== undefined && value !== null && matchesSchema(value, candidate.schema, schemas)
      ? (value as JsonValue)
      : undefined;
  return { name, candidate, required: fallback === undefined, defaultValue: fallback };
}

const NO_FILE_NAMES: ReadonlyMap<string, string> = new Map();

/** A single file of a form has a name, which APIs often keep. */
function nameFileNameInputs(entries: readonly InputEntry[]): ReadonlyMap<string, string> {
  const files = entries.filter(
    ({ candidate }) => candidate.file === "one" && !candidate.isWholeBody,
  );
  if (files.length === 0) return NO_FILE_NAMES;
  const taken = new Set(entries.map((entry) => entry.name));
  const found = new Map<string, string>();
  for (const { candidate, name } of files) {
    const filename = `${name.slice(0, 55)}_filename`;
    if (!taken.has(filename)) found.set(candidate.wireName, filename);
    taken.add(filename);
  }
  return found;
}

/** What planning inputs takes, with what is looked up once for all of them. */
export interface InputPlanningContext extends InputContext {
  readonly enumMeanings: (schema: JsonSchema) => string | undefined;
}

/** One input on its way. */
export interface InputEntry {
  readonly name: string;
  readonly candidate: InputCandidate;
  readonly required: boolean;
  /** Sent when the input is not given. */
  readonly defaultValue?: JsonValue | undefined;
}

/** An input, finished. */
export interface FinishedInput {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

/**
 * The inputs of a tool, required ones first, and their schema. @param finished those that other
 * tools have, too
 */
export function buildInputSchema(
  entries: readonly InputEntry[],
  filenames: ReadonlyMap<string, string>,
  operation: Operation,
  context: InputPlanningContext,
  finished: Map<InputCandidate, FinishedInput>,
): Pick<InputPlan, "inputs" | "schema"> {
  const { fitted, defs } = limitSchemas(
    entries.map(({ candidate }) => candidate),
    context.projector,
  );
  const required: FinishedInput[] = [];
  const optional: FinishedInput[] = [];
  entries.forEach((entry, i) => {
    const made = finishInput(entry, fitted[i] as LimitedPart, operation, context, finished);
    (entry.required ? required : optional).push(made);
    const filename =
      filenames.size > 0 && entry.candidate.file === "one"
        ? filenames.get(entry.candidate.wireName)
        : undefined;
    if (filename !== undefined)
      (entry.required ? required : optional).push(fileNameInput(filename, entry.name));
  });
  const ordered = required.length === 0 ? optional : [...required, ...optional];
  const properties: { [name: string]: JsonSchema } = {};
  for (const { input, schema } of ordered) properties[input.name] = schema;
  const names = required.filter(({ input }) => input.required).map(({ input }) => input.name);
  const schema = {
    type: "object",
    properties,
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
  return { inputs: ordered.map(({ input }) => input), schema };
}

/**
 * The same candidate under the same name, described and not weakened, is the same input in every
 * tool.
 */
function finishInput(
  entry: InputEntry,
  { projection, levels }: LimitedPart,
  operation: Operation,
  { schemas, diagnostics, enumMeanings: codes }: InputPlanningContext,
  finished: Map<InputCandidate, FinishedInput>,
): FinishedInput {
  const { candidate, name, required } = entry;
  const silent = isUninformative(candidate.description ?? "", candidate.wireName);
  const known = silent ? undefined : finished.get(candidate);
  if (known && known.input.name === name && levels === undefined) return known;
  if (projection.isTruncated) reportWeakening(entry, levels, operation, diagnostics);
  const target = resolveSchema(schemas, candidate.schema);
  const meaning = codes(candidate.schema);
  const description = describeInput({
    name,
    wireName: sanitizeText(candidate.wireName),
    text: silent ? inferDescription(candidate, operation, schemas) : candidate.description,
    schema:
      candidate.schema.default === undefined
        ? target
        : { ...target, default: candidate.schema.default },
    required: candidate.required,
    deprecated: candidate.deprecated,
    file: candidate.file,
    notes:
      meaning === undefined || containsSentence(projection.schema, meaning)
        ? projection.notes
        : [...projection.notes, meaning],
  });
  const made = {
    input: { name, description, required, type: candidate.schema },
    schema: { ...projection.schema, description },
  };
  if (levels === undefined && !silent) finished.set(candidate, made);
  return made;
}

/** Whether a schema has a sentence already, in a description somewhere within. */
function containsSentence(schema: JsonSchema, sentence: string): boolean {
  return JSON.stringify(schema).includes(JSON.stringify(sentence).slice(1, -1));
}

/** Stands behind its file, among the required inputs too, though it never is required. */
function fileNameInput(name: string, file: string): FinishedInput {
  const description = `File name of ${file}, such as report.pdf.`;
  return {
    input: { name, description, required: false, type: { type: "string" } },
    schema: { type: "string", description },
  };
}

function reportWeakening(
  { candidate, name }: InputEntry,
  levels: number | undefined,
  operation: Operation,
  diagnostics: DiagnosticCollector,
): void {
  const place = candidate.parameter ? candidate.where.location : operation.location;
  const input = quoteText(name);
  if (levels === undefined)
    diagnostics.add(
      "plan-schema-depth",
      `The input ${input} is nested deeper than ${MAX_DEPTH / 2} levels; what lies below is not described.`,
      place,
    );
  else
    diagnostics.add(
      "plan-schema-size",
      `The input ${input} is too large for a tool; what lies deeper than ${levels === 1 ? "1 level" : `${levels} levels`} is not described.`,
      place,
    );
}
