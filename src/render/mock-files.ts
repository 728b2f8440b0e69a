/** Data of the mock: `test/api.json`, and the states of work. */
import { isObject } from "../json.js";
import type { Content, Operation, Parameter, RequestBody, Response } from "../model/types.js";
import type { ToolPlan } from "../plan/types.js";
import { compactJson, type Json } from "./code/index.js";
import { commaLines } from "./comma-lines.js";
import type { GeneratedFile } from "./types.js";

/** Maximum characters of an example. The mock generates a value instead of a longer one. */
const MAX_EXAMPLE_LENGTH = 2000;

/**
 * `test/api.json`: the API that the mock serves, one operation or schema per line, so that a change
 * of the document gives a readable diff. Omits descriptions of operations, long examples, and all
 * examples but one. Schemas are complete, because filtering them takes longer than writing them.
 */
export function mockApiFile(
  { mock, tools }: Pick<ToolPlan, "mock" | "tools">,
  path = "test/api.json",
): GeneratedFile {
  const states = mockStates(tools);
  const writer = new OperationWriter();
  const operations = mock.operations.map((operation) => writer.operation(operation));
  const securitySchemes = members(mock.securitySchemes, (scheme) =>
    isObject(scheme) ? { ...scheme, description: undefined, flows: undefined } : scheme,
  );
  // Joined once, because most of the text is in the operations and schemas.
  const content = [
    "{",
    '"operations": [',
    ...commaLines(operations),
    "],",
    '"schemas": {',
    ...commaLines(members(mock.schemas)),
    "},",
    '"securitySchemes": {',
    ...commaLines(securitySchemes),
    `}${states.length > 0 ? "," : ""}`,
    ...(states.length > 0
      ? ['"states": {', ...commaLines(members(Object.fromEntries(states))), "}"]
      : []),
    "}\n",
  ].join("\n");
  return { path, content };
}

/** State of the work of an operation, as the mock reads it. */
type OperationState = readonly [
  operation: string,
  state: { readonly field: readonly string[]; readonly values: readonly unknown[] },
];

/** States of the work that tools wait for: of the writes, and of the reads that follow them. */
export function mockStates(tools: ToolPlan["tools"]): readonly OperationState[] {
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  const readers = new Map(tools.map(({ definition }) => [definition.name, definition]));
  const states = bindings.flatMap(({ job, request }): readonly OperationState[] => {
    const [going, done] = [job?.running?.[0], job?.done?.[0]];
    if (!job || going === undefined || done === undefined) return [];
    const inputs = [...Object.keys(job.follow.fields), ...Object.keys(job.follow.inputs)];
    const reader = readers
      .get(job.follow.tool)
      ?.operations.find(({ whenProvided }) => whenProvided.every((name) => inputs.includes(name)));
    const { started = [] } = job;
    const write = { field: [started].flat(), values: [going], starts: true } as const;
    const read = { field: [job.state].flat(), values: [going, done] };
    return [[keyOf(request), write], ...(reader ? [[keyOf(reader.request), read] as const] : [])];
  });
  return states.filter(([, { field }]) => field.length > 0);
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

function members(
  object: Readonly<Record<string, unknown>>,
  slim = (value: unknown): unknown => value,
): readonly string[] {
  return Object.entries(object).map(
    ([name, value]) => `${compactJson(name)}: ${compactJson(slim(value))}`,
  );
}

/** Serializes operations. Shared parameters, bodies and responses are serialized once. */
class OperationWriter {
  readonly #known = new Map<object, Json>();

  operation({
    operationId,
    method,
    path,
    fixedQuery,
    parameters,
    body,
    responses,
    security,
  }: Operation): string {
    const start = compactJson({ operationId, method, path, fixedQuery, security }).slice(0, -1);
    const fields = [
      start,
      `"parameters": ${this.#list(parameters, slimParameter)}`,
      ...(body ? [`"body": ${this.#once(body, slimBody)}`] : []),
      `"responses": ${this.#list(responses, slimResponse)}`,
    ];
    return `${fields.join(", ")}}`;
  }

  #list<Item extends object>(items: readonly Item[], slim: (item: Item) => object): string {
    return `[${items.map((item) => this.#once(item, slim)).join(", ")}]`;
  }

  #once<Item extends object>(item: Item, slim: (item: Item) => object): Json {
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const json = compactJson(slim(item));
    this.#known.set(item, json);
    return json;
  }
}

function slimParameter({
  name,
  in: location,
  required,
  schema,
  style,
  explode,
  contentType,
  encoding,
}: Parameter): object {
  return { name, in: location, required, schema, style, explode, contentType, encoding };
}

function slimBody({ required, contents }: RequestBody): object {
  return { required, contents: contents.map(slimContent) };
}

function slimResponse({ status, contents, headers }: Response): object {
  return {
    status,
    contents: contents.map(slimContent),
    headers: headers.map(({ name, schema }) => ({ name, schema })),
  };
}

function slimContent({ mediaType, schema, examples, encoding }: Content): object {
  const example = examples?.find((value) => remainingLength(value, MAX_EXAMPLE_LENGTH) >= 0);
  return { mediaType, schema, examples: example === undefined ? undefined : [example], encoding };
}

/** Remaining characters of `left` after a JSON value; negative as soon as the value is too long. */
function remainingLength(value: unknown, left: number): number {
  if (typeof value === "string") return left - value.length - 2;
  if (typeof value !== "object" || value === null) return left - 5;
  let rest = left - 2;
  for (const name of Object.keys(value)) {
    rest = remainingLength(
      (value as Readonly<Record<string, unknown>>)[name],
      rest - name.length - 3,
    );
    if (rest < 0) return rest;
  }
  return rest;
}
