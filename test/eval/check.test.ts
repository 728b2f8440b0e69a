import { expect, test } from "vitest";
import { checkTasks } from "../../src/eval/check.js";
import type { Inputs, Task } from "../../src/eval/types.js";
import { generatePets, petsDocument } from "./pets.js";

const booking: Task = {
  say: "Book a check-up for Rex on 2027-05-03.",
  expect: [
    { tool: "list_pets", with: { q: "Rex" } },
    { tool: "book_visit", with: { petId: "pet_1", day: "2027-05-03", reason: "check-up" } },
  ],
  ordered: true,
  never: ["delete_*"],
  then: [{ request: "POST /visits", body: { petId: "pet_1" }, times: 1 }],
};

async function check(task: Partial<Task>, document?: unknown) {
  const { plan, files } = await generatePets(document);
  const [first] = await checkTasks([{ ...booking, ...task }], plan, files);
  return first!;
}

test("a task that agents can do has no problem", async () => {
  expect(await check({})).toEqual({
    task: booking,
    problems: [],
    notes: [],
    ranks: [
      { tool: "list_pets", rank: expect.any(Number) },
      { tool: "book_visit", rank: expect.any(Number) },
    ],
  });
});

const book = (more: Inputs) => [booking.expect[0]!, { tool: "book_visit", with: more }];

/** Faults of tasks, and what is said about them. */
test.each<[name: string, task: Partial<Task>, problem: RegExp]>([
  ["an unknown tool", { expect: [{ tool: "book_visits" }] }, /no tool book_visits.*book_visit\?/],
  ["an unknown input", { expect: book({ pet: "pet_1" }) }, /book_visit has no input pet\b/],
  ["an invalid value", { expect: book({ petId: "pet_1", day: ["x"] }) }, /^book_visit: day /],
  [
    "an ID that nobody can know",
    { expect: book({ petId: "pet_9", day: "2027-05-03" }), then: [] },
    /no agent can know petId "pet_9"/,
  ],
  [
    "an ID without its source",
    { expect: [{ tool: "book_visit", with: { day: "2027-05-03" } }], then: [] },
    /book_visit needs petId\. Expect a call of list_pets/,
  ],
  ["a forbidden expected tool", { never: ["book_*"] }, /never: book_\* forbids an expected tool/],
  ["a request without a method", { then: [{ request: "/visits" }] }, /\/visits is not a request/],
  [
    "a request that is not made",
    { then: [{ request: "DELETE /pets/*" }] },
    /The API got no request DELETE \/pets\/\*/,
  ],
  [
    "a call that the API refuses",
    { given: [{ request: "POST /visits", status: 422, body: { message: "closed" } }] },
    /book_visit failed .*closed/,
  ],
])("%s is a problem", async (_, task, problem) => {
  const { problems } = await check(task);
  expect(problems.join("\n")).toMatch(problem);
});

test("an ID of the task's own data is known", async () => {
  const pets = [{ id: "pet_9", name: "Rex" }];
  const { problems } = await check({
    given: [{ request: "GET /pets", body: pets }],
    expect: book({ petId: "pet_9", day: "2027-05-03" }),
    then: [],
  });
  expect(problems).toEqual([]);
});

test("a value that the user did not say is a note", async () => {
  const expected = book({ petId: "pet_1", day: "2027-05-03", reason: "teeth" });
  expect(await check({ expect: expected })).toMatchObject({
    problems: [],
    notes: ["book_visit: reason is not in the words of the user"],
  });
});

type Document = ReturnType<typeof petsDocument>;

const visit = (document: Document) =>
  document.paths["/visits"].post.requestBody.content["application/json"].schema;

/** Changes of the API, and whether the task can still be done. */
test.each<[name: string, change: (document: Document) => void, isStillDone: boolean]>([
  ["nothing", () => undefined, true],
  ["another text", (d) => (d.paths["/visits"].post.summary = "Reserve a visit of a pet"), true],
  ["an optional input more", (d) => (visit(d).properties.room = { type: "string" }), true],
  ["a field more in results", (d) => (d.paths["/pets"].get.parameters[0].description = "x"), true],
  ["an operation more", (d) => (d.paths["/rooms"] = d.paths["/pets"]), true],
  ["a pet's type in upper case", (d) => (d.info.version = "2"), true],
  ["the operation is gone", (d) => delete d.paths["/visits"], false],
  [
    "the operation has another name",
    (d) => (d.paths["/visits"].post.operationId = "reserve"),
    false,
  ],
  ["the list is gone", (d) => delete d.paths["/pets"].get, false],
  ["the input is gone", (d) => delete visit(d).properties.reason, false],
  [
    "the input has another name",
    (d) => {
      visit(d).properties.date = visit(d).properties.day;
      delete visit(d).properties.day;
      visit(d).required = ["petId", "date"];
    },
    false,
  ],
  ["the input has another type", (d) => (visit(d).properties.reason = { type: "object" }), false],
  ["the input has an enum", (d) => (visit(d).properties.reason.enum = ["illness"]), false],
  ["the input has a pattern", (d) => (visit(d).properties.petId.pattern = "^[0-9]+$"), false],
  ["the input is shorter", (d) => (visit(d).properties.reason.maxLength = 3), false],
  [
    "another required ID",
    (d) => {
      visit(d).properties.ownerId = { type: "string", description: "ID of the owner." };
      visit(d).required.push("ownerId");
    },
    true,
  ],
  ["the filter is gone", (d) => (d.paths["/pets"].get.parameters = []), false],
  [
    "the filter has another name",
    (d) => (d.paths["/pets"].get.parameters[0].name = "search"),
    false,
  ],
  ["the operation is deprecated", (d) => (d.paths["/visits"].post.deprecated = true), false],
  [
    "the path has an ID",
    (d) => {
      d.paths["/pets/{petId}/visits"] = d.paths["/visits"];
      delete d.paths["/visits"];
    },
    false,
  ],
  [
    "results have no IDs",
    (d) => {
      const content = d.paths["/pets"].get.responses["200"].content["application/json"];
      content.schema = {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } } },
      };
      content.example = [{ name: "Rex" }];
    },
    false,
  ],
  [
    "the body is a form",
    (d) => {
      const { content } = d.paths["/visits"].post.requestBody;
      content["application/x-www-form-urlencoded"] = content["application/json"];
      delete content["application/json"];
    },
    true,
  ],
  [
    "the path is another one",
    (d) => {
      d.paths["/appointments"] = d.paths["/visits"];
      delete d.paths["/visits"];
    },
    false,
  ],
])("the API changes: %s", async (_, change, isStillDone) => {
  const document = petsDocument();
  change(document);
  const { problems } = await check({}, document);
  expect({ isDone: problems.length === 0, problems }).toMatchObject({ isDone: isStillDone });
});
