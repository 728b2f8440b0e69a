import { expect, test } from "vitest";
import { compareLocks, type Lock, readLock } from "../../src/diff/index.js";
import { lockFile } from "../../src/render/lock.js";
import { clinicPlan } from "../render/clinic-plan.js";
import { lockedTool, lockOf } from "./locks.js";

const tools = lockOf(lockedTool("find_pets"));

test.each<[string, Lock["listMode"], Lock["listMode"], readonly string[]]>([
  ["a list that became too large", "tools", "discovery", ["breaking"]],
  ["a list that became too large, with some tools", "tools", "hybrid", ["breaking"]],
  ["a list that loses its last tools", "hybrid", "discovery", ["breaking"]],
  ["a list that gets tools", "discovery", "hybrid", ["additive"]],
  ["a list that fits again", "discovery", "tools", ["additive"]],
  ["the same mode", "discovery", "discovery", []],
  ["a lock of an earlier version", undefined, "discovery", []],
])("%s", (_, was, now, classes) => {
  const [before, after] = [was, now].map((listMode) => ({
    ...tools,
    ...(listMode && { listMode }),
  }));
  const changes = compareLocks(before as Lock, after as Lock);
  expect(changes.map((change) => change.class)).toEqual(classes);
});

test.each(["tools", "hybrid", "discovery"] as const)("mode %s is read back", (mode) => {
  const { content } = lockFile({ ...clinicPlan, budget: { mode } });
  expect(readLock(content)).toMatchObject({ listMode: mode });
});
