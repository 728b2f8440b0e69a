import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MockParameter, SchemaSet } from "../../src/mock/index.js";
import { decodeParameters } from "../../src/mock/parameters.js";
import { bindRequest } from "../../src/runtime/request/bind-request.js";
import type { RequestMapping } from "../../src/runtime/types.js";
import { seed } from "../seed.js";
import { splitUrl } from "./backend.js";

/**
 * The mock decodes requests that the binder encodes: two independent implementations of the style
 * table. Values that a style cannot distinguish are excluded. The binder rejects them, or the
 * specification warns of them.
 */
type Place = "path" | "query" | "header" | "cookie";
interface Cell {
  readonly place: Place;
  readonly style: NonNullable<MockParameter["style"]>;
  readonly explode: boolean;
  /** Characters that values of this style cannot contain. */
  readonly not?: RegExp;
  readonly types?: readonly ("scalar" | "array" | "object")[];
}

const cells: readonly Cell[] = [
  ...[false, true].flatMap((explode): readonly Cell[] => [
    { place: "path", style: "simple", explode },
    { place: "path", style: "label", explode, not: /\./u },
    { place: "path", style: "matrix", explode },
    { place: "query", style: "form", explode },
    { place: "header", style: "simple", explode, not: /[,=]|^\s|\s$/u },
  ]),
  {
    place: "query",
    style: "spaceDelimited",
    explode: false,
    not: / /u,
    types: ["array", "object"],
  },
  {
    place: "query",
    style: "pipeDelimited",
    explode: false,
    not: /\|/u,
    types: ["array", "object"],
  },
  { place: "query", style: "deepObject", explode: true, types: ["object"] },
  { place: "cookie", style: "form", explode: true, types: ["scalar"] },
];

const scalar = { type: "string" } as const;
const schemas = {
  scalar,
  array: { type: "array", items: scalar },
  object: { type: "object", properties: { first: scalar, second: scalar } },
} as const;

/** Any text that a person could type, except characters that HTTP headers cannot contain. */
const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const headerTexts = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 });

function valuesOf(cell: Cell, type: "scalar" | "array" | "object"): fc.Arbitrary<unknown> {
  const text = (cell.place === "header" ? headerTexts : texts).filter(
    (t) => !cell.not?.test(t) && t !== "." && t !== "..",
  );
  if (type === "scalar") return text;
  if (type === "array") return fc.array(text, { minLength: 1, maxLength: 4 });
  return fc.record({ first: text, second: text });
}

function sendBinding({ place, style, explode }: Cell): RequestMapping {
  const wire = { color: { from: "color", style, explode } };
  const places = {
    path: { pathParams: wire },
    query: { query: wire },
    header: { headers: wire },
    cookie: { cookies: wire },
  } as const;
  return { method: "GET", path: place === "path" ? "/c/{color}" : "/c", ...places[place] };
}

const context = {
  api: {
    name: "x",
    title: "X",
    version: "1",
    envPrefix: "X",
    servers: [{ url: "https://api.example.com" }],
    securitySchemes: {},
  },
  env: {},
};

function readBack(cell: Cell, parameter: MockParameter, value: unknown): unknown {
  const bound = bindRequest(sendBinding(cell), { color: value }, context);
  if (!bound.ok) return bound.problems;
  const { path, query } = splitUrl(bound.request.url.slice("https://api.example.com".length));
  const headers = Object.fromEntries(
    bound.request.headers.map(([name, text]) => [name.toLowerCase(), text]),
  );
  const operation = { method: "GET", path: "/c", parameters: [parameter], responses: [] };
  const decoded = decodeParameters(
    operation,
    { path: new Map([["color", path.slice(3)]]), query, headers },
    { operations: [operation], schemas: {}, securitySchemes: {} },
    new SchemaSet({}, "request"),
  );
  return decoded.violations.length > 0 ? decoded.violations : decoded.values.get("color");
}

describe.each(
  cells.map(
    (cell) => [`${cell.place} ${cell.style} explode=${String(cell.explode)}`, cell] as const,
  ),
)("%s", (_, cell) => {
  test.each(cell.types ?? (["scalar", "array", "object"] as const))("%s", (type) => {
    const parameter: MockParameter = {
      name: "color",
      in: cell.place,
      required: cell.place === "path",
      schema: schemas[type],
      style: cell.style,
      explode: cell.explode,
    };
    fc.assert(
      fc.property(
        valuesOf(cell, type),
        (value) => void expect(readBack(cell, parameter, value)).toEqual(value),
      ),
      { numRuns: 60, seed },
    );
  });
});
