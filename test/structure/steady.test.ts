import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

/** Causes of flaky tests: dependence on the load of the machine, or on random values. */
const flakyPatterns: readonly {
  readonly cause: string;
  readonly replacement: string;
  readonly pattern: RegExp;
}[] = [
  {
    cause: 'the "exit" of a child process',
    replacement: '"close" follows the end of its output',
    pattern: /(?<!\bprocess)\.on(?:ce)?\("exit"/,
  },
  {
    cause: "property tests with a random seed",
    replacement: "{ seed } of test/seed.ts",
    pattern: /\bfc\.(?:assert|sample|check)\((?![^]*\bseed\b)/,
  },
  {
    cause: "a fixed port",
    replacement: "port 0 and the assigned port",
    pattern: /\.listen\([1-9]/,
  },
  {
    cause: "a poll of less than 20 s",
    replacement: "the limit that vitest.config.ts sets",
    pattern: /\.poll\([^\n]*\btimeout: (?:\d{1,4}|1?\d_\d{3})\b/,
  },
];

const root = resolve(import.meta.dirname, "../..");
const files = ["test", "demo"]
  .flatMap(filesIn)
  .filter((path) => /\.(ts|mjs)$/.test(path) && !path.startsWith("test/structure/"))
  .sort();

/** Lists files without installed packages, which another process may be installing. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === "node_modules" ? [] : filesIn(path);
  });
}

test.each(flakyPatterns)("no test depends on $cause, instead: $replacement", ({ pattern }) => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => pattern.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test.each([
  ['child.once("exit", done)', 'process.on("exit", done)'],
  ["fc.assert(property, { numRuns: 9 });", "fc.assert(property, { seed });"],
  ["server.listen(8080)", "server.listen(0)"],
  ["expect.poll(said, { timeout: 5_000 })", "expect.poll(said, { interval: 2, timeout: 20_000 })"],
])("the patterns match %s, not %s", (flaky, stable) => {
  expect(
    [flaky, stable].map((text) => flakyPatterns.some(({ pattern }) => pattern.test(text))),
  ).toEqual([true, false]);
});
