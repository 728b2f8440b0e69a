import { describe, expect, test } from "vitest";
import {
  documentInputs,
  type MockApi,
  type MockOperation,
  SchemaSet,
  type ContractTool,
} from "../../src/mock/index.js";

const text = { type: "string" };
const parameter = (
  name: string,
  place: "path" | "query" | "header",
  required: boolean,
  schema: object = text,
): MockOperation["parameters"][number] => ({
  name,
  in: place,
  required,
  schema: schema as never,
  style: place === "query" ? "form" : "simple",
  explode: place === "query",
});
const apiOf = (...operations: readonly Partial<MockOperation>[]): MockApi => ({
  schemas: {},
  securitySchemes: {},
  operations: operations.map((o) => ({
    method: "POST",
    path: "/pets",
    parameters: [],
    responses: [],
    ...o,
  })),
});
const toolOf = (
  send: Partial<NonNullable<ContractTool["operations"]>[number]["request"]>,
  inputSchema: object = { type: "object" },
): ContractTool => ({
  name: "t",
  inputSchema: inputSchema as never,
  operations: [{ request: { method: "POST", path: "/pets", ...send } }],
});
const json = (
  schema: object,
  required = true,
  mediaType = "application/json",
): MockOperation["body"] => ({ required, contents: [{ mediaType, schema: schema as never }] });
const pet = {
  type: "object",
  required: ["name"],
  properties: { name: text, age: { type: "integer" } },
};
const fields = { name: "pet_name", age: { from: "age" } };

describe("documentInputs", () => {
  const rows: readonly [string, MockApi, ContractTool, readonly object[]][] = [
    [
      "parameters, by the inputs they come from",
      apiOf({
        parameters: [
          parameter("Trace", "header", true),
          parameter("limit", "query", false, { type: "integer", maximum: 5 }),
          parameter("fixed", "query", true),
          parameter("key", "header", true),
        ],
      }),
      toolOf({
        headers: { Trace: "trace", key: { generate: "uuid" } },
        query: { limit: { from: "limit", style: "form" }, fixed: { value: 1 } },
      }),
      [{ trace: "Trace" }, { trace: "Trace", limit: 1 }],
    ],
    [
      "fields of a body",
      apiOf({ body: json(pet) }),
      toolOf({ body: { contentType: "application/json", fields } }),
      [{ pet_name: "name" }, { pet_name: "name", age: 1 }],
    ],
    [
      "fields in an envelope",
      apiOf({ body: json({ type: "object", required: ["pet"], properties: { pet } }) }),
      toolOf({ body: { contentType: "application/json", fields, envelope: ["pet"] } }),
      [{ pet_name: "name" }, { pet_name: "name", age: 1 }],
    ],
    [
      "an optional body that nothing needs",
      apiOf({ body: json(pet, false) }),
      toolOf({ body: { contentType: "application/json", fields } }),
      [{}, { pet_name: "name", age: 1 }],
    ],
    [
      "an optional body that the tool needs",
      apiOf({ body: json(pet, false) }),
      toolOf(
        { body: { contentType: "application/json", fields } },
        { type: "object", required: ["pet_name"] },
      ),
      [{ pet_name: "name" }, { pet_name: "name", age: 1 }],
    ],
    [
      "a whole body",
      apiOf({ body: json({ type: "array", items: { type: "integer" } }) }),
      toolOf({ body: { contentType: "application/json", from: "items" } }),
      [{ items: [1] }],
    ],
    [
      "a file",
      apiOf({
        body: json(
          { type: "object", properties: { photo: { type: "string", format: "binary" } } },
          true,
          "multipart/form-data",
        ),
      }),
      toolOf({
        body: {
          contentType: "multipart/form-data",
          fields: { photo: "photo" },
          encoding: { photo: { file: true } },
        },
      }),
      [{ photo: "dGV4dCAw" }],
    ],
    [
      "bytes",
      apiOf({ body: json({ type: "string", format: "binary" }, true, "image/png") }),
      toolOf({ body: { contentType: "image/png", from: "content" } }),
      [{ content: "dGV4dCAw" }],
    ],
    [
      "bytes that the document declares as a list",
      apiOf({ body: json({ type: "array", items: text }, true, "application/octet-stream") }),
      toolOf({ body: { contentType: "application/octet-stream", from: "content" } }),
      [{ content: "WyJib2R5Il0=" }],
    ],
    [
      "what only the tool knows",
      apiOf({ body: json(pet) }),
      toolOf(
        { body: { contentType: "application/json", fields } },
        { type: "object", required: ["filename"], properties: { filename: text } },
      ),
      [
        { pet_name: "name", filename: "filename" },
        { pet_name: "name", age: 1, filename: "filename" },
      ],
    ],
    [
      "at least one of several",
      apiOf({
        body: json({
          type: "object",
          minProperties: 1,
          properties: { name: text, age: { type: "integer" } },
        }),
      }),
      toolOf({ body: { contentType: "application/json", fields } }),
      [{ pet_name: "name" }, { pet_name: "name", age: 1 }],
    ],
    [
      "one of two, not both",
      apiOf({ body: json({ ...pet, not: { required: ["name", "age"] } }) }),
      toolOf({ body: { contentType: "application/json", fields } }),
      [{ pet_name: "name" }],
    ],
    [
      "an empty list is no value",
      apiOf({
        parameters: [
          parameter("ids", "query", true, { type: "array", items: { type: "integer" } }),
        ],
      }),
      toolOf({ query: { ids: "ids" } }),
      [{ ids: [1] }],
    ],
    [
      "the operation that the tool was made from, of two with one path",
      apiOf(
        { parameters: [parameter("to", "query", true, { type: "integer" })] },
        { parameters: [parameter("to", "query", true)] },
      ),
      toolOf({ query: { to: "to" } }, { type: "object", properties: { to: text } }),
      [{ to: "to" }],
    ],
    [
      "no empty text for a path",
      apiOf({
        parameters: [
          parameter("id", "path", true, { type: "string", example: "", examples: [""] }),
        ],
      }),
      toolOf({ pathParams: { id: "id" } }, { type: "object", properties: { id: text } }),
      [{ id: "id" }],
    ],
    ["no such operation", apiOf({ path: "/other" }), toolOf({}), []],
  ];
  test.each(rows)("%s", (_, api, tool, want) => {
    const made = documentInputs(tool, api, new SchemaSet(api.schemas, "request"));
    expect(made).toEqual(want.map((input) => ({ input })));
  });

  test("reports schemas that cannot be sampled", () => {
    const api = apiOf({
      parameters: [
        parameter("since", "query", true, { type: "string", format: "date", pattern: "^YYYY$" }),
      ],
    });
    const [made] = documentInputs(
      toolOf({ query: { since: "since" } }),
      api,
      new SchemaSet({}, "request"),
    );
    expect(made?.problem).toBe("no value could be sampled for query since");
  });
});
