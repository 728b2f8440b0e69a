import { expect, test } from "vitest";
import { servers, tasksFile, transcriptOf, variantsOf } from "../../bench/trials/logs.mjs";
import { readTasks } from "../../src/eval/read-tasks.js";
import { judgeTranscripts } from "../../src/eval/transcript.js";
import type { Task } from "../../src/eval/types.js";

const tasks: readonly Task[] = [
  { say: "Find Rex.", expect: [{ tool: "find_pets", with: { q: "rex" } }], answer: "pet_1" },
  { say: "Remove Rex.", expect: [{ tool: "delete_pet", fails: "not allowed" }], never: ["add_*"] },
];

const log = (...lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join("\n");

const find = { task: 1, name: "find_pets", args: { q: "rex" } };
const answer = { task: 1, answer: "It is pet_1." };
const refused = { task: 2, name: "delete_pet", isError: true, text: "Not allowed.", args: {} };

test.each<[name: string, lines: readonly object[], done: readonly boolean[]]>([
  ["calls and an answer", [find, answer, refused], [true, true]],
  [
    "arguments under another name",
    [{ ...find, args: undefined, input: { q: "rex" } }, answer],
    [true, false],
  ],
  ["an answer that lacks a text", [find, { ...answer, answer: "None." }, refused], [false, true]],
  ["calls of another task", [{ ...find, task: 2 }, answer, refused], [false, true]],
  ["calls before the first task", [{ ...find, task: 0 }, answer, refused], [false, true]],
  [
    "lines of other kinds",
    [{ event: "start" }, find, { event: "tools" }, answer, refused],
    [true, true],
  ],
  [
    "another reason of a failure",
    [find, answer, { ...refused, text: "No such pet." }],
    [true, false],
  ],
  [
    "a forbidden call",
    [find, answer, refused, { ...find, task: 2, name: "add_pet" }],
    [true, false],
  ],
  [
    "a call through another tool",
    [
      { task: 1, name: "search_tools", args: { query: "pets" } },
      { task: 1, name: "call_tool", args: { name: "find_pets", arguments: '{"q": "rex"}' } },
      answer,
      refused,
    ],
    [true, true],
  ],
  [
    "the steps of a call",
    [
      {
        task: 1,
        name: "run_reads",
        args: { steps: [{ tool: "find_pets", arguments: { q: "rex" } }] },
        text: '{"steps": [{"step": 1, "tool": "find_pets", "result": {}}]}',
      },
      answer,
      refused,
    ],
    [true, true],
  ],
])("a log with %s", (_, lines, done) => {
  const { tasks: runs } = judgeTranscripts([log(...lines)], tasks);
  expect(runs.map(({ attempts }) => attempts.map(({ judgement }) => judgement.isDone))).toEqual(
    done.map((one) => [one]),
  );
});

test("several logs are attempts", () => {
  const { tasks: runs } = judgeTranscripts([log(find, answer), log(refused)], tasks);
  expect(runs.map(({ attempts }) => attempts.map(({ judgement }) => judgement.isDone))).toEqual([
    [true, false],
    [false, true],
  ]);
});

test.each<[name: string, log: string, problem: RegExp]>([
  ["an empty log", "", /has no calls/],
  ["a log of another kind", "10:03 started", /has no calls/],
  ["calls without a task", log(find, { ...find, task: undefined }), /Line 2 .*from 1 to 2/],
  ["calls of an unknown task", log({ ...find, task: 3 }), /Line 1 .*from 1 to 2/],
])("%s is explained in a sentence", (_, text, problem) => {
  expect(() => judgeTranscripts([text], tasks)).toThrow(problem);
});

test("the only task needs no number", () => {
  const { tasks: runs } = judgeTranscripts(
    [log({ ...find, task: undefined })],
    [{ ...tasks[0]!, answer: "/.*/" }],
  );
  expect(runs[0]!.attempts[0]!.judgement.isDone).toBe(true);
});

const trials = servers.flatMap(variantsOf).filter((variant) => tasksFile(variant) !== undefined);

/** Tasks that are done in a log, by number. */
async function doneTasks(variant: (typeof trials)[number]): Promise<readonly boolean[]> {
  const { tasks: all } = await readTasks(tasksFile(variant)!);
  const { tasks: runs } = judgeTranscripts([transcriptOf(variant)], all!);
  return runs.map(({ attempts }) => attempts[0]!.judgement.isDone);
}

test.each(trials)("the trial $server/$variant is scored as by hand", async (variant) => {
  const byHand = Object.values(variant.judgement.tasks).map(({ done }) => done !== false);
  expect(await doneTasks(variant)).toEqual(byHand);
});

test.each(trials)(
  "tasks of $server/$variant are not done by the calls of others",
  async (variant) => {
    const calls = variant.judgement.calls.map((task) => (task === 0 ? 0 : (task % 16) + 1));
    const judgement = { ...variant.judgement, calls };
    const done = await doneTasks({ ...variant, judgement });
    // Etherpad's last task lists all pads, and the first asks for no more.
    expect(done.flatMap((isDone, i) => (isDone ? [i + 1] : []))).toEqual(
      variant.server === "etherpad" ? [1] : [],
    );
  },
);
