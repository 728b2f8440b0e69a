import { describe, expect, test } from "vitest";
import type { SpecVersion } from "../../src/load/types.js";
import { parseMediaType } from "../../src/model/media-type.js";
import { codesOf, diagnosticsOf, toPlainJson, read, readOperation } from "./documents.js";

const object = { type: "object" };
const place = "#/paths/~1x/post/requestBody";

function bodyOf(
  requestBody: unknown,
  version: SpecVersion = "3.1",
  method = "post",
  components: object = {},
): ReturnType<typeof readOperation> {
  return readOperation({ requestBody }, version, "/x", method, { components });
}

describe("media types", () => {
  const cases: readonly (readonly [
    written: string,
    name: string | undefined,
    parameters?: readonly string[],
    dropped?: readonly string[],
  ])[] = [
    ["application/json", "application/json"],
    ["Application/JSON; Charset=UTF-8", "application/json"],
    ["application/vnd.api+json;version=1", "application/vnd.api+json", ["version=1"]],
    ["application/json;version=1", "application/json", ["version=1"]],
    ["application/json, okta-version=1.0.0", "application/json", ["okta-version=1.0.0"]],
    ['application/json; profile="a,b=c;d"', "application/json", [], ['profile="a,b=c;d"']],
    ["application/json, text/plain", undefined],
    [
      'text/csv; Header=Present;profile="https://e.x/p" ;charset=x',
      "text/csv",
      ["Header=Present", 'profile="https://e.x/p"'],
    ],
    [
      "application/json; q=0.5; a=b,c; boundary=x; odd",
      "application/json",
      [],
      ["q=0.5", "a=b,c", "boundary=x", "odd"],
    ],
    ['multipart/related; type="text/xml"; boundary=x', 'multipart/related; type="text/xml"'],
    ['multipart/mixed; a=b"c', "multipart/mixed"],
    ["*/*", "*/*"],
    ["application/json'+evil()+'", undefined],
    ["text/plain\r\nX-Inj: 1", undefined],
    ["text/plain; a=\r\nX", undefined],
    ["json", undefined],
    ["", undefined],
    ["a/b/c", undefined],
  ];
  for (const [written, name, parameters = [], dropped = []] of cases) {
    test(JSON.stringify(written), () =>
      expect(parseMediaType(written)).toEqual(
        name === undefined ? undefined : { name, parameters, droppedParameters: dropped },
      ),
    );
  }
});

describe("media ranges resolve by schema", () => {
  const cases: readonly (readonly [
    range: string,
    schema: object | undefined,
    request: string,
    response: string,
  ])[] = [
    ["*/*", undefined, "application/octet-stream", "application/octet-stream"],
    [
      "*/*",
      { type: "string", format: "binary" },
      "application/octet-stream",
      "application/octet-stream",
    ],
    ["*/*", { type: "string" }, "text/plain", "text/plain"],
    ["*/*", { type: "object" }, "application/json", "application/json"],
    ["*/*", { $ref: "#/components/schemas/S" }, "text/plain", "text/plain"],
    ["application/*", { type: "array" }, "application/json", "application/json"],
    ["text/*", { type: "object" }, "text/plain", "text/plain"],
    ["multipart/*", { type: "object" }, "multipart/*", "multipart/*"],
    ["image/*", undefined, "image/*", "image/*"],
  ];
  for (const [range, schema, request, response] of cases) {
    test(`${range} ${JSON.stringify(schema)}`, () => {
      const content = { [range]: schema ? { schema } : {} };
      const { operation } = readOperation(
        { requestBody: { content }, responses: { "200": { content } } },
        "3.1",
        "/x",
        "post",
        { components: { schemas: { S: { type: "string" } } } },
      );
      expect(operation.body?.contents[0]?.mediaType).toBe(request);
      expect(operation.responses[0]?.contents[0]?.mediaType).toBe(response);
      expect(operation.responses[0]?.contents[0]?.mediaRange).toBe(
        response === range ? undefined : range,
      );
      expect(operation.body?.contents[0]?.mediaRange).toBeUndefined();
    });
  }
  test("and are reported", () => {
    expect(diagnosticsOf(bodyOf({ content: { "*/*": { schema: object } } }))).toEqual([
      `model-media-type-range ${place}/content/*~1*`,
    ]);
    const { diagnostics } = readOperation(
      { responses: { "200": { content: { "*/*": { schema: object } } } } },
      "3.1",
    );
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["model-response-range", "info"],
    ]);
  });
});

describe("request bodies", () => {
  const cases: readonly (readonly [
    given: object,
    want: object | undefined,
    codes: readonly string[],
  ])[] = [
    [
      { required: true, description: "d", content: { "application/json": { schema: object } } },
      {
        required: true,
        description: "d",
        contents: [
          {
            mediaType: "application/json",
            schema: object,
            location: { pointer: `${place}/content/application~1json` },
          },
        ],
      },
      [],
    ],
    [
      { required: false, content: { "application/octet-stream": {} } },
      {
        required: false,
        isStatedOptional: true,
        contents: [
          {
            mediaType: "application/octet-stream",
            location: { pointer: `${place}/content/application~1octet-stream` },
          },
        ],
      },
      [],
    ],
    [
      { content: { "application/octet-stream": {} } },
      {
        required: false,
        contents: [
          {
            mediaType: "application/octet-stream",
            location: { pointer: `${place}/content/application~1octet-stream` },
          },
        ],
      },
      [],
    ],
    [
      {
        content: { "text/plain\r\nX: 1": { schema: object }, "application/json": { schema: true } },
      },
      {
        required: false,
        contents: [
          {
            mediaType: "application/json",
            schema: {},
            location: { pointer: `${place}/content/application~1json` },
          },
        ],
      },
      ["model-media-type"],
    ],
    [{ content: {} }, undefined, ["model-body"]],
    [{}, undefined, ["model-body"]],
  ];
  test.each(cases)("%j", (given, want, codes) => {
    const result = bodyOf(given);
    expect(toPlainJson(result.operation.body ?? null)).toEqual(want ?? null);
    expect(codesOf(result)).toEqual(codes);
  });

  test("the first of two equivalent media types is used", () => {
    const result = bodyOf({
      content: {
        "application/json": { schema: { type: "string" } },
        "application/json; charset=utf-8": { schema: object },
      },
    });
    expect(result.operation.body?.contents.map(({ schema }) => schema?.type)).toEqual(["string"]);
    expect(codesOf(result)).toEqual(["model-media-type"]);
    const content = {
      "application/json": { schema: object },
      'application/json; profile="x"': { schema: object },
    };
    const same = readOperation(
      {
        requestBody: { content },
        responses: { "200": { content: { ...content, "application/json; v=2": { schema: {} } } } },
      },
      "3.1",
      "/x",
      "post",
    );
    expect(same.diagnostics.map(({ code, severity }) => [code, severity])).toEqual(
      [1, 2, 3].map(() => ["model-duplicate-media-type", "info"]),
    );
  });

  test.each([
    [{ content: [] }, /`content` must be an object, but is an array/],
    [{ content: { "a/b'()": {} } }, /is not a valid media type/],
    [{ content: { "application/json": [] } }, /media type must be an object, but is an array/],
    [{ content: { "application/json": { schema: [] } } }, /A schema must be an object/],
    [{ required: true, content: {} }, /has no usable media type/],
  ])("%j leaves out the operation", (requestBody, reason) => {
    const paths = { "/x": { get: {}, post: { requestBody, responses: {} } } };
    const { model, diagnostics } = read({ paths });
    expect(model.operations.map(({ method }) => method)).toEqual(["GET"]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.message).toMatch(reason);
    expect(diagnostics[0]?.message).toMatch(/; the operation POST \/x is left out\.$/);
  });

  const methods: readonly (readonly [method: string, has: boolean, isReported: boolean])[] = [
    ["get", true, true],
    ["head", false, true],
    ["delete", true, false],
    ["post", true, false],
    ["options", true, false],
  ];
  test.each(methods)("%s", (method, has, isReported) => {
    const result = bodyOf(
      { required: true, content: { "application/json": { schema: object } } },
      "3.1",
      method,
    );
    expect(result.operation.body !== undefined).toBe(has);
    expect(codesOf(result)).toEqual(isReported ? ["model-body-method"] : []);
  });

  test("a required body on HEAD is known, also by reference", () => {
    const body = { required: true, content: { "application/json": { schema: object } } };
    for (const requestBody of [body, { $ref: "#/components/requestBodies/B" }]) {
      const rest = { components: { requestBodies: { B: body } } };
      const { operation } = readOperation({ requestBody }, "3.0", "/x", "head", rest);
      expect(operation.requiresUnsendableBody).toBe(true);
    }
  });

  test("an optional body without fields on GET is not reported", () => {
    const empty = {
      content: {
        "application/x-www-form-urlencoded": { schema: { type: "object", properties: {} } },
      },
      required: false,
    };
    expect(codesOf(bodyOf(empty, "3.0", "get"))).toEqual([]);
  });

  test("`itemSchema` (3.2) becomes an array; a media type may be a reference", () => {
    const { operation } = bodyOf(
      {
        content: {
          "application/jsonl": { itemSchema: { type: "integer" } },
          "text/csv": { $ref: "#/components/mediaTypes/Csv" },
        },
      },
      "3.2",
      "post",
      { mediaTypes: { Csv: { schema: { type: "string" } } } },
    );
    expect(operation.body?.contents.map(({ schema }) => schema)).toEqual([
      { type: "array", items: { type: "integer" } },
      { type: "string" },
    ]);
  });
});

test.each([
  ["head", true, true],
  ["head", false, undefined],
  ["get", true, undefined],
  ["post", true, undefined],
])("a body of %s with required: %s cannot be sent: %s", (method, required, want) => {
  const body = { required, content: { "application/json": { schema: { type: "string" } } } };
  const { operation } = bodyOf(body, "3.1", method);
  expect(operation.requiresUnsendableBody).toBe(want);
});

describe("examples of a media type", () => {
  const components = {
    examples: { E: { value: { a: 1 } }, X: { externalValue: "https://e.x/x.json" } },
  };
  const cases: readonly (readonly [media: object, want: unknown])[] = [
    [{ example: { a: 0 } }, [{ a: 0 }]],
    [{ examples: [1, 2] }, [1, 2]],
    [{ examples: { one: { value: 1 }, two: { $ref: "#/components/examples/E" } } }, [1, { a: 1 }]],
    [
      { examples: { one: { dataValue: 1, serializedValue: "1" }, two: { serializedValue: "2" } } },
      [1, "2"],
    ],
    [{ examples: { one: { $ref: "#/components/examples/X" }, two: "oops" } }, undefined],
    [{}, undefined],
  ];
  test.each(cases)("%j", (media, want) => {
    expect(
      bodyOf({ content: { "application/json": media } }, "3.2", "post", components).operation.body
        ?.contents[0]?.examples,
    ).toEqual(want);
  });
});

describe("elements of XML", () => {
  const schemas = {
    "pet-item": { type: "object", properties: { o: { $ref: "#/components/schemas/Owner" } } },
    Owner: { type: "object" },
  };
  const cases: readonly (readonly [version: SpecVersion, mediaType: string, want: unknown])[] = [
    ["3.0", "application/xml", { names: { PetItem: "pet-item" }, useComponentNames: false }],
    ["3.2", "application/soap+xml", { names: { PetItem: "pet-item" }, useComponentNames: true }],
    ["3.2", "application/json", undefined],
  ];
  test.each(cases)("in %s, %s", (version, mediaType, want) => {
    const { operation } = bodyOf(
      { content: { [mediaType]: { schema: { $ref: "#/components/schemas/pet-item" } } } },
      version,
      "post",
      { schemas },
    );
    expect(operation.body?.contents[0]?.xmlElements).toEqual(want);
  });
});

describe("forms without fields", () => {
  const file = { type: "string", format: "binary" };
  test.each<[reason: string, schema: object, want: object, codes: readonly string[]]>([
    [
      "a file",
      { $ref: "#/components/schemas/F" },
      { type: "object", properties: { file: { $ref: "#/$defs/F" } }, required: ["file"] },
      ["model-media-type"],
    ],
    [
      "text",
      { type: "string", example: "a=1" },
      { type: "object", additionalProperties: true },
      ["model-media-type"],
    ],
    ["parts", { type: "array", items: file }, { type: "array", items: file }, []],
  ])("%s", (_, schema, want, codes) => {
    const content = { "multipart/form-data": { schema } };
    const found = bodyOf({ content }, "3.0", "post", { schemas: { F: file } });
    expect(found.operation.body?.contents[0]?.schema).toMatchObject(want);
    expect(codesOf(found)).toEqual(codes);
  });
});

describe("encodings", () => {
  const encoded = (
    encoding: object,
    mediaType = "multipart/form-data",
    more: object = {},
  ): ReturnType<typeof readOperation> =>
    bodyOf(
      { content: { [mediaType]: { schema: object, encoding: { f: encoding }, ...more } } },
      "3.1",
      "post",
      { headers: { H: { schema: { const: "v" } } } },
    );
  const cases: readonly (readonly [given: object, want: object | undefined])[] = [
    [{ contentType: "Image/PNG, image/jpeg" }, { contentType: "image/png, image/jpeg" }],
    [{ contentType: "image/*" }, { contentType: "image/*" }],
    [
      { contentType: "text/csv; header=present, text/plain; charset=utf-8" },
      { contentType: "text/csv; header=present, text/plain" },
    ],
    [
      {
        headers: {
          "X-N": { schema: false },
          "X-T": { content: { "text/plain": { schema: { const: "t" } } } },
        },
      },
      { headers: { "X-T": "t" } },
    ],
    [
      { contentType: "multipart/mixed", encoding: { g: { contentType: "text/csv" } } },
      { contentType: "multipart/mixed", encoding: { g: { contentType: "text/csv" } } },
    ],
    [{ style: "deepObject" }, { style: "deepObject", explode: true }],
    [{ explode: false }, { style: "form", explode: false }],
    [{ allowReserved: true }, { allowReserved: true }],
    [
      {
        headers: {
          "X-C": { schema: { enum: ["v"] } },
          "X-D": { schema: { default: 1 } },
          "X-E": { example: "e" },
          "X-R": { $ref: "#/components/headers/H" },
          "Content-Type": {},
        },
      },
      { headers: { "X-C": "v", "X-D": "1", "X-E": "e", "X-R": "v" } },
    ],
    [{}, undefined],
  ];
  test.each(cases)("%j", (given, want) => {
    const result = encoded(given);
    const encoding = result.operation.body?.contents[0]?.encoding;
    expect(toPlainJson(encoding?.f ?? null)).toEqual(want ?? null);
    expect(codesOf(result)).toEqual([]);
  });

  const bad: readonly (readonly [given: object, code: string])[] = [
    [{ headers: { "X-Free": { schema: { type: "string" } } } }, "model-encoding"],
    [{ headers: { "X\r\n": { example: "a" } } }, "model-encoding"],
    [{ headers: { "X-A": { example: "a\r\nb" } } }, "model-encoding"],
    [{ headers: { Host: { example: "a" } } }, "model-encoding"],
    [{ contentType: "image/png\r\nX: 1" }, "model-media-type"],
    [{ style: "simple" }, "model-parameter-style"],
  ];
  test.each(bad)("%j is reported", (given, code) => {
    expect(codesOf(encoded(given))).toEqual([code]);
  });

  test("only apply to forms, positional ones to multipart in 3.2", () => {
    const position = { itemEncoding: { contentType: "a/b" } };
    expect(codesOf(encoded({ contentType: "a/b" }, "application/json"))).toEqual([
      "model-encoding-ignored",
    ]);
    expect(codesOf(encoded({ contentType: "text/csv", ...position }))).toEqual([
      "model-encoding-ignored",
    ]);
    expect(codesOf(encoded({}, "multipart/mixed", position))).toEqual(["model-encoding-ignored"]);
    expect(
      codesOf(
        bodyOf(
          { content: { "application/x-www-form-urlencoded": { schema: object, ...position } } },
          "3.2",
        ),
      ),
    ).toEqual(["model-encoding-ignored"]);
    expect(
      codesOf(
        bodyOf(
          {
            content: {
              "multipart/mixed": {
                schema: object,
                encoding: { f: { explode: true } },
                ...position,
              },
            },
          },
          "3.2",
        ),
      ),
    ).toEqual(["model-encoding"]);
  });

  test("are read three levels deep", () => {
    const nested = (depth: number): object => ({
      contentType: "multipart/mixed",
      ...(depth > 0 && { itemEncoding: nested(depth - 1) }),
    });
    expect(
      codesOf(
        bodyOf(
          { content: { "multipart/mixed": { itemSchema: {}, itemEncoding: nested(3) } } },
          "3.2",
        ),
      ),
    ).toEqual([]);
    expect(
      codesOf(
        bodyOf(
          { content: { "multipart/mixed": { itemSchema: {}, itemEncoding: nested(4) } } },
          "3.2",
        ),
      ),
    ).toEqual(["model-encoding"]);
  });

  /**
   * OpenAPI 3.2, "Encoding Object": default `contentType`. In 3.0, untyped schemas have no such
   * default.
   */
  const bytes = { contentType: "application/octet-stream" };
  const base64 = { ...bytes, headers: { "Content-Transfer-Encoding": "base64" }, isEncoded: true };
  const defaults: readonly (readonly [schema: object, version: SpecVersion, want: object])[] = [
    [
      {
        properties: {
          a: {},
          b: true,
          c: { description: "d" },
          d: { type: "string" },
          e: { enum: ["x"] },
          f: { type: "array", items: {} },
          g: { type: "object" },
        },
      },
      "3.1",
      { encoding: { a: bytes, b: bytes, c: bytes, f: bytes } },
    ],
    [
      {
        properties: {
          a: { type: "string", contentEncoding: "base64" },
          b: { type: "string", contentEncoding: "a b" },
        },
      },
      "3.1",
      { encoding: { a: base64 } },
    ],
    [{ properties: { a: {} } }, "3.0", {}],
    [
      { type: "array", prefixItems: [{ type: "object" }, {}], items: { type: "string" } },
      "3.2",
      { prefixEncoding: [{}, bytes] },
    ],
    [
      { type: "array", items: { type: "string", contentEncoding: "base64" } },
      "3.2",
      { itemEncoding: base64 },
    ],
  ];
  test.each(defaults)("of %j in %s", (schema, version, want) => {
    const [media] =
      bodyOf({ content: { "multipart/form-data": { schema } } }, version).operation.body
        ?.contents ?? [];
    expect(
      toPlainJson({
        encoding: media?.encoding,
        prefixEncoding: media?.prefixEncoding,
        itemEncoding: media?.itemEncoding,
      }),
    ).toEqual(want);
  });
});

describe("responses", () => {
  const answers = (
    responses: unknown,
    version: SpecVersion = "3.1",
    components: object = {},
  ): ReturnType<typeof readOperation> =>
    readOperation({ responses }, version, "/x", "get", { components });

  test("statuses", () => {
    const result = answers({
      200: {},
      "4xx": {},
      "5XX": {},
      default: {},
      "x-a": {},
      ok: {},
      600: {},
      "20X": {},
    });
    expect(result.operation.responses.map(({ status }) => status).sort()).toEqual([
      "200",
      "4XX",
      "5XX",
      "default",
    ]);
    expect(codesOf(result)).toEqual(["model-response", "model-response", "model-response"]);
  });

  test("text, headers and contents", () => {
    const headers = {
      "X-A": { description: "d", schema: { type: "integer" }, example: 1 },
      "Content-Type": {},
      "X-J": { content: { "application/json": { schema: object } } },
      "X B": {},
    };
    const result = answers({
      200: {
        description: "ok",
        headers,
        content: { "image/png": {}, "application/json": { schema: object } },
      },
    });
    expect(toPlainJson(result.operation.responses[0])).toEqual({
      status: "200",
      description: "ok",
      contents: [
        {
          mediaType: "image/png",
          location: { pointer: "#/paths/~1x/get/responses/200/content/image~1png" },
        },
        {
          mediaType: "application/json",
          schema: object,
          location: { pointer: "#/paths/~1x/get/responses/200/content/application~1json" },
        },
      ],
      headers: [
        { name: "X-A", description: "d", schema: { type: "integer", examples: [1] } },
        { name: "X-J", schema: object },
      ],
    });
    expect(codesOf(result)).toEqual(["model-header"]);
  });

  test("`summary` of 3.2 replaces a missing description", () => {
    expect(answers({ 200: { summary: "s" } }, "3.2").operation.responses[0]?.description).toBe("s");
    expect(
      answers({ 200: { summary: "s", description: "d" } }, "3.2").operation.responses[0]
        ?.description,
    ).toBe("d");
  });

  test("none, null and missing", () => {
    expect(answers({}).operation.responses).toEqual([]);
    expect(answers(null).operation.responses).toEqual([]);
    expect(codesOf(answers({ 200: null }))).toEqual(["model-value-type"]);
  });

  test("shared responses keep the status of their key", () => {
    const ref = { $ref: "#/components/responses/R" };
    expect(
      answers({ 200: ref, 404: ref }, "3.1", { responses: { R: { description: "r" } } }).operation
        .responses,
    ).toEqual([
      { status: "200", description: "r", contents: [], headers: [] },
      { status: "404", description: "r", contents: [], headers: [] },
    ]);
  });
});

describe("links", () => {
  const target = { "/pets/{id}": { get: { operationId: "getPet", responses: {} } } };
  const cases: readonly (readonly [link: object, want: object | undefined])[] = [
    [
      { operationId: "getPet", parameters: { id: "$response.body#/id" }, description: "d" },
      {
        name: "L",
        operationId: "getPet",
        parameters: { id: "$response.body#/id" },
        description: "d",
      },
    ],
    [
      { operationRef: "#/paths/~1pets~1{id}/get" },
      { name: "L", operation: "GET /pets/{id}", parameters: {} },
    ],
    [
      { operationRef: "#/paths/~1pets~1%7Bid%7D/get" },
      { name: "L", operation: "GET /pets/{id}", parameters: {} },
    ],
    [
      { $ref: "#/components/links/L" },
      { name: "L", operationId: "getPet", parameters: { id: "$request.path.id" } },
    ],
    [{ operationId: "nobody" }, undefined],
    [{ operationRef: "https://e.x/api#/paths/~1a/get" }, undefined],
    [{ operationRef: "#/info" }, undefined],
    [{}, undefined],
  ];
  test.each(cases)("%j", (link, want) => {
    const components = {
      links: { L: { operationId: "getPet", parameters: { id: "$request.path.id" } } },
    };
    const { model, diagnostics } = read({
      paths: { "/x": { get: { responses: { 200: { links: { L: link } } } } }, ...target },
      components,
    });
    expect(toPlainJson(model.operations[0]?.links ?? null)).toEqual(want ? [want] : null);
    expect(codesOf({ diagnostics }).filter((code) => code === "model-link")).toHaveLength(
      want ? 0 : 1,
    );
  });

  test("unsupported fields of a link are reported", () => {
    const { diagnostics } = read({
      paths: {
        "/x": {
          get: {
            responses: {
              200: { links: { L: { operationId: "getPet", requestBody: 1, server: {} } } },
            },
          },
        },
        ...target,
      },
    });
    expect(codesOf({ diagnostics }).filter((code) => code === "model-field-ignored")).toHaveLength(
      2,
    );
  });
});
