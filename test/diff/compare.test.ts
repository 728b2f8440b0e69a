import { expect, test } from "vitest";
import { compareLocks, type LockedTool } from "../../src/diff/index.js";
import { lockedTool as tool, lockOf } from "./locks.js";

const reads = tool("a").annotations!;
const output = { type: "object", properties: { id: { type: "string" } } };
const input = (properties: object): LockedTool["inputSchema"] =>
  ({ type: "object", properties, additionalProperties: false }) as LockedTool["inputSchema"];

interface Row {
  readonly given: string;
  readonly before: readonly LockedTool[];
  readonly after: readonly LockedTool[];
  /** `class tool where: message` */
  readonly want: readonly string[];
}

const rows: readonly Row[] = [
  { given: "the same", before: [tool("a")], after: [tool("a")], want: [] },
  {
    given: "the same in another order",
    before: [tool("a"), tool("b")],
    after: [tool("b"), tool("a")],
    want: [],
  },
  {
    given: "a new tool",
    before: [tool("a")],
    after: [tool("a"), tool("b")],
    want: ["additive b: Is new, for `GET /b`."],
  },
  {
    given: "a new tool without operations",
    before: [],
    after: [tool("b", { operations: [] })],
    want: ["additive b: Is new, for no operation of the API."],
  },
  {
    given: "a tool that is gone",
    before: [tool("a"), tool("b")],
    after: [tool("a")],
    want: ["breaking b: Is gone. So is its operation `GET /b`."],
  },
  {
    given: "a tool that went into another",
    before: [tool("a"), tool("b")],
    after: [tool("a", { operations: ["GET /a", "GET /b"] })],
    want: [
      "breaking a operations: It uses `GET /b` now.",
      "breaking b: Is gone. Another tool does some of what it did: `a`.",
    ],
  },
  {
    given: "a tool with another name",
    before: [tool("a", { operations: ["GET /x"] })],
    after: [tool("b", { operations: ["GET /x"] })],
    want: ["breaking b: Was called `a`.", "cosmetic b title: The title reads differently."],
  },
  {
    given: "a tool with another name and another input",
    before: [tool("a", { title: "T", operations: ["GET /x", "GET /y"] })],
    after: [
      tool("b", { title: "T", operations: ["GET /y", "GET /x"], inputSchema: input({ q: {} }) }),
    ],
    want: ["breaking b: Was called `a`.", "additive b input.q: Input `q` is new."],
  },
  {
    given: "two names for half of the operations each",
    before: [tool("a", { operations: ["GET /x", "GET /y"] })],
    after: [
      tool("b", { title: "a", operations: ["GET /x"] }),
      tool("c", { operations: ["GET /y"] }),
    ],
    want: [
      "breaking b: Was called `a`.",
      "breaking b operations: It does not use `GET /y` any more.",
      "additive c: Is new, for `GET /y`.",
    ],
  },
  {
    given: "tools that change names",
    before: [tool("a", { operations: ["GET /x"] }), tool("b", { operations: ["GET /y"] })],
    after: [tool("a", { operations: ["GET /y"] }), tool("b", { operations: ["GET /x"] })],
    want: [
      "breaking a operations: It does not use `GET /x` any more, and uses `GET /y` now.",
      "breaking b operations: It does not use `GET /y` any more, and uses `GET /x` now.",
    ],
  },
  {
    given: "operations in another order",
    before: [tool("a", { operations: ["GET /x", "GET /y"] })],
    after: [tool("a", { operations: ["GET /y", "GET /x"] })],
    want: [],
  },
  {
    given: "another method",
    before: [tool("a", { operations: ["PUT /x"] })],
    after: [tool("a", { operations: ["PATCH /x"] })],
    want: ["breaking a operations: It does not use `PUT /x` any more, and uses `PATCH /x` now."],
  },
  {
    given: "another title and description",
    before: [tool("a")],
    after: [tool("a", { title: "A", description: "Does it well." })],
    want: [
      "cosmetic a title: The title reads differently.",
      "cosmetic a description: The description reads differently.",
    ],
  },

  {
    given: "a tool that writes now",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, readOnlyHint: false } })],
    want: ["breaking a annotations.readOnlyHint: It does not only read any more."],
  },
  {
    given: "a tool that only reads now",
    before: [tool("a", { annotations: { ...reads, readOnlyHint: false } })],
    after: [tool("a")],
    want: ["additive a annotations.readOnlyHint: It only reads now."],
  },
  {
    given: "a tool that may destroy now",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, destructiveHint: true } })],
    want: ["breaking a annotations.destructiveHint: It may destroy things now."],
  },
  {
    given: "a tool that may not be repeated now",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, idempotentHint: false } })],
    want: [
      "breaking a annotations.idempotentHint: To call it twice is not as to call it once any more.",
    ],
  },
  {
    given: "a tool that stays at home now",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, openWorldHint: false } })],
    want: ["additive a annotations.openWorldHint: It does not reach beyond the server any more."],
  },
  {
    given: "no annotations",
    before: [tool("a")],
    after: [tool("a", { annotations: {} })],
    want: [
      "breaking a annotations.readOnlyHint: The annotation `readOnlyHint` is gone; it was `true`.",
      "breaking a annotations.destructiveHint: The annotation `destructiveHint` is gone; it was `false`.",
      "breaking a annotations.idempotentHint: The annotation `idempotentHint` is gone; it was `true`.",
      "cosmetic a annotations.openWorldHint: The annotation `openWorldHint` is gone; it was `true`.",
    ],
  },
  {
    given: "an annotation that nobody knows",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, costHint: 3 } })],
    want: [
      "breaking a annotations.costHint: The annotation `costHint` is `3` now; there was none.",
    ],
  },

  {
    given: "a structured result",
    before: [tool("a")],
    after: [tool("a", { outputSchema: output })],
    want: ["additive a output: Its results have a structure now."],
  },
  {
    given: "no structured result",
    before: [tool("a", { outputSchema: output })],
    after: [tool("a")],
    want: ["breaking a output: Its results have no structure any more."],
  },
  {
    given: "a field of the result is gone",
    before: [tool("a", { outputSchema: output })],
    after: [tool("a", { outputSchema: { type: "object" } })],
    want: ["breaking a output.id: Output `id` is gone."],
  },
  {
    given: "a lock whose fingerprints do not tell",
    before: [tool("a", { fingerprint: "x" })],
    after: [tool("a", { fingerprint: "x", description: "Else." })],
    want: ["cosmetic a description: The description reads differently."],
  },
];

test.each(rows)("$given", ({ before, after, want }) => {
  const changes = compareLocks(lockOf(...before), lockOf(...after));
  expect(
    changes.map(
      (change) =>
        `${change.class} ${change.tool}${change.where === undefined ? "" : ` ${change.where}`}: ${change.message}`,
    ),
  ).toEqual(want);
});

test("names of a document cannot be mistaken for members of objects", () => {
  const odd = ["__proto__", "constructor", "toString"];
  const before = lockOf(
    tool("a", {
      inputSchema: JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
      ) as LockedTool["inputSchema"],
    }),
  );
  const after = lockOf(
    tool("a", {
      inputSchema: JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"number"},"toString":{"type":"string"}}}',
      ) as LockedTool["inputSchema"],
    }),
  );
  expect(compareLocks(before, after).map(({ where, class: one }) => `${one} ${where}`)).toEqual([
    "breaking input.constructor",
    "breaking input.__proto__",
    "breaking input.toString",
  ]);
  expect(
    compareLocks(lockOf(), lockOf(...odd.map((name) => tool(name)))).map(({ class: one }) => one),
  ).toEqual(["additive", "additive", "additive"]);
});
