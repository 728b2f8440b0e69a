import { describe, expect, test } from "vitest";
import { codesOf, assertCompiles, toPlainJson, read } from "./documents.js";

function operationOf(
  operation: object,
  root: object = {},
  method = "post",
): ReturnType<typeof read> & {
  readonly operation: NonNullable<ReturnType<typeof read>["model"]["operations"][0]>;
} {
  const result = read(
    { ...root, paths: { "/x": { [method]: { responses: {}, ...operation } } } },
    "2.0",
  );
  const [first] = result.model.operations;
  if (!first) throw new Error("no operation");
  for (const { schema } of [...first.parameters, ...(first.body?.contents ?? [])])
    if (schema) assertCompiles(schema, result.model.schemas);
  return { ...result, operation: first };
}

describe("host, basePath and schemes", () => {
  const url = "https://docs.e.x/swagger.json";
  const cases: readonly (readonly [
    root: object,
    want: readonly string[],
    codes?: readonly string[],
    url?: string,
  ])[] = [
    [
      { host: "api.e.x", basePath: "/v1", schemes: ["http", "https"] },
      ["https://api.e.x/v1", "http://api.e.x/v1"],
    ],
    [{ host: "api.e.x:8080", basePath: "/" }, ["https://api.e.x:8080"]],
    [{ host: "localhost:8080" }, ["http://localhost:8080"], [], "http://localhost/swagger.json"],
    [{ host: "api.e.x", basePath: "v1/", schemes: ["http"] }, ["http://api.e.x/v1"]],
    [
      { host: "localhost:8080", schemes: ["https", "http"] },
      ["http://localhost:8080", "https://localhost:8080"],
    ],
    [{ host: "https://api.e.x/base/", basePath: "/v1" }, ["https://api.e.x/base/v1"]],
    [{ host: "api.e.x", schemes: ["wss", "https"] }, ["https://api.e.x"], ["model-server"]],
    [{ basePath: "/v1" }, ["/v1"]],
    [{}, []],
    [{ basePath: "/v1" }, ["https://docs.e.x/v1"], [], url],
    [{}, ["https://docs.e.x/"], [], url],
    [{ host: "h';evil();'", basePath: "/v1", schemes: ["http"] }, [], ["model-server"]],
    [{ host: "u:hunter2@api.e.x" }, ["https://api.e.x"], ["model-server-credentials"]],
    [{ host: 5 }, [], ["model-value-type"]],
  ];
  for (const [root, want, codes = [], from] of cases) {
    test(`${JSON.stringify(root)} ${from ?? ""}`, () => {
      const result = read({ ...root, paths: { "/x": { get: { responses: {} } } } }, "2.0", from);
      expect(result.model.servers.map((server) => server.url)).toEqual(want);
      expect(codesOf(result)).toEqual(codes);
      expect(JSON.stringify(result)).not.toContain("hunter2");
    });
  }
});

describe("schemes of an operation", () => {
  const cases: readonly (readonly [
    root: object,
    own: readonly string[],
    want: readonly string[] | undefined,
  ])[] = [
    [{ host: "api.e.x", schemes: ["https"] }, ["http"], ["http://api.e.x"]],
    [
      { host: "api.e.x", schemes: ["http"] },
      ["http", "https"],
      ["https://api.e.x", "http://api.e.x"],
    ],
    [{ host: "api.e.x" }, ["https"], undefined],
    [{ host: "api.e.x" }, [], undefined],
    [{ basePath: "/v1" }, ["http"], undefined],
  ];
  test.each(cases)("%j %j", (root, schemes, want) => {
    expect(operationOf({ schemes }, root).operation.servers?.map(({ url }) => url)).toEqual(want);
  });
});

describe("parameters", () => {
  const list = { type: "array", items: { type: "string" } };
  const cases: readonly (readonly [given: object, want: object, codes?: readonly string[]])[] = [
    [
      {
        in: "query",
        type: "integer",
        format: "int32",
        minimum: 1,
        exclusiveMinimum: true,
        default: 5,
        "x-example": 7,
      },
      {
        schema: {
          type: "integer",
          format: "int32",
          exclusiveMinimum: 1,
          default: 5,
          examples: [7],
        },
        style: "form",
        explode: true,
      },
    ],
    [
      { in: "query", type: "string", "x-nullable": true, "x-other": 1, enum: ["a"] },
      { schema: { type: ["string", "null"], enum: ["a", null] } },
    ],
    [
      { in: "query", ...list },
      { schema: list, style: "form", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "csv" },
      { style: "form", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "multi" },
      { style: "form", explode: true },
    ],
    [
      { in: "query", ...list, collectionFormat: "ssv" },
      { style: "spaceDelimited", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "pipes" },
      { style: "pipeDelimited", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "tsv" },
      { style: "tabDelimited", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: 5 },
      { style: "form", explode: false },
      ["model-parameter-style"],
    ],
    [
      { in: "header", ...list },
      { style: "simple", explode: false },
    ],
    [
      { in: "header", ...list, collectionFormat: "pipes" },
      { style: "pipeDelimited", explode: false },
    ],
    [
      { in: "header", ...list, collectionFormat: "multi" },
      { style: "simple", explode: false },
      ["model-parameter-style"],
    ],
    [
      {
        in: "query",
        type: "array",
        collectionFormat: "multi",
        items: { type: "array", items: { type: "string" }, collectionFormat: "csv" },
      },
      { style: "form", explode: true, schema: { type: "array", items: list } },
      ["model-parameter-style"],
    ],
    [
      { in: "query", type: "integer", minimum: "1" },
      { schema: { type: "integer" } },
      ["model-schema-keyword"],
    ],
    [
      { in: "query", schema: { type: "integer" } },
      { schema: { type: "integer" } },
      ["model-parameter"],
    ],
  ];
  for (const [given, want, codes = []] of cases) {
    test(JSON.stringify(given), () => {
      const result = operationOf({ parameters: [{ name: "n", ...given }] });
      expect(toPlainJson(result.operation.parameters[0])).toMatchObject(want);
      expect(codesOf(result)).toEqual(codes);
    });
  }
  test("by reference, with the location of the definition", () => {
    const { operation } = operationOf(
      { parameters: [{ $ref: "#/parameters/Q" }] },
      { parameters: { Q: { name: "q", in: "query", type: "string" } } },
    );
    expect(operation.parameters[0]?.location.pointer).toBe("#/parameters/Q");
  });
});

describe("bodies", () => {
  const body = {
    in: "body",
    name: "b",
    required: true,
    description: "d",
    schema: { type: "object" },
  };
  const text = { in: "formData", name: "t", type: "string", required: true, description: "text" };
  const file = { in: "formData", name: "f", type: "file" };
  const list = {
    in: "formData",
    name: "l",
    type: "array",
    items: { type: "string" },
    collectionFormat: "multi",
  };
  const cases: readonly (readonly [
    name: string,
    operation: object,
    want: object | undefined,
    codes?: readonly string[],
  ])[] = [
    [
      "a body",
      { parameters: [body] },
      {
        required: true,
        description: "d",
        contents: [{ mediaType: "application/json", schema: { type: "object" } }],
      },
    ],
    [
      "in several types",
      { parameters: [body], consumes: ["application/xml", "application/json"] },
      { contents: [{ mediaType: "application/xml" }, { mediaType: "application/json" }] },
    ],
    [
      "a form",
      { parameters: [text] },
      {
        required: true,
        contents: [
          {
            mediaType: "application/x-www-form-urlencoded",
            schema: {
              type: "object",
              properties: { t: { type: "string", description: "text" } },
              required: ["t"],
            },
          },
        ],
      },
    ],
    [
      "a form of either kind",
      {
        parameters: [text],
        consumes: ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"],
      },
      {
        contents: [
          { mediaType: "multipart/form-data" },
          { mediaType: "application/x-www-form-urlencoded" },
        ],
      },
    ],
    [
      "an optional form",
      { parameters: [{ ...text, allowEmptyValue: true }] },
      { required: true },
      ["model-parameter-ignored"],
    ],
    [
      "a file",
      { parameters: [file, text] },
      {
        contents: [
          {
            mediaType: "multipart/form-data",
            schema: { properties: { f: { type: "string", format: "binary" } } },
          },
        ],
      },
    ],
    [
      "a file in a URL-encoded form",
      { parameters: [file], consumes: ["application/x-www-form-urlencoded"] },
      { required: false, contents: [{ mediaType: "multipart/form-data" }] },
      ["model-media-type"],
    ],
    [
      "an array in a form",
      { parameters: [list] },
      { contents: [{ encoding: { l: { style: "form", explode: true } } }] },
    ],
    [
      "two bodies",
      { parameters: [body, { ...body, name: "c" }] },
      { contents: [{ mediaType: "application/json" }] },
      ["model-duplicate-parameter"],
    ],
    [
      "a body and a form",
      { parameters: [text, body] },
      { contents: [{ mediaType: "application/json" }] },
      ["model-body"],
    ],
    [
      "no schema",
      { parameters: [{ in: "body", name: "b" }] },
      { contents: [{ mediaType: "application/json" }] },
    ],
    [
      "a nameless field",
      { parameters: [{ in: "formData", type: "string" }, text] },
      { contents: [{ schema: { properties: { t: {} } } }] },
      ["model-parameter"],
    ],
  ];
  for (const [name, operation, want, codes = []] of cases) {
    test(name, () => {
      const result = operationOf(operation);
      if (want) expect(toPlainJson(result.operation.body)).toMatchObject(want);
      else expect(result.operation.body).toBeUndefined();
      expect(codesOf(result)).toEqual(codes);
    });
  }
  test("root `consumes`, and an empty list that clears it", () => {
    expect(
      operationOf({ parameters: [body] }, { consumes: ["application/xml"] }).operation.body
        ?.contents[0]?.mediaType,
    ).toBe("application/xml");
    expect(
      operationOf({ parameters: [body], consumes: [] }, { consumes: ["application/xml"] }).operation
        .body?.contents[0]?.mediaType,
    ).toBe("application/json");
  });
  test("a list of files is multipart, one part per file", () => {
    const files = { in: "formData", name: "f", type: "array", items: { type: "file" } };
    const { body } = operationOf({ parameters: [files] }).operation;
    expect(body?.contents).toMatchObject([{ mediaType: "multipart/form-data" }]);
    expect(body?.contents[0]?.encoding).toBeUndefined();
  });
  test.each([
    ["get", true],
    ["head", false],
  ])("%s has one, with a warning: %s", (method, has) => {
    const result = operationOf({ parameters: [file] }, {}, method);
    expect(result.operation.body !== undefined).toBe(has);
    expect(codesOf(result)).toEqual(["model-body-method"]);
  });
  test("`in: body` on the path item", () => {
    const { model } = read(
      { paths: { "/x": { parameters: [body], put: { responses: {} } } } },
      "2.0",
    );
    expect(model.operations[0]?.body?.contents).toHaveLength(1);
  });
});

describe("responses", () => {
  const pet = { Pet: { type: "object", properties: { id: { type: "integer" } } } };
  test("have their schema in each produced media type", () => {
    const { operation, model } = operationOf(
      {
        produces: ["application/json", "application/xml"],
        responses: {
          200: {
            description: "ok",
            schema: { $ref: "#/definitions/Pet" },
            examples: { "application/json": { id: 1 } },
            headers: { "X-A": { type: "integer", description: "d" } },
          },
          404: { $ref: "#/responses/None" },
        },
      },
      { definitions: pet, responses: { None: { description: "none" } } },
    );
    expect(toPlainJson(operation.responses)).toMatchObject([
      {
        status: "200",
        contents: [
          { mediaType: "application/json", schema: { $ref: "#/$defs/Pet" }, examples: [{ id: 1 }] },
          { mediaType: "application/xml", schema: { $ref: "#/$defs/Pet" } },
        ],
        headers: [{ name: "X-A", description: "d", schema: { type: "integer" } }],
      },
      { status: "404", description: "none", contents: [] },
    ]);
    expect(Object.keys(model.schemas)).toEqual(["Pet"]);
  });
  test("a file without a media type is octet-stream", () => {
    expect(
      operationOf({ responses: { 200: { schema: { type: "file" } } } }).operation.responses[0]
        ?.contents,
    ).toMatchObject([
      { mediaType: "application/octet-stream", schema: { type: "string", format: "binary" } },
    ]);
  });
  test("a shared response depends on `produces` of its operation", () => {
    const shared = { responses: { R: { description: "", schema: { type: "object" } } } };
    const { model } = read(
      {
        ...shared,
        paths: {
          "/a": {
            get: { produces: ["text/plain"], responses: { 200: { $ref: "#/responses/R" } } },
          },
          "/b": { get: { responses: { 200: { $ref: "#/responses/R" } } } },
        },
      },
      "2.0",
    );
    expect(model.operations.map(({ responses }) => responses[0]?.contents[0]?.mediaType)).toEqual([
      "text/plain",
      "application/json",
    ]);
  });
});

describe("security", () => {
  const oauth = {
    type: "oauth2",
    authorizationUrl: "https://e.x/a",
    tokenUrl: "https://e.x/t",
    scopes: { r: "Read" },
  };
  const cases: readonly (readonly [given: object, want: object | undefined])[] = [
    [
      { type: "basic", description: "d" },
      { kind: "http", scheme: "basic", description: "d" },
    ],
    [
      { type: "apiKey", in: "query", name: "k" },
      { kind: "apiKey", in: "query", name: "k" },
    ],
    ...(["implicit", "password", "application", "accessCode"] as const).map(
      (flow, index) =>
        [
          { ...oauth, flow },
          {
            kind: "oauth2",
            flows: [
              {
                flow: ["implicit", "password", "clientCredentials", "authorizationCode"][index],
                authorizationUrl: "https://e.x/a",
                tokenUrl: "https://e.x/t",
                scopes: { r: "Read" },
              },
            ],
          },
        ] as const,
    ),
    [{ type: "oauth2", flow: "magic" }, undefined],
    [{ type: "http", scheme: "bearer" }, undefined],
  ];
  test.each(cases)("%j", (given, want) => {
    const { model } = operationOf({}, { securityDefinitions: { s: given } });
    expect(toPlainJson(model.securitySchemes)).toEqual(want ? { s: want } : {});
  });
});

test.each([
  [{ schema: { $ref: "#/definitions/No" } }, {}, /"#\/definitions\/No"/],
  [{ schema: {} }, { consumes: ["a\r\nb"] }, /no usable media type/],
])("an operation with an unusable body is left out: %j %j", (body, rest, reason) => {
  const parameters = [{ in: "body", name: "b", ...body }];
  const paths = { "/x": { get: {}, post: { parameters, ...rest } } };
  const { model, diagnostics } = read({ paths }, "2.0");
  expect(model.operations.map(({ method }) => method)).toEqual(["GET"]);
  expect(diagnostics.at(-1)?.message).toMatch(reason);
  expect(diagnostics.at(-1)?.message).toMatch(/; the operation POST \/x is left out\.$/);
});

test("a response with a broken reference has an unknown result", () => {
  const responses = { 200: { schema: { $ref: "#/components/schemas/A" } } };
  const { model, diagnostics } = read({ paths: { "/x": { get: { responses } } } }, "2.0");
  expect(model.operations[0]?.responses[0]?.contents[0]?.schema).toBeUndefined();
  expect(diagnostics.map(({ message }) => message)).toEqual([
    '`$ref` "#/components/schemas/A" of a schema does not resolve; the result is unknown.',
  ]);
});
