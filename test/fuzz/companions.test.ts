import fc from "fast-check";
import { expect, test } from "vitest";
import { faultsOf } from "./check.js";
import { anyInputs, bases } from "./companions.js";
import { excessiveGrowth } from "./cost.js";
import { bounds, COST_SHARE, minutes, report, seed } from "./duration.js";
import { growingKinds } from "./growing.js";
import { generateFrom, processorTimeOf } from "./run-inputs.js";

test("the files that are mutated are valid, so that mutations reach all stages", async () => {
  const { ok, plan, diagnostics } = await generateFrom(bases);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect([ok, plan?.workflows?.length]).toEqual([true, 2]);
});

test(
  "documents with overlays, workflows and configurations: a project that parses, or a clear error",
  async () => {
    let count = 0;
    const property = fc.asyncProperty(anyInputs, async (inputs) => {
      count += 1;
      expect(await faultsOf(await generateFrom(inputs), "any calls")).toEqual([]);
    });
    await fc.assert(property, { seed, ...bounds(40) });
    report(`${count} documents with overlays, workflows and configurations: none failed`);
  },
  120_000 + minutes * 60_000,
);

/** Times by size that the cost oracle judges. */
test.each([
  ["linear work", (size: number) => size, ""],
  ["linear work after a start", (size: number) => 500 + size, ""],
  ["sorting", (size: number) => size * Math.log2(size), ""],
  ["work that is too short", (size: number) => (size * size) / 2e7, ""],
  ["quadratic work of large inputs", large, "160 → 640 ms at 4000 → 8000"],
  ["quadratic work", (size: number) => (size * size) / 1_000, "250 → 1000 ms at 500 → 1000"],
  ["a copy of all parents for each match", copiesOfParents, "250 → 1000 ms at 500 → 1000"],
  ["cubic work", (size: number) => size ** 3 / 1e6, "125 → 1000 ms at 500 → 1000"],
])("the cost oracle judges %s", async (_, timeOf, want) => {
  expect(await excessiveGrowth(timeOf)).toBe(want);
});

test("the cost oracle measures again before it fails", async () => {
  const times = [100, 5_000, 100, 200, 400, 800];
  expect(await excessiveGrowth(() => times.shift() ?? 0)).toBe("");
});

function large(size: number): number {
  return (size * size) / 100_000;
}

/** Cost of an overlay that copies the parents of each of its matches: members copied, in thousands. */
function copiesOfParents(size: number): number {
  let copied = 0;
  let paths: Readonly<Record<string, number>> = Object.fromEntries(
    Array.from({ length: size }, (_, i) => [`/p${i}`, i]),
  );
  for (const path of Object.keys(paths).slice(0, 10)) {
    paths = { ...paths, [path]: 0 };
    copied += (Object.keys(paths).length * size) / 10;
  }
  return copied / 1_000;
}

/** Times are measured only by `npm run fuzz`, where a failure is looked at by somebody. */
test.runIf(minutes > 0).each(growingKinds)(
  "the cost oracle: %s of twice the size do not take four times as long",
  async (kind, anyGrowing) => {
    const found = new Map<string, string>();
    let count = 0;
    const property = fc.asyncProperty(anyGrowing, async ({ name, until, create }) => {
      if (found.has(name)) return;
      count += 1;
      const excess = await excessiveGrowth((size) => processorTimeOf(create(size), until));
      if (excess) found.set(name, excess);
    });
    await fc.assert(property, { seed, ...bounds(1, COST_SHARE) });
    report(`${count} growing inputs, ${kind}: ${found.size} cost more than linear time`);
    expect([...found].map(([name, excess]) => `${name}: ${excess}`)).toEqual([]);
  },
  600_000 + minutes * 60_000,
);
