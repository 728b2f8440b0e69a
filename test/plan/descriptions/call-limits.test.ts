import { expect, it } from "vitest";
import type { Operation } from "../../../src/model/types.js";
import { json, operation, parameter, planned } from "../fixtures.js";

const fields = json({ type: "object", properties: { a: { type: "string" } } });
const NO_FIELDS = "The API's documentation names no fields to update.";

it.each<{ at: string; more?: Partial<Operation>; expected: string | undefined }>([
  { at: "PATCH /pets/{id}", more: { operationId: "updatePet" }, expected: NO_FIELDS },
  { at: "PUT /pets/{id}", more: { operationId: "updatePet" }, expected: NO_FIELDS },
  {
    at: "PATCH /pets/{id}",
    more: { operationId: "updatePet", parameters: [parameter("path id"), parameter("query name")] },
    expected: undefined,
  },
  { at: "PATCH /pets/{id}", more: { operationId: "updatePet", ...fields }, expected: undefined },
  {
    at: "PUT /ratings/{item}/{rating}",
    more: { operationId: "updateRating" },
    expected: undefined,
  },
  { at: "PUT /pets/{id}/star", more: { operationId: "starPet" }, expected: undefined },
  {
    at: "GET /pets",
    more: { requiresUnsendableBody: true },
    expected: "The API requires a request body, which a GET request cannot carry.",
  },
])("$at $more.operationId: $expected", ({ at, more, expected }) => {
  const { description } = planned(operation(at, more)).tool.definition;
  if (expected) expect(description).toContain(expected);
  else expect(description).not.toMatch(/no fields|cannot carry/);
});
