/** Growth of the time of a function with the size of its input. */
import { runInNewContext } from "node:vm";
import { excessiveGrowth } from "../fuzz/cost.js";

/** Time after which a run is stopped, in milliseconds, so that no test hangs. */
const LIMIT = 20_000;

/**
 * The cost oracle of the fuzzer for a function that does not wait. A run is stopped even inside a
 * regular expression.
 * @throws if a run takes longer, which is growth beyond any that the oracle measures
 * @returns the excessive growth as text; empty for none
 */
export function growthOf(work: (size: number) => unknown): Promise<string> {
  return excessiveGrowth((size) => timeOf(() => work(size)));
}

function timeOf(run: () => unknown): number {
  const start = process.cpuUsage();
  runInNewContext("run()", { run }, { timeout: LIMIT });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
