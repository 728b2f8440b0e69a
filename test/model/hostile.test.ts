import { readdirSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildModel } from "../../src/model/index.js";
import { documentOf, read } from "./documents.js";

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** A document with a bit of everything, to be mutated. */
const everything = {
  openapi: "3.2.0",
  info: { title: "T", version: "1", description: "d" },
  servers: [{ url: "https://{r}.e.x/v1", variables: { r: { default: "eu", enum: ["eu"] } } }],
  tags: [{ name: "a", parent: "b" }],
  security: [{ key: [] }, {}],
  paths: {
    "/pets/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      servers: [{ url: "/x" }],
      get: {
        operationId: "a",
        tags: ["a"],
        parameters: [
          {
            name: "q",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { a: { type: "string", nullable: true } } },
          },
        ],
        responses: {
          200: {
            description: "ok",
            headers: { H: { schema: { type: "string" } } },
            content: { "application/json": { schema: ref("Pet"), examples: { e: { value: 1 } } } },
            links: { L: { operationId: "b", parameters: { id: "$response.body#/id" } } },
          },
        },
      },
      post: {
        operationId: "b",
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                allOf: [ref("Cat"), { properties: { f: { type: "string", format: "binary" } } }],
              },
              encoding: { f: { contentType: "image/png", headers: { "X-A": { example: "a" } } } },
            },
          },
        },
        responses: {},
        callbacks: { c: {} },
        security: [],
      },
      additionalOperations: { COPY: { responses: {} } },
    },
  },
  components: {
    parameters: {
      Id: {
        name: "id",
        in: "path",
        required: true,
        schema: { type: "integer", minimum: 1, enum: [1, 2], default: 1 },
      },
    },
    schemas: {
      Pet: {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string" }, friend: ref("Pet") },
        discriminator: { propertyName: "kind", mapping: { cat: "Cat" } },
      },
      Cat: {
        allOf: [
          ref("Pet"),
          {
            type: "object",
            properties: {
              claws: { type: "array", items: { oneOf: [{ type: "string" }, { type: "null" }] } },
            },
            additionalProperties: { not: { type: "string" } },
          },
        ],
      },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      oauth: {
        type: "oauth2",
        flows: { implicit: { authorizationUrl: "https://e.x", scopes: { r: "R" } } },
      },
    },
  },
};
const swagger = {
  swagger: "2.0",
  info: { title: "T", version: "1" },
  host: "e.x",
  basePath: "/v1",
  schemes: ["https"],
  consumes: ["application/json"],
  produces: ["application/json"],
  paths: {
    "/x": {
      get: {
        parameters: [
          {
            name: "q",
            in: "query",
            type: "array",
            items: { type: "string" },
            collectionFormat: "pipes",
          },
        ],
        responses: {
          200: {
            description: "",
            schema: { $ref: "#/definitions/A" },
            examples: { "application/json": 1 },
          },
        },
      },
      post: {
        parameters: [
          { name: "f", in: "formData", type: "file" },
          { name: "b", in: "body", schema: { type: "object" } },
        ],
        responses: { default: { $ref: "#/responses/R" } },
      },
    },
  },
  definitions: {
    A: { type: "object", discriminator: "k", properties: { k: { type: "string" } } },
    B: {
      allOf: [
        { $ref: "#/definitions/A" },
        { properties: { b: { type: "integer", "x-nullable": true } } },
      ],
    },
  },
  responses: { R: { description: "" } },
  securityDefinitions: { o: { type: "oauth2", flow: "accessCode", scopes: {} } },
};

/** Invalid values for any field. */
const junk: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "x",
  "__proto__",
  "\r\n",
  "#/components/schemas/Pet",
  [],
  [null],
  ["a", 1, {}],
  {},
  { $ref: "#/components/schemas/Pet" },
  { $ref: "#" },
  { $ref: 5 },
  { $ref: "#/paths" },
  { type: {} },
  { __proto__: null, constructor: {} },
  { allOf: [{ $ref: "#/components/schemas/Cat" }] },
];

/** Every location of a document, as a list of keys. */
function locationsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const here = path.length > 0 ? [path] : [];
  return typeof value === "object" && value !== null
    ? [
        ...here,
        ...Object.entries(value).flatMap(([key, child]) => locationsIn(child, [...path, key])),
      ]
    : here;
}

function withValue(root: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(root) ? [...(root as unknown[])] : { ...(root as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}

describe.each([
  ["3.2", everything],
  ["3.0", { ...everything, openapi: "3.0.3" }],
  ["2.0", swagger],
] as const)("any value at any location of a %s document", (version, root) => {
  test.each(locationsIn(root).map((path) => [path.join(" "), path] as const))("%s", (_, path) => {
    for (const value of junk) {
      const { model, diagnostics } = buildModel(
        documentOf(withValue(root, path, value) as object, version),
      );
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      expect(errors.length).toBe(model ? 0 : 1);
      for (const { location, message } of diagnostics) {
        expect(location?.pointer.startsWith("#")).toBe(true);
        expect(message).not.toMatch(/[\u0000-\u001f]/);
      }
    }
  });
});

test("the unchanged documents are valid", () => {
  expect(read(everything).diagnostics.map(({ code }) => code)).toEqual([
    "model-schema-nullable",
    "model-callbacks",
  ]);
  expect(read(swagger).diagnostics.map(({ code }) => code)).toEqual(["model-body"]);
});

describe("work is linear in the document", () => {
  const count = 3000;
  const many = (make: (index: number) => object): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, make(index)]));
  const uses = (schemas: object): object => ({
    paths: {
      "/x": {
        post: {
          requestBody: { content: { "application/json": { schema: ref("S0") } } },
          responses: {},
        },
      },
    },
    components: { schemas },
  });
  const cases: readonly (readonly [string, object])[] = [
    [
      "many extensions of one base",
      {
        ...many(() => ({ allOf: [ref("S0")] })),
        S0: { discriminator: { propertyName: "k" }, properties: { k: { type: "string" } } },
      },
    ],
    [
      "a chain of bases",
      many((index) => ({
        allOf: index === 0 ? [] : [ref(`S${index - 1}`)],
        discriminator: { propertyName: "k" },
        properties: { k: { type: "string" }, next: ref(`S${Math.min(index + 1, count - 1)}`) },
      })),
    ],
    [
      "members of one allOf",
      {
        S0: {
          allOf: Array.from({ length: count }, (_, index) => ({
            properties: { [`p${index}`]: { type: "string" } },
          })),
        },
      },
    ],
    [
      "names with the same type name",
      {
        ...Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            "-".repeat(index + 1) + "a",
            { type: "string" },
          ]),
        ),
        S0: {},
      },
    ],
    ["a large enum", { S0: { enum: Array.from({ length: 100_000 }, (_, index) => ({ index })) } }],
    [
      "diamonds",
      many((index) => ({
        allOf: [
          ref(`S${Math.min(index + 1, count - 1)}`),
          ref(`S${Math.min(index + 2, count - 1)}`),
        ],
        ...(index >= count - 2 && { allOf: [], properties: { a: { type: "string" } } }),
      })),
    ],
    [
      "bases with nested parts",
      many((index) => ({
        properties: {
          left: ref(`S${Math.min(index + 1, 59)}`),
          right: ref(`S${Math.min(index + 1, 59)}`),
        },
        ...(index < 59 && { allOf: [ref(`S${index + 1}`)] }),
      })),
    ],
  ];
  test.each(cases)("%s", (_, schemas) => {
    expect(read(uses(schemas), "3.0").model.operations).toHaveLength(1);
  });

  test("a path with many undeclared parameters", () => {
    const path = Array.from({ length: count }, (_, index) => `/{p${index}}`).join("");
    expect(read({ paths: { [path]: { get: { responses: {} } } } }).model.operations).toHaveLength(
      1,
    );
  });

  test("exponential YAML aliases are bounded", () => {
    let schema: object = { type: "object", properties: { a: { type: "string", example: "x" } } };
    for (let level = 0; level < 40; level++)
      schema = { type: "object", properties: { left: schema, right: schema } };
    const { model, diagnostics } = buildModel(
      documentOf({
        openapi: "3.0.0",
        paths: {
          "/x": {
            post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
          },
        },
      }),
    );
    expect(model).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain("model-too-large");
  });

  test("cyclic objects are bounded", () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { self: schema };
    const { diagnostics } = buildModel(
      documentOf({
        openapi: "3.1.0",
        paths: {
          "/x": {
            post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
          },
        },
      }),
    );
    expect(diagnostics.map(({ code }) => code)).toContain("model-nesting");
  });
});

const shared = join(process.env.MCP_GEN_SHARED ?? "../shared", "hostile");
if (existsSync(shared)) {
  const files = readdirSync(shared)
    .filter((name) => /^[AB]\d.*\.json$/.test(name))
    .sort();
  /** `load` rejects invalid JSON before. */
  const documents = files.flatMap((name) => {
    try {
      const root: unknown = JSON.parse(
        readFileSync(join(shared, name), "utf8").replace(/^\uFEFF/, ""),
      );
      return typeof root === "object" && root !== null && ("openapi" in root || "swagger" in root)
        ? [[name, root] as const]
        : [];
    } catch {
      return [];
    }
  });
  /** Unusable documents and their errors. */
  const unusable: Readonly<Record<string, RegExp>> = {
    A13: /does not resolve/,
    A14: /does not resolve/,
    A14b: /does not resolve/,
    A15: /does not resolve/,
    A15b: /DoesNotExist/,
    A15c: /points to a string/,
    A18b: /no usable operations/,
    A28p: /no `paths`/,
    A28s: /must be/,
  };
  test.each(documents)("%s", (name, root) => {
    const { model, diagnostics } = buildModel(documentOf(root));
    const why = unusable[name.split("-")[0] ?? ""];
    expect(model === undefined).toBe(why !== undefined);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toHaveLength(why ? 1 : 0);
    if (why) expect(errors[0]?.message).toMatch(why);
  });
}
