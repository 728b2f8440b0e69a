import fc from "fast-check";
import { expect, test } from "vitest";
import { faultsOf } from "./check.js";
import { anyGrowing, anyInputs, type Growing } from "./companions.js";
import { bounds, minutes, report, seed } from "./duration.js";
import { generateFrom, processorTimeOf } from "./run-inputs.js";

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

/** Sizes of a growing input, and the least time of which a growth is judged. */
const SIZES = [250, 500, 1_000, 2_000];
const LEAST_MS = 300;

/** Times are measured only by `npm run fuzz`, where a failure is looked at by somebody. */
test.runIf(minutes > 0)(
  "the cost oracle: an input of twice the size does not take four times as long",
  async () => {
    let count = 0;
    const property = fc.asyncProperty(anyGrowing, async (growing) => {
      count += 1;
      expect(await excessOf(growing)).toBe("");
    });
    await fc.assert(property, { seed, ...bounds(1), endOnFailure: true });
    report(`${count} growing inputs: none cost more than linear time`);
  },
  600_000 + minutes * 60_000,
);

/** The growth that exceeds the limit in two measurements; empty for none. */
async function excessOf({ file, slot, create }: Growing): Promise<string> {
  const isExcessive = (before: number, after: number): boolean =>
    after > LEAST_MS && after > 3.5 * Math.max(before, LEAST_MS / 4);
  let before = await processorTimeOf(create(SIZES[0] as number));
  for (const size of SIZES.slice(1)) {
    const after = await processorTimeOf(create(size));
    if (isExcessive(before, after)) {
      const again = [await processorTimeOf(create(size / 2)), await processorTimeOf(create(size))];
      if (isExcessive(again[0] as number, again[1] as number))
        return `${file} ${slot}: ${again.map(Math.round).join(" → ")} ms at ${size / 2} → ${size}`;
    }
    before = after;
  }
  return "";
}
