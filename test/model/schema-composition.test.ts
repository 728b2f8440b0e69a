import { describe, expect, test } from "vitest";
import type { SpecVersion } from "../../src/load/types.js";
import { accepts, codesOf, toPlainJson, read, readSchema, withSchema } from "./documents.js";

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const a = {
  type: "object",
  title: "A",
  description: "an a",
  properties: { a: { type: "string" } },
  required: ["a"],
  example: { a: "x" },
};
const inA = { a: { type: "string" } };
const inB = { b: { type: "integer" } };

describe("allOf of plain schemas becomes one schema", () => {
  const named = {
    A: a,
    B: { type: "object", properties: inB },
    Closed: { type: "object", properties: inA, additionalProperties: false },
    Kind: { type: "string", enum: ["x", "y"] },
    Values: {
      type: "integer",
      oneOf: [
        { const: 1, title: "one" },
        { const: 2, title: "two" },
      ],
    },
    Union: { oneOf: [ref("A"), ref("B")] },
    Node: { type: "object", properties: { next: { allOf: [ref("Node"), { description: "n" }] } } },
  };
  const cases: readonly (readonly [given: object, want: object])[] = [
    // A single reference stays one.
    [{ allOf: [ref("A")] }, { $ref: "#/$defs/A" }],
    [
      { allOf: [ref("A")], description: "d" },
      { $ref: "#/$defs/A", description: "d" },
    ],
    [
      { allOf: [ref("A")], type: "object", readOnly: true },
      { $ref: "#/$defs/A", readOnly: true },
    ],
    [{ allOf: [ref("A"), { description: "d" }] }, { $ref: "#/$defs/A", description: "d" }],
    [{ allOf: [ref("Union")], type: "object" }, { $ref: "#/$defs/Union" }],
    [{ allOf: [ref("Node"), { description: "d" }] }, { $ref: "#/$defs/Node", description: "d" }],
    // Objects are merged. Of a base's annotations, only the description is inherited.
    [
      { allOf: [ref("A"), ref("B")] },
      { type: "object", description: "an a", properties: { ...inA, ...inB }, required: ["a"] },
    ],
    [
      { allOf: [ref("A"), { properties: inB, required: ["b"] }], title: "T", description: "d" },
      {
        type: "object",
        title: "T",
        description: "d",
        properties: { ...inA, ...inB },
        required: ["a", "b"],
      },
    ],
    [
      { allOf: [ref("B"), { required: ["b"] }] },
      { type: "object", properties: inB, required: ["b"] },
    ],
    [
      { allOf: [{ type: "object", properties: inA }], properties: inB },
      { type: "object", properties: { ...inA, ...inB } },
    ],
    [
      { allOf: [{ allOf: [{ properties: inA }] }, { properties: inB }] },
      { type: "object", properties: { ...inA, ...inB } },
    ],
    // A closed base closes the merged schema.
    [
      { allOf: [ref("Closed"), { properties: inB }] },
      { type: "object", properties: { ...inA, ...inB }, additionalProperties: false },
    ],
    // Constraints with the same keyword are intersected.
    [
      {
        allOf: [
          { type: "integer", minimum: 1, maximum: 9 },
          { minimum: 3, maximum: 12 },
        ],
      },
      { type: "integer", minimum: 3, maximum: 9 },
    ],
    [{ allOf: [{ type: "number" }, { type: "integer" }] }, { type: "integer" }],
    [{ allOf: [ref("Kind"), { enum: ["y", "z"] }] }, { type: "string", enum: ["y"] }],
    [
      { allOf: [ref("B"), { properties: { b: { minimum: 1, description: "n" } } }] },
      { type: "object", properties: { b: { type: "integer", minimum: 1, description: "n" } } },
    ],
    [
      { allOf: [{ properties: { k: ref("Kind") } }, { properties: { k: { enum: ["x"] } } }] },
      { type: "object", properties: { k: { type: "string", enum: ["x"] } } },
    ],
    [
      {
        allOf: [
          { properties: { k: ref("Kind") } },
          { properties: { k: { type: "string", description: "k" } } },
        ],
      },
      { type: "object", properties: { k: { $ref: "#/$defs/Kind", description: "k" } } },
    ],
    // A union of values filters a list of values.
    [
      { type: "integer", enum: [1], allOf: [ref("Values")] },
      { type: "integer", enum: [1] },
    ],
    [
      { type: "integer", enum: [2, 3], allOf: [ref("Values")] },
      { type: "integer", enum: [2] },
    ],
    [
      { type: "integer", const: 9, allOf: [ref("Values")] },
      { type: "integer", const: 9, allOf: [{ $ref: "#/$defs/Values" }] },
    ],
    [
      { allOf: [{ properties: { v: ref("Values") } }, { properties: { v: { const: 1 } } }] },
      { type: "object", properties: { v: { const: 1 } } },
    ],
    // Members that cannot be merged stay in `allOf`.
    [
      { allOf: [{ type: "string", pattern: "a" }, { pattern: "b" }] },
      { type: "string", pattern: "a", allOf: [{ pattern: "b" }] },
    ],
    [
      { allOf: [{ type: "string" }, { type: "integer" }] },
      { type: "string", allOf: [{ type: "integer" }] },
    ],
    [
      { allOf: [ref("Union"), { properties: inB }] },
      { type: "object", properties: inB, allOf: [{ $ref: "#/$defs/Union" }] },
    ],
    [
      {
        allOf: [
          { properties: { p: { type: "string" } } },
          { properties: { p: { type: "integer" } } },
        ],
      },
      { type: "object", properties: { p: { allOf: [{ type: "string" }, { type: "integer" }] } } },
    ],
    [
      { allOf: [{ oneOf: [{ required: ["a"] }, { required: ["b"] }] }, ref("B")] },
      { oneOf: [{ required: ["a"] }, { required: ["b"] }], type: "object", properties: inB },
    ],
    [
      {
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
        allOf: [{ anyOf: [{ required: ["c"] }, { required: ["d"] }] }],
      },
      {
        anyOf: [{ required: ["c"] }, { required: ["d"] }],
        allOf: [{ anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
      },
    ],
    [{ allOf: [] }, {}],
    [{ allOf: [{}, { description: "d" }] }, { description: "d" }],
  ];
  test.each(cases)("%j", (given, want) => {
    const result = readSchema(given, "3.0", named);
    expect(result.schema).toEqual(want);
    expect(codesOf(result)).toEqual([]);
  });

  test("a recursive base is inlined where possible, else referenced", () => {
    const tree = {
      type: "object",
      properties: { kids: { type: "array", items: { allOf: [ref("Tree"), { properties: inB }] } } },
    };
    const { model } = readSchema(ref("Tree"), "3.0", { Tree: tree });
    expect(toPlainJson(model.schemas.Tree)).toEqual({
      type: "object",
      properties: {
        kids: {
          type: "array",
          items: { type: "object", properties: inB, allOf: [{ $ref: "#/$defs/Tree" }] },
        },
      },
    });
  });

  test("a base that is only inlined is not part of the model", () => {
    expect(
      Object.keys(
        readSchema({ allOf: [ref("A"), { properties: inB }] }, "3.0", named).model.schemas,
      ),
    ).toEqual([]);
  });

  test("wide bases are not copied", () => {
    const wide = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 600 }, (_, index) => [`p${index}`, { type: "string" }]),
      ),
    };
    expect(
      readSchema({ allOf: [ref("Wide"), { properties: inB }] }, "3.0", { Wide: wide }).schema,
    ).toEqual({ type: "object", properties: inB, allOf: [{ $ref: "#/$defs/Wide" }] });
  });

  test("in 2.0", () => {
    const { schema } = readSchema(
      { allOf: [{ $ref: "#/definitions/A" }, { properties: inB }] },
      "2.0",
      { A: { properties: inA } },
    );
    expect(schema).toEqual({ type: "object", properties: { ...inA, ...inB } });
  });
});

test("a union is only a base for the members that extend it", () => {
  const named = {
    Pet: {
      type: "object",
      properties: { kind: { type: "string" } },
      oneOf: [ref("Cat"), ref("Dog")],
    },
    Cat: { allOf: [ref("Pet"), { properties: inA }] },
    Dog: { allOf: [ref("Pet"), { properties: inB }] },
  };
  const { model } = readSchema(ref("Pet"), "3.0", named);
  expect(toPlainJson(model.schemas.Cat)).toEqual({
    type: "object",
    properties: { kind: { type: "string" }, ...inA },
  });
  expect(toPlainJson(model.schemas.Pet)).toEqual({
    type: "object",
    properties: { kind: { type: "string" } },
    oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
  });
});

describe("discriminators over alternatives", () => {
  const cat = {
    type: "object",
    properties: { kind: { type: "string", example: "other" }, ...inA },
  };
  const dog = { type: "object", properties: inB };
  const union = (mapping?: object, rest: object = {}): object => ({
    oneOf: [ref("Cat"), ref("Dog")],
    discriminator: { propertyName: "kind", ...(mapping && { mapping }), ...rest },
  });
  const tagged = (schema: object, properties: object): object => ({
    ...schema,
    properties,
    required: ["kind"],
  });
  const cases: readonly (readonly [name: string, union: object, cat: object, dog: object])[] = [
    ["names", union(), { type: "string", const: "Cat" }, { type: "string", const: "Dog" }],
    [
      "a mapping by reference",
      union({ c: "#/components/schemas/Cat", d: "#/components/schemas/Dog" }),
      { type: "string", const: "c" },
      { type: "string", const: "d" },
    ],
    [
      "a mapping by name",
      union({ c: "Cat", d: "Dog" }),
      { type: "string", const: "c" },
      { type: "string", const: "d" },
    ],
    [
      "a mapping to bundled files",
      union({ c: "./schemas/Cat.yaml", d: "Dog.json" }),
      { type: "string", const: "c" },
      { type: "string", const: "d" },
    ],
    [
      "several values",
      union({ c: "Cat", k: "Cat" }),
      { type: "string", enum: ["c", "k"] },
      { type: "string", const: "Dog" },
    ],
  ];
  test.each(cases)("%s", (_, schema, catTag, dogTag) => {
    const result = readSchema(schema, "3.0", { Cat: cat, Dog: dog });
    expect(result.schema).toEqual({ oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }] });
    expect(toPlainJson(result.model.schemas.Cat)).toEqual(tagged(cat, { kind: catTag, ...inA }));
    expect(toPlainJson(result.model.schemas.Dog)).toEqual(tagged(dog, { ...inB, kind: dogTag }));
    expect(codesOf(result)).toEqual([]);
  });

  test("without a mapping, the member's own values are used", () => {
    const named = {
      Cat: { properties: { kind: { type: "string", enum: ["cat"] } } },
      Dog: { properties: { kind: { type: "string", enum: ["dog", "Dog"] } } },
    };
    const result = readSchema(union(), "3.0", named);
    expect(toPlainJson(result.model.schemas.Cat)).toEqual({
      type: "object",
      properties: { kind: { type: "string", const: "cat" } },
      required: ["kind"],
    });
    expect(toPlainJson(result.model.schemas.Dog)).toEqual({
      type: "object",
      properties: { kind: { type: "string", const: "Dog" } },
      required: ["kind"],
    });
    expect(codesOf(result)).toEqual([]);
  });

  test("a mapping that contradicts a member is reported", () => {
    const result = readSchema(union({ x: "Cat" }), "3.0", {
      Cat: { properties: { kind: { type: "string", enum: ["cat"] } } },
      Dog: dog,
    });
    expect(toPlainJson(result.model.schemas.Cat)).toMatchObject({
      properties: { kind: { const: "cat" } },
    });
    expect(codesOf(result)).toEqual(["model-discriminator"]);
  });

  test("a property that is a reference, or a number", () => {
    const named = {
      Kind: { type: "string", enum: ["Cat", "Dog"] },
      Cat: { properties: { kind: ref("Kind") } },
      Dog: { properties: { kind: { type: "integer" } } },
    };
    const { model } = readSchema(union({ 2: "Dog" }), "3.0", named);
    expect(toPlainJson(model.schemas.Cat)).toMatchObject({
      properties: { kind: { type: "string", const: "Cat" } },
    });
    expect(toPlainJson(model.schemas.Dog)).toMatchObject({ properties: { kind: { const: 2 } } });
  });

  test("members that only rename one schema get separate tags", () => {
    const named = {
      Base: { type: "object", properties: { kind: { type: "string" } } },
      Cat: { title: "C", allOf: [ref("Base")] },
      Dog: { title: "D", allOf: [ref("Base")] },
    };
    const { model } = readSchema(union(), "3.0", named);
    expect(toPlainJson(model.schemas.Cat)).toEqual({
      type: "object",
      title: "C",
      properties: { kind: { type: "string", const: "Cat" } },
      required: ["kind"],
    });
    expect(toPlainJson(model.schemas.Dog)).toMatchObject({
      properties: { kind: { const: "Dog" } },
    });
  });

  test("`defaultMapping` of 3.2 applies to all other values", () => {
    const { model } = readSchema(union({ c: "Cat" }, { defaultMapping: "Dog" }), "3.2", {
      Cat: cat,
      Dog: dog,
    });
    expect(toPlainJson(model.schemas.Cat)).toMatchObject({ properties: { kind: { const: "c" } } });
    expect(toPlainJson(model.schemas.Dog)).toEqual(dog);
  });

  test("`defaultMapping` is an alternative of a schema that lists none", () => {
    const discriminator = { propertyName: "kind", mapping: { c: "Cat" }, defaultMapping: "Dog" };
    const { schema, model } = readSchema({ type: "object", discriminator }, "3.2", {
      Cat: cat,
      Dog: dog,
    });
    expect(schema.anyOf).toEqual([{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }]);
    expect(toPlainJson(model.schemas.Dog)).toEqual(dog);
  });

  test("an unusable discriminator is reported", () => {
    expect(
      codesOf(
        readSchema({ oneOf: [ref("Cat"), ref("Dog")], discriminator: {} }, "3.0", {
          Cat: cat,
          Dog: dog,
        }),
      ),
    ).toEqual(["model-discriminator"]);
    expect(codesOf(readSchema(union({ x: "Nobody" }), "3.0", { Cat: cat, Dog: dog }))).toEqual([
      "model-discriminator",
    ]);
    expect(
      codesOf(readSchema({ type: "object", discriminator: { propertyName: "kind" } }, "3.0")),
    ).toEqual(["model-discriminator-unused"]);
  });

  test("a member that other schemas reference in allOf is not tagged", () => {
    const named = {
      Cat: {
        properties: {
          kind: { type: "string" },
          kitten: { allOf: [ref("Cat"), { properties: inB }] },
        },
      },
      Dog: dog,
    };
    const result = readSchema(union(), "3.0", named);
    expect(toPlainJson(result.model.schemas.Cat)).toMatchObject({
      properties: { kind: { type: "string" } },
    });
    expect(codesOf(result)).toEqual(["model-discriminator"]);
  });
});

describe("discriminators of bases", () => {
  const base = (extra: object = {}): object => ({
    type: "object",
    description: "A pet",
    properties: { kind: { type: "string" } },
    required: ["kind"],
    discriminator: { propertyName: "kind", ...extra },
  });
  const child = (properties: object, of = "Pet"): object => ({
    allOf: [ref(of), { type: "object", properties }],
  });
  const family = { Pet: base(), Cat: child(inA), Dog: child(inB) };

  test("a reference to the base means any of its extensions, or the base", () => {
    const { schema, model } = readSchema({ type: "array", items: ref("Pet") }, "3.0", family);
    expect(schema).toEqual({ type: "array", items: { $ref: "#/$defs/Pet" } });
    expect(toPlainJson(model.schemas)).toEqual({
      Pet: {
        description: "A pet",
        anyOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }, { $ref: "#/$defs/PetBase" }],
      },
      PetBase: {
        type: "object",
        description: "A pet",
        properties: { kind: { type: "string", const: "Pet" } },
        required: ["kind"],
      },
      Cat: {
        type: "object",
        description: "A pet",
        properties: { kind: { type: "string", const: "Cat" }, ...inA },
        required: ["kind"],
      },
      Dog: {
        type: "object",
        description: "A pet",
        properties: { kind: { type: "string", const: "Dog" }, ...inB },
        required: ["kind"],
      },
    });
    const values: readonly (readonly [object, boolean])[] = [
      [{ kind: "Cat", a: "x" }, true],
      [{ kind: "Cat", a: 1 }, false],
      [{ kind: "Dog", b: 1 }, true],
      [{ kind: "Pet" }, true],
      [{ kind: "Cow" }, false],
      [{}, false],
    ];
    for (const [value, want] of values) expect(accepts(schema, model.schemas, [value])).toBe(want);
  });

  test("with a mapping, the base is a member only if it is mapped", () => {
    const only = readSchema(ref("Pet"), "3.0", {
      ...family,
      Pet: base({ mapping: { c: "Cat", d: "#/components/schemas/Dog" } }),
    });
    expect(only.model.schemas.Pet?.anyOf).toEqual([
      { $ref: "#/$defs/Cat" },
      { $ref: "#/$defs/Dog" },
    ]);
    expect(toPlainJson(only.model.schemas.Cat)).toMatchObject({
      properties: { kind: { const: "c" } },
    });
    const itself = readSchema(ref("Pet"), "3.0", {
      ...family,
      Pet: base({ mapping: { c: "Cat", d: "Dog", p: "Pet" } }),
    });
    expect(itself.model.schemas.Pet?.anyOf).toHaveLength(3);
    expect(toPlainJson(itself.model.schemas.PetBase)).toMatchObject({
      properties: { kind: { const: "p" } },
    });
  });

  test("a base whose property excludes its name is not a member", () => {
    const named = {
      ...family,
      Pet: { ...base(), properties: { kind: { type: "string", enum: ["Cat", "Dog"] } } },
    };
    expect(readSchema(ref("Pet"), "3.0", named).model.schemas.Pet?.anyOf).toHaveLength(2);
  });

  test("an extension has its tag even if the base is not referenced", () => {
    expect(toPlainJson(readSchema(ref("Cat"), "3.0", family).model.schemas)).toEqual({
      Cat: {
        type: "object",
        description: "A pet",
        properties: { kind: { type: "string", const: "Cat" }, ...inA },
        required: ["kind"],
      },
    });
  });

  test("indirect extensions, and extensions without fields", () => {
    const { model } = readSchema(ref("Pet"), "3.0", {
      ...family,
      Kitten: child({ c: { type: "boolean" } }, "Cat"),
      Cow: { allOf: [ref("Pet")] },
    });
    expect(model.schemas.Pet?.anyOf).toEqual([
      { $ref: "#/$defs/Cat" },
      { $ref: "#/$defs/Kitten" },
      { $ref: "#/$defs/Dog" },
      { $ref: "#/$defs/Cow" },
      { $ref: "#/$defs/PetBase" },
    ]);
    expect(toPlainJson(model.schemas.Kitten)).toMatchObject({
      properties: { kind: { const: "Kitten" }, a: {}, c: {} },
    });
    expect(toPlainJson(model.schemas.Cow)).toMatchObject({
      type: "object",
      properties: { kind: { const: "Cow" } },
    });
  });

  test("Swagger 2.0 names the property", () => {
    const of = (name: string): object => ({ $ref: `#/definitions/${name}` });
    const named = {
      Pet: { type: "object", discriminator: "kind", properties: { kind: { type: "string" } } },
      Cat: { allOf: [of("Pet"), { properties: inA }] },
    };
    const { model } = readSchema(of("Pet"), "2.0", named);
    expect(model.schemas.Pet).toEqual({
      anyOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/PetBase" }],
    });
  });

  test("a base in another schema's allOf contributes its fields", () => {
    const { schema } = readSchema(
      { allOf: [ref("Pet"), { properties: { x: { type: "string" } } }] },
      "3.0",
      family,
    );
    expect(schema).toEqual({
      type: "object",
      description: "A pet",
      properties: { kind: { type: "string" }, x: { type: "string" } },
      required: ["kind"],
    });
  });

  test("a description beside a base is kept", () => {
    expect(readSchema({ allOf: [ref("Pet")], description: "mine" }, "3.0", family).schema).toEqual({
      $ref: "#/$defs/Pet",
      description: "mine",
    });
    expect(
      readSchema({ type: "object", allOf: [ref("Pet")], nullable: true }, "3.0", family).schema,
    ).toEqual({ anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }] });
  });

  test("a mapping to schemas that do not extend the base adds its fields to them", () => {
    const named = {
      Event: {
        type: "object",
        properties: { kind: { type: "string" } },
        discriminator: { propertyName: "kind", mapping: { m: "Made" } },
      },
      Made: { type: "object", properties: inA },
    };
    const { model } = readSchema(ref("Event"), "3.0", named);
    expect(toPlainJson(model.schemas.Event)).toEqual({
      type: "object",
      properties: { kind: { type: "string" } },
      anyOf: [{ $ref: "#/$defs/Made" }],
    });
    expect(toPlainJson(model.schemas.Made)).toEqual({
      type: "object",
      properties: { ...inA, kind: { type: "string", const: "m" } },
      required: ["kind"],
    });
  });

  test("a mapping only to itself has no effect", () => {
    const named = {
      Event: {
        type: "object",
        properties: { kind: { type: "string", enum: ["m"] } },
        discriminator: { propertyName: "kind", mapping: { m: "#/components/schemas/Event" } },
      },
    };
    const result = readSchema(ref("Event"), "3.0", named);
    expect(toPlainJson(result.model.schemas.Event)).toMatchObject({
      type: "object",
      properties: { kind: { const: "m" } },
    });
    expect(codesOf(result)).toEqual([]);
  });

  test.each(["own", "in its allOf"])(
    "a hierarchy too large for a union becomes its base, with the discriminator %s",
    (where) => {
      const members = Object.fromEntries(
        Array.from({ length: 501 }, (_, i) => [
          `E${i}`,
          { allOf: [ref("Entity"), { properties: inA }] },
        ]),
      );
      const discriminator = {
        propertyName: "kind",
        mapping: Object.fromEntries(
          Object.keys(members).map((name) => [name, `#/components/schemas/${name}`]),
        ),
      };
      const fields = { type: "object", properties: { kind: { type: "string" } }, discriminator };
      const { model } = readSchema(ref("E0"), "3.0", {
        Entity: where === "own" ? fields : { allOf: [ref("Thing"), fields] },
        Thing: { properties: { t: { type: "string" } } },
        ...members,
      });
      expect(model.schemas.E0).toMatchObject({ type: "object", properties: { ...inA } });
      expect(JSON.stringify(model.schemas)).not.toContain("anyOf");
    },
  );

  test("a recursive hierarchy", () => {
    const pet = {
      ...base(),
      properties: { kind: { type: "string" }, friends: { type: "array", items: ref("Pet") } },
    };
    const { model, schema } = readSchema(ref("Pet"), "3.0", { ...family, Pet: pet });
    expect(accepts(schema, model.schemas, { kind: "Cat", friends: [{ kind: "Dog", b: 1 }] })).toBe(
      true,
    );
    expect(
      accepts(schema, model.schemas, { kind: "Cat", friends: [{ kind: "Dog", b: "1" }] }),
    ).toBe(false);
  });
});

describe("depth", () => {
  const nested = (levels: number): object =>
    levels === 0 ? { type: "string" } : { type: "object", properties: { p: nested(levels - 1) } };
  test("is bounded", () => {
    expect(readSchema(nested(150)).schema.type).toBe("object");
    const deep = readSchema(nested(250));
    expect(codesOf(deep)).toEqual(["model-nesting"]);
    expect(JSON.stringify(deep.schema).match(/"p"/g)).toHaveLength(200);
  });

  const versions: readonly SpecVersion[] = ["2.0", "3.0", "3.1", "3.2"];
  test.each(versions)("long chains of references do not count as nesting (%s)", (version) => {
    const prefix = version === "2.0" ? "#/definitions/" : "#/components/schemas/";
    const chain = (next: (index: number) => object): object =>
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, index) => [
          `S${index}`,
          index === 2999
            ? { type: "object", properties: { end: { type: "string" } } }
            : next(index),
        ]),
      );
    const start = { $ref: `${prefix}S0` };
    const properties = chain((index) => ({
      type: "object",
      properties: { n: { $ref: `${prefix}S${index + 1}` } },
    }));
    const aliases = chain((index) => ({ $ref: `${prefix}S${index + 1}` }));
    expect(
      Object.keys(read(withSchema(start, version, properties), version).model.schemas),
    ).toHaveLength(3000);
    expect(Object.keys(read(withSchema(start, version, aliases), version).model.schemas)).toEqual([
      "S2999",
    ]);
  });
});

test("a long chain of bases does not overflow the stack", () => {
  const named = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [
      `S${index}`,
      index === 1999
        ? { type: "object", properties: inA }
        : { allOf: [ref(`S${index + 1}`), { properties: { [`p${index}`]: { type: "string" } } }] },
    ]),
  );
  const { model } = read(withSchema(ref("S0"), "3.0", named), "3.0");
  expect(toPlainJson(model.schemas.S0)).toMatchObject({ properties: { p0: { type: "string" } } });
});

describe("a closed schema", () => {
  const shut = { type: "object", additionalProperties: false };
  const fields = {
    A: { ...a, additionalProperties: false },
    B: { type: "object", properties: inB, required: ["b"] },
  };
  const cases: readonly (readonly [
    why: string,
    given: object,
    yes: readonly object[],
    no: readonly object[],
    codes: readonly string[],
  ])[] = [
    [
      "allows the properties of its alternatives",
      { ...shut, oneOf: [ref("A"), ref("B")] },
      [{ a: "x" }, { b: 1 }],
      [{}, { b: "x" }],
      ["model-schema-additional-properties"],
    ],
    [
      "allows the properties of inline alternatives",
      {
        ...shut,
        properties: { c: {} },
        anyOf: [{ properties: inA, required: ["a"] }, { required: ["c"] }],
      },
      [{ a: "x" }, { c: 1 }],
      [{}],
      ["model-schema-additional-properties"],
    ],
    [
      "stays closed without further properties",
      {
        ...shut,
        properties: { ...inA, ...inB },
        oneOf: [{ required: ["a"] }, { properties: { b: { minimum: 1 } }, required: ["b"] }],
      },
      [{ a: "x" }, { b: 1 }],
      [{ a: "x", c: 1 }],
      [],
    ],
  ];
  test.each(cases)("%s", (_, given, yes, no, codes) => {
    const result = readSchema(given, "3.1", fields);
    expect(codesOf(result)).toEqual(codes);
    for (const value of yes) expect(accepts(result.schema, result.model.schemas, value)).toBe(true);
    for (const value of no) expect(accepts(result.schema, result.model.schemas, value)).toBe(false);
  });
});

test.each<[given: object, want: object]>([
  [
    { anyOf: [{ type: "string" }, { nullable: true }] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
  [
    { oneOf: [{ type: "string" }, { description: "None." }] },
    { oneOf: [{ type: "string" }, { type: "null" }] },
  ],
  [
    { anyOf: [{}, { type: "string", nullable: true }] },
    { anyOf: [{}, { type: ["string", "null"] }] },
  ],
  [{ anyOf: [{}, {}] }, { anyOf: [{}, {}] }],
])("an empty alternative means null: %j", (given, want) => {
  expect(readSchema(given, "3.0").schema).toEqual(want);
});
