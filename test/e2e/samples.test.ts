import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the committed output of the samples is up to date", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/samples.mjs", "--check"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
