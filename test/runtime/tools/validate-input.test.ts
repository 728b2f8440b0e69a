import { describe, expect, test } from "vitest";
import { invalidInputText } from "../../../src/runtime/errors/explain-failure.js";
import { validateInput, withLargeIntegers } from "../../../src/runtime/tools/validate-input.js";
import type { JsonSchema } from "../../../src/runtime/types.js";

const schema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["status"],
  properties: {
    status: { enum: ["active", "archived"] },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    owner: { type: "object", properties: { name: { type: "string" } } },
    tags: { type: ["array", "null"], items: { type: "string" } },
    lines: { type: "array", items: { type: "object", properties: { a: { type: "array" } } } },
    any: {},
    overlapping: { oneOf: [{ type: "integer" }, { minimum: 0 }] },
  },
};

/** Text for the agent; empty for a valid input. */
function answer(input: unknown): string {
  const validated = validateInput(schema, input);
  return validated.ok ? "" : invalidInputText({ name: "find_pets" }, validated.problems);
}

describe("invalid input", () => {
  test.each<readonly [string, unknown, string]>([
    [
      "all problems at once",
      { status: "activ", limit: 500 },
      'Not sent: 2 problems with the input of find_pets.\n- status: "activ" is not one of "active", "archived"; did you mean "active"?\n- limit: 500 is above the maximum of 100\nCorrect these and call find_pets again.',
    ],
    [
      "one problem",
      { status: "active", lmit: 5 },
      "Not sent: 1 problem with the input of find_pets.\n- lmit: unknown input; did you mean limit?\nCorrect it and call find_pets again.",
    ],
    [
      "no arguments",
      undefined,
      "Not sent: 1 problem with the input of find_pets.\n- status: is required\nCorrect it and call find_pets again.",
    ],
    [
      "null",
      null,
      "Not sent: 1 problem with the input of find_pets.\n- status: is required\nCorrect it and call find_pets again.",
    ],
    [
      "NaN of a custom tool that calls another",
      { status: "active", limit: Number.NaN },
      "Not sent: 1 problem with the input of find_pets.\n- limit: expected an integer, got NaN\nCorrect it and call find_pets again.",
    ],
    ["a list", [], "Not sent: the arguments must be an object, got a list of 0."],
    ["a text", "x", 'Not sent: the arguments must be an object, got "x".'],
    ["a number", 5, "Not sent: the arguments must be an object, got 5."],
    [
      "null for what is required",
      { status: null, limit: null },
      "Not sent: 1 problem with the input of find_pets.\n- status: is required\nCorrect it and call find_pets again.",
    ],
    [
      "null for what there is not",
      { status: "active", lmit: null },
      "Not sent: 1 problem with the input of find_pets.\n- lmit: unknown input; did you mean limit?\nCorrect it and call find_pets again.",
    ],
    [
      "null in a list",
      { status: "active", tags: [null] },
      "Not sent: 1 problem with the input of find_pets.\n- tags[0]: expected a string, got null\nCorrect it and call find_pets again.",
    ],
    [
      "a text where an object is wanted",
      { status: "active", owner: "{oops" },
      'Not sent: 1 problem with the input of find_pets.\n- owner: expected an object, got "{oops"\nCorrect it and call find_pets again.',
    ],
    [
      "a JSON text that does not fit either",
      { status: "active", owner: '{"name": {}}' },
      "Not sent: 1 problem with the input of find_pets.\n- owner.name: expected a string, got an object\nCorrect it and call find_pets again.",
    ],
    [
      "a number as text that is out of range",
      { status: "active", limit: "500" },
      "Not sent: 1 problem with the input of find_pets.\n- limit: 500 is above the maximum of 100\nCorrect it and call find_pets again.",
    ],
  ])("%s", (_, input, want) => expect(answer(input)).toBe(want));

  test("the number of reported problems is limited", () => {
    const text = answer(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x${i}`, 1])));
    expect(text.split("\n")).toHaveLength(23);
    expect(text).toContain("- and 41 more");
  });

  test.each<readonly [string, unknown, string]>([
    ["10,000 deep", nested(10_000), "Not sent: the input is nested more than 64 levels deep."],
    [
      "300,000 values",
      { any: Array.from({ length: 300_000 }, () => 1) },
      "Not sent: the input has more than 200000 values.",
    ],
    [
      "300,000 names",
      { any: Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [i, 1])) },
      "Not sent: the input has more than 200000 values.",
    ],
  ])("%s", (_, input, want) => expect(answer(input)).toBe(want));
});

describe("valid input", () => {
  test.each<readonly [string, unknown, unknown]>([
    ["as it is", { status: "active", limit: 5 }, { status: "active", limit: 5 }],
    [
      "an object as JSON text",
      { status: "active", owner: ' {"name": "Ann"}' },
      { status: "active", owner: { name: "Ann" } },
    ],
    [
      "a list as JSON text",
      { status: "active", tags: '["a", "b"]' },
      { status: "active", tags: ["a", "b"] },
    ],
    [
      "an object as JSON text inside a list that is JSON text itself",
      { status: "active", lines: '["{\\"a\\": [1]}", {"a": "[2]"}]' },
      { status: "active", lines: [{ a: [1] }, { a: [2] }] },
    ],
    ["all of it as JSON text", '{"status": "active"}', { status: "active" }],
    [
      "a JSON text where any value is allowed stays text",
      { status: "active", any: "[1]" },
      { status: "active", any: "[1]" },
    ],
    [
      "what fits two alternatives: the API decides",
      { status: "active", overlapping: 5 },
      { status: "active", overlapping: 5 },
    ],
  ])("%s", (_, input, want) => {
    expect(validateInput(schema, input)).toEqual({ ok: true, input: want });
  });

  test.each<readonly [string, unknown, unknown, readonly string[]]>([
    [
      "of what is optional",
      { status: "active", limit: null, owner: null },
      { status: "active" },
      ["limit", "owner"],
    ],
    [
      "further in",
      { status: "active", owner: { name: null }, lines: [{ a: null }, { a: [] }] },
      { status: "active", owner: {}, lines: [{}, { a: [] }] },
      ["owner.name", "lines[0].a"],
    ],
    [
      "of one of several forms",
      { status: "active", form: { a: 1, b: null } },
      { status: "active", form: { a: 1 } },
      ["form.b"],
    ],
    ["of one of several types", { status: "active", size: null }, { status: "active" }, ["size"]],
    [
      "in JSON text",
      { status: "active", owner: '{"name": null}' },
      { status: "active", owner: {} },
      ["owner.name"],
    ],
  ])("null %s is no value", (_, input, want, absent) => {
    const form = {
      anyOf: [
        {
          type: "object",
          properties: { a: { type: "integer" }, b: { type: "string" } },
          required: ["a"],
        },
        { type: "object", properties: { c: { type: "string" } }, required: ["c"] },
      ],
    };
    const forms = {
      ...schema,
      properties: {
        ...(schema["properties"] as object),
        form,
        size: { anyOf: [{ type: "integer" }, { type: "string" }] },
      },
    };
    expect(validateInput(forms, input)).toEqual({ ok: true, input: want, omittedNulls: absent });
  });

  test("null is kept where the schema allows it", () => {
    const input = { status: "active", tags: null, any: null };
    expect(validateInput(schema, input)).toEqual({ ok: true, input: input });
  });

  test("__proto__ is an ordinary name", () => {
    const validated = validateInput(
      schema,
      JSON.parse(
        '{"status": "active", "any": {"__proto__": {"polluted": 1}}, "tags": "[\\"a\\"]"}',
      ),
    );
    expect(JSON.stringify(validated)).toBe(
      '{"ok":true,"input":{"status":"active","any":{"__proto__":{"polluted":1}},"tags":["a"]}}',
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return { any: value };
}

describe("integers that a number cannot hold", () => {
  const ids: JsonSchema = {
    type: "object",
    properties: {
      id: { type: "integer" },
      near: { anyOf: [{ type: "integer" }, { type: "null" }] },
      price: { type: "number" },
      name: { type: "string" },
      owner: { type: "object", properties: { id: { type: "integer" } } },
      ids: { type: "array", items: { type: "integer" } },
    },
  };

  test.each<readonly [object, object | undefined]>([
    [{ id: "9007199254740993" }, { id: 9007199254740993n }],
    [
      { id: "-9007199254740993", near: "12345678901234567890" },
      { id: -9007199254740993n, near: 12345678901234567890n },
    ],
    [
      { owner: { id: "9007199254740993" }, ids: ["12345678901234567890", 1] },
      { owner: { id: 9007199254740993n }, ids: [12345678901234567890n, 1] },
    ],
    [{ name: "9007199254740993" }, { name: "9007199254740993" }],
    [{ id: "9007199254740991" }, { id: 9007199254740991 }],
    [{ id: "09007199254740993" }, undefined],
    [{ id: `1${"0".repeat(40)}` }, undefined],
    [{ price: "9007199254740993" }, undefined],
    [{ id: "9007199254740993", price: "x" }, undefined],
  ])("%s", (input, want) => {
    const validated = validateInput(ids, input, { allowLargeIntegers: true });
    const sent = validated.ok && withLargeIntegers(validated.input, validated.largeIntegers);
    expect(sent || undefined).toEqual(want);
    const isExact = "name" in input || want?.["id" as never] === 9007199254740991;
    expect(validateInput(ids, input).ok).toBe(isExact);
  });
});

test.each<readonly [string, unknown, string]>([
  [
    "a wrong value of the alternative whose field is given",
    { form: { position: { latitude: "a", longitude: "b" } } },
    '- form.position.latitude: expected a number, got "a"\n' +
      '- form.position.longitude: expected a number, got "b"',
  ],
  ["the fields of both without either", { form: {} }, "- form: needs href or position"],
])("problems are those of %s", (_, input, want) => {
  const place = { type: "object", properties: { latitude: number, longitude: number } };
  const form = {
    type: "object",
    anyOf: [
      { type: "object", properties: { href: { type: "string" } }, required: ["href"] },
      { type: "object", properties: { position: place }, required: ["position"] },
    ],
  };
  const validated = validateInput({ type: "object", properties: { form } }, input);
  const text = validated.ok ? "" : invalidInputText({ name: "set_place" }, validated.problems);
  expect(text).toContain(want);
});

const number = { type: "number" };

describe("values of another type", () => {
  const kinds = {
    anyOf: [
      { type: "object", properties: { kind: { const: "a" }, size: { type: "integer" } } },
      { type: "object", properties: { kind: { const: "b" }, size: { type: "string" } } },
    ],
  };
  const schemaOf = (value: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { value },
    required: ["value"],
  });
  const text = { type: "string" };
  const integer = { type: "integer" };
  const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

  test.each<readonly [string, JsonSchema, unknown, unknown]>([
    ["a number for text", text, 1, "1"],
    ["a boolean for text", text, true, "true"],
    ["text for an integer", integer, " 5 ", 5],
    ["text for a number", { type: "number" }, "-0.5", -0.5],
    ["text for a boolean", { type: "boolean" }, "True", true],
    ["text for a nullable number", { type: ["integer", "null"] }, "5", 5],
    ["text for a number or null", { anyOf: [integer, { type: "null" }] }, "5", 5],
    ["text for a number of an enum", { enum: [1, 2] }, "2", 2],
    ["one text for a list", list(text), "Ann", ["Ann"]],
    ["one number for a list of texts", list(text), 5, ["5"]],
    ["one object for a list", list({ type: "object" }), { a: 1 }, [{ a: 1 }]],
    ["items of a list", list(integer), ["1", 2, "3"], [1, 2, 3]],
    ["items of the one list of a union", { anyOf: [text, list(text)] }, [1, "2"], ["1", "2"]],
    ["a field of an object", { type: "object", properties: { a: integer } }, { a: "1" }, { a: 1 }],
    [
      "a field of JSON text",
      { type: "object", properties: { a: integer } },
      '{"a": "1"}',
      { a: 1 },
    ],
  ])("%s is converted", (_, value, input, want) => {
    const schema = schemaOf(value);
    expect(validateInput(schema, { value: input })).toMatchObject({
      ok: true,
      input: { value: want },
    });
    expect(validateInput(schema, { value: input })).not.toHaveProperty("converted");
    expect(validateInput(schema, { value: input }, { strict: true }).ok).toBe(false);
  });

  test("booleans and numbers that became text are kept as given", () => {
    const { input, givenValues } = validateInput(schemaOf(list(text)), {
      value: [true, "a", 2],
    }) as {
      input: unknown;
      givenValues: unknown;
    };
    expect(input).toEqual({ value: ["true", "a", "2"] });
    expect(givenValues).toEqual([
      { path: ["value", 0], part: true },
      { path: ["value", 2], part: 2 },
    ]);
  });

  test("a fraction for text is reported, because the text may have had further zeros", () =>
    expect(validateInput(schemaOf(list(text)), { value: [1.1, 2] })).toMatchObject({
      ok: true,
      input: { value: ["1.1", "2"] },
      converted: ["value[0]"],
    }));

  test.each<readonly [string, JsonSchema, unknown]>([
    ["an object for text", text, {}],
    ["a number beyond all digits for text", text, 1e21],
    ["a code with leading zeros", integer, "007"],
    ["a fraction for an integer", integer, "5.0"],
    ["an exponent", { type: "number" }, "1e3"],
    ["words for a number", integer, "five"],
    ["a number for a boolean", { type: "boolean" }, 1],
    ["a text of several values for a list", list(text), "a,b"],
    ["items of a list of lists", list(list(integer)), [1, 0]],
    ["damaged JSON text for a list", list(text), '["a"'],
    ["an empty text for a list", list(text), ""],
    ["a value of two types", { type: ["integer", "boolean"] }, "5"],
    ["a value of a union", { anyOf: [integer, { type: "boolean" }] }, "5"],
    ["items that tell alternatives apart", { anyOf: [list(integer), list(text)] }, ["1", 2]],
    ["a field that tells alternatives apart", kinds, { kind: "a", size: "5" }],
    ["no member of an enum", { enum: [1, 2] }, "3"],
  ])("%s is refused", (_, value, input) =>
    expect(validateInput(schemaOf(value), { value: input }).ok).toBe(false),
  );

  test("a list that contains itself is refused", () => {
    const schema = {
      ...schemaOf({ $ref: "#/$defs/T" }),
      $defs: { T: list({ $ref: "#/$defs/T" }) },
    };
    expect(validateInput(schema, { value: "x" }).ok).toBe(false);
  });
});

describe("identifiers in place of numbers", () => {
  const uuid = "5ed68d69-8dd4-4299-976d-c504c9bc78cb";
  const integer = { type: "integer" };
  const folder: JsonSchema = {
    type: "object",
    properties: {
      id: integer,
      amount: { type: "number", minimum: 1 },
      parent: { type: ["integer", "null"] },
      owner: { anyOf: [integer, { type: "object", properties: { id: integer } }] },
      nested: { type: "object", properties: { ids: { type: "array", items: integer } } },
    },
  };
  const lenient = { allowIdentifiers: true, allowLargeIntegers: true };

  test.each<readonly [string, object, readonly string[]]>([
    ["a UUID", { id: uuid }, ["id"]],
    ["a UUID in capitals", { id: uuid.toUpperCase() }, ["id"]],
    ["a UUID for an integer or null", { parent: uuid }, ["parent"]],
    ["a UUID for an integer or an object", { owner: uuid }, ["owner"]],
    ["a UUID for a number with a minimum", { amount: uuid }, ["amount"]],
    ["an object ID", { id: "507f1f77bcf86cd799439011" }, ["id"]],
    ["a ULID", { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }, ["id"]],
    ["an ID with a prefix", { id: "usr_8f3k2m9q" }, ["id"]],
    ["IDs of a list in an object", { nested: { ids: [1, uuid] } }, ["nested.ids[1]"]],
  ])("%s is sent as given", (_, input, identifiers) => {
    expect(validateInput(folder, input, lenient)).toEqual({ ok: true, input, identifiers });
    expect(validateInput(folder, input, { ...lenient, strict: true }).ok).toBe(false);
    expect(validateInput(folder, input).ok).toBe(false);
  });

  test.each<readonly [string, object]>([
    ["a word", { id: "five" }],
    ["a long name", { id: "theAssistantManagerOfThisClinic" }],
    ["a name with a number", { id: "table_12" }],
    ["an amount with a unit", { amount: "100px" }],
    ["a date", { id: "2026-01-31T12:00:00Z" }],
    ["leading zeros", { id: "0000000000000000000000000000017" }],
    ["an ID beside another problem", { id: uuid, amount: 0 }],
  ])("%s is refused", (_, input) => expect(validateInput(folder, input, lenient).ok).toBe(false));

  const part: JsonSchema = {
    type: "object",
    required: ["id", "name"],
    properties: { id: { type: ["string", "integer"] } },
  };
  const session: JsonSchema = {
    type: "object",
    properties: { kernel: part, tags: { type: "array", items: part } },
    required: ["id"],
  };
  test.each<readonly [object, readonly string[]]>([
    [{ kernel: { name: "python" } }, ["kernel.id"]],
    [{ kernel: { name: "python", id: null } }, ["kernel.id"]],
    [{ tags: [{ id: 1, name: "a" }, { name: "b" }] }, ["tags[1].id"]],
  ])("an ID of a part may be missing: %j", (input, omittedIds) => {
    const given = { id: 1, ...input };
    expect(validateInput(session, given, lenient)).toMatchObject({ ok: true, omittedIds });
    expect(validateInput(session, given, { ...lenient, strict: true }).ok).toBe(false);
    expect(validateInput(session, given).ok).toBe(false);
  });
  test.each<object>([{ kernel: { name: "python" } }, { id: 1, kernel: { id: 1 } }])(
    "another missing value is refused: %j",
    (input) => expect(validateInput(session, input, lenient).ok).toBe(false),
  );

  test("another problem is reported without the ID", () =>
    expect(validateInput(folder, { id: uuid, amount: 0 }, lenient)).toEqual({
      ok: false,
      problems: [{ input: "amount", problem: "0 is below the minimum of 1", isDisputable: true }],
    }));
});
