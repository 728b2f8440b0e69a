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

/** Inputs to call a tool with, made from its input schema. */
export interface SampledInput {
  /** Required inputs only. */
  readonly minimal: Record<string, unknown>;
  /** Every input, down to a few levels. */
  readonly full: Record<string, unknown>;
}

/**
 * Valid inputs of a tool: as little, and as much, as its schema allows. The same ones every time.
 * @returns `valid: false` for a variant that no value could be made up for (a pattern, a `not`),
 *   with the reasons
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

/** The `$defs` of a self-contained schema as a set. */
export function schemasOf(
  schema: Schema,
  direction: "request" | "response" = "request",
): SchemaSet {
  return new SchemaSet((schema["$defs"] ?? {}) as Readonly<Record<string, AnySchema>>, direction);
}

/** An input of a tool, made from what the document says about the operation behind it. */
export interface DocumentInput {
  readonly input: Record<string, unknown>;
  /** Why the input is of no use: the document has a schema that no value could be made up for. */
  readonly problem?: string;
}

/**
 * What to call a tool with: for each request it can send, as little as the document requires, and
 * everything it has. Made from the document rather than from the tool: the schemas of a tool are
 * weaker than those of its operation where hosts accept no better, and a value made from them may
 * be one that the API refuses. Only what the document does not know, such as a file's name, comes
 * from the tool's own schema.
 * @param sent the schemas of the API, as they apply to requests
 */
export function documentInputs(
  tool: ContractTool,
  api: MockApi,
  sent: SchemaSet,
): readonly DocumentInput[] {
  const tools = schemasOf(tool.inputSchema);
  const made = (tool.operations ?? []).flatMap(({ request: send }) =>
    (["required", "all"] as const).flatMap((fill) => bestInput(tool, send, api, sent, tools, fill)),
  );
  const distinct = new Map(made.map((one) => [JSON.stringify(one.input), one]));
  return [...distinct.values()];
}

const operationIndexes = new WeakMap<MockApi, ReadonlyMap<string, readonly MockOperation[]>>();

/** The operations of an API by method and path; found once for all of its tools. */
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
 * Of several operations with one method and path (`/files#copy`, `/files#move`), the one that the
 * tool was made from.
 */
function bestInput(
  tool: ContractTool,
  send: MockRequestMapping,
  api: MockApi,
  sent: SchemaSet,
  tools: SchemaSet,
  fill: Fill,
): readonly DocumentInput[] {
  const operations = operationsOf(api).get(`${send.method} ${send.path}`) ?? [];
  const made = operations.map((operation) =>
    withMissingInputs(tool, inputForOperation(tool, operation, send, sent, fill)),
  );
  const fitting = made.filter(({ input }) => tools.accepts(input, tool.inputSchema));
  return [...fitting, ...made].slice(0, 1);
}

function inputForOperation(
  tool: ContractTool,
  operation: MockOperation,
  send: MockRequestMapping,
  sent: SchemaSet,
  fill: Fill,
): DocumentInput {
  const hasBody = fill === "all" || operation.body?.required === true || needsBody(tool, send.body);
  const values = [
    ...parameterValues(operation, send, sent, fill),
    ...(hasBody ? bodyValues(operation, send.body, sent, fill) : []),
  ];
  const broken = values.find(({ value, schema }) => !sent.accepts(value, schema));
  const input = Object.fromEntries(values.flatMap((v) => v.inputs));
  return broken ? { input, problem: `no value could be made up for ${broken.at}` } : { input };
}

/** An optional body with required fields: a tool may well require these. */
function needsBody(tool: ContractTool, body: MockBody | undefined): boolean {
  const required = new Set(toList(tool.inputSchema["required"]));
  return [body?.from, ...Object.values(body?.fields ?? {}).map(inputName)].some(
    (name) => name !== undefined && required.has(name),
  );
}

function withMissingInputs(tool: ContractTool, made: DocumentInput): DocumentInput {
  const missing = (toList(tool.inputSchema["required"]) as readonly string[]).filter(
    (name) => !Object.hasOwn(made.input, name),
  );
  if (missing.length === 0) return made;
  const rest = Object.entries(sampleInput(tool.inputSchema).minimal).filter(([name]) =>
    missing.includes(name),
  );
  return { ...made, input: { ...made.input, ...Object.fromEntries(rest) } };
}

type Fill = "required" | "all";

/**
 * A value; when everything at once breaks a rule of the schema, as little as it takes; when that
 * says nothing, more.
 */
function sampleValue(
  schema: Schema | undefined,
  sent: SchemaSet,
  fill: Fill,
  hint: string,
): unknown {
  const value = sample(schema, sent, { fill, hint });
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty || !sent.accepts(value, schema)
    ? sample(schema, sent, { fill: fill === "all" ? "required" : "all", hint })
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
  send: MockRequestMapping,
  sent: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  const made = (parameter: MockParameter, from: string | undefined): readonly SampledValue[] => {
    if (from === undefined || (fill === "required" && !parameter.required)) return [];
    const value = parameterValue(parameter, sent, fill);
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
    made(parameter, inputName(sourceOf(parameter, send))),
  );
}

/** Nothing fits no path, whatever the document gives as an example. */
function parameterValue(
  { in: place, name, schema }: MockParameter,
  sent: SchemaSet,
  fill: Fill,
): unknown {
  const value = sampleValue(schema, sent, fill, name);
  return place === "path" && value === ""
    ? sample({ allOf: [schema ?? {}, { minLength: 1 }] }, sent, { examples: false, hint: name })
    : value;
}

function sourceOf({ in: place, name }: MockParameter, send: MockRequestMapping): unknown {
  switch (place) {
    case "path":
      return ownValue(send.pathParams, name);
    case "query":
      return ownValue(send.query, name);
    case "header":
      return ownValue(send.headers, name);
    case "cookie":
      return ownValue(send.cookies, name);
    case "querystring":
      return send.querystring;
  }
}

function ownValue(map: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/**
 * The input that a wire value comes from; constants, generated values and those of the environment
 * come from none.
 */
function inputName(wire: unknown): string | undefined {
  if (typeof wire === "string") return wire;
  const from =
    typeof wire === "object" && wire !== null
      ? (wire as { readonly from?: unknown }).from
      : undefined;
  return typeof from === "string" ? from : undefined;
}

function bodyValues(
  operation: MockOperation,
  body: MockBody | undefined,
  sent: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  if (!body || !operation.body) return [];
  const content = contentFor(operation.body.contents, mediaTypeOf(body.contentType));
  if (!content) return [];
  const value = sampleValue(content.schema, sent, fill, "body");
  return [
    {
      at: "body",
      value,
      schema: content.schema,
      inputs:
        body.from === undefined
          ? fieldInputs(value, body)
          : [[body.from, wholeInput(value, content)]],
    },
  ];
}

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

/** Files are inputs in base64, one by one or in lists. */
function toBase64(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toBase64) : Buffer.from(String(value)).toString("base64");
}

function wholeInput(value: unknown, content: MockContent): unknown {
  const isText =
    /[/+](json|xml)$|^text\/|x-www-form-urlencoded|^multipart\/|ndjson|jsonl|json-seq/u.test(
      mediaTypeOf(content.mediaType),
    );
  return isText ? value : toBase64(value);
}
