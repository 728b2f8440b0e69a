import { toList } from "./inspect-schema.js";
import { bodyValues, needsBody, withoutInnerFields } from "./body-inputs.js";
import { parameterValues } from "./parameter-inputs.js";
import { sample } from "./sample.js";
import type { Fill } from "./sampled-values.js";
import { type AnySchema, SchemaSet } from "./schema-set.js";
import type { ContractTool, MockApi, MockOperation, MockRequestMapping, Schema } from "./types.js";

/** Inputs of a tool, sampled from its input schema. */
export interface SampledInput {
  /** Required inputs only. */
  readonly minimal: Record<string, unknown>;
  /** Every input, down to a few levels. */
  readonly full: Record<string, unknown>;
}

/**
 * Samples the minimal and the full input of a tool, always the same ones.
 * @returns `problems` explains inputs that could not be sampled (a pattern, a `not`)
 */
export function sampleInput(
  inputSchema: Schema,
): SampledInput & { readonly problems: readonly string[] } {
  const schemas = schemasOf(inputSchema);
  const minimal = asObject(sample(inputSchema, schemas, { fill: "required" }));
  const full = asObject(sample(inputSchema, schemas, { fill: "all" }));
  const problems = [
    ...validationProblems("minimal", minimal, inputSchema, schemas),
    ...validationProblems("full", full, inputSchema, schemas),
  ];
  return { minimal, full, problems };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function validationProblems(
  name: string,
  value: unknown,
  schema: Schema,
  schemas: SchemaSet,
): readonly string[] {
  return schemas.check(value, schema, "").map((v) => `${name}${v.at}: ${v.problem}`);
}

/** A schema set of the `$defs` of a self-contained schema. */
export function schemasOf(
  schema: Schema,
  direction: "request" | "response" = "request",
): SchemaSet {
  return new SchemaSet((schema["$defs"] ?? {}) as Readonly<Record<string, AnySchema>>, direction);
}

/** An input of a tool, sampled from the operation in the document. */
export interface DocumentInput {
  readonly input: Record<string, unknown>;
  /** Reason for which the input is invalid: a schema could not be sampled. */
  readonly problem?: string;
}

/**
 * Inputs for the contract test of a tool: for each of its requests the required values only, and
 * all values. They are sampled from the document, because the schemas of a tool can be weaker than
 * those of its operation. Inputs that are not in the document, such as a file name, are sampled
 * from the schema of the tool.
 * @param schemas the schemas of the API for requests
 */
export function documentInputs(
  tool: ContractTool,
  api: MockApi,
  schemas: SchemaSet,
): readonly DocumentInput[] {
  const tools = schemasOf(tool.inputSchema);
  const sampled = (tool.operations ?? []).flatMap(({ request: mapping, choice }) =>
    (["required", "all"] as const).flatMap((fill) =>
      bestInput(tool, mapping, api, schemas, tools, fill).map((one) => ({
        ...one,
        input: {
          ...withoutInnerFields(one.input, mapping.body),
          ...(choice && { [choice.input]: choice.value }),
        },
      })),
    ),
  );
  const distinct = new Map(sampled.map((sample) => [JSON.stringify(sample.input), sample]));
  return [...distinct.values()];
}

const operationIndexes = new WeakMap<MockApi, ReadonlyMap<string, readonly MockOperation[]>>();

/** Operations of an API by method and path, cached for all of its tools. */
function operationsOf(api: MockApi): ReadonlyMap<string, readonly MockOperation[]> {
  const known = operationIndexes.get(api);
  if (known) return known;
  const index = new Map<string, MockOperation[]>();
  for (const operation of api.operations) {
    const key = `${operation.method} ${operation.path}`;
    const group = index.get(key);
    if (group) group.push(operation);
    else index.set(key, [operation]);
  }
  operationIndexes.set(api, index);
  return index;
}

/**
 * The input of the operation behind the tool. A document may have several for one
 * method and path (`/files#copy`, `/files#move`).
 */
function bestInput(
  tool: ContractTool,
  mapping: MockRequestMapping,
  api: MockApi,
  schemas: SchemaSet,
  tools: SchemaSet,
  fill: Fill,
): readonly DocumentInput[] {
  const operations = operationsOf(api).get(`${mapping.method} ${mapping.path}`) ?? [];
  const sampled = operations.map((operation) =>
    withMissingInputs(tool, inputForOperation(tool, operation, mapping, schemas, fill)),
  );
  const fitting = sampled.filter(({ input }) => tools.accepts(input, tool.inputSchema));
  return [...fitting, ...sampled].slice(0, 1);
}

function inputForOperation(
  tool: ContractTool,
  operation: MockOperation,
  mapping: MockRequestMapping,
  schemas: SchemaSet,
  fill: Fill,
): DocumentInput {
  const hasBody =
    fill === "all" || operation.body?.required === true || needsBody(tool, mapping.body);
  const values = [
    ...parameterValues(operation, mapping, schemas, fill),
    ...(hasBody ? bodyValues(operation, mapping.body, schemas, fill) : []),
  ];
  const invalid = values.find(({ value, schema }) => !schemas.accepts(value, schema));
  const input = Object.fromEntries(values.flatMap((v) => v.inputs));
  return invalid ? { input, problem: `no value could be sampled for ${invalid.at}` } : { input };
}

function withMissingInputs(tool: ContractTool, sampled: DocumentInput): DocumentInput {
  const missing = (toList(tool.inputSchema["required"]) as readonly string[]).filter(
    (name) => !Object.hasOwn(sampled.input, name),
  );
  if (missing.length === 0) return sampled;
  const rest = Object.entries(sampleInput(tool.inputSchema).minimal).filter(([name]) =>
    missing.includes(name),
  );
  return { ...sampled, input: { ...sampled.input, ...Object.fromEntries(rest) } };
}
