import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

/**
 * What makes a test fail now and then: on a machine that is busy, or by the values that chance
 * brings.
 */
const unsteady: readonly {
  readonly what: string;
  readonly instead: string;
  readonly pattern: RegExp;
}[] = [
  {
    what: 'the "exit" of a child process',
    instead: '"close" comes when what it said has been read',
    pattern: /(?<!\bprocess)\.on(?:ce)?\("exit"/,
  },
  {
    what: "property tests with values of chance",
    instead: "{ seed } of test/seed.ts",
    pattern: /\bfc\.(?:assert|sample|check)\((?![^]*\bseed\b)/,
  },
  {
    what: "a fixed port",
    instead: "port 0, and asking which it became",
    pattern: /\.listen\([1-9]/,
  },
  {
    what: "a poll of less than 20 s",
    instead: "the limit that vitest.config.ts sets",
    pattern: /\.poll\([^\n]*\btimeout: (?:\d{1,4}|1?\d_\d{3})\b/,
  },
];

const root = resolve(import.meta.dirname, "../..");
const files = ["test", "demo"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path.replaceAll("\\", "/")}`,
    ),
  )
  .filter((path) => /\.(ts|mjs)$/.test(path) && !/node_modules|^test\/structure\//.test(path))
  .sort();

test.each(unsteady)("no test depends on $what: $instead", ({ pattern }) => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => pattern.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test.each([
  ['child.once("exit", done)', 'process.on("exit", done)'],
  ["fc.assert(property, { numRuns: 9 });", "fc.assert(property, { seed });"],
  ["server.listen(8080)", "server.listen(0)"],
  ["expect.poll(said, { timeout: 5_000 })", "expect.poll(said, { interval: 2, timeout: 20_000 })"],
])("what is looked for is found: %s, not %s", (bad, good) => {
  expect([bad, good].map((text) => unsteady.some(({ pattern }) => pattern.test(text)))).toEqual([
    true,
    false,
  ]);
});
