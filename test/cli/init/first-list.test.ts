import { expect, test } from "vitest";
import { describeList, listedTools } from "../../../src/cli/init/first-list.js";
import type { ToolPlan } from "../../../src/plan/index.js";

const plan = (mode: string): ToolPlan =>
  ({
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
  ["tools", [], { tools: 3, tokens: 310 }, "it lists 3 tools, about 310 tokens"],
  ["tools", ["one"], { tools: 1, tokens: 110 }, "it lists 1 tool, about 110 tokens"],
  ["hybrid", ["two"], { tools: 2, tokens: 210 }, "it lists 2 tools, about 210 tokens"],
  [
    "hybrid",
    [],
    { tools: 5, tokens: 1_010 },
    "it lists 5 tools, about 1,010 tokens, which find and call all 3: these are above the budget " +
      "of 2 tools and 250 tokens (310)",
  ],
  ["discovery", [], { tools: 4, tokens: 910 }, /^it lists 4 tools/],
])("%s with the toolsets %j", (mode, toolsets, list, text) => {
  expect(listedTools(plan(mode), toolsets)).toEqual(list);
  expect(describeList(plan(mode), toolsets)).toEqual(
    typeof text === "string" ? text : expect.stringMatching(text),
  );
});
