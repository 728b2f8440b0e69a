import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { mcpGen, type Outcome } from "./built.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: "https://pets.example/v1"}]
paths:
  /pets:
    get: {operationId: listPets, summary: List pets, responses: {"204": {description: Nothing}}}
    delete: {operationId: dropPets, summary: Delete all pets, responses: {"204": {description: Gone}}}
`;

async function run(
  budget: string,
  ...args: readonly string[]
): Promise<Outcome & { readonly wrote: boolean }> {
  const root = scratch();
  plant(root, {
    "pets.yaml": PETS,
    "mcp-gen.yaml": `version: 1\nspec: ./pets.yaml\noutput: ./server\nbudget: ${budget}\n`,
  });
  const outcome = await mcpGen([...args], root);
  return { ...outcome, wrote: existsSync(join(root, "server/package.json")) };
}

describe("a budget", () => {
  test("within its limits adds nothing to the summary", async () => {
    const { code, out, err } = await run("{tools: 2}");
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toMatch(/budget|tokens/);
  });

  test("that is exceeded is reported with advice in the summary, and --strict ignores it", async () => {
    const { code, out, err, wrote } = await run("{tools: 1}", "--strict");
    expect([code, err, wrote]).toEqual([0, "", true]);
    expect(out).toMatch(
      /^ {2}2 tools cost a model about \d+ tokens, over the budget of 1 tool; the server lists tools that search, describe and call all others\.\n {4}The largest tools: /m,
    );
    expect(out).toMatch(
      /^ {4}To raise the limits: budget: \{tools: 10, listTokens: \d+\} in mcp-gen\.yaml\.$/m,
    );
  });

  test("with onExceed: warn gives a warning with its location", async () => {
    const { code, err, wrote } = await run("{tools: 1, onExceed: warn}");
    expect([code, wrote]).toEqual([0, true]);
    expect(err).toMatch(
      /^warning: mcp-gen\.yaml:4:\d+ \(#\/budget\/tools\): 2 tools cost .*\[plan-budget-warning\]\n$/,
    );
    expect(await run("{tools: 1, onExceed: warn}", "--strict")).toMatchObject({
      code: 3,
      wrote: false,
    });
  });

  test("with onExceed: error stops the run before it writes", async () => {
    const { code, err, wrote } = await run("{listTokens: 10, onExceed: error}");
    expect([code, wrote]).toEqual([3, false]);
    expect(err).toMatch(
      /^error: mcp-gen\.yaml:4:\d+ \(#\/budget\/listTokens\): 2 tools cost a model about \d+ tokens, over the budget of 10 tokens\. The largest tools: .*\[plan-budget-error\]\n$/,
    );
  });

  test("is in the JSON output, with the cost of each tool", async () => {
    const { out } = await run("{tools: 1}", "--json");
    const { budget, tools } = JSON.parse(out) as {
      budget: { listTokens: number; instructionTokens: number; listBytes: number };
      tools: { tokens: number }[];
    };
    expect(budget).toMatchObject({
      limits: { tools: 1, listTokens: 25_000, resultTokens: 8_000 },
      exceeded: ["tools"],
      mode: "hybrid",
      listed: [],
    });
    expect(tools.reduce((sum, { tokens }) => sum + tokens, budget.instructionTokens)).toBe(
      budget.listTokens,
    );
    expect(budget.listBytes).toBeGreaterThan(budget.listTokens);
  });

  test.each([
    ["{tools: 0}", /^error: mcp-gen\.yaml:4:\d+/],
    ["{resultTokens: 5}", /^error: mcp-gen\.yaml:4:\d+/],
    ["{onExceed: discover}", /^error: mcp-gen\.yaml:4:\d+.*discovery/],
    ["{listToken: 5}", /^error: mcp-gen\.yaml:4:\d+.*listTokens/],
  ])("%s is none", async (budget, want) => {
    const { code, err } = await run(budget);
    expect([code, err]).toEqual([3, expect.stringMatching(want)]);
  });
});
