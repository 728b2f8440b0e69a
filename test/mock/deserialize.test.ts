import { describe, expect, test } from "vitest";
import { coerce, readPairs, readText } from "../../src/mock/deserialize.js";
import type { RawValue } from "../../src/mock/pairs.js";
import { decodeForm, decodeUri, noDecoding, pairOf } from "../../src/mock/pairs.js";
import { shapesOf } from "../../src/mock/inspect-schema.js";
import { type AnySchema, SchemaSet } from "../../src/mock/schema-set.js";
import type { Shape, Style } from "../../src/mock/types.js";

/**
 * Rows of OpenAPI 3.2 "Style Examples" for `color` = blue, [blue, black, brown], {R: 100, G: 200,
 * B: 150}.
 */
const list = ["blue", "black", "brown"];
const object = { R: "100", G: "200", B: "150" };

describe("readText", () => {
  const rows: readonly [Style, boolean, Shape, string, unknown][] = [
    ["matrix", false, "scalar", ";color=blue", "blue"],
    ["matrix", false, "scalar", ";color", ""],
    ["matrix", false, "array", ";color=blue,black,brown", list],
    ["matrix", false, "object", ";color=R,100,G,200,B,150", object],
    ["matrix", true, "scalar", ";color=blue", "blue"],
    ["matrix", true, "array", ";color=blue;color=black;color=brown", list],
    ["matrix", true, "object", ";R=100;G=200;B=150", object],
    ["matrix", false, "scalar", "color=blue", undefined],
    ["matrix", false, "scalar", ";colour=blue", undefined],
    ["label", false, "scalar", ".blue", "blue"],
    ["label", false, "array", ".blue,black,brown", list],
    ["label", false, "object", ".R,100,G,200,B,150", object],
    ["label", true, "array", ".blue.black.brown", list],
    ["label", true, "object", ".R=100.G=200.B=150", object],
    ["label", false, "scalar", "blue", undefined],
    ["simple", false, "scalar", "blue", "blue"],
    ["simple", false, "array", "blue,black,brown", list],
    ["simple", false, "object", "R,100,G,200,B,150", object],
    ["simple", true, "array", "blue,black,brown", list],
    ["simple", true, "object", "R=100,G=200,B=150", object],
    ["simple", false, "object", "R,100,G", undefined],
    ["simple", false, "array", "a%2Cb,c%20d", ["a,b", "c d"]],
    ["simple", false, "scalar", "a+b%2Fc", "a+b/c"],
  ];
  test.each(rows)("%s explode=%s %s %s", (style, explode, shape, text, want) => {
    expect(plain(readText(text, "color", style, explode, shape, decodeUri))).toEqual(want);
  });

  test("headers are not percent-decoded and may have spaces after commas", () => {
    expect(readText("a%20b, c", "X", "simple", false, "array", noDecoding)).toEqual(["a%20b", "c"]);
  });
});

describe("readPairs", () => {
  const rows: readonly [Style, boolean, Shape, string, unknown][] = [
    ["form", false, "scalar", "color=", ""],
    ["form", false, "scalar", "color=blue", "blue"],
    ["form", true, "scalar", "color=light+blue%2B", "light blue+"],
    ["form", false, "array", "color=blue,black,brown", list],
    ["form", false, "array", "color=a%2Cb,c", ["a,b", "c"]],
    ["form", false, "object", "color=R,100,G,200,B,150", object],
    ["form", true, "array", "color=blue&color=black&color=brown", list],
    ["form", true, "object", "R=100&G=200&B=150", object],
    ["form", false, "scalar", "color=blue&color=black", undefined],
    ["spaceDelimited", false, "array", "color=blue%20black%20brown", list],
    ["spaceDelimited", false, "object", "color=R%20100%20G%20200%20B%20150", object],
    ["pipeDelimited", false, "array", "color=blue%7Cblack%7Cbrown", list],
    ["pipeDelimited", false, "array", "color=blue|black|brown", list],
    ["pipeDelimited", false, "object", "color=R%7C100%7CG%7C200%7CB%7C150", object],
    ["deepObject", true, "object", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", object],
    [
      "deepObject",
      true,
      "object",
      "color[a][b]=1&color[c][]=2&color[c][]=3",
      { a: { b: "1" }, c: ["2", "3"] },
    ],
    [
      "deepObject",
      true,
      "object",
      "color[a][0]=1&color[a][1]=2&color[0]=x",
      { a: ["1", "2"], 0: "x" },
    ],
    ["deepObject", true, "object", "colors[R]=1", undefined],
    ["form", true, "array", "other=1", undefined],
  ];
  test.each(rows)("%s explode=%s %s %s", (style, explode, shape, query, want) => {
    const read = readPairs(
      query.split("&").map(pairOf),
      "color",
      style,
      explode,
      shape,
      decodeForm,
      (name) => name in object,
    );
    expect(plain(read?.raw)).toEqual(want);
  });

  test("cookie style does not decode values", () => {
    const pairs = ["color=blue%20ish", "color=black"].map(pairOf);
    expect(
      readPairs(pairs, "color", "cookie", true, "array", noDecoding, () => false)?.raw,
    ).toEqual(["blue%20ish", "black"]);
  });

  test("returns the used pairs", () => {
    const pairs = ["a=1", "color=blue", "b=2"].map(pairOf);
    expect(
      readPairs(pairs, "color", "form", true, "scalar", decodeForm, () => false)?.used,
    ).toEqual([["color", "blue"]]);
  });
});

/** Maps as objects, to compare with. */
function plain(raw: RawValue | undefined): unknown {
  if (raw instanceof Map)
    return Object.fromEntries(
      [...(raw as ReadonlyMap<string, RawValue>)].map(([k, v]) => [k, plain(v)]),
    );
  return Array.isArray(raw) ? (raw as RawValue[]).map(plain) : raw;
}

const schemas = new SchemaSet(
  {
    Id: { type: "integer" },
    Loop: { $ref: "#/$defs/Loop" },
    Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree" }, n: { type: "number" } } },
  },
  "request",
);

describe("coerce", () => {
  const rows: readonly [RawValue, AnySchema, unknown][] = [
    ["42", { type: "integer" }, 42],
    ["42", { type: "string" }, "42"],
    ["-1.5e3", { type: "number" }, -1500],
    ["4x", { type: "integer" }, "4x"],
    ["true", { type: "boolean" }, true],
    ["yes", { type: "boolean" }, "yes"],
    ["", { type: ["integer", "null"] }, null],
    ["null", { type: ["string", "null"], maxLength: 2 }, null],
    ["42", { type: ["string", "integer"] }, 42],
    ["42", { $ref: "#/$defs/Id" }, 42],
    ["42", { anyOf: [{ type: "integer", minimum: 50 }, { type: "string" }] }, "42"],
    ["2", { enum: [1, 2] }, 2],
    ["2", { const: "2" }, "2"],
    ["x", true, "x"],
    ["x", { $ref: "#/$defs/Loop" }, "x"],
    [["1", "2"], { type: "array", items: { type: "integer" } }, [1, 2]],
    [
      ["1", "b"],
      { type: "array", prefixItems: [{ type: "integer" }], items: { type: "string" } },
      [1, "b"],
    ],
    [
      new Map<string, RawValue>([
        ["a", "1"],
        ["b", "1"],
      ]),
      {
        type: "object",
        properties: { a: { type: "integer" } },
        additionalProperties: { type: "string" },
      },
      { a: 1, b: "1" },
    ],
    [
      new Map<string, RawValue>([["next", new Map([["n", "1"]])]]),
      { $ref: "#/$defs/Tree" },
      { next: { n: 1 } },
    ],
  ];
  test.each(rows)("%j by %j", (raw, schema, want) =>
    expect(coerce(raw, schema, schemas)).toEqual(want),
  );

  test("a property named __proto__ stays a property", () => {
    const value = coerce(new Map([["__proto__", "1"]]), { type: "object" }, schemas) as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("shapesOf", () => {
  const rows: readonly [AnySchema, readonly string[]][] = [
    [{ type: "string" }, ["scalar"]],
    [{ type: ["array", "null"] }, ["array", "scalar"]],
    [{ anyOf: [{ type: "object" }, { type: "integer" }] }, ["object", "scalar"]],
    [{ properties: {} }, ["object"]],
    [{}, ["scalar", "array", "object"]],
  ];
  test.each(rows)("%j", (schema, want) => expect(shapesOf(schema, schemas)).toEqual(want));
});
