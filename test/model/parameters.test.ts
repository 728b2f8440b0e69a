import { describe, expect, test } from "vitest";
import type { SpecVersion } from "../../src/load/types.js";
import {
  codesOf,
  diagnosticsOf,
  assertCompiles,
  toPlainJson,
  read,
  readOperation,
} from "./documents.js";

/** The declared parameters of GET /x/{p}. */
function parametersOf(
  parameters: readonly unknown[],
  version: SpecVersion = "3.1",
  shared: readonly unknown[] = [],
): ReturnType<typeof readOperation> {
  const result = read(
    { paths: { "/x": { parameters: shared, get: { parameters, responses: {} } } } },
    version,
  );
  const [operation] = result.model.operations;
  if (!operation) throw new Error("no operation");
  for (const { schema } of operation.parameters) assertCompiles(schema, result.model.schemas);
  return { ...result, operation };
}

const schema = { type: "string" };

describe("style and explode", () => {
  type Want = readonly [style: string, explode: boolean];
  const cases: readonly (readonly [given: object, want: Want, version?: SpecVersion])[] = [
    [{ in: "query" }, ["form", true]],
    [{ in: "query", explode: false }, ["form", false]],
    [{ in: "query", style: "spaceDelimited" }, ["spaceDelimited", false]],
    [{ in: "query", style: "pipeDelimited", explode: true }, ["pipeDelimited", true]],
    [{ in: "query", style: "deepObject" }, ["deepObject", true]],
    [{ in: "header" }, ["simple", false]],
    [{ in: "header", explode: true }, ["simple", true]],
    [{ in: "cookie" }, ["form", true]],
    [{ in: "cookie", style: "cookie" }, ["cookie", true], "3.2"],
  ];
  for (const [given, [style, explode], version] of cases) {
    test(JSON.stringify(given), () => {
      const { operation, diagnostics } = parametersOf([{ name: "n", schema, ...given }], version);
      expect(operation.parameters).toMatchObject([
        { name: "n", style, explode, required: false, deprecated: false },
      ]);
      expect(diagnostics).toEqual([]);
    });
  }

  test.each(["simple", "label", "matrix"])("path %s", (style) => {
    const { operation } = readOperation(
      { parameters: [{ name: "p", in: "path", style, schema }] },
      "3.0",
      "/x/{p}",
    );
    expect(operation.parameters).toMatchObject([{ style, explode: false, required: true }]);
  });

  const bad: readonly (readonly [given: object, style: string])[] = [
    [{ in: "query", style: "simple" }, "form"],
    [{ in: "header", style: "form" }, "simple"],
    [{ in: "cookie", style: "cookie" }, "form"],
    [{ in: "query", style: 5 }, "form"],
  ];
  test.each(bad)("%j becomes the default", (given, style) => {
    const result = parametersOf([{ name: "n", schema, ...given }], "3.1");
    expect(result.operation.parameters).toMatchObject([{ style }]);
    expect(diagnosticsOf(result)).toEqual([
      "model-parameter-style #/paths/~1x/get/parameters/0/style",
    ]);
  });
});

describe("allowReserved", () => {
  const cases: readonly (readonly [
    location: string,
    version: SpecVersion,
    want: boolean,
    codes: readonly string[],
  ])[] = [
    ["query", "3.0", true, []],
    ["header", "3.1", false, ["model-parameter-ignored"]],
    ["path", "3.1", false, ["model-parameter-ignored"]],
    ["path", "3.2", true, []],
    ["cookie", "3.1", false, ["model-parameter-ignored"]],
    ["cookie", "3.2", true, []],
    ["header", "3.2", false, ["model-parameter-ignored"]],
  ];
  test.each(cases)("in %s, %s", (location, version, want, codes) => {
    const result = readOperation(
      { parameters: [{ name: "p", in: location, required: true, allowReserved: true, schema }] },
      version,
      location === "path" ? "/x/{p}" : "/x",
    );
    expect(result.operation.parameters).toMatchObject([{ allowReserved: want }]);
    expect(codesOf(result)).toEqual(codes);
  });
});

test("examples of a header have no line break at the end", () => {
  const { operation } = parametersOf([{ name: "h", in: "header", schema, example: "a b\n" }]);
  expect(operation.parameters[0]?.schema.examples).toEqual(["a b"]);
});

test.each<[reason: string, schema: object, contentType: string | undefined]>([
  ["members that are lists", { properties: { a: { type: "array" } } }, "application/json"],
  ["items that are objects", { items: { type: "object" } }, "application/json"],
  ["members that are text", { type: "object", properties: { a: { type: "string" } } }, undefined],
])("a header with %s", (_, nested, contentType) => {
  const result = parametersOf([{ name: "h", in: "header", schema: nested }]);
  expect(result.operation.parameters[0]?.contentType).toBe(contentType);
  expect(codesOf(result)).toEqual(contentType === undefined ? [] : ["model-parameter"]);
});

describe("parameter values", () => {
  const cases: readonly (readonly [given: object, want: object, codes: readonly string[]])[] = [
    [{ schema: { type: "integer", default: 1 } }, { schema: { type: "integer", default: 1 } }, []],
    [{ schema: true }, { schema: {} }, []],
    [
      {
        schema,
        example: "a",
        examples: { b: { value: "b" }, c: { externalValue: "https://e.x/c" } },
      },
      { schema: { type: "string", examples: ["a", "b"] } },
      ["model-example"],
    ],
    [
      {
        content: {
          "Application/JSON; charset=utf-8": { schema: { type: "object" }, example: { a: 1 } },
        },
      },
      { contentType: "application/json", schema: { type: "object", examples: [{ a: 1 }] } },
      [],
    ],
    [
      { content: { "application/json": { schema }, "text/plain": { schema } } },
      { contentType: "application/json", schema },
      ["model-parameter"],
    ],
    [
      { content: { "text/plain\r\nX: 1": { schema } } },
      { schema: { type: "string" } },
      ["model-parameter"],
    ],
    [
      { schema, content: { "application/json": { schema: { type: "object" } } } },
      { schema },
      ["model-parameter"],
    ],
    [{}, { schema: { type: "string" } }, ["model-parameter"]],
    [
      { schema: null, content: { "application/json": { schema: { type: "object" } } } },
      { contentType: "application/json", schema: { type: "object" } },
      [],
    ],
    [
      { type: "integer", maximum: 5 },
      { schema: { type: "integer", maximum: 5 } },
      ["model-parameter"],
    ],
    [
      { schema, description: "d", deprecated: true, required: true },
      { description: "d", deprecated: true, required: true },
      [],
    ],
    [
      { schema, description: 5, required: "yes" },
      { required: false },
      ["model-value-type", "model-value-type"],
    ],
  ];
  test.each(cases)("%j", (given, want, codes) => {
    const result = parametersOf([{ name: "n", in: "query", ...given }]);
    expect(toPlainJson(result.operation.parameters[0])).toMatchObject(want);
    expect(codesOf(result)).toEqual(codes);
  });
});

describe("invalid parameters are left out", () => {
  const cases: readonly (readonly [
    given: unknown,
    code: string,
    severity: string,
    version?: SpecVersion,
  ])[] = [
    [{ name: "Authorization", in: "header", schema }, "model-header-credential", "info"],
    [{ name: "ACCEPT", in: "header", schema }, "model-header-ignored", "info"],
    [{ name: "content-type", in: "header", schema }, "model-header-ignored", "info"],
    [
      { name: "Authorization", in: "header", type: "string" },
      "model-header-credential",
      "info",
      "2.0",
    ],
    ...[
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "Connection",
      "Cookie",
      "Proxy-Authorization",
      "proxy-x",
      "Upgrade",
    ].map((name) => [{ name, in: "header", schema }, "model-header", "warning"] as const),
    ...["X-Bad\r\nX-Inj: 1", "X Space", "X-Ünï", "a:b"].map(
      (name) => [{ name, in: "header", schema }, "model-header", "warning"] as const,
    ),
    [{ name: "a;b=c", in: "cookie", schema }, "model-header", "warning"],
    [{ name: "", in: "query", schema }, "model-parameter", "warning"],
    [{ in: "query", schema }, "model-parameter", "warning"],
    [{ name: "n", schema }, "model-parameter", "warning"],
    [{ name: "n", in: "body", schema }, "model-parameter", "warning"],
    [
      { name: "n", in: "querystring", content: { "text/plain": { schema } } },
      "model-parameter",
      "warning",
      "3.1",
    ],
    ["n", "model-value-type", "warning"],
    [null, "model-value-type", "warning"],
  ];
  for (const [given, code, severity, version] of cases) {
    test(JSON.stringify(given), () => {
      const result = parametersOf([given], version);
      expect(result.operation.parameters).toEqual([]);
      expect(result.diagnostics.map((d) => [d.code, d.severity])).toEqual([[code, severity]]);
    });
  }

  test("messages escape names", () => {
    expect(
      parametersOf([{ name: "X-Bad\r\nX-Inj: 1", in: "header", schema }]).diagnostics[0]?.message,
    ).not.toMatch(/[\r\n]/);
  });
});

describe("path-level and operation-level parameters", () => {
  test("merge by name and location; the operation's override", () => {
    const shared = [
      { name: "a", in: "query", schema: { type: "integer" } },
      { name: "b", in: "query", schema },
      { name: "X-H", in: "header", schema },
    ];
    const { operation } = parametersOf(
      [
        { name: "a", in: "query", schema: { type: "boolean" } },
        { name: "a", in: "cookie", schema },
        { name: "x-h", in: "header", schema: { type: "number" } },
      ],
      "3.1",
      shared,
    );
    expect(operation.parameters.map((one) => [one.name, one.in, one.schema.type])).toEqual([
      ["a", "query", "boolean"],
      ["b", "query", "string"],
      ["x-h", "header", "number"],
      ["a", "cookie", "string"],
    ]);
  });
  test("the first of two duplicates is used", () => {
    const result = parametersOf([
      { name: "a", in: "query", schema: { type: "integer" } },
      { name: "a", in: "query", schema },
    ]);
    expect(result.operation.parameters).toMatchObject([{ schema: { type: "integer" } }]);
    expect(diagnosticsOf(result)).toEqual([
      "model-duplicate-parameter #/paths/~1x/get/parameters/1",
    ]);
  });
  test("a shared parameter is one object, and reported once", () => {
    const ref = { $ref: "#/components/parameters/Q" };
    const { model, diagnostics } = read({
      paths: {
        "/a": { get: { parameters: [ref], responses: {} } },
        "/b": { get: { parameters: [ref], responses: {} } },
      },
      components: { parameters: { Q: { name: "q", in: "query", style: "label", schema } } },
    });
    expect(model.operations[0]?.parameters[0]).toBe(model.operations[1]?.parameters[0]);
    expect(diagnosticsOf({ diagnostics })).toEqual([
      "model-parameter-style #/components/parameters/Q/style",
    ]);
  });
});

describe("`in: querystring` (3.2)", () => {
  const whole = {
    name: "all",
    in: "querystring",
    content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } },
  };
  test("is the whole query", () => {
    expect(parametersOf([whole], "3.2").operation.parameters).toMatchObject([
      {
        name: "all",
        in: "querystring",
        contentType: "application/x-www-form-urlencoded",
        schema: { type: "object" },
      },
    ]);
  });
  test("without `content` is any string", () => {
    const result = parametersOf([{ name: "all", in: "querystring", schema }], "3.2");
    expect(result.operation.parameters).toMatchObject([{ schema: { type: "string" } }]);
    expect(codesOf(result)).toEqual(["model-parameter"]);
  });
  test("cannot be combined with other parameters", () => {
    const result = parametersOf([whole, { name: "q", in: "query", schema }], "3.2");
    expect(result.operation.parameters.map(({ name }) => name)).toEqual(["q"]);
    expect(codesOf(result)).toEqual(["model-parameter"]);
    expect(
      parametersOf([whole, { ...whole, name: "two" }], "3.2").operation.parameters,
    ).toHaveLength(1);
  });
});

test.each([
  ["a flag", { type: "null" }, true, { type: "string", enum: [""] }],
  ["a flag that may not be empty", { type: "null" }, false, { type: "null" }],
  ["a text that may be empty", { type: "string" }, true, { type: "string" }],
])("%s in the query", (_, schema, allowEmptyValue, want) => {
  const flag = { name: "effective", in: "query", schema, allowEmptyValue };
  const { operation } = readOperation({ parameters: [flag] });
  expect(operation.parameters[0]?.schema).toEqual(want);
});

test.each([
  ["is read as that of a schema without one", { type: "integer" }, 5, 5],
  ["gives way to that of the schema", { type: "integer", default: 1 }, 5, 1],
  ["is converted to the type", { type: "boolean" }, "true", true],
  ["may be false", { type: "boolean" }, false, false],
])("a `default` beside `schema` %s", (_, schema, value, want) => {
  const given = [{ in: "query", name: "limit", default: value, schema }];
  expect(parametersOf(given, "3.0").operation.parameters[0]?.schema.default).toBe(want);
});
