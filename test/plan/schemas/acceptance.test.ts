import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../../src/diagnostics/index.js";
import type { JsonObject } from "../../../src/json.js";
import { buildModel } from "../../../src/model/index.js";
import { plan } from "../../../src/plan/index.js";
import { seed } from "../../seed.js";

/** Values that tell schemas apart: every type, lengths, bounds and nesting. */
const scalars = [null, true, false, 0, 1, -1, 7, 1.5, "", "a", "abc", "b", "2020-01-31"];
const values: readonly unknown[] = [
  ...scalars,
  [],
  ...scalars.map((value) => [value]),
  ["a", "a"],
  [1, "a"],
  {},
  ...scalars.map((value) => ({ x: value })),
  ...scalars.map((value) => ({ x: "a", y: value })),
  { x: { x: 1 } },
  { z: 1 },
  [{ x: "a" }],
];

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

const bounds = fc.record(
  { minLength: fc.nat(3), maxLength: fc.integer({ min: 1, max: 4 }) },
  { requiredKeys: [] },
);
const range = fc.record(
  { minimum: fc.integer({ min: -1, max: 1 }), maximum: fc.integer({ min: 1, max: 8 }) },
  { requiredKeys: [] },
);
const type = fc.constantFrom("string", "integer", "number", "boolean", "null", "array", "object");

const leaf = fc.oneof(
  bounds.map((keywords) => ({ type: "string", ...keywords })),
  range.map((keywords) => ({ type: "integer", ...keywords })),
  type.map((name) => ({ type: name })),
  fc.uniqueArray(type, { minLength: 1, maxLength: 3 }).map((types) => ({ type: types })),
  fc.uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 4 }).map((list) => ({
    enum: list,
  })),
  fc.constantFrom(...scalars).map((value) => ({ const: value })),
  fc.constantFrom({}, true, { nullable: true }, { description: "Any." }, { not: {} }),
  fc.constantFrom("A", "B").map((name) => ({ $ref: `#/components/schemas/${name}` })),
);

const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const properties = fc.dictionary(fc.constantFrom("x", "y"), tie("schema"), { maxKeys: 2 });
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      list.map((anyOf) => ({ anyOf })),
      list.map((oneOf) => ({ oneOf })),
      list.map((allOf) => ({ allOf })),
      fc
        .tuple(list, leaf)
        .map(([anyOf, rest]) => (typeof rest === "object" ? { ...rest, anyOf } : { anyOf })),
      fc.record({ items: tie("schema") }).map((rest) => ({ type: "array", ...rest })),
      fc
        .record({
          properties,
          required: fc.subarray(["x", "y"]),
          additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        })
        .map((rest) => ({ type: "object", ...rest })),
    ),
  };
});

interface Field {
  readonly components: { readonly schemas: Readonly<Record<string, object | boolean>> };
  readonly schema: object | boolean;
}

const field: fc.Arbitrary<Field> = fc
  .tuple(schema, schema, schema)
  .map(([own, A, B]) => ({ schema: own, components: { schemas: { A, B } } }));

/** Plans a tool with one field of the given schema. */
function planField({ schema: own, components }: Field): {
  readonly accepts: (value: unknown) => boolean;
  readonly diagnostics: readonly Diagnostic[];
} {
  const body = { type: "object", properties: { field: own } };
  const requestBody = { content: { "application/json": { schema: body } } };
  const root = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths: { "/things": { post: { operationId: "createThing", requestBody, responses: {} } } },
    components,
  };
  const { model, diagnostics } = buildModel({
    source: "a.json",
    name: "a.json",
    version: "3.1",
    root: root as unknown as JsonObject,
  });
  const planned = model && plan(model);
  const input = planned?.tools[0]?.definition.inputSchema as JsonObject | undefined;
  const found = (input?.properties as JsonObject | undefined)?.field as JsonObject | undefined;
  const all = [...diagnostics, ...(planned?.diagnostics ?? []), ...(planned?.lint ?? [])];
  return {
    accepts: found ? ajv.compile({ ...found, $defs: input?.$defs ?? {} }) : () => false,
    diagnostics: all.filter(({ code }) => /schema|ref|untyped-input/.test(code)),
  };
}

/** The document's own judgement. Undefined for schemas that never end. */
function documentValidator({
  schema: own,
  components,
}: Field): ((value: unknown) => boolean) | undefined {
  const key = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"));
  try {
    const validate = ajv.compile({
      $defs: key(components.schemas) as object,
      allOf: [key(own) as object],
    });
    for (const value of values) validate(value);
    return validate;
  } catch {
    return undefined;
  }
}

test("a tool accepts the values of the document, and any value only with a diagnostic", () => {
  fc.assert(
    fc.property(field, (given) => {
      const accepts = documentValidator(given);
      fc.pre(accepts !== undefined);
      const tool = planField(given);
      if (!accepts || tool.diagnostics.length > 0) return;
      const wanted = values.filter(accepts);
      expect(wanted.filter((value) => !tool.accepts(value))).toEqual([]);
      if (wanted.length > 0 && wanted.length < values.length)
        expect(values.every(tool.accepts)).toBe(false);
    }),
    { numRuns: 500, seed },
  );
});
