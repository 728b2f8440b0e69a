import { expect, test } from "vitest";
import { compareLocks, type Lock, readLock, readToolList } from "../../src/diff/index.js";
import { lockFile } from "../../src/render/lock.js";
import { clinicPlan } from "../render/clinic-plan.js";

const text = lockFile({ ...clinicPlan, sharedSchemas: [] }).content;
const one = { name: "a", inputSchema: {}, operations: [] };
const lock = (...tools: readonly unknown[]): string => JSON.stringify({ layout: 1, tools });

test.each<readonly [what: string, text: string, clause: string | undefined]>([
  ["no JSON", "{", undefined],
  ["another file", '{"openapi": "3.1.0", "tools": []}', undefined],
  [
    "an unsupported layout",
    '{"layout": 99, "tools": []}',
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
  ["invalid requests", lock({ ...one, requests: [{}] }), "has an invalid entry (number 1)"],
  ["an invalid API", '{"layout": 4, "api": {"server": 1}, "tools": []}', "has an invalid API"],
  [
    "an invalid scheme",
    '{"layout": 4, "api": {"securitySchemes": {"a": {"kind": "bearer"}}}, "tools": []}',
    "has an invalid API",
  ],
  [
    "an invalid API of workflows",
    '{"layout": 4, "api": {}, "otherApis": {"a": 1}, "tools": []}',
    "has invalid other APIs",
  ],
])("%s", (_, given, clause) => expect(readLock(given)).toBe(clause));

test.each([text, `\ufeff${text}`, text.replaceAll("\n", "\r\n")])(
  "reads locks written by mcp-gen, with the line of each tool",
  (given) => {
    const read = readLock(given);
    if (typeof read !== "object") throw new Error(read);
    expect(read.tools.map(({ name }) => name)).toEqual(
      clinicPlan.tools.map(({ definition }) => definition.name).sort(),
    );
    for (const { name } of read.tools)
      expect(given.split("\n")[read.lines.get(name)! - 1]).toContain(`"name": "${name}"`);
    expect(given.split("\n")[read.lines.get("the API")! - 1]).toContain('"api": {');
    expect(read.lines.size).toBe(clinicPlan.tools.length + 1);
  },
);

test("reads locks with fingerprints, which are not compared", () => {
  const [old, now] = [lock({ ...one, fingerprint: "sha256:00" }), lock(one)].map(readLock);
  expect(compareLocks(old as Lock, now as Lock)).toEqual([]);
});

const listed = { name: "a", inputSchema: {}, _meta: { "dev.mcp-gen/fingerprint": "sha256:00" } };
const toolList = (...tools: readonly unknown[]): object => ({ tools });

test.each<readonly [what: string, list: object, want: unknown]>([
  [
    "a result",
    toolList(listed),
    { isToolList: true, tools: [{ name: "a", inputSchema: {}, operations: [] }] },
  ],
  ["a response", { jsonrpc: "2.0", id: 1, result: toolList(listed) }, { isToolList: true }],
  ["another file", { openapi: "3.1.0" }, undefined],
  [
    "one page",
    { ...toolList(listed), nextCursor: "500" },
    "has a nextCursor, so it is only the first page of a list",
  ],
  [
    "discovery tools",
    toolList({ ...listed, _meta: {} }),
    "has no tool with a fingerprint: start the server with --mode tools",
  ],
  ["an invalid tool", toolList(listed, {}), "has an invalid entry (number 2)"],
])("a tool list: %s", (_, list, want) => {
  const read = readToolList(JSON.stringify(list));
  if (typeof want === "object") expect(read).toMatchObject(want as object);
  else expect(read).toBe(want);
});

test("a tool list is compared with a lock, except for operations", () => {
  const before = readLock(lock({ ...one, operations: ["GET /a"] })) as Lock;
  const listOf = (tool: object): Lock => readToolList(JSON.stringify(toolList(tool))) as Lock;
  expect(compareLocks(before, listOf(listed))).toEqual([]);
  expect(compareLocks(before, listOf({ ...listed, description: "Else." }))).toMatchObject([
    { kind: "description", tool: "a" },
  ]);
});
