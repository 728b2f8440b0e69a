import fc from "fast-check";
import { expect, test } from "vitest";
import { schemaChanges } from "../../../src/diff/schema/changes.js";
import type { JsonSchema } from "../../../src/json.js";
import { mutationsOf, type SchemaOptions, schemaOf, value } from "../../schemas.js";
import { seed } from "../../seed.js";
import { validatorOf } from "./validators.js";

type Schema = JsonSchema | boolean;

const asObject = (schema: Schema): JsonSchema =>
  typeof schema === "boolean" ? { allOf: [schema] } : schema;
const options: SchemaOptions = {
  refs: ["#/$defs/named", "#"],
  extraKeywords: {
    format: fc.constantFrom("date", "email"),
    description: fc.constantFrom("one", "two"),
  },
};
const schemas = fc
  .tuple(schemaOf(2, options), schemaOf(1, options))
  .map(([schema, named]): JsonSchema => ({ ...asObject(schema), $defs: { named } }));
const pair = schemas.chain((schema) =>
  fc.tuple(fc.constant(schema), mutationsOf(schema, options).map(asObject)),
);
const values = fc.array(value, { minLength: 25, maxLength: 25 });
const numRuns = Number(process.env["RUNS"] ?? 250);

test("every schema change is reported, and non-breaking changes break nothing", () => {
  let proofs = 0;
  fc.assert(
    fc.property(pair, values, ([before, after], instances) => {
      for (const direction of ["input", "output"] as const) {
        const changes = schemaChanges(before, after, direction);
        expect(changes.length > 0).toBe(canonical(before) !== canonical(after));
        if (changes.length === 0 || changes.some((change) => change.class === "breaking")) continue;
        proofs++;
        const [narrow, wide] = direction === "input" ? [before, after] : [after, before];
        const [isNarrow, isWide] = [validatorOf(narrow), validatorOf(wide)];
        const broken = instances.filter(
          (instance) => isNarrow(instance) === true && isWide(instance) === false,
        );
        expect({ direction, changes, broken }).toEqual({ direction, changes, broken: [] });
      }
    }),
    { numRuns, seed },
  );
  expect(proofs).toBeGreaterThan(numRuns / 4);
});

test("cosmetic changes do not change validity", () => {
  fc.assert(
    fc.property(pair, values, ([before, after], instances) => {
      if (schemaChanges(before, after, "input").some((change) => change.class !== "cosmetic"))
        return;
      const [old, young] = [validatorOf(before), validatorOf(after)];
      const told = instances.filter(
        (instance) =>
          [true, false].includes(old(instance) as boolean) &&
          young(instance) !== undefined &&
          old(instance) !== young(instance),
      );
      expect(told).toEqual([]);
    }),
    { numRuns, seed },
  );
});

function canonical(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema);
  if (Array.isArray(schema)) return `[${schema.map(canonical).join()}]`;
  return `{${Object.entries(schema)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${name}:${canonical(part)}`)
    .join()}}`;
}
