import { expect, test } from "vitest";
import { codesOf, readOperation, readSchema } from "./documents.js";

test.each<[given: object, want: object]>([
  [{ type: "string", format: "date-time", example: "2019-09-15" }, { type: "string" }],
  [
    { type: "string", format: "date", example: "2019-09-15" },
    { type: "string", format: "date" },
  ],
  [
    { type: "string", format: "hostname", example: "?" },
    { type: "string", format: "hostname" },
  ],
  [{ type: "string", maxLength: 3, example: "abcd" }, { type: "string" }],
  [
    { type: "string", minLength: 3, example: "" },
    { type: "string", minLength: 3 },
  ],
  [{ type: "string", pattern: "^[a-z]+$", example: "A-1" }, { type: "string" }],
  [
    { type: "string", pattern: "^[0-9]+$", example: "string" },
    { type: "string", pattern: "^[0-9]+$" },
  ],
  [
    { type: "string", enum: ["a", "b"], example: "c" },
    { type: "string", enum: ["a", "b", "c"] },
  ],
  [
    { type: "string", enum: ["a", "b"], example: "string" },
    { type: "string", enum: ["a", "b"] },
  ],
  [
    { type: "integer", enum: [1, 2], example: 3 },
    { type: "integer", enum: [1, 2, 3] },
  ],
  [
    { type: "string", enum: ["a", "b"], example: "a, b" },
    { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "string" }] },
  ],
  [{ type: "integer", example: 1.5 }, { type: "number" }],
  [{ type: "integer", example: "7" }, { type: "integer" }],
  [
    { type: "string", enum: ["a", "b"], description: "D.", example: ["a"] },
    {
      description: "D.",
      anyOf: [
        { type: "string", enum: ["a", "b"] },
        { type: "array", items: { type: "string", enum: ["a", "b"] } },
      ],
    },
  ],
])("an example loosens what it contradicts: %j", (given, want) => {
  const { examples: _, ...schema } = readSchema(given, "3.0").schema;
  expect(schema).toEqual(want);
});

test("an example of a parameter loosens its schema, with a finding", () => {
  const schema = { type: "string", format: "uuid" };
  const parameters = [{ name: "id", in: "query", schema, example: "order-7" }];
  const result = readOperation({ parameters });
  expect(result.operation.parameters[0]?.schema).toEqual({ type: "string", examples: ["order-7"] });
  expect(codesOf(result)).toEqual(["model-example"]);
});

test.each<[format: string, description: string, kept: boolean]>([
  ["date-time", "date format: dd-MM-yyyy", false],
  ["date-time", "From when, as yyyyMMdd", false],
  ["date-time", "Format: YYYY-MM-DD HH:mm", false],
  ["date-time", "Format: YYYY-MM-DDTHH:mm:ssZ", true],
  ["date-time", "When the order was made", true],
  ["date-time", "Newer than this (format must be compatible with time.ParseDuration)", false],
  ["date-time", "An RFC 3339 time or a relative time such as 2h", false],
  ["date-time", "Start of the duration of the order", true],
  ["date", "Format: YYYY-MM-DD", true],
  ["date", "Format: MM/DD/YYYY", false],
  ["uuid", "Made of dd-MM-yyyy and a number", true],
])("a format of dates is left out when the description contradicts it: %s, %s", (...row) => {
  const [format, description, kept] = row;
  const want = { type: "string", ...(kept && { format }) };
  const schema = { type: "string", format };
  expect(readSchema({ ...schema, description }, "3.0").schema).toEqual({ ...want, description });
  const parameters = [{ name: "when", in: "query", description, schema }];
  const result = readOperation({ parameters });
  expect(result.operation.parameters[0]?.schema).toEqual(want);
  expect(codesOf(result)).toEqual(kept ? [] : ["model-schema-format"]);
});

test.each(["string", "object", "integer"])("a format that is a type is left out: %s", (format) => {
  expect(readSchema({ type: "string", format }, "3.0").schema).toEqual({ type: "string" });
  expect(readSchema({ type: "string", format, maxLength: 9, example: "x" }, "3.0").schema).toEqual({
    type: "string",
    maxLength: 9,
    examples: ["x"],
  });
});

test("placeholders are no examples", () => {
  const examples = ["{{USER_ID}}", "string", "${id}", "u_1"];
  const { schema } = readSchema({ type: "string", examples }, "3.1");
  expect(schema).toEqual({ type: "string", examples: ["u_1"] });
  const parameters = [{ name: "id", in: "query", schema: { type: "string" }, example: "{{ID}}" }];
  expect(readOperation({ parameters }).operation.parameters[0]?.schema).toEqual({ type: "string" });
});

test.each<[description: string, required: boolean]>([
  ["TTL in seconds. MUST NOT be included when changetype is “DELETE”.", false],
  ["Optional description of the role.", false],
  ["(optional) A note.", false],
  ["Must not be empty.", true],
  ["If the port is omitted, the default is used.", true],
  ["A list of optional features.", true],
])("a property is not required where its description says so: %s", (description, required) => {
  const properties = { ttl: { type: "integer", description }, name: { type: "string" } };
  const result = readSchema({ type: "object", required: ["name", "ttl"], properties }, "3.0");
  expect(result.schema.required).toEqual(required ? ["name", "ttl"] : ["name"]);
  expect(codesOf(result)).toEqual(required ? [] : ["model-schema-required"]);
});

test.each<[pattern: string, expected: string]>([
  [String.raw`^(\\d{4})-(\\d{2})$`, String.raw`^(\d{4})-(\d{2})$`],
  [String.raw`^\d{4}$`, String.raw`^\d{4}$`],
  [String.raw`^\\server\\\w+$`, String.raw`^\\server\\\w+$`],
])("a pattern that was escaped twice is read as it was meant: %s", (pattern, expected) => {
  const result = readSchema({ type: "string", pattern }, "3.0");
  expect(result.schema.pattern).toBe(expected);
  expect(codesOf(result)).toEqual(pattern === expected ? [] : ["model-schema-pattern"]);
});

test.each<[example: string, want: object]>([
  ["*", { type: "string", examples: ["*"] }],
  ["zone1", { $ref: "#/$defs/Key", examples: ["zone1"] }],
])(
  "an example of a parameter that contradicts a named schema loosens a copy: %j",
  (value, want) => {
    const schema = { $ref: "#/components/schemas/Key" };
    const parameters = [{ name: "pattern", in: "query", schema, examples: { any: { value } } }];
    const components = { schemas: { Key: { type: "string", pattern: "^\\w+$" } } };
    const { operation } = readOperation({ parameters }, "3.1", "/x", "get", { components });
    expect(operation.parameters[0]?.schema).toEqual(want);
  },
);
