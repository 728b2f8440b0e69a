import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { successJsonContents } from "../../../src/plan/outputs/success-responses.js";
import { content } from "../fixtures.js";

const schemas = {
  Event: { type: "object", properties: { data: { type: "string" } } },
  Line: { type: "object" },
  Lines: { type: "array", items: { $ref: "#/$defs/Line" } },
};
const list = (name: string): JsonSchema => ({ type: "array", items: { $ref: `#/$defs/${name}` } });

describe("what counts as JSON of a response", () => {
  it.each<{
    why: string;
    given: readonly (readonly [mediaType: string, schema: JsonSchema])[];
    want: JsonSchema | undefined;
  }>([
    {
      why: "JSON before all others",
      given: [
        ["application/jsonl", list("Line")],
        ["application/vnd.x+json", {}],
        ["application/json", { type: "object" }],
      ],
      want: { type: "object" },
    },
    {
      why: "a dialect",
      given: [
        ["text/plain", {}],
        ["application/vnd.x+json", { type: "object" }],
      ],
      want: { type: "object" },
    },
    {
      why: "lines, as their list",
      given: [["application/jsonl", list("Line")]],
      want: list("Line"),
    },
    {
      why: "lines, by the name of their list",
      given: [["application/x-ndjson", { $ref: "#/$defs/Lines" }]],
      want: { $ref: "#/$defs/Lines" },
    },
    {
      why: "lines that are said to be a text",
      given: [["application/x-ndjson", { type: "string" }]],
      want: { type: "array", items: {} },
    },
    {
      why: "lines of which the schema says one",
      given: [["application/x-ndjson", { $ref: "#/$defs/Line" }]],
      want: list("Line"),
    },
    {
      why: "records",
      given: [["application/geo+json-seq", { $ref: "#/$defs/Line" }]],
      want: list("Line"),
    },
    { why: "events", given: [["text/event-stream", list("Event")]], want: list("Event") },
    {
      why: "no events that are described by their data",
      given: [["text/event-stream", { $ref: "#/$defs/Line" }]],
      want: undefined,
    },
    { why: "no text", given: [["text/csv", { type: "string" }]], want: undefined },
  ])("$why", ({ given, want }) => {
    const contents = given.map(([mediaType, schema]) => content(schema, mediaType));
    expect(
      successJsonContents([{ status: "200", contents, headers: [] }], schemas)[0]?.schema,
    ).toEqual(want);
  });
});
