import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { plan } from "../../../src/plan/index.js";
import { api, json, ok, operation } from "../fixtures.js";

const pet: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Name of the pet" },
    code: { type: "string" },
  },
};

/** Description of a tool whose body has a text, and whose schema has one. */
function described(text: string, ofSchema: string | undefined, schema: JsonSchema = pet): string {
  const { body } = json({ ...schema, ...(ofSchema && { description: ofSchema }) });
  const adding = operation("POST /pets", {
    summary: "Add a pet",
    ...(body && { body: { ...body, description: text } }),
    responses: [ok({})],
  });
  return plan(api([adding])).tools[0]?.definition.description ?? expect.fail("no tool");
}

test.each([
  [
    "a rule",
    "At least one of name and code must be unique.",
    undefined,
    "Add a pet. Body: At least one of name and code must be unique.",
  ],
  [
    "a rule of the schema",
    "A pet",
    "Codes below 1000 belong to dogs.",
    "Add a pet. Body: Codes below 1000 belong to dogs.",
  ],
  ["no more than the name", "The new pet object to be added", undefined, "Add a pet."],
  ["no more than the inputs", "The name of the pet, and its code", undefined, "Add a pet."],
  [
    "words about data in general",
    "JSON payload that contains the fields",
    "Pet model",
    "Add a pet.",
  ],
  [
    "the same twice",
    "Only vets may set codes.",
    "Only vets may set codes.",
    "Add a pet. Body: Only vets may set codes.",
  ],
])("%s", (_, text, ofSchema, want) => {
  expect(described(text, ofSchema)).toBe(want);
});

test("a body that is one input has its text alone", () => {
  const list = { type: "array", items: { type: "string" } } as const;
  expect(described("Only vets may set more than 3.", undefined, list)).toBe("Add a pet.");
});
