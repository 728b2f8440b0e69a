/**
 * `npm run fuzz -- --minutes 5 [--seed 42] [--checkout FOLDER]` runs the fuzz tests with new
 * documents for a given time, on the sources of this or of another installed checkout.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(process.pid) },
    checkout: { type: "string", default: "." },
  },
});
if (!(Number(values.minutes) > 0) || !Number.isInteger(Number(values.seed))) {
  process.stderr.write(
    "Give the duration and, to repeat a run, its seed: npm run fuzz -- --minutes 5 --seed 42\n",
  );
  process.exit(2);
}
process.stdout.write(`Seed ${values.seed}; --seed ${values.seed} repeats this run.\n`);
const vitest = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);
const { status } = spawnSync(process.execPath, [vitest, "run", "--mode", "all", "test/fuzz"], {
  stdio: "inherit",
  env: {
    ...process.env,
    FUZZ_MINUTES: values.minutes,
    FUZZ_SEED: values.seed,
    SOURCES_OF: resolve(values.checkout),
  },
});
process.exit(status ?? 1);
