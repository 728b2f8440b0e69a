import { expect, test } from "vitest";
import { describeList, listedTools } from "../../../src/cli/init/first-list.js";
import type { ToolPlan } from "../../../src/plan/index.js";

const plan = (mode: string, runSteps?: "reads"): ToolPlan =>
  ({
    api: { runSteps },
    tools: ["a", "b", "c"].map((name, i) => ({
      definition: { name },
      toolset: i === 0 ? "one" : "two",
    })),
    budget: {
      mode,
      listed: ["b"],
      limits: { tools: 2, listTokens: 250 },
      costs: ["a", "b", "c"].map((tool) => ({ tool, tokens: 100 })),
      listTokens: 310,
      instructionTokens: 10,
    },
  }) as unknown as ToolPlan;

test.each([
  ["tools", [], { tools: 4, tokens: 500 }, "it lists 4 tools, about 500 tokens"],
  ["tools", ["one"], { tools: 2, tokens: 300 }, "it lists 2 tools, about 300 tokens"],
  ["hybrid", ["two"], { tools: 3, tokens: 400 }, "it lists 3 tools, about 400 tokens"],
  [
    "hybrid",
    [],
    { tools: 6, tokens: 1_290 },
    "it lists 6 tools, about 1,290 tokens, which find and call all 3: these are above the budget " +
      "of 2 tools and 250 tokens (310)",
  ],
  ["discovery", [], { tools: 5, tokens: 1_190 }, /^it lists 5 tools/],
])("%s with the toolsets %j", (mode, toolsets, list, text) => {
  expect(listedTools(plan(mode), toolsets)).toEqual(list);
  expect(describeList(plan(mode), toolsets)).toEqual(
    typeof text === "string" ? text : expect.stringMatching(text),
  );
});

test("the tool of several reads is counted", () => {
  expect(listedTools(plan("tools", "reads"), [])).toEqual({ tools: 5, tokens: 850 });
});
