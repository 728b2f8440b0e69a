import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { internSchemas, shareSchemas } from "../../../src/plan/shared-schemas/index.js";
import { plan } from "../../../src/plan/index.js";
import { api, ok, operation, parameter } from "../fixtures.js";

const fields = (...names: readonly string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    names.map((name) => [`${name}_of_the_thing`, { type: "string" }] as const),
  ),
});
const wide = fields("name", "title", "color", "weight", "status");
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const long = "A description that is long enough to take more than one line of a generated file.";

/** The shared schemas of tools that return these, in one toolset per first segment of the path. */
function sharedIn(
  results: Readonly<Record<string, JsonSchema>>,
  schemas: Readonly<Record<string, JsonSchema>>,
) {
  const operations = Object.entries(results).map(([at, schema]) =>
    operation(at, { responses: [ok(schema)], tags: [at.split("/")[1]!] }),
  );
  return plan(api(operations, { schemas })).sharedSchemas;
}

describe("shared schemas", () => {
  it.each<
    readonly [
      reason: string,
      results: Readonly<Record<string, JsonSchema>>,
      schemas: Readonly<Record<string, JsonSchema>>,
      want: readonly (readonly [name: string, toolset: string | undefined])[],
    ]
  >([
    [
      "a schema with a name has that name",
      { "GET /pets/{id}": ref("Pet") },
      { Pet: wide },
      [["Pet", "pets"]],
    ],
    ["a small one stays in place", { "GET /pets/{id}": ref("Tag") }, { Tag: fields("name") }, []],
    [
      "a schema of two toolsets belongs to neither",
      { "GET /pets/{id}": ref("Pet"), "GET /owners/{id}": object({ pet: ref("Pet") }) },
      { Pet: wide },
      [["Pet", undefined]],
    ],
    [
      "null does not take the name away",
      { "GET /pets/{id}": object({ pet: { anyOf: [ref("Pet"), { type: "null" }] } }) },
      { Pet: wide },
      [["Pet", "pets"]],
    ],
    [
      "a schema inside a named one is called after both",
      { "GET /pets/{id}": ref("Pet") },
      { Pet: object({ home: wide, kennel: wide }) },
      [
        ["Pet", "pets"],
        ["PetHome", "pets"],
      ],
    ],
    [
      "a schema without a name in one place stays there",
      { "GET /pets/{id}": ref("Pet") },
      { Pet: object({ home: wide }) },
      [["Pet", "pets"]],
    ],
    [
      "results with one list are called after its items",
      {
        "GET /pets/{id}/siblings": object({
          pets: { type: "array", items: ref("Pet") },
          ...more(),
        }),
        "GET /pets/{id}/parents": object({ pets: { type: "array", items: ref("Pet") }, ...more() }),
      },
      { Pet: wide },
      [
        ["Pet", "pets"],
        ["PetList", "pets"],
      ],
    ],
  ])("%s", (_reason, results, schemas, want) => {
    expect(sharedIn(results, schemas).map(({ name, toolset }) => [name, toolset])).toEqual(want);
  });

  it("include the part of a schema that fits, under a name of its own", () => {
    const deep = (key: string): JsonSchema =>
      object({ [key]: object({ [key]: object({ [key]: ref("Pet") }) }) });
    const pet = { ...wide.properties, a: object({ b: object({ c: wide }) }) };
    const shared = sharedIn(
      { "GET /a/{id}": ref("Pet"), "GET /b/{id}": deep("b"), "GET /c/{id}": deep("c") },
      { Pet: { type: "object", properties: pet } },
    );
    expect(shared.map(({ name }) => name)).toEqual(["Pet", "PetPart", "id"]);
  });

  it("name inputs as they are called, and tell toolsets apart", () => {
    const inputs = (description: string) => ({
      parameters: [parameter("query state", { description })],
    });
    const [pets, owners] = [`Of pets. ${long}`, `Of owners. ${long}`];
    const shared = plan(
      api([
        operation("GET /pets/{id}", { tags: ["pets"], ...inputs(pets) }),
        operation("GET /pets/{id}/food", { tags: ["pets"], ...inputs(pets) }),
        operation("GET /owners/{id}", { tags: ["owners"], ...inputs(owners) }),
        operation("GET /owners/{id}/food", { tags: ["owners"], ...inputs(owners) }),
      ]),
    ).sharedSchemas;
    expect(shared.map(({ name, toolset }) => [name, toolset])).toEqual([
      ["owners_state", "owners"],
      ["state", "pets"],
    ]);
  });

  it("take keywords without a value as absent", () => {
    const { tools } = plan(api([operation("GET /pets/{id}/food", { responses: [ok(wide)] })]));
    const withType = (type: unknown) => ({
      ...tools[0]!,
      definition: {
        ...tools[0]!.definition,
        outputSchema: { type: "object", properties: { pet: { ...wide, format: type } } },
      },
    });
    const interned = internSchemas([withType(undefined), withType(undefined)], new WeakMap());
    const shared = shareSchemas(interned, new WeakMap(), new Set());
    expect(shared.map(({ schema }) => schema)).toEqual([object({ pet: wide })]);
  });

  it("are the very objects that the definitions contain", () => {
    const { tools, sharedSchemas } = plan(
      api(
        [
          operation("GET /pets/{id}", { responses: [ok(ref("Pet"))] }),
          operation("GET /owners/{id}", { responses: [ok(object({ pet: ref("Pet") }))] }),
        ],
        { schemas: { Pet: wide } },
      ),
    );
    const [pet, owner] = tools.map(({ definition }) => definition.outputSchema as JsonSchema);
    expect(pet).toBe(sharedSchemas[0]!.schema);
    expect(owner!.properties!.pet).toBe(pet);
  });
});

function more(): Record<string, JsonSchema> {
  return { total_count: { type: "integer" }, has_more_pages: { type: "boolean" } };
}
