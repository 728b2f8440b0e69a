import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Response } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import { api, ok, operation, planned } from "../fixtures.js";

/** An envelope with a code, a message and data. */
const envelope = (code: JsonSchema, message: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties: { code, message: { type: "string", ...message }, data: { type: "object" } },
});
const integer = (examples: readonly number[], description?: string): JsonSchema => ({
  type: "integer",
  examples: [...examples],
  ...(description !== undefined && { description }),
});
const withExamples = (examples: readonly unknown[]): Response => {
  const response = ok(envelope({ type: "integer" }));
  return { ...response, contents: response.contents.map((one) => ({ ...one, examples })) };
};

const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
});
const alternatives = (...all: readonly Readonly<Record<string, JsonSchema>>[]): JsonSchema => ({
  oneOf: all.map(objectOf),
});
const failed = { status: { const: "failed" }, error: { type: "object" } };

test.each<readonly [string, readonly Response[], object | undefined]>([
  [
    "a description",
    [ok(envelope(integer([], "Result: 0 ok, 1 error, 4: no or wrong API key")))],
    { field: "code", success: [0], failure: [1, 4] },
  ],
  [
    "a description with a success that is not zero",
    [ok(envelope(integer([], "`1` = success; `0` = failed")))],
    { field: "code", success: [1], failure: [0] },
  ],
  [
    "a description of all other values",
    [ok(envelope(integer([], "Zero on success, non-zero on failure.")))],
    { field: "code", success: [0], failure: [], othersFail: true },
  ],
  [
    "a description of a success and all other values",
    [ok(envelope(integer([], "1 for success. Any other value is an error code.")))],
    { field: "code", success: [1], failure: [], othersFail: true },
  ],
  ["a description of other values only", [ok(envelope(integer([], "Else an error")))], undefined],
  [
    "a Chinese description",
    [ok(envelope(integer([], "0表示成功，1表示失败")))],
    { field: "code", success: [0], failure: [1] },
  ],
  [
    "examples of the schemas",
    [
      ok(envelope(integer([0]))),
      ok(envelope(integer([1])), "400"),
      ok(envelope(integer([2])), "500"),
    ],
    { field: "code", success: [0], failure: [1, 2] },
  ],
  [
    "examples of one response",
    [
      withExamples([
        { code: 0, message: "ok", data: {} },
        { code: 1, message: "padID does not exist", data: null },
      ]),
    ],
    { field: "code", success: [0], failure: [1] },
  ],
  [
    "an enum",
    [
      ok({
        type: "object",
        properties: { status: { enum: ["success", "error"] }, message: {}, data: {} },
      }),
    ],
    { field: "status", success: ["success"], failure: ["error"] },
  ],
  [
    "alternatives with one value each",
    [ok(alternatives({ status: { const: "ok" }, pet: {} }, failed))],
    { field: "status", success: ["ok"], failure: ["failed"] },
  ],
  [
    "alternatives inside of the only field",
    [ok(objectOf({ answer: alternatives({ status: { enum: ["ok"] }, pet: {} }, failed) }))],
    { field: "status", success: ["ok"], failure: ["failed"], within: "answer" },
  ],
  [
    "the states of a run",
    [ok(alternatives({ status: { const: "succeeded" }, output: {} }, failed))],
    undefined,
  ],
  [
    "the states of a resource",
    [ok(alternatives({ id: {}, status: { const: "ok" } }, { id: {}, ...failed }))],
    undefined,
  ],
  ["an enum of more states", [ok(envelope({ enum: ["success", "pending", "failed"] }))], undefined],
  ["one example", [ok(envelope(integer([0])))], undefined],
  [
    "the status of a resource",
    [ok({ type: "object", properties: { id: {}, status: { enum: ["success", "error"] } } })],
    undefined,
  ],
  ["a description without meanings", [ok(envelope(integer([], "Code from 1 to 5")))], undefined],
])("the outcome of a response by %s", (_, responses, want) => {
  const { tool } = planned(operation("GET /pads", { responses }));
  expect(tool.definition.operations[0]?.outcome).toEqual(want);
});

test("an operation that returns a file has the wrapped outcome of another", () => {
  const answer = objectOf({ answer: alternatives({ status: { const: "ok" }, pet: {} }, failed) });
  const operations = [
    operation("GET /pets", { responses: [ok(answer)] }),
    operation("GET /photo", { responses: [ok({ type: "string" }, "200", "image/png")] }),
  ];
  const outcomes = plan(api(operations)).tools.map(
    ({ definition }) => definition.operations[0]?.outcome?.within,
  );
  expect(outcomes).toEqual(["answer", "answer"]);
});
