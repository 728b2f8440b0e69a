import { beforeAll, expect, test } from "vitest";
import { checkTasks } from "../../src/eval/check.js";
import type { Inputs, Task } from "../../src/eval/types.js";
import { generatePets } from "./pets.js";

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

let server: Awaited<ReturnType<typeof generatePets>>;

beforeAll(async () => {
  server = await generatePets();
});

/** Checks variants of the task with one server. */
async function check(...tasks: readonly Partial<Task>[]) {
  const all = tasks.map((task) => ({ ...booking, ...task }));
  return await checkTasks(all, server.plan, server.files);
}

test("a task that agents can do has no problem", async () => {
  expect(await check({})).toEqual([
    {
      task: booking,
      problems: [],
      notes: [],
      ranks: [
        { tool: "list_pets", rank: expect.any(Number) },
        { tool: "book_visit", rank: expect.any(Number) },
      ],
    },
  ]);
});

const book = (more: Inputs) => [booking.expect[0]!, { tool: "book_visit", with: more }];

const closed = [{ request: "POST /visits", status: 422, body: { message: "closed" } }];

const failing = (fails: boolean | string) => [
  booking.expect[0]!,
  { tool: "book_visit", with: { petId: "pet_1", day: "2027-05-03" }, fails },
];

/** Faults of tasks, and what is said about them. */
const faults: readonly [name: string, task: Partial<Task>, problem: RegExp][] = [
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
  ["a call that the API refuses", { given: closed }, /book_visit failed .*closed/],
  [
    "a call that does not fail",
    { expect: failing(true) },
    /book_visit with .* succeeded\. Let the API refuse it with given/,
  ],
  [
    "a call that fails for another reason",
    { expect: failing("sold out"), given: closed, then: [] },
    /did not fail with "sold out", but: .*closed/,
  ],
  [
    "another call that does not exist",
    { expect: [{ tool: "list_pets", or: [{ tool: "search_pets" }] }], then: [] },
    /There is no tool search_pets/,
  ],
];

test("faults of tasks are problems", async () => {
  const checks = await check(...faults.map(([, task]) => task));
  const texts = checks.map(({ problems }) => problems.join("\n"));
  for (const [i, [name, , problem]] of faults.entries()) expect(texts[i], name).toMatch(problem);
});

test("a call that the API refuses is right where the task expects it", async () => {
  const checks = await check(
    { expect: failing(true), given: closed },
    { expect: failing("CLOSED"), given: closed },
    { expect: failing("/clos(ed|ing)/"), given: closed },
    { expect: [{ tool: "list_pets", or: [{ tool: "create_pet" }] }], then: [] },
  );
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
});

test("an ID of the task's own data is known, and a value that the user did not say is a note", async () => {
  const pets = [{ id: "pet_9", name: "Rex" }];
  const [known, unsaid] = await check(
    {
      given: [{ request: "GET /pets", body: pets }],
      expect: book({ petId: "pet_9", day: "2027-05-03" }),
      then: [],
    },
    { expect: book({ petId: "pet_1", day: "2027-05-03", reason: "teeth" }) },
  );
  expect(known!.problems).toEqual([]);
  expect(unsaid).toMatchObject({
    problems: [],
    notes: ["book_visit: reason is not in the words of the user"],
  });
});
