import { join } from "node:path";
import { expect, test } from "vitest";
import { outputState } from "../../src/write/output-state.js";
import { plant, scratch } from "./tree.js";

test("contents that a run wrote stand for the files, and later edits are differences", () => {
  const root = scratch();
  const text = "Ünïcode, a lone surrogate \ud800, and a line\n";
  plant(root, { "out/a.txt": text, "out/b.txt": "B\n" });
  const state = (written?: ReadonlyMap<string, string>): string | undefined =>
    outputState(
      join(root, "out"),
      [
        ["a.txt", false],
        ["b.txt", false],
      ],
      written,
    );
  const before = state();
  expect(before).toBeDefined();
  expect(state(new Map([["a.txt", text]]))).toBe(before);
  plant(root, { "out/a.txt": "edited\n" });
  expect(state(new Map([["a.txt", text]]))).toBe(before);
  expect(state()).not.toBe(before);
});
