import { expect, test } from "vitest";
import type { Operation, Response } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import { api, json, ok, operation } from "./fixtures.js";

const empty: Response = { status: "204", description: "Done", contents: [], headers: [] };
const pet = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
const getPet = operation("GET /pets/{petId}", { responses: [ok(pet)] });
const listPets = operation("GET /pets", { responses: [ok({ type: "array", items: pet })] });
const body = json({ type: "object", properties: { name: { type: "string" } } });

/** The reads back of the operations of a plan, by operation. */
function readsBack(operations: readonly Operation[]): Readonly<Record<string, unknown>> {
  const bindings = plan(api(operations)).tools.flatMap(({ definition }) => definition.operations);
  return Object.fromEntries(
    bindings.flatMap(({ request: { method, path }, readBack }) =>
      readBack ? [[`${method} ${path}`, readBack]] : [],
    ),
  );
}

const petBack = { tool: "get_pet", inputs: { petId: "petId" } };

test.each<readonly [name: string, operations: readonly Operation[], want: object]>([
  [
    "an update without a result",
    [getPet, operation("PATCH /pets/{petId}", { ...body, responses: [empty] })],
    { "PATCH /pets/{petId}": petBack },
  ],
  [
    "an update beside the list, by the merged tool",
    [listPets, getPet, operation("PUT /pets/{petId}", { ...body, responses: [empty] })],
    { "PUT /pets/{petId}": { tool: "find_pets", inputs: { petId: "petId" } } },
  ],
  [
    "an action on an item",
    [getPet, operation("POST /pets/{petId}/feed", { responses: [empty] })],
    { "POST /pets/{petId}/feed": petBack },
  ],
  [
    "an update with a result",
    [getPet, operation("PATCH /pets/{petId}", { ...body, responses: [ok(pet)] })],
    {},
  ],
  ["a removal", [getPet, operation("DELETE /pets/{petId}", { responses: [empty] })], {}],
  [
    "a new part of an item",
    [getPet, operation("POST /pets/{petId}/visits", { ...body, responses: [empty] })],
    {},
  ],
  [
    "an item of another path",
    [getPet, operation("PUT /owners/{ownerId}", { ...body, responses: [empty] })],
    {},
  ],
  [
    "an item that needs another input",
    [
      operation("GET /pets/{petId}", {
        responses: [ok(pet)],
        parameters: [
          ...getPet.parameters,
          { ...getPet.parameters[0]!, name: "clinic", in: "query", required: true },
        ],
      }),
      operation("PUT /pets/{petId}", { ...body, responses: [empty] }),
    ],
    {},
  ],
])("%s", (_, operations, want) => {
  expect(readsBack(operations)).toEqual(want);
});
