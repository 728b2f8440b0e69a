import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { successJsonContents } from "../../../src/plan/outputs/payload.js";
import { content } from "../fixtures.js";

const schemas = {
  Event: { type: "object", properties: { data: { type: "string" } } },
  Line: { type: "object" },
  Lines: { type: "array", items: { $ref: "#/$defs/Line" } },
};
const list = (name: string): JsonSchema => ({ type: "array", items: { $ref: `#/$defs/${name}` } });

describe("successJsonContents", () => {
  it.each<{
    reason: string;
    input: readonly (readonly [mediaType: string, schema: JsonSchema])[];
    expected: JsonSchema | undefined;
  }>([
    {
      reason: "JSON before all others",
      input: [
        ["application/jsonl", list("Line")],
        ["application/vnd.x+json", {}],
        ["application/json", { type: "object" }],
      ],
      expected: { type: "object" },
    },
    {
      reason: "a dialect",
      input: [
        ["text/plain", {}],
        ["application/vnd.x+json", { type: "object" }],
      ],
      expected: { type: "object" },
    },
    {
      reason: "lines, as their list",
      input: [["application/jsonl", list("Line")]],
      expected: list("Line"),
    },
    {
      reason: "lines, by the name of their list",
      input: [["application/x-ndjson", { $ref: "#/$defs/Lines" }]],
      expected: { $ref: "#/$defs/Lines" },
    },
    {
      reason: "lines that are said to be a text",
      input: [["application/x-ndjson", { type: "string" }]],
      expected: { type: "array", items: {} },
    },
    {
      reason: "lines of which the schema says one",
      input: [["application/x-ndjson", { $ref: "#/$defs/Line" }]],
      expected: list("Line"),
    },
    {
      reason: "records",
      input: [["application/geo+json-seq", { $ref: "#/$defs/Line" }]],
      expected: list("Line"),
    },
    { reason: "events", input: [["text/event-stream", list("Event")]], expected: list("Event") },
    {
      reason: "no events that are described by their data",
      input: [["text/event-stream", { $ref: "#/$defs/Line" }]],
      expected: undefined,
    },
    { reason: "no text", input: [["text/csv", { type: "string" }]], expected: undefined },
  ])("$reason", ({ input, expected }) => {
    const contents = input.map(([mediaType, schema]) => content(schema, mediaType));
    expect(
      successJsonContents([{ status: "200", contents, headers: [] }], schemas)[0]?.schema,
    ).toEqual(expected);
  });
});
