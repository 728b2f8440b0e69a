import { expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { inputProperties } from "../../../src/plan/bound-parameters.js";
import { json, operation, parameter, planned, send } from "../fixtures.js";

const LIST = { type: "array", items: { type: "string" } };

it.each<{ schema: JsonSchema; text: string; expected: unknown }>([
  { schema: { type: "string" }, text: "Comma-separated IDs.", expected: LIST },
  { schema: { type: "string" }, text: "IDs, separated by commas", expected: LIST },
  { schema: { type: "string" }, text: "A list of IDs.", expected: LIST },
  {
    schema: { type: "string", enum: ["a", "b"] },
    text: "Array of letters",
    expected: { type: "array", items: { type: "string", enum: ["a", "b"] } },
  },
  { schema: { type: "string" }, text: "CSV of IDs", expected: LIST },
  { schema: { type: "string", examples: ["a1,b2"] }, text: "The IDs", expected: LIST },
  { schema: { type: "string", examples: ["Doe, Jane"] }, text: "The IDs", expected: undefined },
  { schema: { type: "string" }, text: "Filters of the list, encoded as JSON", expected: undefined },
  { schema: { type: "string" }, text: "List of IDs; one per line", expected: undefined },
  { schema: { type: "string" }, text: "Name of the list of pets.", expected: undefined },
  { schema: { type: "integer" }, text: "Comma-separated IDs.", expected: undefined },
  { schema: { type: "string" }, text: "CSV: comma delimited file download", expected: undefined },
])("$schema.type, $text", ({ schema, text, expected }) => {
  const given = parameter("query ids", { schema, description: text });
  const { tool } = planned(operation("GET /x", { parameters: [given] }));
  const input = inputProperties(tool.definition)["ids"];
  expect(input?.anyOf?.[1]).toEqual(expected);
  expect(send(tool).query).toEqual({ ids: expected ? { from: "ids", separator: "," } : "ids" });
});

it.each([
  ["JSON array of IDs.", "string"],
  ["An array of IDs, such as [1, 2]", "number"],
  ["The list of IDs as JSON", "string"],
])("a JSON array: %s", (description, type) => {
  const given = parameter("query ids", { schema: { type: "string" }, description });
  const { tool } = planned(operation("GET /x", { parameters: [given] }));
  expect(inputProperties(tool.definition)["ids"]?.anyOf?.[1]).toEqual({
    type: "array",
    items: { type },
  });
  expect(send(tool).query).toEqual({ ids: { from: "ids", separator: "json" } });
});

it.each([
  ["Pipe-separated tags.", "|"],
  ["IDs, separated by semicolons", ";"],
  ["A space-delimited list of scopes", " "],
  ["Tags, separated by commas or spaces", ","],
  ["The number of spaces, separated from the rest", undefined],
])("another separator: %s", (description, separator) => {
  const given = parameter("query ids", { schema: { type: "string" }, description });
  const { tool } = planned(operation("GET /x", { parameters: [given] }));
  expect(send(tool).query).toEqual({ ids: separator ? { from: "ids", separator } : "ids" });
});

it("fields of bodies take lists, too", () => {
  const ids = { type: "string", description: "Comma separated." };
  const { tool } = planned(operation("POST /x", json({ type: "object", properties: { ids } })));
  expect(send(tool).body?.fields).toEqual({ ids: { from: "ids", separator: "," } });
});
