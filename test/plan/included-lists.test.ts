import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { Operation } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, inputsOf, ok, operation, parameter } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const pet = object({ id: text, name: text });
const VISITS = listOf(object({ visitId: text, reason: text }));
const getPet = operation("GET /pets/{petId}", { responses: [ok(pet)] });
const listPets = operation("GET /pets", { responses: [ok(listOf(pet))] });
const list = (path: string, rest: Partial<Operation> = {}) =>
  operation(`GET ${path}`, { responses: [ok(VISITS)], ...rest });
const visits = list("/pets/{petId}/visits");

/** Names of the lists by tool, each with its tool and its inputs. */
function listsOf(operations: readonly Operation[], yaml?: string) {
  const model = api(operations);
  const { tools } =
    yaml === undefined ? plan(model) : configuredPlan(yaml, { granularity: "task" }, model);
  return Object.fromEntries(
    tools.flatMap(({ definition }) =>
      definition.operations.flatMap(({ included }) =>
        included ? [[definition.name, included.lists]] : [],
      ),
    ),
  );
}

const petVisits = { tool: "list_pet_visits", inputs: { petId: "petId" } };

describe("a thing can be read with", () => {
  test.each<[name: string, operations: readonly Operation[], want: object]>([
    ["the list below it", [getPet, visits], { get_pet: { visits: petVisits } }],
    [
      "the list below it, where its list is merged",
      [listPets, getPet, visits],
      {
        find_pets: { visits: petVisits },
      },
    ],
    [
      "a list whose path names the same ID otherwise",
      [getPet, list("/pets/{id}/visits")],
      { get_pet: { visits: { tool: "list_pet_visits", inputs: { id: "petId" } } } },
    ],
    [
      "a list inside an envelope",
      [
        getPet,
        list("/pets/{petId}/visits", {
          responses: [ok(object({ data: VISITS, total: { type: "integer" } }))],
        }),
      ],
      { get_pet: { visits: petVisits } },
    ],
    [
      "a list with options",
      [
        getPet,
        list("/pets/{petId}/visits", {
          parameters: [parameter("path petId"), parameter("query limit")],
        }),
      ],
      { get_pet: { visits: petVisits } },
    ],
    [
      "a list that the thing only counts",
      [
        operation("GET /pets/{petId}", {
          responses: [ok(object({ id: text, visits: { type: "integer" } }))],
        }),
        visits,
      ],
      { get_pet: { visits: petVisits } },
    ],
    [
      "several lists, in the order of the document",
      [getPet, visits, list("/pets/{petId}/due-invoices")],
      {
        get_pet: {
          visits: petVisits,
          due_invoices: { tool: "list_pet_due_invoices", inputs: { petId: "petId" } },
        },
      },
    ],
  ])("%s", (_, operations, want) => {
    expect(listsOf(operations)).toEqual(want);
  });
});

describe("no list is added", () => {
  test.each<[name: string, operations: readonly Operation[], yaml?: string]>([
    [
      "that the thing has itself",
      [
        operation("GET /pets/{petId}", { responses: [ok(object({ id: text, visits: VISITS }))] }),
        visits,
      ],
    ],
    ["of another thing", [getPet, list("/owners/{ownerId}/visits")]],
    ["of parts of a part", [getPet, list("/pets/{petId}/visits/{visitId}/notes")]],
    [
      "whose name is a singular or an adjective",
      [getPet, list("/pets/{petId}/history"), list("/pets/{petId}/recent")],
    ],
    [
      "that needs more than the ID",
      [
        getPet,
        list("/pets/{petId}/visits", {
          parameters: [parameter("path petId"), parameter("query year", { required: true })],
        }),
      ],
    ],
    [
      "that is no list",
      [getPet, operation("GET /pets/{petId}/totals", { responses: [ok(object({ sum: text }))] })],
    ],
    [
      "that a POST returns",
      [getPet, operation("POST /pets/{petId}/visits", { responses: [ok(VISITS)] })],
    ],
    [
      "where an input is called include",
      [
        operation("GET /pets/{petId}", {
          responses: [ok(pet)],
          parameters: [parameter("path petId"), parameter("query include")],
        }),
        visits,
      ],
    ],
    [
      "where the result has a field of that name",
      [
        operation("GET /pets/{petId}", { responses: [ok(object({ id: text, included: text }))] }),
        visits,
      ],
    ],
    [
      "to a name space of many lists",
      [
        getPet,
        ..."abcdefghijklm".split("").map((letter) => list(`/pets/{petId}/${letter}-visits`)),
      ],
    ],
    ["where the file says so for the server", [getPet, visits], "server: {includeLists: false}"],
    [
      "where the file says so for the tool",
      [getPet, visits],
      "tools: {get_pet: {includeLists: false}}",
    ],
  ])("%s", (_, operations, yaml) => {
    expect(listsOf(operations, yaml)).toEqual({});
  });
});

test("the input names the lists, and a tool that finds and gets says when it applies", () => {
  const schema = { type: "array", items: { type: "string", enum: ["visits"] }, uniqueItems: true };
  const [get] = plan(api([getPet, visits])).tools;
  expect(inputsOf(get!)["include"]).toEqual({
    ...schema,
    description: "Lists of it to add, as `included`.",
  });
  const [find] = plan(api([listPets, getPet, visits])).tools;
  expect(inputsOf(find!)["include"]).toEqual({
    ...schema,
    description: "With petId: lists of it to add, as `included`.",
  });
});

test("a tool that returns texts of third parties with a thing is open", () => {
  const comments = list("/pets/{petId}/comments");
  const hints = plan(api([getPet, comments])).tools.map(({ definition }) => [
    definition.name,
    definition.annotations.openWorldHint,
  ]);
  expect(hints).toEqual([
    ["get_pet", true],
    ["list_pet_comments", true],
  ]);
});

describe("lists of a rule", () => {
  const notes = operation("GET /notes", {
    operationId: "listNotes",
    summary: "List the notes of a pet",
    parameters: [
      parameter("query pet_id", { required: true }),
      parameter("query since", { required: true }),
    ],
    responses: [ok(VISITS)],
  });
  const owners = list("/owners/{id}/visits");
  const walk = operation("POST /pets/{petId}/walk", { responses: [ok(pet)] });
  const all = [getPet, visits, notes, owners, walk];
  const rule = (lists: string, others = ""): string =>
    `tools:\n  get_pet: {includeLists: ${lists}}\n${others}`;

  test("take the values of the thing, and inputs of their own, which are explained", () => {
    const yaml = rule(
      "{past: list_pet_visits, notes: listNotes}",
      "  list_notes: {operation: listNotes, hidden: true}",
    );
    expect(listsOf(all, yaml)).toEqual({
      get_pet: {
        past: petVisits,
        notes: {
          tool: "list_notes",
          inputs: { pet_id: "petId", since: "since" },
          required: ["since"],
        },
      },
    });
    const made = configuredPlan(yaml, {}, api(all));
    expect(made.diagnostics.filter(({ code }) => code.startsWith("config"))).toEqual([]);
    const [get] = made.tools;
    expect(inputsOf(get!)).toMatchObject({
      include: {
        items: { enum: ["past", "notes"] },
        description:
          "Lists of it to add, as `included`. past: List pet visits. " +
          "notes: List the notes of a pet; needs since.",
      },
      since: { description: "Required with include notes, and only used with it." },
    });
    expect(get!.definition.inputSchema["required"]).toEqual(["petId"]);
    expect(made.hiddenTools?.map(({ definition }) => definition.name)).toEqual(["list_notes"]);
    expect(made.tools.map(({ definition }) => definition.name)).not.toContain("list_notes");
  });

  test.each([
    ["{a: list_pet_visit}", 'No tool is called "list_pet_visit"; did you mean list_pet_visits?'],
    ["{a: get_pet}", "get_pet cannot be included: it is the tool itself."],
    ["{a: walk_pet}", "walk_pet cannot be included: it writes."],
  ])("%s is an error", (lists, message) => {
    const found = configuredPlan(rule(lists), {}, api(all)).diagnostics;
    expect(found.filter(({ code }) => code === "config-merge").map((one) => one.message)).toEqual([
      message,
    ]);
  });

  test("need another name for an ID of another thing", () => {
    const thing = operation("GET /pets/{id}", { responses: [ok(pet)] });
    const made = configuredPlan(rule("{a: list_owner_visits}"), {}, api([thing, owners]));
    expect(made.diagnostics.map(({ message }) => message)).toContain(
      '"id" of list_owner_visits is another value than that of get_pet or of another list.',
    );
  });

  test("are for tools that read a thing", () => {
    const made = configuredPlan(
      "tools:\n  walk_pet: {includeLists: {a: list_pet_visits}}",
      {},
      api(all),
    );
    expect(made.diagnostics.map(({ message }) => message)).toContain(
      "walk_pet does not get a thing to which lists can be added.",
    );
  });
});
