import fc from "fast-check";
import { anyText } from "../render/hostile-strings.js";
import { document } from "./document.js";
import { anyValue, withValues } from "./mutations.js";
import { type Slot, slotsOf, valueAt, withKey, withValue } from "./slots.js";

/** A document with the files that are read beside it. */
export interface Inputs {
  readonly document: unknown;
  readonly overlay: unknown;
  readonly workflows: unknown;
  readonly configuration: unknown;
}

const info = { title: "More", version: "1" };

const overlay = (): object => ({
  overlay: "1.1.0",
  info,
  actions: [
    { target: "$.paths.*", update: { "x-read": true }, description: "Reads" },
    { target: "$..parameters[?@.in == 'query']", update: { description: "In the query" } },
    { target: "$.paths['/dogs'].post['x-mcp']", remove: true },
    { target: "$.components.schemas.Vet", copy: "$.components.schemas.NewDog" },
    { target: "$.tags[?search(@.name, '^d')]", update: { "x-a": [1, { b: null }] } },
  ],
});

const workflows = (): object => ({
  arazzo: "1.0.1",
  info,
  sourceDescriptions: [{ name: "kennel", url: "./openapi.json", type: "openapi" }],
  workflows: [
    {
      workflowId: "adopt",
      summary: "Adopt a dog",
      inputs: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      steps: [
        {
          stepId: "create",
          operationId: "createDog",
          requestBody: {
            contentType: "application/json",
            payload: { name: "$inputs.name", kind: "dog" },
            replacements: [{ target: "/size", value: 2 }],
          },
          successCriteria: [
            { condition: "$statusCode == 201" },
            { context: "$response.body", condition: "$[?@.id != '']", type: "jsonpath" },
          ],
          outputs: { id: "$response.body#/id" },
        },
        {
          stepId: "read",
          operationId: "getDog",
          parameters: [{ name: "dogId", in: "path", value: "$steps.create.outputs.id" }],
          onFailure: [{ name: "again", type: "retry", retryAfter: 1, retryLimit: 2 }],
          onSuccess: [{ name: "done", type: "end" }],
          outputs: { dog: "$response.body" },
        },
      ],
      outputs: { dog: "$steps.read.outputs.dog" },
    },
    {
      workflowId: "again",
      steps: [
        { stepId: "call", workflowId: "adopt", parameters: [{ name: "name", value: "Rex" }] },
      ],
    },
  ],
});

const configuration = (): object => ({
  version: 1,
  tools: {
    find_dogs: {
      title: "Dogs",
      description: "Finds dogs.",
      inputs: { dogId: { description: "ID" }, limit: { fixed: 5 }, session: { env: "SESSION" } },
    },
    create_dog: {
      operation: "createDog",
      keywords: ["pet"],
      errors: { 409: "Choose another name." },
    },
  },
});

export const bases: Inputs = {
  document: document(),
  overlay: overlay(),
  workflows: workflows(),
  configuration: configuration(),
};

/** Values that have a meaning in overlays and workflows. */
const expressions = fc.constantFrom(
  "$",
  "$..*",
  "$..*..*..*",
  "$[?@..*]",
  "$..[?count($..*) > 1]",
  "$.paths.*.*",
  "$[?@ == $]",
  "$.a[?match(@, '(a+)+$')]",
  `$${"[0]".repeat(300)}`,
  "$inputs.name",
  "$steps.read.outputs.dog.a.b",
  "$response.body#/a/b",
  "{$inputs.name}-{$statusCode}",
  "again",
  "adopt",
);

function mutated(base: unknown): fc.Arbitrary<unknown> {
  const slots = slotsOf(base);
  const slot: fc.Arbitrary<Slot> = fc.constantFrom(...slots);
  const keySlot = fc.constantFrom(...slots.filter((path) => typeof path.at(-1) === "string"));
  return fc.oneof(
    fc.constant(base),
    fc.tuple(slot, anyValue).map(([at, value]) => withValue(base, at, value)),
    fc.tuple(slot, expressions).map(([at, value]) => withValue(base, at, value)),
    fc.tuple(keySlot, anyText).map(([at, name]) => withKey(base, at, name)),
    fc.tuple(slot, slot).map(([at, from]) => withValue(base, at, valueAt(base, from))),
  );
}

/** Documents, overlays, workflows and configurations, some of them mutated. */
export const anyInputs: fc.Arbitrary<Inputs> = fc.record({
  document: fc.oneof(fc.constant(bases.document), withValues),
  overlay: mutated(bases.overlay),
  workflows: mutated(bases.workflows),
  configuration: mutated(bases.configuration),
});
