import { describe, expect, test } from "vitest";
import { compareLocks, formatChanges, type LockFile, readLock } from "../../src/diff/index.js";
import type { JsonSchema } from "../../src/json.js";
import { lockedTool } from "./locks.js";

const reference = (name: string): JsonSchema => ({ $ref: `#/schemas/${name}` });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const text: JsonSchema = { type: "string" };

/** A lock whose tools return these schemas. */
function lockText(
  schemas: Record<string, JsonSchema>,
  results: Record<string, JsonSchema>,
): string {
  const tools = Object.entries(results).map(([name, outputSchema]) => ({
    ...lockedTool(name, { outputSchema }),
  }));
  return JSON.stringify({ layout: 3, schemas, tools });
}

function lockOf(schemas: Record<string, JsonSchema>, results: Record<string, JsonSchema>) {
  const lock = readLock(lockText(schemas, results));
  if (typeof lock !== "object") throw new Error(lock);
  return lock;
}

const pets = {
  find_pets: object({ items: { type: "array", items: reference("Pet") } }),
  get_pet: reference("Pet"),
  get_visit: object({ pet: reference("Pet"), at: text }),
};
const schemas = (owner: JsonSchema): Record<string, JsonSchema> => ({
  Pet: object({ name: text, owner: reference("Owner") }),
  Owner: owner,
});
const before = lockOf(schemas(object({ id: text, phone: text })), pets);

describe("a changed schema of several tools", () => {
  const after = lockOf(schemas(object({ id: text, email: text })), pets);
  const changes = compareLocks(before, after);

  test("is a change of each of them, with the schema", () => {
    expect(
      changes.map(({ tool, where, schema, schemaPath }) => [tool, where, schema, schemaPath]),
    ).toEqual([
      ["find_pets", "output.items[].owner.phone", "Owner", "phone"],
      ["find_pets", "output.items[].owner.email", "Owner", "email"],
      ["get_pet", "output.owner.phone", "Owner", "phone"],
      ["get_pet", "output.owner.email", "Owner", "email"],
      ["get_visit", "output.pet.owner.phone", "Owner", "phone"],
      ["get_visit", "output.pet.owner.email", "Owner", "email"],
    ]);
  });

  test("is one line for a reader, with the tools", () => {
    expect(formatChanges(changes, "text")).toBe(`breaking:
  find_pets, get_pet, get_visit: Output \`Owner.phone\` was removed.
additive:
  find_pets, get_pet, get_visit: Output \`Owner.email\` was added.
1 breaking and 1 additive changes for agents.
`);
  });

  test("is one annotation at the schema", () => {
    const file = { path: "lock.json", lines: after.lines, schemaLines: new Map([["Owner", 7]]) };
    expect(formatChanges(changes, "github", { file }).split("\n")[0]).toBe(
      "::error file=lock.json,line=7,title=find_pets%2C get_pet%2C get_visit (breaking)::Output `Owner.phone` was removed.",
    );
  });

  test("names ten of many tools", () => {
    const many = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [`get_${String.fromCharCode(97 + i)}`, pets.get_pet]),
    );
    const owner = (field: string) => schemas(object({ id: text, [field]: text }));
    const changed = compareLocks(lockOf(owner("a"), many), lockOf({ ...owner("b") }, many));
    expect(formatChanges(changed, "text")).toContain(
      "  get_a, get_b, get_c, get_d, get_e, get_f, get_g, get_h, get_i, get_j and 5 more tools: ",
    );
    expect(formatChanges(changed, "text", { verbose: true })).toContain("get_n, get_o: ");
  });
});

test("a lock whose schemas stand in place compares alike", () => {
  const inPlace = lockOf(
    {},
    {
      find_pets: object({ items: { type: "array", items: pet() } }),
      get_pet: pet(),
      get_visit: object({ pet: pet(), at: text }),
    },
  );
  expect(compareLocks(before, inPlace)).toEqual([]);
  const after = lockOf(schemas(object({ id: text })), pets);
  expect(compareLocks(inPlace, after).map(({ where, schema }) => [where, schema])).toEqual([
    ["output.items[].owner.phone", undefined],
    ["output.owner.phone", undefined],
    ["output.pet.owner.phone", undefined],
  ]);
});

const pet = (): JsonSchema => object({ name: text, owner: object({ id: text, phone: text }) });

test("the lines of tools and schemas", () => {
  const read = readLock(`{
"layout": 2,
"schemas": {
"Owner": { "type": "object" },
"Pet": {
  "type": "object"
}
},
"tools": [
{
  "name": "get_pet",
  "inputSchema": { "type": "object" },
  "operations": []
}
]
}`) as LockFile;
  expect([...read.lines]).toEqual([["get_pet", 11]]);
  expect([...read.schemaLines].slice(-2)).toEqual([
    ["Owner", 4],
    ["Pet", 5],
  ]);
});

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `S${i}`,
    i === 0 ? text : object({ a: reference(`S${i - 1}`), b: reference(`S${i - 1}`) }),
  ]),
);

test.each<readonly [what: string, schemas: unknown, result: JsonSchema, clause: string]>([
  ["a list of schemas", [], {}, "has invalid schemas"],
  ["no such schema", {}, reference("Pet"), 'has an invalid reference to the schema "Pet"'],
  ["no schema", { Pet: 1 }, reference("Pet"), 'has an invalid reference to the schema "Pet"'],
  [
    "a circle",
    { Pet: object({ owner: reference("Owner") }), Owner: object({ pet: reference("Pet") }) },
    reference("Pet"),
    'has an invalid reference to the schema "Pet"',
  ],
  ["exponential growth", doubling, reference("S39"), "refers to too many shared schemas"],
])("%s", (_what, given, result, clause) => {
  const read = readLock(
    lockText(given as Record<string, JsonSchema>, { a: object({ x: result }) }),
  );
  expect(typeof read === "string" ? read : "").toBe(clause);
});

test("schemas that are nested too deep together are refused", () => {
  const deep = (inner: JsonSchema, levels: number): JsonSchema =>
    levels === 0 ? inner : { type: "array", items: deep(inner, levels - 1) };
  const given = { A: deep(text, 100), B: deep(reference("A"), 100), C: deep(reference("B"), 100) };
  expect(readLock(lockText(given, { a: deep(reference("C"), 10) }))).toBe(
    "is nested deeper than 300 levels",
  );
});
