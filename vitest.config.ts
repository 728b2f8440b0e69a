import { configDefaults, defineConfig } from "vitest/config";

/**
 * Tests left to `npm run test:all`: those that try many documents or many random values, interrupt
 * writes, install packages or run whole sessions.
 */
const slow = [
  "test/corpus/**",
  "test/fuzz/**",
  "test/hostile/**",
  "test/supply/**",
  "test/cli/{package,try}.test.ts",
  "test/cli/ci/workflow.test.ts",
  "test/e2e/{contract,dev,runtime-package,story}.test.ts",
  "test/model/corpus.test.ts",
  "test/plan/plan.test.ts",
  "test/render/configuration-proposal/**",
  "test/workflow/{mutations,published-documents}.test.ts",
  "test/write/{background-writer,interrupt}.test.ts",
];

/** `npm test` runs what a contributor runs after every change; `--mode all` adds the slow tests. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: mode === "all" ? configDefaults.exclude : [...configDefaults.exclude, ...slow],
    pool: "forks",
    maxWorkers: 2,
    // Generous, because tests that start processes share two cores. A hanging test still ends.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // A polled state is reached at once on a quiet machine, and within seconds on a busy one.
    expect: { poll: { timeout: 20_000 } },
    teardownTimeout: 5_000,
    // Colors, the home folder and the time zone do not depend on the machine.
    env: { NO_COLOR: "1", TZ: "UTC" },
  },
}));
