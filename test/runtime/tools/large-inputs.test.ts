/**
 * Validation takes time proportional to the size of the input, whatever is invalid. Each of these
 * inputs took minutes in quadratic time.
 */
import { expect, test } from "vitest";
import { invalidInputText } from "../../../src/runtime/errors/explain-failure.js";
import type { JsonSchema } from "../../../src/runtime/types.js";
import { validateInput } from "../../../src/runtime/tools/validate-input.js";

const many = 100_000;
const listOf = (items: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { a: { type: "array", items } },
  additionalProperties: false,
});
const list = (make: (i: number) => unknown): object => ({
  a: Array.from({ length: many }, (_, i) => make(i)),
});

test.each<readonly [string, JsonSchema, object, RegExp]>([
  [
    "forms that none of the items has",
    listOf({ anyOf: [{ type: "string" }, { type: "number" }] }),
    list(() => true),
    /a\[0\]: .*got true/,
  ],
  [
    "items that are not in a list of values",
    listOf({ enum: Array.from({ length: 50 }, (_, i) => `value_${i}`) }),
    list((i) => `valeu_${i}`),
    /did you mean "value_0"/,
  ],
  [
    "names that nobody knows",
    { type: "object", properties: { known: {} }, additionalProperties: false },
    Object.fromEntries(Array.from({ length: many }, (_, i) => [`k${i}`, 0])),
    /k0: unknown input/,
  ],
])("%s", (_, schema, input, first) => {
  const validated = validateInput(schema, input);
  expect(validated.ok).toBe(false);
  const text = validated.ok
    ? ""
    : invalidInputText({ name: "find_pets", inputSchema: schema }, validated.problems);
  expect(text).toMatch(first);
  expect(text).toContain(`Not sent: ${many} problems with the input of find_pets.`);
  expect(text).toContain(`- and ${many - 20} more\n`);
  expect(text.length).toBeLessThan(10_000);
});

test("texts instead of objects", () => {
  const validated = validateInput(
    listOf({ type: "object" }),
    list((i) => (i === many - 1 ? '{"id":1}' : "{}")),
  );
  expect(validated.ok && (validated.input["a"] as unknown[]).slice(-2)).toEqual([{}, { id: 1 }]);
});
