import { defineConfig } from "vitest/config";

/**
 * One pool for everything: the slow tests (generated projects that are built, started and called)
 * are in `test/e2e`.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Generous, because a test that starts processes shares two cores with its neighbours; a hang
    // still ends.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // What is waited for comes at once on a quiet machine; on a busy one a second is nothing.
    expect: { poll: { timeout: 20_000 } },
    teardownTimeout: 5_000,
    // A test that leaves colours, a home folder or a time zone to chance is a test of the machine.
    env: { NO_COLOR: "1", TZ: "UTC" },
  },
});
