import { describe, expect, test } from "vitest";
import { codesOf, diagnosticsOf, toPlainJson, read } from "./documents.js";

const paths = { "/x": { get: { responses: {} } } };

describe("security schemes", () => {
  const flow = {
    authorizationUrl: "https://e.x/auth",
    tokenUrl: "https://e.x/token",
    refreshUrl: "/refresh",
    scopes: { read: "Read", odd: 1 },
  };
  const cases: readonly (readonly [
    given: unknown,
    want: object | undefined,
    codes?: readonly string[],
  ])[] = [
    [
      { type: "apiKey", in: "header", name: "X-Key", description: "d" },
      { kind: "apiKey", in: "header", name: "X-Key", description: "d" },
    ],
    [
      { type: "apiKey", in: "query", name: "key[a]" },
      { kind: "apiKey", in: "query", name: "key[a]" },
    ],
    [{ type: "apiKey", in: "header", name: "X Key\r\n" }, undefined],
    [{ type: "apiKey", in: "body", name: "k" }, undefined],
    [{ type: "apiKey", in: "header" }, undefined],
    [
      { type: "http", scheme: "Bearer", bearerFormat: "JWT" },
      { kind: "http", scheme: "bearer", bearerFormat: "JWT" },
    ],
    [
      { type: "http", scheme: "hoba" },
      { kind: "http", scheme: "hoba" },
    ],
    [{ type: "http", scheme: "a b" }, undefined],
    [{ type: "http" }, undefined],
    [
      { type: "openIdConnect", openIdConnectUrl: "https://e.x/.well-known" },
      { kind: "openIdConnect", url: "https://e.x/.well-known" },
    ],
    [
      { type: "openIdConnect", openIdConnectUrl: "file:///etc/passwd" },
      undefined,
      ["model-security-scheme", "model-security-scheme"],
    ],
    [{ type: "mutualTLS" }, { kind: "mutualTLS" }],
    [
      {
        type: "oauth2",
        flows: { implicit: flow, clientCredentials: { tokenUrl: "https://u:p@e.x/token" } },
      },
      {
        kind: "oauth2",
        flows: [
          { flow: "clientCredentials", tokenUrl: "https://e.x/token", scopes: {} },
          {
            flow: "implicit",
            authorizationUrl: "https://e.x/auth",
            tokenUrl: "https://e.x/token",
            refreshUrl: "/refresh",
            scopes: { read: "Read", odd: "" },
          },
        ],
      },
      ["model-server-credentials"],
    ],
    [
      {
        type: "oauth2",
        flows: {
          deviceAuthorization: {
            deviceAuthorizationUrl: "https://e.x/d",
            tokenUrl: "https://e.x/t",
            scopes: {},
          },
        },
      },
      {
        kind: "oauth2",
        flows: [
          {
            flow: "deviceAuthorization",
            authorizationUrl: "https://e.x/d",
            tokenUrl: "https://e.x/t",
            scopes: {},
          },
        ],
      },
    ],
    [{ type: "oauth2" }, { kind: "oauth2", flows: [] }],
    [
      {
        type: "oauth2",
        flows: {},
        deprecated: true,
        oauth2MetadataUrl: "https://e.x/.well-known/oauth-authorization-server",
      },
      {
        kind: "oauth2",
        flows: [],
        metadataUrl: "https://e.x/.well-known/oauth-authorization-server",
        deprecated: true,
      },
    ],
    [
      { type: "oauth2", flows: {}, oauth2MetadataUrl: "file:///etc/passwd" },
      { kind: "oauth2", flows: [] },
      ["model-security-scheme"],
    ],
    [{ type: "magic" }, undefined],
    [{}, undefined],
    ["x", undefined, ["model-value-type"]],
    [{ $ref: "#/components/securitySchemes/none" }, undefined, ["model-ref-missing"]],
  ];
  for (const [given, want, codes = want ? [] : ["model-security-scheme"]] of cases) {
    test(JSON.stringify(given), () => {
      const result = read({ paths, components: { securitySchemes: { s: given } } }, "3.2");
      expect(toPlainJson(result.model.securitySchemes)).toEqual(want ? { s: want } : {});
      expect(codesOf(result)).toEqual(codes);
      expect(JSON.stringify(result.diagnostics)).not.toContain("u:p");
    });
  }

  test("scheme names are not special", () => {
    const securitySchemes = JSON.parse(
      '{"__proto__": {"type": "http", "scheme": "basic"}, "constructor": {"type": "mutualTLS"}}',
    ) as object;
    const { model } = read({
      paths,
      security: [{ constructor: [] }],
      components: { securitySchemes },
    });
    expect(Object.keys(model.securitySchemes)).toEqual(["__proto__", "constructor"]);
    expect(model.operations[0]?.security).toEqual([{ constructor: [] }]);
  });
});

describe("requirements", () => {
  const securitySchemes = {
    a: { type: "http", scheme: "basic" },
    b: { type: "apiKey", in: "query", name: "b" },
    "d e": { type: "mutualTLS" },
  };
  const any = [{ a: [] }, { b: [] }, { "d e": [] }];
  const cases: readonly (readonly [
    root: unknown,
    own: unknown,
    want: unknown,
    codes?: readonly string[],
  ])[] = [
    [undefined, undefined, undefined],
    [[{ a: [] }], undefined, [{ a: [] }]],
    [[{ a: [] }], null, [{ a: [] }]],
    [[{ a: [] }], [], []],
    [[{ a: [] }], [{ b: ["s", 1] }], [{ b: ["s"] }], ["model-value-type"]],
    [undefined, [{ a: [], b: [] }, { a: [] }, {}], [{ a: [], b: [] }, { a: [] }, {}]],
    [undefined, [{ none: [] }, { a: [] }], [{ a: [] }], ["model-security-requirement"]],
    [undefined, [{ a: [], none: [] }], any, ["model-security-requirement"]],
    [undefined, [{ toString: [] }, {}], [...any, {}], ["model-security-requirement"]],
    [[{ b: [] }], [{ none: [] }], [{ b: [] }], ["model-security-requirement"]],
    [
      undefined,
      [{ bearer: [] }, { none: [] }],
      [{ bearer: [] }],
      ["model-security-requirement", "model-security-requirement"],
    ],
    [undefined, ["a", {}], [{}], ["model-security-requirement"]],
    [undefined, "a", undefined, ["model-value-type"]],
    [[{ none: [] }], undefined, any, ["model-security-requirement"]],
    [undefined, [{ "#/components/securitySchemes/a": [] }], [{ a: [] }]],
    [undefined, [{ "#/components/securitySchemes/d%20e": [] }], [{ "d e": [] }]],
    [
      undefined,
      [{ "other.yaml#/components/securitySchemes/a": [] }],
      any,
      ["model-security-requirement"],
    ],
  ];
  for (const [root, own, want, codes = []] of cases) {
    test(`${JSON.stringify(root)} ${JSON.stringify(own)}`, () => {
      const result = read(
        {
          paths: { "/x": { get: { responses: {}, ...(own !== undefined && { security: own }) } } },
          ...(root !== undefined && { security: root }),
          components: { securitySchemes },
        },
        "3.2",
      );
      expect(toPlainJson(result.model.operations[0]?.security ?? null)).toEqual(want ?? null);
      expect(codesOf(result)).toEqual(codes);
    });
  }
  test("are reported at their location", () => {
    expect(diagnosticsOf(read({ paths, security: [{ none: [] }] }))).toEqual([
      "model-security-requirement #/security/0/none",
    ]);
  });
  test("are reported once per name", () => {
    const operation = { responses: {}, security: [{ none: [] }] };
    expect(diagnosticsOf(read({ paths: { "/x": { get: operation, put: operation } } }))).toEqual([
      "model-security-requirement #/paths/~1x/get/security/0/none",
    ]);
  });

  test.each([
    ["bearer", { kind: "http", scheme: "bearer" }],
    ["JWT-auth", { kind: "http", scheme: "bearer" }],
    ["OAuth2PasswordBearer", { kind: "http", scheme: "bearer" }],
    ["basicAuth", { kind: "http", scheme: "basic" }],
    ["Authorization", { kind: "apiKey", in: "header", name: "Authorization" }],
    ["X-API-Key", { kind: "apiKey", in: "header", name: "X-API-Key" }],
    ["key", undefined],
  ])("of the undeclared scheme %s are inferred from its name", (name, want) => {
    const { model, diagnostics } = read({ paths, security: [{ [name]: [] }] });
    expect(toPlainJson(model.securitySchemes)).toMatchObject(want ? { [name]: want } : {});
    expect(model.operations[0]?.security).toEqual(want && [{ [name]: [] }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["model-security-requirement"]);
  });
});

describe("an Authorization header parameter", () => {
  const header = (more: object = {}) => ({
    name: "authorization",
    in: "header",
    required: true,
    schema: { type: "string" },
    ...more,
  });
  const bearer = { type: "http", scheme: "bearer" };
  const key = { type: "apiKey", in: "header", name: "X-Key" };
  const whole = { Authorization: { kind: "apiKey", in: "header", name: "Authorization" } };
  test.each<
    [
      why: string,
      parameter: object,
      root: object,
      security: unknown,
      schemes: object,
      codes?: string[],
    ]
  >([
    ["becomes a scheme", header(), {}, [{ Authorization: [] }], whole],
    ["may be optional", header({ required: false }), {}, [{ Authorization: [] }, {}], whole],
    [
      "is a bearer token by its description",
      header({ description: "Bearer {token}" }),
      {},
      [{ BearerAuthorization: [] }],
      { BearerAuthorization: { kind: "http", scheme: "bearer" } },
    ],
    [
      "is basic by its example",
      header({ schema: { type: "string", example: "Basic dXNlcjpwYXNz" } }),
      {},
      [{ BasicAuthorization: [] }],
      { BasicAuthorization: { kind: "http", scheme: "basic" } },
    ],
    [
      "is a declared scheme that is not required",
      header(),
      { components: { securitySchemes: { key, token: bearer } } },
      [{ token: [] }],
      { token: { kind: "http" } },
    ],
    [
      "applies where the operation requires nothing",
      header(),
      { security: [{}], components: { securitySchemes: { token: bearer } } },
      [{ token: [] }],
      { token: { kind: "http" } },
    ],
    [
      "is ignored where a scheme is required",
      header(),
      { security: [{ key: [] }], components: { securitySchemes: { key } } },
      [{ key: [] }],
      { key: { kind: "apiKey" } },
      ["model-header-ignored"],
    ],
  ])("%s", (_why, parameter, root, security, schemes, codes = ["model-header-credential"]) => {
    const { model, diagnostics } = read({
      paths: { "/x": { parameters: [parameter], get: { responses: {} }, put: { responses: {} } } },
      ...root,
    });
    for (const operation of model.operations)
      expect([operation.parameters, toPlainJson(operation.security)]).toEqual([[], security]);
    expect(toPlainJson(model.securitySchemes)).toMatchObject(schemes);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual(
      codes.map((code) => [code, "info"]),
    );
  });

  test("in Swagger 2.0", () => {
    const { model } = read(
      {
        paths: {
          "/x": {
            get: {
              parameters: [
                {
                  name: "Authorization",
                  in: "header",
                  type: "string",
                  required: true,
                  default: "Bearer x",
                },
              ],
              responses: {},
            },
          },
        },
      },
      "2.0",
    );
    expect(model.operations[0]?.security).toEqual([{ BearerAuthorization: [] }]);
  });
});
