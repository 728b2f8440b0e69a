import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

/** Output of `bench/truth/truth.mjs --json`. */
interface Summary {
  readonly documents: readonly { readonly document: string; readonly unknown: readonly string[] }[];
  readonly figures: Readonly<Record<string, number>>;
  readonly findings: readonly { readonly "unreachable $defs": number }[];
  readonly absent: readonly string[];
}

const script = fileURLToPath(new URL("../../bench/truth/truth.mjs", import.meta.url));
let summary: Summary;

beforeAll(() => {
  const output = execFileSync(process.execPath, [script, "--json", "--document", "@"], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  summary = JSON.parse(output) as Summary;
});

test("the documents of npm packages are always measured", () => {
  expect(summary.absent).toEqual([]);
  expect(summary.documents.length).toBeGreaterThanOrEqual(3);
});

test("every label names an operation of its document", () => {
  expect(summary.documents.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
});

/** Measures that hold, with the least value: shares of right answers. */
const floors: Readonly<Record<string, number>> = {
  "reads recall": 0.93,
  "destroys recall": 0.95,
  verb: 0.97,
  object: 0.97,
  "producers precision": 0.95,
  payload: 0.99,
};

test.each(Object.entries(floors))("%s is at least %f", (measure, floor) => {
  expect(summary.figures[measure]).toBeGreaterThanOrEqual(floor);
});

test("no tool has unreachable definitions", () => {
  expect(summary.findings.filter((found) => found["unreachable $defs"] !== 0)).toEqual([]);
});
