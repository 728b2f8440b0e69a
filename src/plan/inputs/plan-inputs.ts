import { sanitizeText, quoteText } from "../../diagnostics/text.js";
import type { JsonSchema } from "../../json.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { JsonValue, ParameterSource } from "../../runtime/types.js";
import { describeInput } from "../descriptions/input.js";
import type { WholeTexts } from "../text/whole-texts.js";
import type { CrossReferences } from "../text/tool-marks.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { createEnumMeaningWriter, matchesSchema } from "../schemas/values.js";
import {
  type LimitedPart,
  limitSchemas,
  MAX_DEPTH,
  type Projector,
} from "../schemas/portable/projection.js";
import { isJsonMediaType, successResponses } from "../outputs/payload.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedInput } from "../types.js";
import {
  candidateOfParameter,
  explainRole,
  type InputCandidate,
  type InputRole,
  nameInputs,
} from "./candidates.js";
import { inferDescription, isUninformative } from "./infer-description.js";
import { acceptList, keepSendableValues, parameterSource } from "./parameter-source.js";
import { findRepeatedValues } from "./duplicate-inputs.js";
import { decideRole } from "./roles.js";
import type { IsAuthenticated, RoleContext } from "./role-context.js";

/** The inputs of one tool, their schema, and the sources of all values of the request. */
export interface InputPlan {
  readonly inputs: readonly PlannedInput[];
  readonly schema: JsonSchema;
  /** All values that are sent, including constants, in document order. */
  readonly sources: readonly (readonly [InputCandidate, ParameterSource])[];
  /** By field name of a file: the input that takes its file name. */
  readonly fileNameInputs: ReadonlyMap<string, string>;
  readonly reasons: readonly string[];
}

interface InputContext extends RoleContext {
  readonly schemas: Schemas;
  readonly projector: Projector;
  readonly diagnostics: DiagnosticCollector;
  readonly crossReferences: CrossReferences;
  readonly wholeTexts: WholeTexts;
}

/** Context of input planning, with lookups shared by all operations. */
interface InputPlanningContext extends InputContext {
  readonly enumMeanings: (schema: JsonSchema) => string | undefined;
}

/** A named input before its schema and description are written. */
interface InputEntry {
  readonly name: string;
  readonly candidate: InputCandidate;
  readonly required: boolean;
  /** Value that is sent when the input is absent. */
  readonly defaultValue?: JsonValue | undefined;
}

/** An input with its schema and description. */
interface FinishedInput {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

/**
 * Plans the flat input object of a tool from the parameters of an operation and the parts of its
 * body.
 */
export type InputPlanner = (
  operation: Operation,
  body: readonly InputCandidate[],
  isAuthenticated: IsAuthenticated,
) => InputPlan;

/** Creates an input planner. Parameters that several operations share are processed once. */
export function createInputPlanner(options: InputContext): InputPlanner {
  const context: InputPlanningContext = {
    ...options,
    enumMeanings: createEnumMeaningWriter(options.schemas),
  };
  const candidatesByParameter = new Map<Parameter, InputCandidate | undefined>();
  const finished = new Map<InputCandidate, FinishedInput>();
  const candidateOf = (parameter: Parameter, operation: Operation): InputCandidate | undefined => {
    if (candidatesByParameter.has(parameter)) return candidatesByParameter.get(parameter);
    const { schemas, diagnostics } = context;
    const all = candidateOfParameter(parameter, schemas);
    const sendable = keepSendableValues(all, operation.path, schemas, diagnostics);
    const accepted = sendable && acceptList(sendable, schemas);
    const isResponseFormat = selectsJson(parameter, operation);
    const candidate = accepted && { ...accepted, ...(isResponseFormat && { isResponseFormat }) };
    candidatesByParameter.set(parameter, candidate);
    return candidate;
  };
  return (operation, body, isAuthenticated) => {
    const fields = body.map((field) => acceptList(field, context.schemas));
    const parameters = operation.parameters.flatMap(
      (parameter) => candidateOf(parameter, operation) ?? [],
    );
    const candidates = [...parameters, ...fields];
    return planInputs(operation, candidates, isAuthenticated, context, finished);
  };
}

/** `content_type` of `/queries.{content_type}`, whose response can be JSON. */
const selectsJson = ({ in: location, name }: Parameter, { path, responses }: Operation): boolean =>
  location === "path" &&
  path.endsWith(`.{${name}}`) &&
  successResponses(responses).some(({ contents }) =>
    contents.some(({ mediaType }) => isJsonMediaType(mediaType)),
  );

function planInputs(
  operation: Operation,
  candidates: readonly InputCandidate[],
  isAuthenticated: IsAuthenticated,
  context: InputPlanningContext,
  finished: Map<InputCandidate, FinishedInput>,
): InputPlan {
  const roles = candidates.map((candidate) => decideRole(candidate, context, isAuthenticated));
  const isInput = new Set(candidates.filter((_, i) => roles[i]?.kind === "input"));
  const repeated = findRepeatedValues([...isInput], operation.path, context.schemas);
  const inputCandidates = [...isInput].filter((candidate) => !repeated.has(candidate));
  const names = nameInputs(inputCandidates);
  const entries = inputCandidates.map((candidate, i) =>
    entryOf(candidate, names[i] as string, context.schemas),
  );
  const sources: [InputCandidate, ParameterSource][] = [];
  const reasons: string[] = [];
  const entryByCandidate = new Map(entries.map((entry) => [entry.candidate, entry]));
  candidates.forEach((candidate, i) => {
    const role = roles[i] as InputRole;
    const original = repeated.get(candidate);
    const entry = entryByCandidate.get(original ?? candidate);
    if (original) reasons.push(repeatedReason(candidate, entry));
    if (original && !candidate.required) return;
    const source = parameterSource(candidate, role, entry?.name, entry?.defaultValue);
    if (source !== undefined) sources.push([candidate, source]);
    const reason = explainRole(candidate, role, entry?.name, context.diagnostics);
    if (reason !== undefined) reasons.push(reason);
    if (role.isInferred) context.hiddenInputs?.add(operation, candidate);
  });
  const fileNameInputs = nameFileNameInputs(entries);
  return {
    ...buildInputSchema(entries, fileNameInputs, operation, context, finished),
    sources,
    fileNameInputs,
    reasons,
  };
}

const repeatedReason = (
  { in: location, wireName, required }: InputCandidate,
  entry?: InputEntry,
): string =>
  `${quoteText(wireName, 60)} of the ${location} repeats the input ${entry?.name ?? wireName}, ` +
  `${required ? "which sets both" : "so it is not sent"}.`;

/**
 * A required value with a default becomes an optional input; the default is sent. The default of a
 * whole body is not: documents state a sample payload there.
 */
function entryOf(candidate: InputCandidate, name: string, schemas: Schemas): InputEntry {
  const { required, isWholeBody } = candidate;
  if (!required || isWholeBody) return { name, candidate, required };
  const value = candidate.schema.default ?? resolveSchema(schemas, candidate.schema).default;
  const defaultValue =
    value !== undefined && value !== null && matchesSchema(value, candidate.schema, schemas)
      ? (value as JsonValue)
      : undefined;
  return { name, candidate, required: defaultValue === undefined, defaultValue };
}

const NO_FILE_NAMES: ReadonlyMap<string, string> = new Map();

/** Single files of a form have a name, which APIs often store. */
function nameFileNameInputs(entries: readonly InputEntry[]): ReadonlyMap<string, string> {
  const files = entries.filter(
    ({ candidate }) => candidate.file === "one" && !candidate.isWholeBody,
  );
  if (files.length === 0) return NO_FILE_NAMES;
  const taken = new Set(entries.map((entry) => entry.name));
  const fileNameInputs = new Map<string, string>();
  for (const { candidate, name } of files) {
    const filename = `${name.slice(0, 55)}_filename`;
    if (!taken.has(filename)) fileNameInputs.set(candidate.wireName, filename);
    taken.add(filename);
  }
  return fileNameInputs;
}

/**
 * Inputs of a tool, required ones first, and their schema.
 * @param finished inputs of other tools, for reuse
 */
function buildInputSchema(
  entries: readonly InputEntry[],
  fileNameInputs: ReadonlyMap<string, string>,
  operation: Operation,
  context: InputPlanningContext,
  finished: Map<InputCandidate, FinishedInput>,
): Pick<InputPlan, "inputs" | "schema"> {
  const { parts, defs } = limitSchemas(
    entries.map(({ candidate }) => candidate),
    context.projector,
  );
  const required: FinishedInput[] = [];
  const optional: FinishedInput[] = [];
  entries.forEach((entry, i) => {
    const group = entry.required ? required : optional;
    group.push(finishInput(entry, parts[i] as LimitedPart, operation, context, finished));
    const isFile = fileNameInputs.size > 0 && entry.candidate.file === "one";
    const name = isFile ? fileNameInputs.get(entry.candidate.wireName) : undefined;
    if (name !== undefined) group.push(fileNameInput(name, entry.name));
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
 * Describes an input. The same candidate with the same name is reused in every tool, unless its
 * description is inferred or its schema is weakened.
 */
function finishInput(
  entry: InputEntry,
  { projection, levels }: LimitedPart,
  operation: Operation,
  { schemas, diagnostics, crossReferences, wholeTexts, enumMeanings }: InputPlanningContext,
  finished: Map<InputCandidate, FinishedInput>,
): FinishedInput {
  const { candidate, name, required } = entry;
  const isSilent = isUninformative(candidate.description ?? "", candidate.wireName);
  const cached = isSilent ? undefined : finished.get(candidate);
  if (cached && cached.input.name === name && levels === undefined) return cached;
  if (projection.isTruncated) reportWeakening(entry, levels, operation, diagnostics);
  const target = resolveSchema(schemas, candidate.schema);
  const meaning = enumMeanings(candidate.schema);
  const isNew = meaning !== undefined && !containsSentence(projection.schema, meaning);
  const source = {
    wireName: sanitizeText(candidate.wireName),
    text: isSilent
      ? inferDescription(candidate, operation, schemas)
      : crossReferences.link(candidate.description ?? "", operation),
    schema: withValidDefault(target, candidate.schema.default, schemas),
    required: candidate.required,
    deprecated: candidate.deprecated,
    file: candidate.file,
    isJsonText: candidate.isJsonText,
    notes: isNew ? [...projection.notes, meaning] : projection.notes,
  };
  const text = describeInput(source, wholeTexts);
  const description = isUninformative(text, candidate.wireName) ? "" : text;
  const result = {
    input: { name, description, required, type: candidate.schema },
    schema: description === "" ? projection.schema : { ...projection.schema, description },
  };
  if (levels === undefined && !isSilent) finished.set(candidate, result);
  return result;
}

/**
 * The resolved schema of an input with the default next to its `$ref`, if any. A default that the
 * schema does not accept is left out, as in the tool's schema.
 */
function withValidDefault(target: JsonSchema, ownDefault: unknown, schemas: Schemas): JsonSchema {
  const schema = ownDefault === undefined ? target : { ...target, default: ownDefault };
  const { default: value, ...rest } = schema;
  return value === undefined || matchesSchema(value, target, schemas) ? schema : rest;
}

/** True when a description inside a schema contains the sentence. */
function containsSentence(schema: JsonSchema, sentence: string): boolean {
  return JSON.stringify(schema).includes(JSON.stringify(sentence).slice(1, -1));
}

/** Input for the name of a file. Follows the file, even among required inputs. */
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
  const location = candidate.parameter ? candidate.usage.location : operation.location;
  const input = quoteText(name);
  const remaining = levels ?? MAX_DEPTH / 2;
  const limit = `Only ${remaining === 1 ? "1 level is" : `${remaining} levels are`} described.`;
  if (levels === undefined) {
    diagnostics.add(
      "plan-schema-depth",
      `The input ${input} is nested too deeply. ${limit}`,
      location,
    );
  } else {
    diagnostics.add(
      "plan-schema-size",
      `The input ${input} is too large for a tool. ${limit}`,
      location,
    );
  }
}
