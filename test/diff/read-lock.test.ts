import { expect, test } from "vitest";
import { readLock } from "../../src/diff/index.js";
import { lockFile, createLockEntries } from "../../src/render/lock.js";
import { clinicPlan } from "../render/clinic-plan.js";

const text = lockFile(createLockEntries(clinicPlan), [], "tools").content;
const one = { name: "a", inputSchema: {}, operations: [], fingerprint: "x" };
const lock = (...tools: readonly unknown[]): string => JSON.stringify({ layout: 1, tools });

test.each<readonly [what: string, text: string, clause: string | undefined]>([
  ["no JSON", "{", undefined],
  ["another file", '{"openapi": "3.1.0", "tools": []}', undefined],
  [
    "an unsupported layout",
    '{"layout": 3, "tools": []}',
    "has a layout that this version of mcp-gen does not support",
  ],
  ["an invalid entry", lock(one, 1), "has an invalid entry (number 2)"],
  ["invalid operations", lock({ ...one, operations: [1] }), "has an invalid entry (number 1)"],
  ["an invalid schema", lock({ ...one, inputSchema: true }), "has an invalid entry (number 1)"],
  ["an invalid title", lock({ ...one, title: 1 }), "has an invalid entry (number 1)"],
  [
    "schemas nested too deep",
    `{"layout": 1, "tools": [${`{"not":`.repeat(50_000)}{}${"}".repeat(50_000)}]}`,
    "is nested deeper than 300 levels",
  ],
  ["a duplicate tool", lock(one, one), 'has a duplicate entry "a"'],
])("%s", (_, given, clause) => expect(readLock(given)).toBe(clause));

test.each([text, `\ufeff${text}`, text.replaceAll("\n", "\r\n")])(
  "reads locks written by mcp-gen, with the line of each tool",
  (given) => {
    const read = readLock(given);
    if (typeof read !== "object") throw new Error(read);
    expect(read.tools.map(({ name }) => name)).toEqual(
      clinicPlan.tools.map(({ definition }) => definition.name).sort(),
    );
    for (const [name, line] of read.lines)
      expect(given.split("\n")[line - 1]).toContain(`"name": "${name}"`);
    expect(read.lines.size).toBe(clinicPlan.tools.length);
  },
);
