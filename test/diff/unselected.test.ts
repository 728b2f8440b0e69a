import { expect, test } from "vitest";
import { formatToolChanges } from "../../src/cli/regeneration-changes.js";
import { compareLocks, type Lock, readLock } from "../../src/diff/index.js";
import { lockFile } from "../../src/render/lock.js";
import { configuredPlan } from "../plan/configuration/fixtures.js";
import { clinicPlan } from "../render/clinic-plan.js";
import { lockedTool, lockOf } from "./locks.js";

const tools = lockOf({ ...lockedTool("find_pets"), operations: ["GET /pets"] });

test.each<
  [string, was: readonly string[] | undefined, now: readonly string[] | undefined, string[]]
>([
  ["nothing new", ["GET /a"], ["GET /a"], []],
  [
    "one new operation",
    ["GET /a"],
    ["GET /a", "PUT /a"],
    ["1 new operation is not selected: `PUT /a`."],
  ],
  [
    "many new operations",
    ["GET /a"],
    ["GET /a", ...Array.from({ length: 12 }, (_, i) => `GET /${i}`)],
    [expect.stringMatching(/^12 new operations are not selected: `GET \/0`, .*and 2 more\.$/)],
  ],
  ["an operation that had a tool", ["GET /a"], ["GET /a", "GET /pets"], []],
  ["an operation that is gone", ["GET /a", "PUT /a"], ["GET /a"], []],
  ["a lock of a selection without a default", undefined, ["GET /a"], []],
  ["a selection that lost its default", ["GET /a"], undefined, []],
])("%s", (_, was, now, messages) => {
  const [before, after] = [was, now].map((unselected): Lock => ({
    ...tools,
    ...(unselected && { unselected }),
  }));
  const changes = compareLocks(before!, after!);
  expect(changes.map(({ message }) => message)).toEqual(messages);
  expect(changes.every((change) => change.class === "cosmetic")).toBe(true);
});

test("a run states new operations that are not selected", () => {
  const before = { ...tools, unselected: ["GET /a"] };
  const after = { ...tools, unselected: ["GET /a", "PUT /a"] };
  expect(formatToolChanges(compareLocks(before, after)).at(-1)).toBe(
    "  1 new operation is not selected: PUT /a.",
  );
});

test("a lock has the operations that no rule selects", () => {
  const selected = configuredPlan(
    "select:\n  default: exclude\n  rules: [{match: {path: /products}, include: true}, {match: {path: /orders}, include: false}]",
  );
  const { unselected } = readLock(lockFile(selected).content) as Lock;
  expect(unselected).toContain("GET /admin/stats");
  expect(unselected).not.toContain("GET /products");
  expect(unselected?.join()).not.toContain("/orders");
  expect(lockFile(clinicPlan).content).not.toContain("unselected");
});
