import { describe, expect, test } from "vitest";
import { codesOf, found, plain, read } from "./documents.js";

const paths = { "/x": { get: { responses: {} } } };

describe("security schemes", () => {
  const flow = { authorizationUrl: "https://e.x/auth", tokenUrl: "https://e.x/token", refreshUrl: "/refresh", scopes: { read: "Read", odd: 1 } };
  const cases: readonly (readonly [given: unknown, want: object | undefined, codes?: readonly string[]])[] = [
    [{ type: "apiKey", in: "header", name: "X-Key", description: "d" }, { kind: "apiKey", in: "header", name: "X-Key", description: "d" }],
    [{ type: "apiKey", in: "query", name: "key[a]" }, { kind: "apiKey", in: "query", name: "key[a]" }],
    [{ type: "apiKey", in: "header", name: "X Key\r\n" }, undefined],
    [{ type: "apiKey", in: "body", name: "k" }, undefined],
    [{ type: "apiKey", in: "header" }, undefined],
    [{ type: "http", scheme: "Bearer", bearerFormat: "JWT" }, { kind: "http", scheme: "bearer", bearerFormat: "JWT" }],
    [{ type: "http", scheme: "hoba" }, { kind: "http", scheme: "hoba" }],
    [{ type: "http", scheme: "a b" }, undefined],
    [{ type: "http" }, undefined],
    [{ type: "openIdConnect", openIdConnectUrl: "https://e.x/.well-known" }, { kind: "openIdConnect", url: "https://e.x/.well-known" }],
    [{ type: "openIdConnect", openIdConnectUrl: "file:///etc/passwd" }, undefined, ["model-security-scheme", "model-security-scheme"]],
    [{ type: "mutualTLS" }, { kind: "mutualTLS" }],
    [{ type: "oauth2", flows: { implicit: flow, clientCredentials: { tokenUrl: "https://u:p@e.x/token" } } }, { kind: "oauth2", flows: [{ flow: "clientCredentials", tokenUrl: "https://e.x/token", scopes: {} }, { flow: "implicit", authorizationUrl: "https://e.x/auth", tokenUrl: "https://e.x/token", refreshUrl: "/refresh", scopes: { read: "Read", odd: "" } }] }, ["model-server-credentials"]],
    [{ type: "oauth2", flows: { deviceAuthorization: { deviceAuthorizationUrl: "https://e.x/d", tokenUrl: "https://e.x/t", scopes: {} } } }, { kind: "oauth2", flows: [{ flow: "deviceAuthorization", authorizationUrl: "https://e.x/d", tokenUrl: "https://e.x/t", scopes: {} }] }],
    [{ type: "oauth2" }, { kind: "oauth2", flows: [] }],
    [{ type: "oauth2", flows: {}, deprecated: true, oauth2MetadataUrl: "https://e.x/.well-known/oauth-authorization-server" }, { kind: "oauth2", flows: [], metadataUrl: "https://e.x/.well-known/oauth-authorization-server", deprecated: true }],
    [{ type: "oauth2", flows: {}, oauth2MetadataUrl: "file:///etc/passwd" }, { kind: "oauth2", flows: [] }, ["model-security-scheme"]],
    [{ type: "magic" }, undefined],
    [{}, undefined],
    ["x", undefined, ["model-value-type"]],
    [{ $ref: "#/components/securitySchemes/none" }, undefined, ["model-ref-left-out"]],
  ];
  for (const [given, want, codes = want ? [] : ["model-security-scheme"]] of cases) {
    test(JSON.stringify(given), () => {
      const result = read({ paths, components: { securitySchemes: { s: given } } }, "3.2");
      expect(plain(result.model.securitySchemes)).toEqual(want ? { s: want } : {});
      expect(codesOf(result)).toEqual(codes);
      expect(JSON.stringify(result.diagnostics)).not.toContain("u:p");
    });
  }

  test("any name is just a name", () => {
    const securitySchemes = JSON.parse('{"__proto__": {"type": "http", "scheme": "basic"}, "constructor": {"type": "mutualTLS"}}') as object;
    const { model } = read({ paths, security: [{ constructor: [] }], components: { securitySchemes } });
    expect(Object.keys(model.securitySchemes)).toEqual(["__proto__", "constructor"]);
    expect(model.operations[0]?.security).toEqual([{ constructor: [] }]);
  });
});

describe("requirements", () => {
  const securitySchemes = { a: { type: "http", scheme: "basic" }, b: { type: "apiKey", in: "query", name: "b" }, "d e": { type: "mutualTLS" } };
  const cases: readonly (readonly [root: unknown, own: unknown, want: unknown, codes?: readonly string[]])[] = [
    [undefined, undefined, undefined],
    [[{ a: [] }], undefined, [{ a: [] }]],
    [[{ a: [] }], null, [{ a: [] }]],
    [[{ a: [] }], [], []],
    [[{ a: [] }], [{ b: ["s", 1] }], [{ b: ["s"] }], ["model-value-type"]],
    [undefined, [{ a: [], b: [] }, { a: [] }, {}], [{ a: [], b: [] }, { a: [] }, {}]],
    [undefined, [{ none: [] }, { a: [] }], [{ a: [] }], ["model-security-requirement"]],
    [undefined, [{ a: [], none: [] }], undefined, ["model-security-requirement"]],
    [undefined, [{ toString: [] }, {}], [{}], ["model-security-requirement"]],
    [undefined, ["a", {}], [{}], ["model-security-requirement"]],
    [undefined, "a", undefined, ["model-value-type"]],
    [[{ none: [] }], undefined, undefined, ["model-security-requirement"]],
    [undefined, [{ "#/components/securitySchemes/a": [] }], [{ a: [] }]],
    [undefined, [{ "#/components/securitySchemes/d%20e": [] }], [{ "d e": [] }]],
    [undefined, [{ "other.yaml#/components/securitySchemes/a": [] }], undefined, ["model-security-requirement"]],
  ];
  for (const [root, own, want, codes = []] of cases) {
    test(`${JSON.stringify(root)} ${JSON.stringify(own)}`, () => {
      const result = read({ paths: { "/x": { get: { responses: {}, ...(own !== undefined && { security: own }) } } }, ...(root !== undefined && { security: root }), components: { securitySchemes } }, "3.2");
      expect(plain(result.model.operations[0]?.security ?? null)).toEqual(want ?? null);
      expect(codesOf(result)).toEqual(codes);
    });
  }
  test("are reported where they stand", () => {
    expect(found(read({ paths, security: [{ none: [] }] }))).toEqual(["model-security-requirement #/security/0/none"]);
  });
});
