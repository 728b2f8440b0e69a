import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { schemaFaults } from "./schema-faults.js";

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
const inProperty = (schema: object): object => ({ type: "object", properties: { a: schema } });

test.each<readonly [schema: object, faults: readonly (string | RegExp)[]]>([
  [inProperty({ type: "string", pattern: "^a$" }), []],
  [{ type: "object", properties: { pattern: { type: "string" }, $ref: {} } }, []],
  [inProperty({ enum: [{ pattern: "(", $ref: "#/x" }] }), []],
  [{ ...inProperty({ $ref: "#/$defs/A" }), $defs: { A: { items: { $ref: "#/$defs/A" } } } }, []],
  [{ ...inProperty({ $ref: "#/$defs/B" }), $defs: { A: {} } }, ["#/$defs/B leads nowhere"]],
  [inProperty({ $ref: "b.json" }), ["b.json leads nowhere"]],
  [inProperty({ anyOf: [{ pattern: "(" }, {}] }), [/Invalid regular expression/]],
  [inProperty({ patternProperties: { "\\-": {} } }), [/Invalid regular expression/]],
  [inProperty({ minLength: -1 }), ["/properties/a/minLength must be >= 0"]],
  [inProperty({ required: ["a", "a"] }), [/^\/properties\/a\/required must NOT have duplicate/]],
])("%j", (schema, faults) => {
  expect(schemaFaults(schema as Record<string, unknown>)).toEqual(
    faults.map((fault) => (fault instanceof RegExp ? expect.stringMatching(fault) : fault)),
  );
  const compile = (): unknown => ajv.compile(schema);
  if (faults.length > 0) expect(compile).toThrow();
  else expect(compile).not.toThrow();
});
