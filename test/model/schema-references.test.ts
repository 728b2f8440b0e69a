import { describe, expect, test } from "vitest";
import type { SpecVersion } from "../../src/load/types.js";
import { toTypeName } from "../../src/model/schema/schema-names.js";
import {
  accepts,
  codesOf,
  errorsOf,
  diagnosticsOf,
  toPlainJson,
  read,
  readSchema,
  withSchema,
} from "./documents.js";

const pet = {
  type: "object",
  properties: { name: { type: "string" }, friend: { $ref: "#/components/schemas/Pet" } },
};

test("a named schema has one entry and is converted once", () => {
  const { schema, model } = readSchema(
    { type: "array", items: { $ref: "#/components/schemas/Pet" } },
    "3.0",
    { Pet: pet, Unused: { type: "string" } },
  );
  expect(schema).toEqual({ type: "array", items: { $ref: "#/$defs/Pet" } });
  expect(toPlainJson(model.schemas)).toEqual({
    Pet: {
      type: "object",
      properties: { name: { type: "string" }, friend: { $ref: "#/$defs/Pet" } },
    },
  });
  expect(Object.getPrototypeOf(model.schemas)).toBeNull();
});

describe("any pointer is a target", () => {
  const operation = {
    get: {
      responses: {
        "200": { content: { "application/json": { schema: { type: "object", title: "R" } } } },
      },
    },
  };
  const root = {
    paths: { "/x/{id}": operation },
    components: {
      schemas: {
        A: {
          type: "object",
          properties: {
            b: { type: "integer" },
            list: { type: "array", items: { type: "string", maxLength: 2 } },
          },
        },
        Alias: { $ref: "#/components/schemas/A" },
      },
      responses: {
        Fault: { content: { "application/json": { schema: { type: "object", title: "F" } } } },
      },
      parameters: {
        Limit: { name: "limit", in: "query", schema: { type: "integer", title: "P" } },
      },
    },
  };
  const cases: readonly (readonly [ref: string, key: string, want: object])[] = [
    ["#/components/schemas/A/properties/b", "AB", { type: "integer" }],
    ["#/components/schemas/A/properties/list/items", "AListItem", { type: "string", maxLength: 2 }],
    ["#/components/schemas/Alias/properties/b", "AB", { type: "integer" }],
    [
      "#/components/responses/Fault/content/application~1json/schema",
      "FaultResponse",
      { type: "object", title: "F" },
    ],
    ["#/components/parameters/Limit/schema", "Limit", { type: "integer", title: "P" }],
    [
      "#/paths/~1x~1{id}/get/responses/200/content/application~1json/schema",
      "GetXIdResponse200",
      { type: "object", title: "R" },
    ],
    [
      "#/paths/~1x~1%7Bid%7D/get/responses/200/content/application~1json/schema",
      "GetXIdResponse200",
      { type: "object", title: "R" },
    ],
  ];
  test.each(cases)("%s", (ref, key, want) => {
    const post = {
      post: {
        requestBody: { content: { "application/json": { schema: { $ref: ref } } } },
        responses: {},
      },
    };
    const { model } = read({ ...root, paths: { ...root.paths, "/y": post } }, "3.0");
    expect(model.operations[1]?.body?.contents[0]?.schema).toEqual({ $ref: `#/$defs/${key}` });
    expect(toPlainJson(model.schemas[key])).toEqual(want);
  });

  test("of Swagger 2.0", () => {
    const { schema } = readSchema({ $ref: "#/definitions/A/properties/b" }, "2.0", {
      A: { properties: { b: { type: "string" } } },
    });
    expect(schema).toEqual({ $ref: "#/$defs/AB" });
  });
});

describe("aliases", () => {
  const named = {
    A: { $ref: "#/components/schemas/B" },
    B: { $ref: "#/components/schemas/C" },
    C: { type: "string" },
  };
  test("resolve to their target", () => {
    const { schema, model } = readSchema({ $ref: "#/components/schemas/A" }, "3.1", named);
    expect(schema).toEqual({ $ref: "#/$defs/C" });
    expect(Object.keys(model.schemas)).toEqual(["C"]);
  });
  test("with annotations of their own have entries (3.1)", () => {
    const { model } = readSchema({ $ref: "#/components/schemas/D" }, "3.1", {
      ...named,
      D: { $ref: "#/components/schemas/A", description: "d" },
    });
    expect(toPlainJson(model.schemas)).toEqual({
      C: { type: "string" },
      D: { $ref: "#/$defs/C", description: "d" },
    });
  });
});

describe("siblings of a reference", () => {
  const named = {
    A: { type: "object", properties: { a: { type: "string" } } },
    S: { type: "string" },
  };
  const cases: readonly (readonly [
    version: SpecVersion,
    given: object,
    want: object,
    codes: readonly string[],
  ])[] = [
    [
      "3.0",
      { $ref: "#/components/schemas/A", description: "d", maxProperties: 1 },
      { $ref: "#/$defs/A" },
      ["model-ref-siblings"],
    ],
    ["3.0", { $ref: "#/components/schemas/A", "x-y": 1 }, { $ref: "#/$defs/A" }, []],
    [
      "3.1",
      { $ref: "#/components/schemas/A", description: "d", deprecated: true },
      { $ref: "#/$defs/A", description: "d", deprecated: true },
      [],
    ],
    [
      "3.1",
      { $ref: "#/components/schemas/A", type: "object", description: "d" },
      { $ref: "#/$defs/A", description: "d" },
      [],
    ],
    [
      "3.1",
      { $ref: "#/components/schemas/A", required: ["a"] },
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      [],
    ],
    ["3.1", { $ref: "#/components/schemas/S", maxLength: 3 }, { type: "string", maxLength: 3 }, []],
    [
      "3.2",
      { $ref: "#/components/schemas/S", default: "x" },
      { $ref: "#/$defs/S", default: "x" },
      [],
    ],
  ];
  test.each(cases)("%s %j", (version, given, want, codes) => {
    const result = readSchema(given, version, named);
    expect(result.schema).toEqual(want);
    expect(codesOf(result)).toEqual(codes);
  });
});

describe("dangling references", () => {
  const cases: readonly (readonly [
    schema: object,
    named: object,
    code: string,
    message: RegExp,
    isUnknownBody?: boolean,
  ])[] = [
    [{ $ref: "#/components/schemas/No" }, {}, "model-ref-missing", /"#\/components\/schemas\/No"/],
    [{ $ref: "" }, {}, "model-ref-missing", /does not resolve/],
    [{ $ref: "other.yaml#/A" }, {}, "model-ref-missing", /other\.yaml/],
    [{ $ref: "#/components/schemas/constructor" }, {}, "model-ref-missing", /constructor/],
    [{ $ref: "#/paths/~1x/post/operationId" }, {}, "model-ref-missing", /operationId/],
    [{ $ref: "#/info/title" }, {}, "model-ref-target", /a string, not to a schema/],
    [
      { $ref: "#/components/schemas/A" },
      { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } },
      "model-ref-circular",
      /circular \$ref A -> B -> A/,
    ],
    [
      { $ref: "#/components/schemas/A" },
      { A: { $ref: "#/components/schemas/A" } },
      "model-ref-circular",
      /circular \$ref A -> A/,
    ],
    [
      { $ref: "#/components/schemas/A" },
      { A: { allOf: [{ $ref: "#/components/schemas/A" }, { type: "object" }] } },
      "model-ref-circular",
      /circular \$ref A -> A/,
      false,
    ],
    [
      { $ref: "#/components/schemas/A" },
      {
        A: { anyOf: [{ $ref: "#/components/schemas/B" }, { type: "object" }] },
        B: { anyOf: [{ $ref: "#/components/schemas/A" }, { type: "string" }] },
      },
      "model-ref-circular",
      /circular \$ref A -> B -> A/,
      false,
    ],
    [
      { $ref: "#/components/schemas/A" },
      { A: { $ref: "#/components/schemas/A", description: "d" } },
      "model-ref-circular",
      /circular \$ref A -> A/,
    ],
    [
      { $ref: "#/components/schemas/A" },
      { A: { $ref: "#/components/schemas/No" } },
      "model-ref-missing",
      /No/,
    ],
  ];
  test.each(cases.map(([schema, named, code, message]) => ({ schema, named, code, message })))(
    "in a property: $schema $named",
    ({ schema, named, code, message }) => {
      const body = { type: "object", properties: { x: schema, y: { type: "string" } } };
      const result = readSchema(body, "3.1", named);
      expect(Object.keys(result.schema.properties ?? {})).toEqual(["x", "y"]);
      expect(result.diagnostics.map((d) => [d.code, d.severity])).toEqual([[code, "warning"]]);
      expect(result.diagnostics[0]?.message).toMatch(message);
      expect(result.diagnostics[0]?.message).toMatch(/; any value is accepted\.$/);
    },
  );

  const bodies = cases.flatMap(([schema, named, , message, isUnknownBody]) =>
    isUnknownBody === false ? [] : [{ schema, named, message }],
  );
  test.each(bodies)("as the body: $schema $named", ({ schema, named, message }) => {
    const errors = errorsOf(withSchema(schema, "3.1", named), "3.1");
    expect(errors.map(({ code }) => code)).toEqual(["model-no-operations"]);
    expect(errors[0]?.message).toMatch(message);
  });

  test("matter only when an operation reaches them", () => {
    expect(
      codesOf(
        readSchema({ type: "string" }, "3.1", {
          A: { $ref: "#/components/schemas/No" },
          B: { allOf: [{ $ref: "#/components/schemas/B" }] },
        }),
      ),
    ).toEqual([]);
  });
});

describe("identifiers of 3.1", () => {
  const named = {
    Pet: {
      $id: "https://e.x/pet",
      type: "object",
      properties: { tag: { $ref: "#/$defs/Tag" }, other: { $ref: "#tagged" } },
      $defs: { Tag: { type: "string", $anchor: "tagged" } },
    },
    Node: {
      $dynamicAnchor: "node",
      type: "object",
      properties: { next: { $dynamicRef: "#node" } },
    },
    Odd: {
      type: "object",
      properties: { a: { $ref: "#/$defs/Inner" } },
      $defs: { Inner: { type: "integer" } },
    },
    Tree: {
      $recursiveAnchor: true,
      type: "object",
      properties: { children: { type: "array", items: { $recursiveRef: "#" } } },
    },
    Self: { type: "object", properties: { me: { $ref: "#" } } },
  };
  const cases: readonly (readonly [ref: string, want: object])[] = [
    [
      "https://e.x/pet",
      {
        Pet: {
          type: "object",
          properties: { tag: { $ref: "#/$defs/Tag" }, other: { $ref: "#/$defs/Tag" } },
        },
        Tag: { type: "string" },
      },
    ],
    ["https://e.x/pet#/$defs/Tag", { Tag: { type: "string" } }],
    ["https://e.x/pet#tagged", { Tag: { type: "string" } }],
    ["#node", { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } }],
    [
      "#/components/schemas/Odd",
      {
        Odd: { type: "object", properties: { a: { $ref: "#/$defs/Inner" } } },
        Inner: { type: "integer" },
      },
    ],
    [
      "#/components/schemas/Tree",
      {
        Tree: {
          type: "object",
          properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
        },
      },
    ],
    [
      "#/components/schemas/Self",
      { Self: { type: "object", properties: { me: { $ref: "#/$defs/Self" } } } },
    ],
  ];
  test.each(cases)("%s", (ref, want) => {
    expect(toPlainJson(readSchema({ $ref: ref }, "3.1", named).model.schemas)).toEqual(want);
  });

  test("`$dynamicRef` is reported as static", () => {
    expect(codesOf(readSchema({ $ref: "#node" }, "3.1", named))).toEqual(["model-dynamic-ref"]);
  });

  test("a type parameter of `$dynamicRef` is any value", () => {
    const list = {
      $id: "list",
      type: "object",
      properties: { items: { type: "array", items: { $dynamicRef: "#T" } } },
      $defs: { T: { $dynamicAnchor: "T", not: {} } },
    };
    const pets = {
      $id: "pets",
      $ref: "list",
      $defs: { T: { $dynamicAnchor: "T", type: "object" } },
    };
    const result = readSchema({ $ref: "pets" }, "3.1", { list, pets });
    expect(accepts(result.schema, result.model.schemas, { items: [{}] })).toBe(true);
    expect(codesOf(result)).toEqual(["model-dynamic-ref"]);
  });

  test("an `$id` below a name that is also a keyword", () => {
    const schema = { $id: "https://e.x/s", type: "integer" };
    const properties = { value: schema, other: { $ref: "https://e.x/s" } };
    const result = readSchema({ type: "object", properties }, "3.1");
    expect(accepts(result.schema, result.model.schemas, { other: "a" })).toBe(false);
    expect(result.diagnostics).toEqual([]);
  });

  test("`$self` of 3.2 is the document", () => {
    const root = {
      $self: "https://e.x/api",
      ...withSchema({ $ref: "https://e.x/api#/components/schemas/A" }, "3.2", {
        A: { type: "string" },
      }),
    };
    expect(toPlainJson(read(root, "3.2").model.schemas)).toEqual({ A: { type: "string" } });
  });
});

describe("type names", () => {
  const cases: readonly (readonly [given: string, want: string])[] = [
    ["Pet", "Pet"],
    ["simple-user", "SimpleUser"],
    ["HTTPError", "HTTPError"],
    ["snake_case_name", "SnakeCaseName"],
    ["api.v2010.account", "ApiV2010Account"],
    ["Page«Pet»", "PagePet"],
    ["Café", "Cafe"],
    ["2fa", "Schema2fa"],
    ["class", "Class"],
    ["__proto__", "Proto"],
    ["constructor", "Constructor"],
    ...[
      "Object",
      "String",
      "Array",
      "Record",
      "Promise",
      "Date",
      "Error",
      "Map",
      "Set",
      "Number",
      "Boolean",
      "Symbol",
    ].map((name) => [name, `${name}Model`] as const),
    ["用户", "Schemac4ec0f60"],
    ["", "Schema811c9dc5"],
    ["a'];evil();['", "AEvil"],
  ];
  test.each(cases)("%j → %s", (given, want) => {
    expect(toTypeName(given)).toBe(want);
    expect(toTypeName(given)).toMatch(/^[A-Z_$][A-Za-z0-9_$]*$/);
  });

  test("are unique, and the exact name wins", () => {
    const names = ["pet", "Pet", "PET", "p-et", "pet2", "pet-2", "Pet 2", "p_2"];
    const named = Object.fromEntries(names.map((name) => [name, { type: "string", title: name }]));
    const { model } = readSchema(
      { anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
      "3.0",
      named,
    );
    const titles = Object.fromEntries(
      Object.entries(model.schemas).map(([key, { title }]) => [title, key]),
    );
    expect(titles).toEqual({
      Pet: "Pet",
      pet: "Pet2",
      PET: "PET",
      "p-et": "PEt",
      pet2: "Pet2_2",
      "pet-2": "Pet2_3",
      "Pet 2": "Pet2_4",
      p_2: "P2",
    });
  });

  test("of components do not depend on the order of use", () => {
    const named = { "a-b": { type: "string" }, AB: { type: "integer" }, a_b: { type: "boolean" } };
    const one = readSchema({ $ref: "#/components/schemas/a_b" }, "3.0", named);
    expect(Object.keys(one.model.schemas)).toEqual(["AB3"]);
  });
});

test("`properties` may be a reference", () => {
  const { schema } = readSchema(
    { type: "object", properties: { $ref: "#/components/schemas/A/properties" } },
    "3.0",
    { A: { properties: { a: { type: "string" }, $ref: { type: "integer" } } } },
  );
  expect(schema).toEqual({
    type: "object",
    properties: { a: { type: "string" }, $ref: { type: "integer" } },
  });
});

test("an operation may be a reference", () => {
  const { model } = read({
    paths: { "/x": { get: { $ref: "#/components/x-operations/Get" } } },
    components: { "x-operations": { Get: { operationId: "g", responses: {} } } },
  });
  expect(model.operations).toMatchObject([
    { operationId: "g", location: { pointer: "#/components/x-operations/Get" } },
  ]);
});

test("references in other objects resolve to the location of the definition", () => {
  const { model, diagnostics } = read(
    {
      paths: { "/x": { $ref: "#/components/pathItems/X" } },
      components: {
        pathItems: {
          X: {
            get: {
              parameters: [{ $ref: "#/components/parameters/P" }],
              responses: { "200": { $ref: "#/components/responses/R" } },
            },
            post: { requestBody: { $ref: "#/components/requestBodies/B" }, responses: {} },
          },
        },
        parameters: {
          P: { $ref: "#/components/parameters/Q", description: "mine" },
          Q: { name: "q", in: "query", schema: { type: "strng" } },
        },
        requestBodies: { B: { content: { "application/json": { schema: { type: "string" } } } } },
        responses: {
          R: { description: "r", headers: { H: { $ref: "#/components/headers/H" } }, content: {} },
        },
        headers: { H: { schema: { type: "integer" } } },
      },
    },
    "3.1",
  );
  const [get, post] = model.operations;
  expect(get?.parameters[0]).toMatchObject({
    name: "q",
    description: "mine",
    location: { pointer: "#/components/parameters/Q" },
  });
  expect(get?.responses).toEqual([
    {
      status: "200",
      description: "r",
      contents: [],
      headers: [{ name: "H", schema: { type: "integer" } }],
    },
  ]);
  expect(get?.location.pointer).toBe("#/components/pathItems/X/get");
  expect(post?.body?.contents[0]?.location.pointer).toBe(
    "#/components/requestBodies/B/content/application~1json",
  );
  expect(diagnosticsOf({ diagnostics })).toEqual([
    "model-schema-type #/components/parameters/Q/schema/type",
  ]);
});

test("a dangling reference affects only the parts that use it", () => {
  const missing = { $ref: "#/components/x/No" };
  const operation = {
    parameters: [
      { name: "q", in: "query", schema: { type: "string" }, examples: { e: missing } },
      missing,
    ],
    responses: {
      "200": { description: "", headers: { H: missing }, links: { L: missing } },
      "201": missing,
    },
  };
  const { model, diagnostics } = read({
    paths: { "/x": { get: operation, post: { requestBody: missing, responses: {} } } },
  });
  expect(model.operations.map(({ method }) => method)).toEqual(["GET"]);
  expect(model.operations[0]?.parameters).toHaveLength(1);
  expect(diagnostics.map(({ code, message }) => `${code}: ${message.split("; ")[1]}`)).toEqual([
    "model-ref-missing: the parameter is left out.",
    "model-ref-missing: the example is left out.",
    "model-ref-missing: the header is left out.",
    "model-ref-missing: the result is unknown.",
    "model-ref-missing: the link is left out.",
    "model-ref-missing: the operation POST /x is left out.",
  ]);
});
