/** Advice after failures is possible and leads on, for every tool of the sample. */
import { expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { parseAdvice } from "./parse-advice.js";
import { simulateAdvice } from "./simulate.js";

test("every advice of the sample's tools can be followed", async () => {
  const { plan } = await generate("samples/clinic/openapi.yaml", undefined);
  const { findings, ...figures } = await simulateAdvice(plan!);
  expect(findings).toEqual([]);
  expect(figures.unsent).toBe(0);
  expect(figures.calls).toBeGreaterThan(figures.cases);
});

test.each<readonly [string, ReturnType<typeof parseAdvice>]>([
  [
    "x failed.\nNext: Get a valid a from find_a or list_b; if the user gave it, ask.",
    {
      steps: [{ kind: "get", input: "a", tools: ["find_a", "list_b"] }],
      isFinal: false,
      tools: ["find_a", "list_b"],
      variables: [],
    },
  ],
  [
    "x.\nNext: wait 5 s, then call x again. Tell the user to check X_TOKEN.",
    { steps: [{ kind: "retry", tool: "x" }], isFinal: true, tools: ["x"], variables: ["X_TOKEN"] },
  ],
  [
    "x.\nNext: correct a, b.c and d, then call x again; the same input fails again.",
    {
      steps: [{ kind: "change", inputs: ["a", "b.c", "d"] }],
      isFinal: false,
      tools: ["x"],
      variables: [],
    },
  ],
])("%s", (text, want) => expect(parseAdvice(text)).toEqual(want));
