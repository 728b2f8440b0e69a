import { cleanText, quoteText } from "../../diagnostics/clean.js";
import type { JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { JsonValue, Wire } from "../../runtime/types.js";
import { wireOf } from "../binding/wire.js";
import { describeInput } from "../describe/input.js";
import type { Findings } from "../findings.js";
import { fitSchemas, type Fitted } from "../schema/limits.js";
import { MAX_DEPTH, type Projector } from "../schema/portable.js";
import { resolve, type Schemas } from "../schema/refs.js";
import { fits } from "../schema/values.js";
import type { PlannedInput } from "../types.js";
import type { Candidate, Role } from "./candidate.js";
import { nameInputs } from "./names.js";
import { roleOf, type RoleContext } from "./role.js";

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

/** One input on its way. */
interface Entry {
  readonly name: string;
  readonly candidate: Candidate;
  readonly required: boolean;
  /** Sent when the input is not given. */
  readonly fallback?: JsonValue | undefined;
}

/** Turns what an operation wants into the flat input object of its tool (DESIGN, section 5.5). */
export function planInputs(operation: Operation, candidates: readonly Candidate[], context: InputContext): InputPlan {
  const roles = new Map(candidates.map((candidate) => [candidate, roleOf(candidate, context)] as const));
  const open = candidates.filter((candidate) => roles.get(candidate)?.kind === "input");
  const names = nameInputs(open);
  const entries = open.map((candidate) => entryOf(candidate, names.get(candidate) as string, context.schemas));
  const filenames = nameFilenames(entries);
  const made = inputSchema(entries, filenames, operation, context);
  const byCandidate = new Map(entries.map((entry) => [entry.candidate, entry]));
  const wires = candidates.flatMap((candidate): [Candidate, Wire][] => {
    const entry = byCandidate.get(candidate);
    const wire = wireOf(candidate, roles.get(candidate) as Role, entry?.name, entry?.fallback);
    return wire === undefined ? [] : [[candidate, wire]];
  });
  return { ...made, wires, filenames, reasons: [...hiddenReasons(roles, context.findings), ...renameReasons(entries)] };
}

/** Required with a default is optional: the default is sent for it. */
function entryOf(candidate: Candidate, name: string, schemas: Schemas): Entry {
  const value = candidate.schema.default ?? resolve(schemas, candidate.schema).default;
  const fallback = candidate.required && value !== undefined && value !== null && fits(value, candidate.schema, schemas) ? (value as JsonValue) : undefined;
  return { name, candidate, required: candidate.required && fallback === undefined, fallback };
}

/** A single file of a form has a name, which APIs often keep. */
function nameFilenames(entries: readonly Entry[]): Map<string, string> {
  const taken = new Set(entries.map((entry) => entry.name));
  const found = new Map<string, string>();
  for (const { candidate, name } of entries) {
    const filename = `${name.slice(0, 55)}_filename`;
    if (candidate.file !== "one" || candidate.whole || taken.has(filename)) continue;
    taken.add(filename);
    found.set(candidate.wireName, filename);
  }
  return found;
}

function inputSchema(entries: readonly Entry[], filenames: ReadonlyMap<string, string>, operation: Operation, context: InputContext): Pick<InputPlan, "inputs" | "schema"> {
  const { fitted, defs } = fitSchemas(entries.map((entry) => ({ schema: schemaFor(entry.candidate), where: { place: entry.candidate.at, label: entry.candidate.wireName } })), context.projector);
  const made = entries.flatMap((entry, i) => withFilename(entry, property(entry, fitted[i] as Fitted, operation, context), filenames));
  const ordered = [...made.filter(({ input }) => input.required), ...made.filter(({ input }) => !input.required)];
  const required = ordered.filter(({ input }) => input.required).map(({ input }) => input.name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(ordered.map(({ input, schema: one }) => [input.name, one])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
  return { inputs: ordered.map(({ input }) => input), schema };
}

interface Made {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

const FILE: JsonSchema = { type: "string", contentEncoding: "base64" };

function schemaFor({ file, schema }: Candidate): JsonSchema {
  if (file === undefined) return schema;
  return file === "one" ? FILE : { type: "array", items: FILE };
}

function property(entry: Entry, { projection, levels }: Fitted, operation: Operation, { schemas, findings }: InputContext): Made {
  const { candidate, name, required } = entry;
  reportWeakening(entry, projection.cut, levels, operation, findings);
  const description = describeInput({
    name, wireName: cleanText(candidate.wireName), text: candidate.description, schema: { ...resolve(schemas, candidate.schema), ...ownDefault(candidate.schema) },
    deprecated: candidate.deprecated, file: candidate.file, said: projection.said,
  });
  return { input: { name, description, required, type: candidate.file ? schemaFor(candidate) : candidate.schema }, schema: { ...projection.schema, description } };
}

const ownDefault = (schema: JsonSchema): JsonSchema => (schema.default === undefined ? {} : { default: schema.default });

function withFilename({ candidate, name }: Entry, made: Made, filenames: ReadonlyMap<string, string>): Made[] {
  const filename = candidate.file === "one" ? filenames.get(candidate.wireName) : undefined;
  if (filename === undefined) return [made];
  const description = `File name of ${name}, such as report.pdf.`;
  return [made, { input: { name: filename, description, required: false, type: { type: "string" } }, schema: { type: "string", description } }];
}

function reportWeakening({ candidate, name }: Entry, cut: boolean, levels: number | undefined, operation: Operation, findings: Findings): void {
  if (!cut) return;
  const place = candidate.parameter ? candidate.at : operation.place;
  const input = quoteText(name);
  if (levels === undefined) findings.add("plan-schema-depth", `The input ${input} is nested deeper than ${MAX_DEPTH / 2} levels; what lies below is not described.`, place);
  else findings.add("plan-schema-size", `The input ${input} is too large for a tool; ${levels === 0 ? "nothing inside it" : `only ${levels === 1 ? "1 level" : `${levels} levels`} of it`} is described.`, place);
}

function hiddenReasons(roles: ReadonlyMap<Candidate, Role>, findings: Findings): string[] {
  return [...roles].flatMap(([{ place, wireName, at }, role]): string[] => {
    const subject = `${place} ${quoteText(wireName, 60)}`;
    if (role.kind === "none") findings.add("plan-parameter-hidden", `The ${place} parameter ${quoteText(wireName, 60)} is no input: ${role.why}.`, at);
    if (role.kind === "env") findings.add("plan-parameter-hidden", `The ${place} parameter ${quoteText(wireName, 60)} is no input: it is a credential, sent from ${role.env}.`, at);
    if (role.kind === "none") return [`${subject} is no input: ${role.why}.`];
    if (role.kind === "env") return [`${subject} is no input: it is sent from ${role.env}.`];
    if (role.kind === "constant") return [`${subject} is no input: it has one possible value.`];
    return role.kind === "generated" ? [`${subject} is no input: each call gets a new key.`] : [];
  });
}

function renameReasons(entries: readonly Entry[]): string[] {
  return entries.filter(({ name, candidate }) => name !== candidate.wireName).map(({ name, candidate }) => `${candidate.place} ${quoteText(candidate.wireName, 60)} is the input ${name}.`);
}
