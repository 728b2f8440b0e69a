/** Short spellings of OpenAPI snippets. */

export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: "string" };
export const integer: Schema = { type: "integer" };
export const flag: Schema = { type: "boolean" };
/** An object of which the document says nothing more. */
export const anything: Schema = { type: "object" };

export const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
});

export const list = (items: Schema): Schema => ({ type: "array", items });

/** A documented response of JSON. */
export const json = (schema: Schema, description = "OK"): Schema => ({
  description,
  content: { "application/json": { schema } },
});

/** A documented response without a body. */
export const bare = (description: string): Schema => ({ description });

export interface Endpoint {
  /** Method and path, such as `POST /pets/{id}/start`. */
  readonly line: string;
  readonly responses: Readonly<Record<string, Schema>>;
  readonly query?: Readonly<Record<string, Schema>>;
  /** Schema of the JSON body. */
  readonly body?: Schema;
  readonly bodyRequired?: boolean;
  /** Absent: `call`, the operation that a row calls. */
  readonly operationId?: string;
}

export const endpoint = (
  line: string,
  responses: Endpoint["responses"],
  more: Partial<Endpoint> = {},
): Endpoint => ({ line, responses, ...more });

/** A document of an API that takes a key in a header. */
export function documentOf(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of endpoints) {
    const [method = "", path = ""] = each.line.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(each, path) };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Depot", version: "1.0.0" },
    servers: [{ url: "http://127.0.0.1:1" }],
    paths,
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  };
}

function operationOf({ responses, query = {}, ...rest }: Endpoint, path: string): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: text,
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema }));
  const content = { "application/json": { schema: rest.body } };
  return {
    operationId: rest.operationId ?? "call",
    parameters: [...inPath, ...inQuery],
    ...(rest.body && { requestBody: { required: rest.bodyRequired ?? true, content } }),
    responses,
  };
}
