import type { JsonSchema } from "../../json.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { JsonValue, Wire } from "../../runtime/types.js";
import { wireOf } from "../binding/wire.js";
import { codesWriter } from "../describe/codes.js";
import type { Findings } from "../findings.js";
import { withoutNull } from "../schema/null.js";
import type { Projector } from "../schema/portable.js";
import { resolve, type Schemas } from "../schema/refs.js";
import { fits } from "../schema/values.js";
import type { PlannedInput } from "../types.js";
import type { Candidate, Role } from "./candidate.js";
import { nameInputs } from "./names.js";
import { reasonFor } from "./reasons.js";
import { type IsAuthenticated, roleOf, type RoleContext } from "./role.js";
import { type Entry, inputSchema, type Made, type Planning } from "./schema.js";

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

/**
 * Turns what an operation wants, parameters and parts of its body, into the flat input object of
 * its tool.
 */
export type InputPlanner = (
  operation: Operation,
  body: readonly Candidate[],
  isAuthenticated: IsAuthenticated,
) => InputPlan;

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
  const schema =
    parameter.contentType === undefined ? withoutNull(parameter.schema, schemas) : parameter.schema;
  const description =
    parameter.description ?? schema.description ?? resolve(schemas, schema).description;
  return {
    place,
    wireName: name,
    schema,
    required,
    deprecated,
    description,
    parameter,
    where: { place: parameter.place, label: name },
  };
}

function planInputs(
  operation: Operation,
  candidates: readonly Candidate[],
  isAuthenticated: IsAuthenticated,
  context: Planning,
  finished: Map<Candidate, Made>,
): InputPlan {
  const roles = candidates.map((candidate) => roleOf(candidate, context, isAuthenticated));
  const open = candidates.filter((_, i) => roles[i]?.kind === "input");
  const names = nameInputs(open);
  const entries = open.map((candidate, i) =>
    entryOf(candidate, names[i] as string, context.schemas),
  );
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
  return {
    ...inputSchema(entries, filenames, operation, context, finished),
    wires,
    filenames,
    reasons,
  };
}

/** Required with a default is optional: the default is sent for it. */
function entryOf(candidate: Candidate, name: string, schemas: Schemas): Entry {
  if (!candidate.required) return { name, candidate, required: false };
  const value = candidate.schema.default ?? resolve(schemas, candidate.schema).default;
  const fallback =
    value !== undefined && value !== null && fits(value, candidate.schema, schemas)
      ? (value as JsonValue)
      : undefined;
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
