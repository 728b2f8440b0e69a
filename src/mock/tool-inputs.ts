import { toList } from "./inspect-schema.js";
import { contentFor, mediaTypeOf } from "./media-types.js";
import { sample } from "./sample.js";
import { type AnySchema, SchemaSet } from "./schema-set.js";
import type {
  ContractTool,
  MockApi,
  MockBody,
  MockContent,
  MockOperation,
  MockParameter,
  MockRequestMapping,
  Schema,
} from "./types.js";

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

/** An input without the fields that the server sets inside it. */
function withoutInnerFields(
  input: Record<string, unknown>,
  { from, fields = {}, innerFields = [] }: MockBody = { contentType: "" },
): Record<string, unknown> {
  return innerFields.reduce((current, { path }) => {
    const [name = "", ...rest] = path;
    const source = from ?? inputName(fields[name]);
    const inner = from === undefined ? rest : path;
    return source === undefined || !Object.hasOwn(current, source)
      ? current
      : { ...current, [source]: withoutPath(current[source], inner) };
  }, input);
}

/** A value without the field at a path. A list on the way stands for each of its items. */
function withoutPath(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (Array.isArray(value)) return value.map((item) => withoutPath(item, path));
  if (typeof value !== "object" || value === null || name === undefined) return value;
  const entries = Object.entries(value).flatMap(([key, member]) =>
    key !== name ? [[key, member]] : rest.length === 0 ? [] : [[key, withoutPath(member, rest)]],
  );
  return Object.fromEntries(entries) as unknown;
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

/** Tests whether the tool requires a field of an optional body. */
function needsBody(tool: ContractTool, body: MockBody | undefined): boolean {
  const required = new Set(toList(tool.inputSchema["required"]));
  return [body?.from, ...Object.values(body?.fields ?? {}).map(inputName)].some(
    (name) => name !== undefined && required.has(name),
  );
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

type Fill = "required" | "all";

/**
 * A valid sample. A sample with all properties that is invalid, or a minimal one that is empty, is
 * replaced by the other variant.
 */
function sampleValue(
  schema: Schema | undefined,
  schemas: SchemaSet,
  fill: Fill,
  hint: string,
): unknown {
  const value = sample(schema, schemas, { fill, hint });
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty || !schemas.accepts(value, schema)
    ? sample(schema, schemas, { fill: fill === "all" ? "required" : "all", hint })
    : value;
}

interface SampledValue {
  readonly at: string;
  readonly value: unknown;
  readonly schema: Schema | undefined;
  readonly inputs: readonly (readonly [string, unknown])[];
}

function parameterValues(
  operation: MockOperation,
  mapping: MockRequestMapping,
  schemas: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  const sampled = (parameter: MockParameter, from: string | undefined): readonly SampledValue[] => {
    if (from === undefined || (fill === "required" && !parameter.required)) return [];
    const value = parameterValue(parameter, schemas, fill);
    return [
      {
        at: `${parameter.in} ${parameter.name}`,
        value,
        schema: parameter.schema,
        inputs: [[from, value]],
      },
    ];
  };
  return operation.parameters.flatMap((parameter) =>
    sampled(parameter, inputName(sourceOf(parameter, mapping))),
  );
}

/** A sample of a parameter. A path parameter is never empty, even if its example is. */
function parameterValue(
  { in: place, name, schema }: MockParameter,
  schemas: SchemaSet,
  fill: Fill,
): unknown {
  const value = sampleValue(schema, schemas, fill, name);
  return place === "path" && value === ""
    ? sample({ allOf: [schema ?? {}, { minLength: 1 }] }, schemas, { examples: false, hint: name })
    : value;
}

function sourceOf({ in: place, name }: MockParameter, mapping: MockRequestMapping): unknown {
  switch (place) {
    case "path":
      return ownValue(mapping.pathParams, name);
    case "query":
      return ownValue(mapping.query, name);
    case "header":
      return ownValue(mapping.headers, name);
    case "cookie":
      return ownValue(mapping.cookies, name);
    case "querystring":
      return mapping.querystring;
  }
}

function ownValue(map: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/**
 * Name of the input that a value comes from. Constants, generated values and environment variables
 * have none.
 */
function inputName(source: unknown): string | undefined {
  if (typeof source === "string") return source;
  const from =
    typeof source === "object" && source !== null
      ? (source as { readonly from?: unknown }).from
      : undefined;
  return typeof from === "string" ? from : undefined;
}

function bodyValues(
  operation: MockOperation,
  body: MockBody | undefined,
  schemas: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  if (!body || !operation.body) return [];
  const content = contentFor(operation.body.contents, mediaTypeOf(body.contentType));
  if (!content) return [];
  const value = sampleValue(content.schema, schemas, fill, "body");
  return [
    {
      at: "body",
      value,
      schema: content.schema,
      inputs:
        body.from === undefined
          ? fieldInputs(valueInside(value, body), body)
          : [[body.from, wholeInput(value, content)]],
    },
  ];
}

/** The fields of a body, without the objects around them. */
const valueInside = (value: unknown, { envelope = [] }: MockBody): unknown =>
  envelope.reduce(
    (current, name) => ownValue(Object(current) as Readonly<Record<string, unknown>>, name),
    value,
  );

function fieldInputs(value: unknown, body: MockBody): readonly (readonly [string, unknown])[] {
  const fields = new Map(Object.entries(body.fields ?? {}));
  return Object.entries(Object(value) as Record<string, unknown>).flatMap(([field, item]) => {
    const from = inputName(fields.get(field));
    const isFile =
      ownValue(body.encoding, field) !== undefined &&
      (ownValue(body.encoding, field) as { readonly file?: boolean }).file === true;
    return from === undefined ? [] : [[from, isFile ? toBase64(item) : item] as const];
  });
}

/** Files are base64 inputs, alone or in arrays. */
function toBase64(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toBase64) : Buffer.from(String(value)).toString("base64");
}

function wholeInput(value: unknown, content: MockContent): unknown {
  const isText =
    /[/+](json|xml)$|^text\/|x-www-form-urlencoded|^multipart\/|ndjson|jsonl|json-seq/u.test(
      mediaTypeOf(content.mediaType),
    );
  return isText ? value : toBase64(typeof value === "string" ? value : JSON.stringify(value));
}
