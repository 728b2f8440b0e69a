import { describe, expect, test } from "vitest";
import { parsePathKey } from "../../src/model/paths.js";
import { codesOf, errorsOf, diagnosticsOf, read, readOperation } from "./documents.js";

const get = { get: { responses: {} } };

describe("keys of `paths`", () => {
  const good: readonly (readonly [
    key: string,
    path: string,
    names: readonly string[],
    query: readonly (readonly string[])[],
  ])[] = [
    ["/", "/", [], []],
    ["/pets/{petId}", "/pets/{petId}", ["petId"], []],
    ["/pets/", "/pets/", [], []],
    ["/d/{id}{ext}", "/d/{id}{ext}", ["id", "ext"], []],
    ["/d/{id}.{ext}", "/d/{id}.{ext}", ["id", "ext"], []],
    ["/g/{id}/{id}", "/g/{id}/{id}", ["id"], []],
    [
      "/x?action=y&z=a%20b",
      "/x",
      [],
      [
        ["action", "y"],
        ["z", "a b"],
      ],
    ],
    ["/x?flag", "/x", [], [["flag", ""]]],
    ["/files#upload", "/files", [], []],
    ["/x?a=1#frag?b", "/x", [], [["a", "1"]]],
    ["/x{?a,b}", "/x", [], []],
    ["/a');evil();('", "/a');evil();('", [], []],
    ["/v1.0/x..y/...", "/v1.0/x..y/...", [], []],
    ["/с/пробел и", "/с/пробел и", [], []],
    ["/{a-b.c:d}", "/{a-b.c:d}", ["a-b.c:d"], []],
  ];
  test.each(good)("%s is usable", (key, path, names, query) => {
    expect(parsePathKey(key)).toMatchObject({ path, parameterNames: names, query });
  });

  const bad: readonly (readonly [key: string, problem: RegExp])[] = [
    ["nolead", /start with a slash/],
    ["", /start with a slash/],
    ["https://evil.test/x", /absolute URL/],
    ["//evil.test/i", /empty segment/],
    ["/a//b", /empty segment/],
    ["/../h", /`\.\.` segment/],
    ["/a/./b", /`\.` or/],
    ["/a/%2e%2E/b", /`\.\.` segment/],
    ["/a/.%2e", /`\.\.` segment/],
    ["/a\\..\\b", /backslash/],
    ["/a\r\nX: 1", /control character/],
    ["/c/{id", /opening brace/],
    ["/c/id}", /closing brace/],
    ["/c/{{id}}", /nested braces/],
    ["/c/{}", /without a name/],
  ];
  test.each(bad)("%j is left out", (key, problem) => {
    expect(parsePathKey(key)).toMatchObject({
      problem: expect.stringMatching(problem) as string,
    });
    const result = read({ paths: { "/ok": get, [key]: get } });
    expect(result.model.operations.map(({ path }) => path)).toEqual(["/ok"]);
    expect(codesOf(result)).toEqual(["model-path"]);
  });
});

test("a query in the path is constant, a fragment is removed, and both are reported", () => {
  const result = read({
    paths: { "/x?action=a": get, "/x?action=b": get, "/f": get, "/f#other": get },
  });
  expect(result.model.operations.map(({ path, fixedQuery }) => [path, fixedQuery])).toEqual([
    ["/x", [["action", "a"]]],
    ["/x", [["action", "b"]]],
    ["/f", undefined],
    ["/f", undefined],
  ]);
  expect(codesOf(result)).toEqual(["model-path-query", "model-path-query", "model-path-fragment"]);
  expect(result.diagnostics.every(({ severity }) => severity === "warning")).toBe(true);
});

describe("a query in the path", () => {
  test("can be templated", () => {
    const { operation } = readOperation(
      { parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }] },
      "3.0",
      "/x?key={id}&other={o}&c=1",
    );
    expect(operation.fixedQuery).toEqual([["c", "1"]]);
    expect(operation.parameters).toMatchObject([
      { name: "key", in: "query", required: true, schema: { type: "integer" } },
      { name: "other", in: "query", required: true, schema: { type: "string" } },
    ]);
  });
  test("names a declared parameter, whose value is an input", () => {
    const { operation } = readOperation(
      { parameters: [{ name: "copyid", in: "query", required: true, schema: { type: "string" } }] },
      "3.0",
      "/x?comp=copy&copyid&renew",
    );
    expect(operation.fixedQuery).toEqual([
      ["comp", "copy"],
      ["renew", ""],
    ]);
    expect(operation.parameters).toMatchObject([{ name: "copyid", in: "query", required: true }]);
  });
  test("overrides a declared parameter", () => {
    const result = readOperation(
      { parameters: [{ name: "c", in: "query", schema: { type: "integer" } }] },
      "3.0",
      "/x?c=1",
    );
    expect(result.operation.parameters).toEqual([]);
    expect(codesOf(result)).toEqual(["model-path-query", "model-parameter-ignored"]);
  });
});

test("ambiguous templates are all kept", () => {
  const result = read({
    paths: {
      "/u/{id}": get,
      "/u/{name}": get,
      "/v/{id}": get,
      "/v/{name}": { post: { responses: {} } },
    },
  });
  expect(result.model.operations).toHaveLength(4);
});

describe("parameters and the template", () => {
  test("an undeclared variable becomes a required string", () => {
    const result = readOperation({}, "3.1", "/a/{id}");
    expect(result.operation.parameters).toEqual([
      {
        name: "id",
        in: "path",
        required: true,
        deprecated: false,
        schema: { type: "string" },
        style: "simple",
        explode: false,
        allowReserved: false,
        location: { pointer: "#/paths/~1a~1{id}/get" },
      },
    ]);
    expect(diagnosticsOf(result)).toEqual(["model-path-parameter #/paths/~1a~1{id}/get"]);
  });
  test("a path parameter that the template lacks is left out", () => {
    const result = readOperation(
      { parameters: [{ name: "ghost", in: "path", required: true, schema: { type: "string" } }] },
      "3.1",
      "/b",
    );
    expect(result.operation.parameters).toEqual([]);
    expect(diagnosticsOf(result)).toEqual(["model-path-parameter #/paths/~1b/get/parameters/0"]);
  });
  const expressions: readonly (readonly [key: string, name: string, path: string])[] = [
    ["/b/{ids*}", "ids", "/b/{ids}"],
    ["/b/{.ids*}", "ids", "/b/{ids}"],
    ["/b/{;ids}/c", "ids", "/b/{ids}/c"],
    ["/b/{+ids}", "ids", "/b/{ids}"],
    ["/b/{ids+}", "ids", "/b/{ids}"],
    ["/b/{ids*}", "ids*", "/b/{ids*}"],
    ["/b/:ids/c", "ids", "/b/{ids}/c"],
    ["/b/{ids}:c", "ids", "/b/{ids}:c"],
    ["/:c/{ids}", "ids", "/:c/{ids}"],
  ];
  test.each(expressions)("%s has the parameter %s", (key, name, path) => {
    const parameter = { name, in: "path", required: true, schema: { type: "array", items: {} } };
    const result = readOperation({ parameters: [parameter] }, "3.1", key);
    expect(result.operation.path).toBe(path);
    expect(result.operation.parameters).toMatchObject([{ name, schema: { type: "array" } }]);
    expect(diagnosticsOf(result)).toEqual([]);
  });
  test("path parameters are always required", () => {
    expect(
      readOperation(
        { parameters: [{ name: "id", in: "path", schema: { type: "string" } }] },
        "3.1",
        "/b/{id}",
      ).operation.parameters[0]?.required,
    ).toBe(true);
  });
});

describe("path items and operations", () => {
  test("invalid entries are left out", () => {
    const result = read(
      {
        paths: {
          "x-ext": 1,
          "/y": "str",
          "/x": {
            get: { responses: {} },
            post: null,
            put: [],
            gett: { responses: {} },
            trace: { responses: {} },
            summary: "s",
            "x-a": 1,
          },
        },
      },
      "3.1",
    );
    expect(result.model.operations.map(({ method }) => method)).toEqual(["GET"]);
    expect(diagnosticsOf(result)).toEqual([
      "model-path #/paths/~1y",
      "model-value-type #/paths/~1x/post",
      "model-value-type #/paths/~1x/put",
      "model-method #/paths/~1x/gett",
      "model-method #/paths/~1x/trace",
    ]);
  });

  test("fields beside the `$ref` of a path item override", () => {
    const { model } = read({
      paths: {
        "/x": { $ref: "#/components/pathItems/X", post: { operationId: "mine", responses: {} } },
      },
      components: {
        pathItems: {
          X: { get: { operationId: "theirs", responses: {} }, post: { responses: {} } },
        },
      },
    });
    expect(
      model.operations.map(({ operationId, location: place }) => [operationId, place.pointer]),
    ).toEqual([
      ["theirs", "#/components/pathItems/X/get"],
      ["mine", "#/paths/~1x/post"],
    ]);
  });

  test("text, tags and flags of a wrong type are left out", () => {
    const { operation, diagnostics } = readOperation({
      operationId: 42,
      summary: "s",
      description: 5,
      tags: ["a", 1, "b", "a"],
      deprecated: "yes",
      externalDocs: { url: "https://e.x", description: "d" },
      "x-mcp": { name: "n" },
    });
    expect(operation).toMatchObject({
      summary: "s",
      tags: ["a", "b"],
      deprecated: false,
      externalDocs: { url: "https://e.x", description: "d" },
      xMcp: { name: "n" },
    });
    expect(operation.operationId).toBeUndefined();
    expect(operation.description).toBeUndefined();
    expect(codesOf({ diagnostics })).toEqual([
      "model-value-type",
      "model-value-type",
      "model-value-type",
      "model-value-type",
    ]);
  });

  test("the first of two equal operationIds is kept", () => {
    const result = read({
      paths: {
        "/a": { get: { operationId: "x", responses: {} } },
        "/b": { get: { operationId: "x", responses: {} } },
      },
    });
    expect(result.model.operations.map(({ operationId }) => operationId)).toEqual(["x", undefined]);
    expect(diagnosticsOf(result)).toEqual(["model-operation-id #/paths/~1b/get/operationId"]);
  });

  test("operations without text inherit the path's", () => {
    const { model } = read({
      paths: {
        "/a": {
          summary: "S",
          description: "D",
          get: { responses: {} },
          put: { summary: "Own", responses: {} },
        },
        "/b": { summary: "T", get: { responses: {} } },
      },
    });
    expect(model.operations.map(({ summary, description }) => [summary, description])).toEqual([
      [undefined, "D"],
      ["Own", undefined],
      [undefined, "T"],
    ]);
  });

  test("`x-mcp` of the path applies to its operations, the root's to the model", () => {
    const { model } = read({
      "x-mcp": false,
      paths: {
        "/a": { "x-mcp": true, get: { responses: {} }, post: { "x-mcp": false, responses: {} } },
      },
    });
    expect([model.xMcp, ...model.operations.map(({ xMcp }) => xMcp)]).toEqual([false, true, false]);
  });
});

describe("OpenAPI 3.2", () => {
  const item = {
    query: { operationId: "q", responses: {} },
    additionalOperations: {
      COPY: { operationId: "c", responses: {} },
      "B AD": { responses: {} },
      CONNECT: { responses: {} },
    },
  };
  test("supports QUERY and any other method", () => {
    const result = read({ paths: { "/x": item } }, "3.2");
    expect(
      result.model.operations.map(({ method, location: place }) => [method, place.pointer]),
    ).toEqual([
      ["QUERY", "#/paths/~1x/query"],
      ["COPY", "#/paths/~1x/additionalOperations/COPY"],
    ]);
    expect(codesOf(result)).toEqual(["model-method", "model-method"]);
  });
  test("methods keep their case; standard methods belong in their own fields", () => {
    const result = read(
      {
        paths: {
          "/x": {
            post: { operationId: "p", responses: {} },
            additionalOperations: {
              copy: { responses: {} },
              POST: { responses: {} },
              Put: { responses: {} },
              trace: { responses: {} },
              connect: { responses: {} },
            },
          },
        },
      },
      "3.2",
    );
    expect(result.model.operations.map(({ method, operationId }) => [method, operationId])).toEqual(
      [
        ["POST", "p"],
        ["copy", undefined],
        ["PUT", undefined],
      ],
    );
    expect(diagnosticsOf(result)).toEqual(
      ["POST", "Put", "trace", "trace", "connect"].map(
        (key) => `model-method #/paths/~1x/additionalOperations/${key}`,
      ),
    );
  });
  test("earlier versions do not", () => {
    const result = read({ paths: { "/x": { ...item, ...get } } }, "3.1");
    expect(result.model.operations).toHaveLength(1);
    expect(codesOf(result)).toEqual(["model-method", "model-method"]);
  });
});

describe("documents without operations", () => {
  const cases: readonly (readonly [root: object, code: string, pointer: string])[] = [
    [{}, "model-no-operations", "#"],
    [{ paths: null }, "model-no-operations", "#"],
    [{ paths: {} }, "model-no-operations", "#/paths"],
    [{ paths: { "/x": { post: null } } }, "model-no-operations", "#/paths/~1x/post"],
    [{ paths: ["/x"] }, "model-no-operations", "#"],
    [{ webhooks: { w: get } }, "model-no-operations", "#"],
  ];
  test.each(cases)("%j", (root, code, pointer) => {
    expect(errorsOf(root).map((d) => [d.code, d.location?.pointer])).toEqual([[code, pointer]]);
  });
});

test("arrays and objects of the wrong type affect only the parts that use them", () => {
  const root = {
    info: "hello",
    servers: "http://x",
    paths: {
      "/x": { get: { operationId: 42, parameters: { a: 1 } }, post: { responses: [] } },
      "/y": { get: {}, parameters: "no" },
    },
  };
  const { model, diagnostics } = read(root);
  expect(model.operations.map(({ method }) => method)).toEqual(["POST"]);
  expect(diagnostics.map(({ location, message }) => `${location?.pointer}: ${message}`)).toEqual([
    "#/paths/~1x/get/parameters: `parameters` must be an array, but is an object; the operation GET /x is left out.",
    "#/paths/~1x/post/responses: `responses` must be an object, but is an array; the result is unknown.",
    "#/paths/~1y/parameters: `parameters` must be an array, but is a string; the operation GET /y is left out.",
    "#/info: `info` must be an object, but is a string; it is left out.",
    "#/servers: `servers` must be an array, but is a string; it is left out.",
  ]);
});

test("callbacks and webhooks are counted and reported once", () => {
  const callbacks = { a: { "{$request.body#/url}": get }, b: {} };
  const result = read({
    webhooks: { w: get, v: get },
    paths: {
      "/x": { post: { callbacks, responses: {} }, put: { callbacks: { c: {} }, responses: {} } },
    },
  });
  expect(
    result.diagnostics.map(({ code, severity, message }) => [
      code,
      severity,
      message.split(" ")[0],
    ]),
  ).toEqual([
    ["model-callbacks", "info", "3"],
    ["model-webhooks", "info", "2"],
  ]);
});

test("a dialect other than 2020-12 is reported", () => {
  const dialect = (jsonSchemaDialect: string): readonly string[] =>
    codesOf(read({ jsonSchemaDialect, paths: { "/x": get } }));
  expect(dialect("https://json-schema.org/draft/2020-12/schema")).toEqual([]);
  expect(dialect("https://spec.openapis.org/oas/3.1/dialect/base")).toEqual([]);
  expect(dialect("http://json-schema.org/draft-07/schema#")).toEqual(["model-dialect"]);
});

describe("info and tags", () => {
  const paths = { "/x": get };
  const cases: readonly (readonly [root: object, want: object])[] = [
    [
      { info: { title: "T", version: "1", summary: "s", description: "d" } },
      { title: "T", version: "1", summary: "s", description: "d", source: "api.yaml" },
    ],
    [{ info: { version: 1.5 } }, { title: "API", version: "1.5" }],
    [{ info: null }, { title: "API", version: "0.0.0" }],
    [
      {
        tags: [
          { name: "a", description: "d", summary: "s", parent: "b", kind: "nav" },
          { name: "b" },
          { name: "a" },
        ],
      },
      { tags: [{ name: "a", description: "d", summary: "s", parent: "b" }, { name: "b" }] },
    ],
    [{ tags: ["a", { description: "d" }] }, { tags: [] }],
  ];
  test.each(cases)("%j", (root, want) => {
    expect(read({ paths, ...root }, "3.2").model).toMatchObject(want);
  });
});
