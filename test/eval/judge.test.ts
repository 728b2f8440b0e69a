import { expect, test } from "vitest";
import { type Judgement, judge } from "../../src/eval/judge.js";
import type { MadeCall, Task } from "../../src/eval/types.js";

const call = (tool: string, input: object = {}, isError = false): MadeCall => ({
  tool,
  input: input as MadeCall["input"],
  isError,
});

const booking: Task = {
  say: "Book Rex",
  expect: [
    { tool: "find_pets", with: { q: "rex" } },
    { tool: "book_visit", with: { petId: "p1" } },
  ],
};

const find = call("find_pets", { q: "rex" });
const book = call("book_visit", { petId: "p1", reason: "check-up" });

interface Row {
  readonly name: string;
  readonly task?: Partial<Task>;
  readonly calls: readonly MadeCall[];
  readonly answer?: string;
  readonly want: Partial<Judgement>;
}

const rows: readonly Row[] = [
  {
    name: "all calls",
    calls: [find, book],
    want: { isDone: true, tools: 1, inputs: 1, wasted: 0 },
  },
  { name: "another order", calls: [book, find], want: { isDone: true } },
  {
    name: "another order where it matters",
    task: { ordered: true },
    calls: [book, find],
    want: {
      isDone: false,
      inputs: 0.5,
      problems: [
        'book_visit was not called with {"petId":"p1"} at its place, but with {"petId":"p1","reason":"check-up"}',
      ],
    },
  },
  {
    name: "a call is missing",
    calls: [find],
    want: {
      isDone: false,
      tools: 0.5,
      inputs: 0.5,
      problems: ['book_visit was not called with {"petId":"p1"}'],
    },
  },
  {
    name: "a wrong input",
    calls: [find, call("book_visit", { petId: "p2" })],
    want: { isDone: false, tools: 1, inputs: 0.5, wasted: 1 },
  },
  {
    name: "a failed call",
    calls: [find, call("book_visit", { petId: "p1" }, true)],
    want: {
      isDone: false,
      recovered: 0,
      problems: ['book_visit failed with {"petId":"p1"}'],
    },
  },
  {
    name: "a call that fails as expected",
    task: { expect: [{ tool: "book_visit", with: { petId: "p1" }, fails: "closed" }] },
    calls: [{ ...book, isError: true, text: "The API says: Closed." }],
    want: { isDone: true, tools: 1, inputs: 1, wasted: 0 },
  },
  {
    name: "a call that fails for another reason",
    task: { expect: [{ tool: "book_visit", fails: "closed" }] },
    calls: [{ ...book, isError: true, text: "The API says: No such pet." }],
    want: { isDone: false, problems: ['book_visit did not fail with "closed"'] },
  },
  {
    name: "a call that does not fail",
    task: { expect: [{ tool: "book_visit", fails: true }] },
    calls: [book],
    want: { isDone: false, problems: ["book_visit did not fail"] },
  },
  {
    name: "another call that does as well",
    task: { expect: [{ tool: "get_pet", or: [{ tool: "find_pets", with: { q: "rex" } }] }] },
    calls: [find],
    want: { isDone: true, tools: 1, inputs: 1, wasted: 0 },
  },
  {
    name: "none of the calls that do as well",
    task: { expect: [{ tool: "get_pet", or: [{ tool: "find_pets", with: { q: "tom" } }] }] },
    calls: [find],
    want: {
      isDone: false,
      tools: 1,
      inputs: 0,
      problems: ["get_pet was not called (or find_pets)"],
    },
  },
  {
    name: "a failed call, and the right one",
    calls: [find, call("book_visit", {}, true), book],
    want: { isDone: true, wasted: 1, recovered: 1 },
  },
  {
    name: "one call does not stand for two",
    task: { expect: [{ tool: "find_pets" }, { tool: "find_pets" }] },
    calls: [find],
    want: { isDone: false, inputs: 0.5 },
  },
  {
    name: "one call with a list stands for several",
    task: {
      expect: [
        { tool: "get_pet", with: { id: "a" } },
        { tool: "get_pet", with: { id: "b" } },
      ],
    },
    calls: [call("get_pet", { id: ["a", "b"] })],
    want: { isDone: true, wasted: 0 },
  },
  {
    name: "a forbidden call",
    task: { never: ["delete_*"] },
    calls: [find, book, call("delete_pet", { id: "p1" })],
    want: {
      isDone: false,
      violations: ["delete_pet"],
      problems: ["delete_pet was called, which the task forbids"],
    },
  },
  {
    name: "the answer in any case",
    task: { answer: "REX" },
    calls: [find, book],
    answer: "I booked Rex.",
    want: { isDone: true },
  },
  {
    name: "no answer",
    task: { answer: "/vis_\\d/" },
    calls: [find, book],
    want: { isDone: false, problems: ["The answer does not contain /vis_\\d/"] },
  },
];

test.each(rows)("$name", ({ task, calls, answer, want }) => {
  expect(judge({ ...booking, ...task }, calls, answer)).toMatchObject(want);
});

test("requests that are missing are problems", () => {
  const { isDone, problems } = judge(booking, [find, book], "", ["The API got no request"]);
  expect({ isDone, problems }).toEqual({ isDone: false, problems: ["The API got no request"] });
});
