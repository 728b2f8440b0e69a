/** The tests that SECURITY.md names for its guarantees. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "SECURITY.md"), "utf8");
/** Rows of the tables of guarantees, without their headings. */
const rows = text
  .slice(text.indexOf("## Guarantees about documents"), text.indexOf("A test with `oidc-provider`"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| guarantee"))
  .map((line) => line.split(/(?<!\\) \| /));
const pathsIn = (part: string): readonly string[] =>
  [...part.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path!);

test("each guarantee names its tests, and each test that is named exists", () => {
  expect(rows.length).toBeGreaterThan(30);
  const untested = rows.filter((cells) => pathsIn(cells.at(-1) ?? "").length === 0);
  expect(untested.map(([guarantee]) => guarantee)).toEqual([]);
  expect(pathsIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
