import { cleanText, quoteText } from "../../diagnostics/clean.js";
import type { JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { JsonValue } from "../../runtime/types.js";
import { describeInput } from "../describe/input.js";
import type { Findings } from "../findings.js";
import { fitSchemas, type Fitted } from "../schema/limits.js";
import { MAX_DEPTH } from "../schema/portable.js";
import { resolve } from "../schema/refs.js";
import type { PlannedInput } from "../types.js";
import type { Candidate } from "./candidate.js";
import type { InputContext, InputPlan } from "./index.js";
import { saysNothing, unsaid } from "./unsaid.js";

/** What planning inputs takes, with what is looked up once for all of them. */
export interface Planning extends InputContext {
  readonly codes: (schema: JsonSchema) => string | undefined;
}

/** One input on its way. */
export interface Entry {
  readonly name: string;
  readonly candidate: Candidate;
  readonly required: boolean;
  /** Sent when the input is not given. */
  readonly fallback?: JsonValue | undefined;
}

/** An input, finished. */
export interface Made {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

/**
 * The inputs of a tool, required ones first, and their schema. @param finished those that other
 * tools have, too
 */
export function inputSchema(
  entries: readonly Entry[],
  filenames: ReadonlyMap<string, string>,
  operation: Operation,
  context: Planning,
  finished: Map<Candidate, Made>,
): Pick<InputPlan, "inputs" | "schema"> {
  const { fitted, defs } = fitSchemas(
    entries.map(({ candidate }) => candidate),
    context.projector,
  );
  const required: Made[] = [];
  const optional: Made[] = [];
  entries.forEach((entry, i) => {
    const made = property(entry, fitted[i] as Fitted, operation, context, finished);
    (entry.required ? required : optional).push(made);
    const filename =
      filenames.size > 0 && entry.candidate.file === "one"
        ? filenames.get(entry.candidate.wireName)
        : undefined;
    if (filename !== undefined)
      (entry.required ? required : optional).push(filenameInput(filename, entry.name));
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
function property(
  entry: Entry,
  { projection, levels }: Fitted,
  operation: Operation,
  { schemas, findings, codes }: Planning,
  finished: Map<Candidate, Made>,
): Made {
  const { candidate, name, required } = entry;
  const silent = saysNothing(candidate.description ?? "", candidate.wireName);
  const known = silent ? undefined : finished.get(candidate);
  if (known && known.input.name === name && levels === undefined) return known;
  if (projection.cut) reportWeakening(entry, levels, operation, findings);
  const target = resolve(schemas, candidate.schema);
  const meaning = codes(candidate.schema);
  const description = describeInput({
    name,
    wireName: cleanText(candidate.wireName),
    text: silent ? unsaid(candidate, operation, schemas) : candidate.description,
    schema:
      candidate.schema.default === undefined
        ? target
        : { ...target, default: candidate.schema.default },
    required: candidate.required,
    deprecated: candidate.deprecated,
    file: candidate.file,
    said:
      meaning === undefined || tells(projection.schema, meaning)
        ? projection.said
        : [...projection.said, meaning],
  });
  const made = {
    input: { name, description, required, type: candidate.schema },
    schema: { ...projection.schema, description },
  };
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
  return {
    input: { name, description, required: false, type: { type: "string" } },
    schema: { type: "string", description },
  };
}

function reportWeakening(
  { candidate, name }: Entry,
  levels: number | undefined,
  operation: Operation,
  findings: Findings,
): void {
  const place = candidate.parameter ? candidate.where.place : operation.place;
  const input = quoteText(name);
  if (levels === undefined)
    findings.add(
      "plan-schema-depth",
      `The input ${input} is nested deeper than ${MAX_DEPTH / 2} levels; what lies below is not described.`,
      place,
    );
  else
    findings.add(
      "plan-schema-size",
      `The input ${input} is too large for a tool; what lies deeper than ${levels === 1 ? "1 level" : `${levels} levels`} is not described.`,
      place,
    );
}
