import { join } from "node:path";
import { expect, test } from "vitest";
import { load, resolvePointer } from "../../src/load/index.js";
import { findCircularTargets } from "../../src/load/refs/reference-cycles.js";
import type { RefOccurrence, RefTarget } from "../../src/load/refs/scan-references.js";
import { api, type Files, folder, schemaOfApi, problemsOf } from "./folder.js";

const pet = { type: "object", properties: { name: { type: "string" } } };
const ref = ($ref: string): { $ref: string } => ({ $ref });
const head = { openapi: "3.1.0", info: { title: "x", version: "1" } };
const ok = (schema: unknown): object => ({
  responses: { 200: { description: "ok", content: { "application/json": { schema } } } },
});

interface Joined {
  readonly name: string;
  readonly files: Files;
  /** By pointer, in the joined document. */
  readonly want: Readonly<Record<string, unknown>>;
}

const joined: readonly Joined[] = [
  {
    name: "a schema is named after its file",
    files: { "a.json": api(ref("models/pet.json")), "models/pet.json": pet },
    want: { [schemaOfApi]: ref("#/components/schemas/pet"), "#/components/schemas/pet": pet },
  },
  {
    name: "a schema in a file of several keeps its name",
    files: {
      "a.json": api(ref("models.yaml#/Pet")),
      "models.yaml":
        "Pet: {type: object, properties: {owner: {$ref: '#/Owner'}}}\nOwner: {type: object}\n",
    },
    want: {
      [schemaOfApi]: ref("#/components/schemas/Pet"),
      "#/components/schemas/Pet/properties/owner": ref("#/components/schemas/Owner"),
      "#/components/schemas/Owner": { type: "object" },
    },
  },
  {
    name: "conflicting names are qualified by their folders",
    files: {
      "a.json": api(
        { anyOf: [ref("cats/model.json"), ref("dogs/model.json")] },
        { components: { schemas: { model: {} } } },
      ),
      "cats/model.json": { title: "cat" },
      "dogs/model.json": { title: "dog" },
    },
    want: {
      [schemaOfApi]: {
        anyOf: [ref("#/components/schemas/cats_model"), ref("#/components/schemas/dogs_model")],
      },
    },
  },
  {
    name: "a component that refers to a file keeps its name",
    files: {
      "a.json": api(ref("#/components/schemas/Animal"), {
        components: { schemas: { Animal: ref("pet.json") } },
      }),
      "pet.json": { ...pet, properties: { friend: ref("pet.json") } },
    },
    want: {
      [schemaOfApi]: ref("#/components/schemas/Animal"),
      "#/components/schemas/Animal/properties/friend": ref("#/components/schemas/Animal"),
    },
  },
  {
    name: "a part of a hoisted schema stays in it",
    files: {
      "a.json": api({ allOf: [ref("pet.json"), ref("pet.json#/properties/name")] }),
      "pet.json": pet,
    },
    want: {
      [schemaOfApi]: {
        allOf: [ref("#/components/schemas/pet"), ref("#/components/schemas/pet/properties/name")],
      },
    },
  },
  {
    name: "recursion across files",
    files: {
      "a.json": api(ref("x.json")),
      "x.json": { properties: { y: ref("y.json") } },
      "y.json": { properties: { x: ref("x.json") } },
    },
    want: {
      "#/components/schemas/x/properties/y": ref("#/components/schemas/y"),
      "#/components/schemas/y/properties/x": ref("#/components/schemas/x"),
    },
  },
  {
    name: "a reference back into the main document",
    files: {
      "a.json": api(ref("x.json"), { components: { schemas: { Main: pet } } }),
      "x.json": { items: ref("a.json#/components/schemas/Main") },
    },
    want: { "#/components/schemas/x": { items: ref("#/components/schemas/Main") } },
  },
  {
    name: "siblings of a reference are kept",
    files: { "a.json": api({ ...ref("pet.json"), description: "Mine" }), "pet.json": pet },
    want: { [schemaOfApi]: { ...ref("#/components/schemas/pet"), description: "Mine" } },
  },
  {
    name: "path items and operations are inlined",
    files: {
      "a.json": { ...head, paths: { "/x": ref("x.json"), "/y": { get: ref("y.json#/get") } } },
      "x.json": { get: ok(ref("pet.json")) },
      "y.json": { get: ok(ref("pet.json")) },
      "pet.json": pet,
    },
    want: {
      "#/paths/~1x/get": ok(ref("#/components/schemas/pet")),
      "#/paths/~1y/get": ok(ref("#/components/schemas/pet")),
    },
  },
  {
    name: "paths with all kinds of characters",
    files: {
      "a.json": {
        ...head,
        paths: {
          "/a~b/{id}%20#x": ref("x.json"),
          "/a~b/{id}%20#x/again": ref("x.json"),
          "/c d": ref("y.json"),
        },
      },
      "x.json": { get: ok({}) },
      "y.json": { put: ok({}) },
    },
    want: {
      "#/paths/~1a~0b~1{id}%20#x/get": ok({}),
      "#/paths/~1a~0b~1{id}%20#x~1again": ref("#/paths/~1a~0b~1{id}%2520#x"),
      "#/paths/~1c d/put": ok({}),
    },
  },
  {
    name: "parameters, headers, responses, bodies and examples become components",
    files: {
      "a.json": {
        ...head,
        paths: {
          "/x": {
            post: {
              parameters: [ref("p.json#/limit")],
              requestBody: ref("p.json#/body"),
              responses: { default: ref("p.json#/error") },
            },
          },
        },
      },
      "p.json": {
        limit: { name: "limit", in: "query" },
        body: { content: { "a/b": { examples: { one: ref("#/one") } } } },
        one: { value: 1 },
        error: { description: "bad", headers: { "X-A": ref("#/head") } },
        head: { schema: {} },
      },
    },
    want: {
      "#/paths/~1x/post": {
        parameters: [ref("#/components/parameters/limit")],
        requestBody: ref("#/components/requestBodies/body"),
        responses: { default: ref("#/components/responses/error") },
      },
      "#/components/requestBodies/body/content/a~1b/examples/one": ref("#/components/examples/one"),
      "#/components/responses/error/headers/X-A": ref("#/components/headers/head"),
    },
  },
  {
    name: "whole containers in files",
    files: {
      "a.json": {
        ...head,
        paths: ref("paths.json"),
        components: { schemas: ref("schemas/_index.json") },
      },
      "paths.json": { "/x": { get: ok(ref("a.json#/components/schemas/Pet")) } },
      "schemas/_index.json": { Pet: ref("pet.json"), Own: ref("#/Pet") },
      "schemas/pet.json": pet,
    },
    want: {
      "#/paths/~1x/get": ok(ref("#/components/schemas/Pet")),
      "#/components/schemas/Pet": pet,
      "#/components/schemas/Own": ref("#/components/schemas/Pet"),
    },
  },
  {
    name: "a container in a file, beside entries of its own",
    files: {
      "a.json": {
        ...head,
        paths: { "/x": { get: ok(ref("#/components/schemas/Pet")) } },
        components: {
          schemas: {
            ...ref("schemas.json"),
            Pet: { properties: { o: ref("schemas.json#/Owner") } },
          },
        },
      },
      "schemas.json": { Owner: {}, Pet: {} },
    },
    want: {
      "#/paths/~1x/get": ok(ref("#/components/schemas/Pet")),
      "#/components/schemas/Pet": { properties: { o: ref("#/components/schemas/Owner") } },
      "#/components/schemas/Owner": {},
    },
  },
  {
    name: "all components in a file",
    files: {
      "a.json": {
        ...head,
        paths: { "/x": { get: ok(ref("#/components/schemas/Pet")) } },
        components: ref("components.json"),
      },
      "components.json": {
        schemas: { Pet: { properties: { o: ref("#/schemas/Owner") } }, Owner: {} },
      },
    },
    want: {
      "#/paths/~1x/get": ok(ref("#/components/schemas/Pet")),
      "#/components/schemas/Pet/properties/o": ref("#/components/schemas/Owner"),
    },
  },
  {
    name: "discriminator mappings are rewritten",
    files: {
      "a.json": api(
        {
          oneOf: [ref("cat.yaml"), ref("dog.yaml")],
          discriminator: {
            propertyName: "kind",
            mapping: {
              cat: "cat.yaml",
              dog: "./dog.yaml",
              fish: "Fish",
              main: "#/components/schemas/Main",
            },
          },
        },
        { components: { schemas: { Main: {} } } },
      ),
      "cat.yaml": "type: object\n",
      "dog.yaml": "type: object\n",
    },
    want: {
      [`${schemaOfApi}/discriminator/mapping`]: {
        cat: "#/components/schemas/cat",
        dog: "#/components/schemas/dog",
        fish: "Fish",
        main: "#/components/schemas/Main",
      },
    },
  },
  {
    name: "texts and examples in files",
    files: {
      "a.json": {
        ...api({ ...pet, example: ref("e.json"), description: ref("texts.yaml#/pet") }),
        info: { title: "x", version: "1", description: ref("docs/intro.md") },
      },
      "e.json": { name: "Rex", a: { $ref: "data" } },
      "texts.yaml": "pet: A pet.\n",
      "docs/intro.md": "<h1>Hi</h1>\n",
    },
    want: {
      "#/info/description": "<h1>Hi</h1>\n",
      [`${schemaOfApi}/example`]: { name: "Rex", a: { $ref: "data" } },
      [`${schemaOfApi}/description`]: "A pet.",
    },
  },
  {
    name: "Swagger 2.0",
    files: {
      "a.yaml":
        "swagger: '2.0'\ninfo: {title: x, version: 1}\npaths:\n  /x:\n    get:\n      parameters: [{$ref: p.yaml}]\n      responses: {200: {description: ok, schema: {$ref: pet.yaml}}}\n",
      "p.yaml": "{name: q, in: query, type: string}\n",
      "pet.yaml": "type: object\n",
    },
    want: {
      "#/swagger": "2.0",
      "#/info/version": 1,
      "#/definitions/pet": { type: "object" },
      "#/paths/~1x/get/parameters": [ref("#/parameters/p")],
      "#/openapi": undefined,
    },
  },
  {
    name: "OpenAPI 3.2 and what it adds",
    files: {
      "a.yaml":
        "openapi: 3.2.0\ninfo: {title: x, version: '1'}\npaths:\n  /x:\n    query: {$ref: q.yaml}\n    additionalOperations: {COPY: {$ref: q.yaml}}\n",
      "q.yaml":
        "responses: {200: {description: ok, content: {a/b: {itemSchema: {$ref: pet.yaml}}}}}\n",
      "pet.yaml": "type: object\n",
    },
    want: {
      "#/openapi": "3.2.0",
      "#/paths/~1x/query/responses/200/content/a~1b/itemSchema": ref("#/components/schemas/pet"),
    },
  },
  {
    name: "3.2: security schemes of other documents",
    files: {
      "a.yaml":
        "openapi: 3.2.0\n$self: https://e.x/a\ninfo: {title: x, version: '1'}\nsecurity: [{b.yaml#/components/securitySchemes/key: [], own: []}, {'https://e.x/a#/components/securitySchemes/own': []}]\npaths: {/x: {get: {security: [{'c.yaml#/components/securitySchemes/key': [s]}, {b.yaml#/components/securitySchemes/key: []}], responses: {200: {description: ok}}}}}\ncomponents: {securitySchemes: {own: {type: mutualTLS}}}\n",
      "b.yaml": "components: {securitySchemes: {key: {type: apiKey, in: header, name: B}}}\n",
      "c.yaml": "components: {securitySchemes: {key: {type: apiKey, in: header, name: C}}}\n",
    },
    want: {
      "#/security": [{ key: [], own: [] }, { "https://e.x/a#/components/securitySchemes/own": [] }],
      "#/paths/~1x/get/security": [{ key_2: ["s"] }, { key: [] }],
      "#/components/securitySchemes/own": { type: "mutualTLS" },
      "#/components/securitySchemes/key": { type: "apiKey", in: "header", name: "B" },
      "#/components/securitySchemes/key_2": { type: "apiKey", in: "header", name: "C" },
    },
  },
  {
    name: "3.2: references by $self, absolute and relative",
    files: {
      "a.yaml":
        "openapi: 3.2.0\n$self: https://e.x/api/openapi\ninfo: {title: x, version: '1'}\npaths: {/x: {get: {parameters: [{$ref: 'https://e.x/api/openapi#/components/parameters/P'}, {$ref: 'openapi#/components/parameters/P'}, {$ref: 'p.yaml'}], responses: {200: {description: ok}}}}}\ncomponents: {parameters: {P: {name: p, in: query, schema: {type: string}}}}\n",
      "p.yaml": "{name: q, in: query, schema: {type: string}}\n",
    },
    want: {
      "#/paths/~1x/get/parameters": [
        ref("#/components/parameters/P"),
        ref("#/components/parameters/P"),
        ref("#/components/parameters/p"),
      ],
    },
  },
  {
    name: "unnamed maps that contain themselves",
    files: {
      "a.json": api({ type: "object", properties: ref("m.json#/props") }),
      "m.json": { props: { child: { type: "object", properties: ref("#/props") } } },
    },
    want: {
      [`${schemaOfApi}/properties`]: ref("#/components/x-parts/props"),
      "#/components/x-parts/props/child/properties": ref("#/components/x-parts/props"),
    },
  },
  {
    name: "data that looks like a reference",
    files: {
      "a.json": api({
        allOf: [ref("pet.json")],
        default: { $ref: "../none" },
        "x-code": [{ $ref: "../none.sh" }],
      }),
      "pet.json": pet,
    },
    want: {
      [`${schemaOfApi}/default`]: { $ref: "../none" },
      [`${schemaOfApi}/x-code`]: [{ $ref: "../none.sh" }],
    },
  },
];

test.each(joined)("bundles files: $name", async ({ files, want }) => {
  const main = Object.keys(files)[0] as string;
  const { document, diagnostics } = await load(join(folder(files), main));
  expect(diagnostics).toEqual([]);
  const root: unknown = JSON.parse(JSON.stringify(document?.root));
  for (const [pointer, value] of Object.entries(want))
    expect([pointer, resolvePointer(root, pointer)]).toEqual([pointer, value]);
});

test("locations refer to the original file", async () => {
  const root = folder({
    "a.json": { ...head, paths: { "/x": ref("paths/x.yaml") } },
    "paths/x.yaml":
      "# x\nget:\n  responses:\n    200:\n      description: ok\n      content:\n        application/json:\n          schema:\n            $ref: ../pet.yaml\n",
    "pet.yaml": "type: object\nproperties:\n  name: {type: string}\n",
  });
  const { locate } = await load(join(root, "a.json"));
  expect(locate({ pointer: "#/info/title" })).toMatchObject({
    file: join(root, "a.json"),
    line: 4,
  });
  expect(locate({ pointer: "#/paths/~1x/get/responses" })).toEqual({
    file: join(root, "paths/x.yaml"),
    pointer: "#/get/responses",
    line: 3,
    column: 3,
  });
  expect(locate({ pointer: "#/components/schemas/pet/properties/name/type" })).toEqual({
    file: join(root, "pet.yaml"),
    pointer: "#/properties/name/type",
    line: 3,
    column: 10,
  });
});

test("file names are relative to the typed path", async () => {
  const root = folder({ "in/a.json": api(ref("parts/x.json")), "in/parts/x.json": "{" });
  const [problem] = problemsOf(await load(`${root}/in/../in/a.json`));
  expect(problem?.location?.file).toBe(`${root}/in/../in/parts/x.json`);
});

/**
 * Every schema refers to every other: swagger-parser alone needs minutes and then overflows its
 * stack.
 */
test("many schemas that refer to each other", async () => {
  const names = Array.from({ length: 60 }, (_, n) => `S${n}`);
  const models = Object.fromEntries(
    names.map((name) => [
      name,
      { properties: Object.fromEntries(names.map((other) => [other, ref(`#/${other}`)])) },
    ]),
  );
  const { document, diagnostics } = await load(
    join(folder({ "a.json": api(ref("m.json#/S0")), "m.json": models }), "a.json"),
  );
  expect(diagnostics).toEqual([]);
  expect(Object.keys((document?.root.components as { schemas: object }).schemas)).toHaveLength(60);
});

test("a long chain of files", async () => {
  const files: Record<string, object> = { "a.json": api(ref("s0.json")) };
  for (let n = 0; n < 400; n++)
    files[`s${n}.json`] = { properties: { next: n < 399 ? ref(`s${n + 1}.json`) : {} } };
  expect((await load(join(folder(files), "a.json"))).diagnostics).toEqual([]);
});

const file = { id: 1 } as RefTarget["file"];
const graph = (
  edges: readonly (readonly [from: string, to: string])[],
): ReadonlyMap<RefOccurrence, RefTarget> =>
  new Map(
    edges.map(([from, to]) => [
      { file, tokens: [from, "x"] } as unknown as RefOccurrence,
      { file, tokens: [to], value: {} },
    ]),
  );

const circles: readonly {
  name: string;
  given: readonly (readonly [string, string])[];
  want: readonly string[];
}[] = [
  {
    name: "a tree",
    given: [
      ["-", "a"],
      ["a", "b"],
      ["a", "c"],
      ["b", "c"],
    ],
    want: [],
  },
  {
    name: "a loop",
    given: [
      ["-", "a"],
      ["a", "a"],
    ],
    want: ["a"],
  },
  {
    name: "a cycle with an entry and an exit",
    given: [
      ["-", "in"],
      ["in", "a"],
      ["a", "b"],
      ["b", "a"],
      ["b", "out"],
    ],
    want: ["a", "b"],
  },
  {
    name: "names with a common prefix",
    given: [
      ["-", "a"],
      ["ab", "a"],
      ["a", "ab"],
    ],
    want: ["a", "ab"],
  },
];

test.each(circles)("findCircularTargets: $name", ({ given, want }) => {
  expect([...findCircularTargets(graph(given))].sort()).toEqual(want.map((name) => `1#/${name}`));
});
