import { cleanText, quoteText } from "../../diagnostics/clean.js";
import type { JsonSchema } from "../../json.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { JsonValue, Wire } from "../../runtime/types.js";
import { wireOf } from "../binding/wire.js";
import { codesWriter } from "../describe/codes.js";
import { describeInput } from "../describe/input.js";
import type { Findings } from "../findings.js";
import { withoutNull } from "../schema/null.js";
import { fitSchemas, type Fitted } from "../schema/limits.js";
import { MAX_DEPTH, type Projector } from "../schema/portable.js";
import { resolve, type Schemas } from "../schema/refs.js";
import { fits } from "../schema/values.js";
import type { PlannedInput } from "../types.js";
import type { Candidate, Role } from "./candidate.js";
import { nameInputs } from "./names.js";
import { type IsAuthenticated, roleOf, type RoleContext } from "./role.js";
import { saysNothing, unsaid } from "./unsaid.js";

/** The inputs of one tool, their schema, and the wires from them to the request. */
export interface InputPlan {
  readonly inputs: readonly PlannedInput[];
  readonly schema: JsonSchema;
  /** Everything that is sent, constants too, in document order. */
  readonly wires: readonly (readonly [Candidate, Wire])[];
  /** By wire name of a file field: the input that holds the file's name. */
  readonly filenames: ReadonlyMap<string, string>;
  readonly reasons: readonly string[];
}

export interface InputContext extends RoleContext {
  readonly schemas: Schemas;
  readonly projector: Projector;
  readonly findings: Findings;
}

/** The same, with what is looked up once for all inputs. */
interface Planning extends InputContext {
  readonly codes: (schema: JsonSchema) => string | undefined;
}

/** Turns what an operation wants, parameters and parts of its body, into the flat input object of its tool (DESIGN, section 5.5). */
export type InputPlanner = (operation: Operation, body: readonly Candidate[], isAuthenticated: IsAuthenticated) => InputPlan;

/** One input on its way. */
interface Entry {
  readonly name: string;
  readonly candidate: Candidate;
  readonly required: boolean;
  /** Sent when the input is not given. */
  readonly fallback?: JsonValue | undefined;
}

/** An input, finished. */
interface Made {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

/** Parameters that many operations share are looked at once. */
export function inputPlanner(given: InputContext): InputPlanner {
  const context: Planning = { ...given, codes: codesWriter(given.schemas) };
  const shared = new Map<Parameter, Candidate>();
  const finished = new Map<Candidate, Made>();
  const candidateOf = (parameter: Parameter): Candidate => {
    const known = shared.get(parameter) ?? parameterCandidate(parameter, context.schemas);
    shared.set(parameter, known);
    return known;
  };
  return (operation, body, isAuthenticated) => {
    const candidates = [...operation.parameters.map(candidateOf), ...body];
    return planInputs(operation, candidates, isAuthenticated, context, finished);
  };
}

/** A parameter as one value that an operation wants. */
export function parameterCandidate(parameter: Parameter, schemas: Schemas): Candidate {
  const { in: place, name, required, deprecated } = parameter;
  const schema = parameter.contentType === undefined ? withoutNull(parameter.schema, schemas) : parameter.schema;
  const description = parameter.description ?? schema.description ?? resolve(schemas, schema).description;
  return { place, wireName: name, schema, required, deprecated, description, parameter, where: { place: parameter.place, label: name } };
}

function planInputs(operation: Operation, candidates: readonly Candidate[], isAuthenticated: IsAuthenticated, context: Planning, finished: Map<Candidate, Made>): InputPlan {
  const roles = candidates.map((candidate) => roleOf(candidate, context, isAuthenticated));
  const open = candidates.filter((_, i) => roles[i]?.kind === "input");
  const names = nameInputs(open);
  const entries = open.map((candidate, i) => entryOf(candidate, names[i] as string, context.schemas));
  const wires: [Candidate, Wire][] = [];
  const reasons: string[] = [];
  let next = 0;
  candidates.forEach((candidate, i) => {
    const role = roles[i] as Role;
    const entry = role.kind === "input" ? entries[next++] : undefined;
    const wire = wireOf(candidate, role, entry?.name, entry?.fallback);
    if (wire !== undefined) wires.push([candidate, wire]);
    const reason = reasonFor(candidate, role, entry?.name, context.findings);
    if (reason !== undefined) reasons.push(reason);
  });
  const filenames = nameFilenames(entries);
  return { ...inputSchema(entries, filenames, operation, context, finished), wires, filenames, reasons };
}

/** Required with a default is optional: the default is sent for it. */
function entryOf(candidate: Candidate, name: string, schemas: Schemas): Entry {
  if (!candidate.required) return { name, candidate, required: false };
  const value = candidate.schema.default ?? resolve(schemas, candidate.schema).default;
  const fallback = value !== undefined && value !== null && fits(value, candidate.schema, schemas) ? (value as JsonValue) : undefined;
  return { name, candidate, required: fallback === undefined, fallback };
}

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** A single file of a form has a name, which APIs often keep. */
function nameFilenames(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const files = entries.filter(({ candidate }) => candidate.file === "one" && !candidate.whole);
  if (files.length === 0) return NO_FILES;
  const taken = new Set(entries.map((entry) => entry.name));
  const found = new Map<string, string>();
  for (const { candidate, name } of files) {
    const filename = `${name.slice(0, 55)}_filename`;
    if (!taken.has(filename)) found.set(candidate.wireName, filename);
    taken.add(filename);
  }
  return found;
}

function inputSchema(entries: readonly Entry[], filenames: ReadonlyMap<string, string>, operation: Operation, context: Planning, finished: Map<Candidate, Made>): Pick<InputPlan, "inputs" | "schema"> {
  const { fitted, defs } = fitSchemas(entries.map(({ candidate }) => candidate), context.projector);
  const required: Made[] = [];
  const optional: Made[] = [];
  entries.forEach((entry, i) => {
    const made = property(entry, fitted[i] as Fitted, operation, context, finished);
    (entry.required ? required : optional).push(made);
    const filename = filenames.size > 0 && entry.candidate.file === "one" ? filenames.get(entry.candidate.wireName) : undefined;
    if (filename !== undefined) (entry.required ? required : optional).push(filenameInput(filename, entry.name));
  });
  const ordered = required.length === 0 ? optional : [...required, ...optional];
  const properties: { [name: string]: JsonSchema } = {};
  for (const { input, schema } of ordered) properties[input.name] = schema;
  const names = required.filter(({ input }) => input.required).map(({ input }) => input.name);
  const schema = { type: "object", properties, ...(names.length > 0 && { required: names }), additionalProperties: false, ...(Object.keys(defs).length > 0 && { $defs: defs }) };
  return { inputs: ordered.map(({ input }) => input), schema };
}

/** The same candidate under the same name, described and not weakened, is the same input in every tool. */
function property(entry: Entry, { projection, levels }: Fitted, operation: Operation, { schemas, findings, codes }: Planning, finished: Map<Candidate, Made>): Made {
  const { candidate, name, required } = entry;
  const silent = saysNothing(candidate.description ?? "", candidate.wireName);
  const known = silent ? undefined : finished.get(candidate);
  if (known && known.input.name === name && levels === undefined) return known;
  if (projection.cut) reportWeakening(entry, levels, operation, findings);
  const target = resolve(schemas, candidate.schema);
  const meaning = codes(candidate.schema);
  const description = describeInput({
    name, wireName: cleanText(candidate.wireName), text: silent ? unsaid(candidate, operation, schemas) : candidate.description, schema: candidate.schema.default === undefined ? target : { ...target, default: candidate.schema.default },
    required: candidate.required, deprecated: candidate.deprecated, file: candidate.file, said: meaning === undefined || tells(projection.schema, meaning) ? projection.said : [...projection.said, meaning],
  });
  const made = { input: { name, description, required, type: candidate.schema }, schema: { ...projection.schema, description } };
  if (levels === undefined && !silent) finished.set(candidate, made);
  return made;
}

/** Whether a schema has a sentence already, in a description somewhere within. */
function tells(schema: JsonSchema, sentence: string): boolean {
  return JSON.stringify(schema).includes(JSON.stringify(sentence).slice(1, -1));
}

/** Stands behind its file, among the required inputs too, though it never is required. */
function filenameInput(name: string, file: string): Made {
  const description = `File name of ${file}, such as report.pdf.`;
  return { input: { name, description, required: false, type: { type: "string" } }, schema: { type: "string", description } };
}

function reportWeakening({ candidate, name }: Entry, levels: number | undefined, operation: Operation, findings: Findings): void {
  const place = candidate.parameter ? candidate.where.place : operation.place;
  const input = quoteText(name);
  if (levels === undefined) findings.add("plan-schema-depth", `The input ${input} is nested deeper than ${MAX_DEPTH / 2} levels; what lies below is not described.`, place);
  else findings.add("plan-schema-size", `The input ${input} is too large for a tool; what lies deeper than ${levels === 1 ? "1 level" : `${levels} levels`} is not described.`, place);
}

/** Why a candidate is no input, or has another name; what is kept from the caller altogether is a finding too. */
function reasonFor({ place, wireName, where }: Candidate, role: Role, name: string | undefined, findings: Findings): string | undefined {
  if (role.kind === "input" && name === wireName) return undefined;
  const subject = `${place} ${quoteText(wireName, 60)}`;
  const hide = (why: string): string => {
    findings.add("plan-parameter-hidden", `The ${place} parameter ${quoteText(wireName, 60)} is no input: ${why}.`, where.place);
    return `${subject} is no input: ${why}.`;
  };
  switch (role.kind) {
    case "none":
      return hide(role.why);
    case "env":
      return role.why === undefined ? hide(`it is a credential, sent from ${role.env}`) : `${subject} is no input: ${role.why}.`;
    case "constant":
      return `${subject} is no input: ${role.why ?? "it has one possible value"}.`;
    case "generated":
      return `${subject} is no input: each call gets a new key.`;
    case "input":
      return `${subject} is the input ${name}.`;
  }
}
