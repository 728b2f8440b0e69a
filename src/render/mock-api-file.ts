import { isObject } from "../json.js";
import type { Content, Operation, Parameter, RequestBody, Response } from "../model/types.js";
import type { ToolPlan } from "../plan/types.js";
import { compactJson, type Json } from "./code/index.js";
import type { GeneratedFile } from "./types.js";

type MockPlan = ToolPlan["mock"];

/** Maximum characters of an example. The mock generates a value in place of a longer one. */
const MAX_EXAMPLE_LENGTH = 2000;

/**
 * `test/api.json`: the API that the mock serves, one operation or schema per line, so that a change
 * of the document gives a readable diff. Omits descriptions of operations, long examples, and all
 * examples but one. Schemas are complete, because filtering them takes longer than writing them.
 */
export function mockApiFile(mock: MockPlan): GeneratedFile {
  const writer = new OperationWriter();
  const operations = mock.operations.map((operation) => writer.operation(operation)).join(",\n");
  const schemas = members(mock.schemas);
  const securitySchemes = members(mock.securitySchemes, (scheme) =>
    isObject(scheme) ? { ...scheme, description: undefined, flows: undefined } : scheme,
  );
  const content = [
    "{",
    `"operations": [\n${operations}\n],`,
    `"schemas": {\n${schemas}\n},`,
    `"securitySchemes": {\n${securitySchemes}\n}`,
    "}\n",
  ].join("\n");
  return { path: "test/api.json", content };
}

function members(
  object: Readonly<Record<string, unknown>>,
  slim = (value: unknown): unknown => value,
): string {
  return Object.entries(object)
    .map(([name, value]) => `${compactJson(name)}: ${compactJson(slim(value))}`)
    .join(",\n");
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
