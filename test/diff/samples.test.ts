import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareLocks, type Lock, readLock } from "../../src/diff/index.js";

/** The locks of the samples, with complete generated definitions. */
const locks = readdirSync("samples")
  .map((name) => join("samples", name, "server/mcp-gen.lock.json"))
  .filter(existsSync);

type Part = Record<string, unknown>;

/** All typed schemas at any depth. */
function partsOf(value: unknown): readonly Part[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(partsOf);
  return !Array.isArray(value) && typeof (value as Part)["type"] === "string"
    ? [value as Part, ...below]
    : below;
}

function changed(lock: Lock, change: (part: Part) => void): Lock {
  const copy = structuredClone(lock);
  for (const tool of copy.tools)
    for (const part of partsOf([tool.inputSchema, tool.outputSchema])) change(part);
  return { tools: copy.tools };
}

const backwards = (value: unknown): unknown =>
  typeof value !== "object" || value === null
    ? value
    : Array.isArray(value)
      ? value.map(backwards)
      : Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, member]) => [name, backwards(member)]),
        );

test("samples exist", () => expect(locks.length).toBeGreaterThan(3));

describe.each(locks)("%s", (path) => {
  const lock = readLock(readFileSync(path, "utf8")) as Lock;
  const classes = (after: Lock): readonly string[] =>
    [...new Set(compareLocks(lock, after).map((change) => change.class))].sort();

  test("equals itself", () =>
    expect(
      compareLocks(
        lock,
        changed(lock, () => undefined),
      ),
    ).toEqual([]));
  test("equals itself with members in another order", () =>
    expect(compareLocks(lock, backwards(changed(lock, () => undefined)) as Lock)).toEqual([]));
  test("changed texts are cosmetic", () =>
    expect(classes(changed(lock, (part) => (part["description"] = "another")))).toEqual([
      "cosmetic",
    ]));
  test("changed examples are cosmetic", () =>
    expect(classes(changed(lock, (part) => (part["examples"] = ["another"])))).toEqual([
      "cosmetic",
    ]));
  test("changed types are breaking", () =>
    expect(
      classes(
        changed(lock, (part) => (part["type"] = part["type"] === "boolean" ? "null" : "boolean")),
      ),
    ).toContain("breaking"));
  test("new fields do not break results", () => {
    const more = changed(
      lock,
      (part) =>
        part["properties"] && ((part["properties"] as Part)["brandNew"] = { type: "string" }),
    );
    const broken = compareLocks(lock, more).filter(
      (change) => change.class === "breaking" && change.where?.startsWith("output"),
    );
    expect(broken).toEqual([]);
  });
});
