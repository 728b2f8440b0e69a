import { describe, expect, test } from "vitest";
import { callSignature } from "../../../src/runtime/discovery/signature.js";
import { toolDeclaration } from "../../../src/runtime/discovery/signature.js";
import type { JsonSchema } from "../../../src/runtime/types.js";
import { toolOf } from "../support/clinic.js";

const text = { type: "string" } as const;
const tool = (properties: Record<string, JsonSchema>, required: readonly string[] = []) =>
  toolOf({ name: "do_it", properties, required });

describe("a signature", () => {
  test.each<readonly [string, Record<string, JsonSchema>, string]>([
    [
      "a parameter without a value",
      { effective: { type: "string", maxLength: 0 } },
      'effective?: ""',
    ],
    ["text", { a: text }, "a?: string"],
    ["formats that matter", { a: { ...text, format: "date-time" } }, "a?: string<date-time>"],
    ["formats that do not", { a: { ...text, format: "password" } }, "a?: string"],
    ["numbers", { a: { type: "integer" }, b: { type: "number" } }, "a?: integer, b?: number"],
    ["defaults", { a: { type: "integer", default: 20 } }, "a?: integer = 20"],
    ["long defaults", { a: { ...text, default: "x".repeat(30) } }, "a?: string"],
    ["values", { a: { enum: ["on", "off", null] } }, 'a?: "on" | "off" | null'],
    ["a constant", { a: { const: 1 } }, "a?: 1"],
    ["nullable", { a: { type: ["string", "null"] } }, "a?: string | null"],
    [
      "nullable alternatives",
      {
        a: {
          anyOf: [{ type: ["string", "null"] }, { type: ["object", "null"] }, { type: "null" }],
        },
      },
      "a?: string | object | null",
    ],
    ["lists", { a: { type: "array", items: text } }, "a?: string[]"],
    ["lists of values", { a: { type: "array", items: { enum: ["x", "y"] } } }, 'a?: ("x" | "y")[]'],
    [
      "objects",
      { a: { type: "object", properties: { b: text, c: text }, required: ["c"] } },
      "a?: {c: string, b?: string}",
    ],
    ["maps", { a: { type: "object", additionalProperties: text } }, "a?: Record<string, string>"],
    ["anything", { a: {} }, "a?: unknown"],
    ["alternatives", { a: { anyOf: [text, { type: "integer" }] } }, "a?: string | integer"],
    [
      "fields beside alternatives",
      {
        a: {
          type: "object",
          properties: { size: text },
          anyOf: [
            { type: "object", properties: { href: text }, required: ["href"] },
            { type: "object", properties: { name: text } },
          ],
        },
      },
      "a?: {size?: string} & ({href: string} | {name?: string})",
    ],
    [
      "fields of which alternatives need some",
      {
        a: {
          type: "object",
          properties: { b: text, c: text },
          anyOf: [{ required: ["b"] }, { required: ["c"] }],
        },
      },
      "a?: {b?: string, c?: string}",
    ],
    [
      "fields beside parts",
      {
        a: {
          properties: { size: text },
          allOf: [{ type: "object", properties: { name: text } }],
        },
      },
      "a?: {size?: string} & {name?: string}",
    ],
    ["alternatives that inherit", { a: { ...text, anyOf: [{ minLength: 2 }] } }, "a?: string"],
    ["names that are not identifiers", { "a-b": text }, '"a-b"?: string'],
    ["no inputs", {}, ""],
  ])("has %s", (_, properties, want) =>
    expect(callSignature(tool(properties))).toBe(`do_it(${want})`),
  );

  test("has required inputs first", () =>
    expect(callSignature(tool({ a: text, b: text }, ["b"]))).toBe("do_it(b: string, a?: string)"));

  test("names optional inputs that it leaves out for size", () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field_${i}`, text]));
    const signature = callSignature(tool({ ...many, id: text }, ["id"]));
    expect(signature).toMatch(
      /^do_it\(id: string, field_0\?: string, .*, …\d+ more optional: field_\d+, .*, field_59\)$/,
    );
    expect(signature.length).toBeLessThan(900);
  });

  test("shortens large types of required inputs", () => {
    const values = Array.from({ length: 50 }, (_, i) => `a_long_value_${i}`);
    expect(callSignature(tool({ kind: { enum: values } }, ["kind"]))).toMatch(/…\d+ more\)$/);
  });

  test("ends recursion", () => {
    const inputSchema = {
      type: "object",
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
      properties: { node: { $ref: "#/$defs/Node" }, odd: { $ref: "#/$defs/__proto__" } },
    };
    expect(callSignature({ ...tool({}), inputSchema })).toMatch(/object.*odd\?: unknown\)$/);
  });
});

describe("a declaration", () => {
  test("has descriptions and constraints as comments", () => {
    const declared = toolDeclaration(
      tool({
        limit: { type: "integer", minimum: 1, maximum: 100, description: "Items, up to 100." },
        code: { ...text, pattern: "^a*/b$" },
        radius: { type: "number", minimum: 0, description: "Radius in meters" },
      }),
      false,
    );
    expect(declared).toBe(
      [
        "/** Get a pet. */",
        "do_it({",
        "  /** Items, up to 100. At least 1. */",
        "  limit?: integer;",
        "  /** Pattern: ^a* /b$. */",
        "  code?: string;",
        "  /** Radius in meters. At least 0. */",
        "  radius?: number;",
        "});",
      ].join("\n"),
    );
  });

  const address = {
    type: "object",
    description: "Address.",
    properties: { street: { ...text, description: "Street and number." }, city: text },
  };

  test("has comments of nested fields, of referred ones too", () => {
    const inputSchema = {
      type: "object",
      $defs: { Line: { type: "object", description: "One line.", properties: {} } },
      properties: {
        home: { ...address, properties: { ...address.properties, line: { $ref: "#/$defs/Line" } } },
        others: { type: "array", items: address },
      },
    };
    const declared = toolDeclaration({ ...tool({}), inputSchema, outputSchema: inputSchema }, true);
    expect(declared).toContain(
      "home?: {/** Street and number. */ street?: string, city?: string, /** One line. */ line?: object};",
    );
    expect(declared).toContain("others?: ({/** Street and number. */ street?: string");
    expect(toolDeclaration({ ...tool({}), inputSchema }, false, "brief")).not.toContain(
      "/** Street",
    );
    expect(declared).toMatch(
      /: \{\/\*\* Address\. \*\/ home\?: \{\/\*\* Street and number\. \*\/ street/,
    );
  });

  test("in its compact form has every input, and the beginnings of their comments", () => {
    const long = { ...text, description: `First. ${"Further. ".repeat(30)}` };
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, text]));
    const definition = tool({ a: long, b: { type: "object", properties: wide } });
    const declared = toolDeclaration(definition, false, "compact");
    expect(declared).toMatch(/\/\*\* First\. Further[^*]{60,90}… \*\/\n {2}a\?: string;/);
    expect(declared).toContain("b?: {f0?: string");
    expect(declared).toContain("…3 more}");
  });

  test("has the whole text of a tool with a shortened description", () => {
    const shortened = { ...tool({}), fullDescription: "Get a pet. It barks. Its owner pays." };
    expect(toolDeclaration(shortened, false)).toContain(
      "/** Get a pet. It barks. Its owner pays. */",
    );
  });

  test("has the whole texts of inputs and fields with shortened ones", () => {
    const cut = { ...text, description: "Begins …" };
    const shortened = {
      ...tool({ a: cut, b: { type: "array", items: { type: "object", properties: { c: cut } } } }),
      fullInputDescriptions: {
        "/properties/a": "Begins and ends.",
        "/properties/b/items/properties/c": "Begins, too, and ends.",
        "/properties/gone": "Is not there.",
      },
    };
    const declared = toolDeclaration(shortened, false);
    expect(declared).toContain("/** Begins and ends. */\n  a?: string");
    expect(declared).toContain("{/** Begins, too, and ends. */ c?: string}");
    expect(toolDeclaration(shortened, false, "brief")).toContain("/** Begins … */\n  a?: string");
    const edited = { ...shortened, ...tool({ a: { ...text, description: "Rewritten." } }) };
    expect(toolDeclaration(edited, false)).toContain("/** Rewritten. */");
  });

  test("has a long comment of fields of one name and text once", () => {
    const key = {
      ...text,
      description: `The key. ${"It is compared as bytes. ".repeat(4)}`.trim(),
    };
    const part = { type: "object", properties: { key, city: { ...text, description: "City." } } };
    const nested = tool({ a: part, b: { type: "object", properties: { c: part, label: key } } });
    const declared = toolDeclaration(nested, false);
    expect(declared.match(/The key\./g)).toHaveLength(2);
    expect(declared).toContain("c?: {key?: string, /** City. */ city?: string}");
    expect(declared).toMatch(/\/\*\* The key\. [^*]+\*\/ label\?: string/);
  });

  test("bounds the comments of nested fields", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [
        `f${i}`,
        { ...text, description: "Long. ".repeat(50) },
      ]),
    );
    const nested = tool({ a: { type: "object", properties } });
    expect(toolDeclaration(nested, false)).toContain(`${"Long. ".repeat(50).trim()} */ f89?`);
    const declared = toolDeclaration(nested, false, "concise");
    expect(declared).toMatch(/\{\/\*\* Long\. [^*]{100,170}… \*\/ f0\?: string/);
    expect(declared).toContain(", f89?: string");
    expect(declared.length).toBeLessThan(7000);
  });
});
