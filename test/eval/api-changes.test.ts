/** Changes of an API, and the tasks that agents can no longer do after each. */
import { expect, test } from "vitest";
import { checkTasks } from "../../src/eval/check.js";
import type { Task } from "../../src/eval/types.js";
import { generatePets, petsDocument } from "./pets.js";

const list = { tool: "list_pets" };

const tasks: Readonly<Record<string, Task>> = {
  book: {
    say: "Book a check-up for Rex on 2027-05-03.",
    expect: [
      { ...list, with: { q: "Rex" } },
      { tool: "book_visit", with: { petId: "pet_1", day: "2027-05-03", reason: "check-up" } },
    ],
    ordered: true,
    then: [{ request: "POST /visits", body: { petId: "pet_1" }, times: 1 }],
  },
  register: {
    say: "Register the cat Nori.",
    expect: [{ tool: "create_pet", with: { name: "Nori", species: "cat" } }],
  },
  remove: {
    say: "Remove Rex, he was registered twice.",
    expect: [list, { tool: "delete_pet", with: { petId: "pet_1" } }],
  },
  which: { say: "Which pets are there?", expect: [list] },
};

type Document = ReturnType<typeof petsDocument>;
type Change = (document: Document) => void;

const visit = (d: Document): Document =>
  d.paths["/visits"].post.requestBody.content["application/json"].schema;
const created = (d: Document): Document =>
  d.paths["/pets"].post.requestBody.content["application/json"].schema;
const listed = (d: Document): Document =>
  d.paths["/pets"].get.responses["200"].content["application/json"];

function rename(object: Document, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}

async function brokenTasks(change: Change): Promise<readonly string[]> {
  const document = petsDocument();
  change(document);
  const { plan, files } = await generatePets(document);
  const checks = await checkTasks(Object.values(tasks), plan, files);
  return Object.keys(tasks).filter((_, i) => checks[i]!.problems.length > 0);
}

/** Each change, and the tasks that it breaks. All others must still be done. */
test.each<[name: string, change: Change, broken: readonly (keyof typeof tasks)[]]>([
  ["an operation is gone", (d) => delete d.paths["/visits"], ["book"]],
  [
    "an operation has another name",
    (d) => (d.paths["/visits"].post.operationId = "reserve"),
    ["book"],
  ],
  ["an operation is deprecated", (d) => (d.paths["/visits"].post.deprecated = true), ["book"]],
  ["an operation has another path", (d) => rename(d.paths, "/visits", "/bookings"), ["book"]],
  [
    "an operation is below a resource",
    (d) => rename(d.paths, "/visits", "/pets/{petId}/visits"),
    ["book"],
  ],
  ["the list is gone", (d) => delete d.paths["/pets"].get, ["book", "remove", "which"]],
  ["the delete is gone", (d) => delete d.paths["/pets/{petId}"], ["remove"]],
  ["a filter is gone", (d) => (d.paths["/pets"].get.parameters = []), ["book"]],
  [
    "a filter has another name",
    (d) => (d.paths["/pets"].get.parameters[0].name = "search"),
    ["book"],
  ],
  [
    "a filter is a number",
    (d) => (d.paths["/pets"].get.parameters[0].schema.type = "integer"),
    ["book"],
  ],
  ["an input is gone", (d) => delete visit(d).properties.reason, ["book"]],
  [
    "an input has another name",
    (d) => {
      rename(visit(d).properties, "day", "date");
      visit(d).required = ["petId", "date"];
    },
    ["book"],
  ],
  ["an input is an object", (d) => (visit(d).properties.reason = { type: "object" }), ["book"]],
  ["an input has an enum", (d) => (visit(d).properties.reason.enum = ["illness"]), ["book"]],
  ["an input is shorter", (d) => (visit(d).properties.reason.maxLength = 3), ["book"]],
  ["an ID has a pattern", (d) => (visit(d).properties.petId.pattern = "^[0-9]+$"), ["book"]],
  [
    "an ID is a number",
    (d) => (d.paths["/pets/{petId}"].delete.parameters[0].schema.type = "integer"),
    ["remove"],
  ],
  [
    "an ID that nobody can know is required",
    (d) => {
      visit(d).properties.ownerId = { type: "string", description: "ID of the owner." };
      visit(d).required.push("ownerId");
    },
    ["book"],
  ],
  [
    "an enum has other values",
    (d) => (created(d).properties.species.enum = ["bird"]),
    ["register"],
  ],
  [
    "a body has another field",
    (d) => {
      rename(created(d).properties, "name", "title");
      created(d).required = ["title"];
    },
    ["register"],
  ],
  ["an input is read only", (d) => (created(d).properties.species.readOnly = true), ["register"]],
  [
    "results have no IDs",
    (d) => {
      listed(d).schema = {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } } },
      };
      listed(d).example = [{ name: "Rex" }];
    },
    ["book", "remove"],
  ],
])("%s", async (_, change, broken) => {
  expect(await brokenTasks(change)).toEqual(broken);
});

test("changes that break nothing fail no task", async () => {
  const broken = await brokenTasks((d) => {
    d.info.version = "2";
    d.paths["/visits"].post.summary = "Reserve a visit of a pet";
    visit(d).properties.room = { type: "string" };
    visit(d).properties.reason.maxLength = 100;
    listed(d).schema.items.properties.weight = { type: "number" };
    d.paths["/pets"].get.parameters.push({
      name: "limit",
      in: "query",
      schema: { type: "number" },
    });
    d.paths["/rooms"] = { get: { ...d.paths["/pets"].get, operationId: "listRooms" } };
    const { content } = d.paths["/visits"].post.requestBody;
    rename(content, "application/json", "application/x-www-form-urlencoded");
  });
  expect(broken).toEqual([]);
});
