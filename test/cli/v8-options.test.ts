import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { delayOptimization } from "../../src/cli/v8-options.js";

test("this engine knows the option: it would complain otherwise", () => {
  const cli = join(import.meta.dirname, "../../dist/cli.cjs");
  const { stdout, stderr } = spawnSync(process.execPath, [cli, "--version"], { encoding: "utf8" });
  expect(`${stdout}${stderr}`).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(["1.0.0", "99.1.2-node.3", ""])("an engine of version %j is left alone", (v8) => {
  expect(() => delayOptimization(v8)).not.toThrow();
});
