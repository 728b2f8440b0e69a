import { expect, test } from "vitest";
import type { AgentRun, JudgedAttempt } from "../../src/eval/agent/run-tasks.js";
import { compareRuns, signTest, totalScores } from "../../src/eval/scores.js";

function attempt(isDone: boolean, more: Partial<JudgedAttempt["judgement"]> = {}): JudgedAttempt {
  return {
    calls: [],
    transcript: [],
    turns: 2,
    usage: { input: 100, output: 10 },
    judgement: {
      isDone,
      tools: 1,
      inputs: 1,
      wasted: 0,
      recovered: 0,
      violations: [],
      problems: [],
      ...more,
    },
  };
}

const run = (...tasks: readonly (readonly boolean[])[]): AgentRun => ({
  tasks: tasks.map((done) => ({
    task: { say: "x", expect: [{ tool: "y" }] },
    attempts: done.map((one) => attempt(one)),
  })),
});

test("scores are means over attempts", () => {
  expect(totalScores(run([true, false], [true, true]))).toEqual({
    done: 0.75,
    tools: 1,
    inputs: 1,
    wasted: 0,
    recovered: 0,
    violations: 0,
    inputTokens: 100,
    outputTokens: 10,
    attempts: 4,
  });
  expect(totalScores({ tasks: [] })).toBeUndefined();
});

// Of five fair coins, all fall on one side with a probability of 2 / 32.
test.each([
  [0, 0, 1],
  [1, 0, 1],
  [5, 0, 0.0625],
  [0, 5, 0.0625],
  [4, 1, 0.375],
  [3, 3, 1],
])("sign test of %d against %d: %d", (better, worse, probability) => {
  expect(signTest(better, worse)).toBeCloseTo(probability, 6);
});

test("runs are compared over the tasks that both tried", () => {
  const first = run([true, true], [false], [true]);
  const second = run([true, false], [true]);
  expect(compareRuns(first, second)).toEqual({
    difference: 0.25,
    better: 1,
    worse: 1,
    probability: 1,
  });
  expect(compareRuns(first, { tasks: [] })).toBeUndefined();
});
