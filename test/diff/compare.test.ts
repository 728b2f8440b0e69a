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
    want: ["additive b: Added, with the operation `GET /b`."],
  },
  {
    given: "a new tool without operations",
    before: [],
    after: [tool("b", { operations: [] })],
    want: ["additive b: Added."],
  },
  {
    given: "a removed tool",
    before: [tool("a"), tool("b")],
    after: [tool("a")],
    want: ["breaking b: Removed, with its operation `GET /b`."],
  },
  {
    given: "a tool whose operation moved to another tool",
    before: [tool("a"), tool("b")],
    after: [tool("a", { operations: ["GET /a", "GET /b"] })],
    want: [
      "breaking a operations: It now uses `GET /b`.",
      "breaking b: Removed. `a` now calls its operation.",
    ],
  },
  {
    given: "a tool that is hidden",
    before: [tool("a")],
    after: [tool("a", { hidden: true })],
    want: ["breaking a hidden: Clients no longer see it, and cannot call it."],
  },
  {
    given: "a tool that is no longer hidden",
    before: [tool("a", { hidden: true })],
    after: [tool("a")],
    want: ["additive a hidden: Clients see it, and can call it."],
  },
  {
    given: "a renamed tool",
    before: [tool("a", { operations: ["GET /x"] })],
    after: [tool("b", { operations: ["GET /x"] })],
    want: ["breaking b: Renamed from `a`.", "cosmetic b title: The title changed from `a` to `b`."],
  },
  {
    given: "a renamed tool with a new input",
    before: [tool("a", { title: "T", operations: ["GET /x", "GET /y"] })],
    after: [
      tool("b", { title: "T", operations: ["GET /y", "GET /x"], inputSchema: input({ q: {} }) }),
    ],
    want: ["breaking b: Renamed from `a`.", "additive b input.q: Input `q` was added."],
  },
  {
    given: "a tool split into two",
    before: [tool("a", { operations: ["GET /x", "GET /y"] })],
    after: [
      tool("b", { title: "a", operations: ["GET /x"] }),
      tool("c", { operations: ["GET /y"] }),
    ],
    want: [
      "breaking b: Renamed from `a`.",
      "breaking b operations: It no longer uses `GET /y`.",
      "additive c: Added, with the operation `GET /y`.",
    ],
  },
  {
    given: "two tools that swap names",
    before: [tool("a", { operations: ["GET /x"] }), tool("b", { operations: ["GET /y"] })],
    after: [tool("a", { operations: ["GET /y"] }), tool("b", { operations: ["GET /x"] })],
    want: [
      "breaking a operations: It no longer uses `GET /x`, and now uses `GET /y`.",
      "breaking b operations: It no longer uses `GET /y`, and now uses `GET /x`.",
    ],
  },
  {
    given: "operations in another order",
    before: [tool("a", { operations: ["GET /x", "GET /y"] })],
    after: [tool("a", { operations: ["GET /y", "GET /x"] })],
    want: [],
  },
  {
    given: "a changed method",
    before: [tool("a", { operations: ["PUT /x"] })],
    after: [tool("a", { operations: ["PATCH /x"] })],
    want: ["breaking a operations: It no longer uses `PUT /x`, and now uses `PATCH /x`."],
  },
  {
    given: "a changed title and description",
    before: [tool("a")],
    after: [tool("a", { title: "A", description: "Does it well." })],
    want: [
      "cosmetic a title: The title changed from `a` to `A`.",
      "cosmetic a description: The description changed from `Does it.` to `Does it well.`.",
    ],
  },

  {
    given: "a tool that becomes writing",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, readOnlyHint: false } })],
    want: ["breaking a annotations.readOnlyHint: It is no longer read-only."],
  },
  {
    given: "a tool that becomes read-only",
    before: [tool("a", { annotations: { ...reads, readOnlyHint: false } })],
    after: [tool("a")],
    want: ["additive a annotations.readOnlyHint: It is now read-only."],
  },
  {
    given: "a tool that becomes destructive",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, destructiveHint: true } })],
    want: ["breaking a annotations.destructiveHint: It may now be destructive."],
  },
  {
    given: "a tool that asks the user no longer",
    before: [tool("a", { approve: true })],
    after: [tool("a")],
    want: ["breaking a approve: It no longer asks the user before it is sent."],
  },
  {
    given: "a tool that now asks the user",
    before: [tool("a")],
    after: [tool("a", { approve: true })],
    want: ["breaking a approve: It now asks the user before it is sent."],
  },
  {
    given: "a yes in place of a name to type",
    before: [tool("a", { approve: "name" })],
    after: [tool("a", { approve: true })],
    want: [
      "breaking a approve: The user no longer has to type a name before it is sent; a yes is enough.",
    ],
  },
  {
    given: "a tool that is no longer idempotent",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, idempotentHint: false } })],
    want: ["breaking a annotations.idempotentHint: It is no longer idempotent."],
  },
  {
    given: "a tool that no longer reaches external systems",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, openWorldHint: false } })],
    want: ["additive a annotations.openWorldHint: It no longer interacts with external systems."],
  },
  {
    given: "no annotations",
    before: [tool("a")],
    after: [tool("a", { annotations: {} })],
    want: [
      "breaking a annotations.readOnlyHint: The annotation `readOnlyHint` was removed; it was `true`.",
      "breaking a annotations.destructiveHint: The annotation `destructiveHint` was removed; it was `false`.",
      "breaking a annotations.idempotentHint: The annotation `idempotentHint` was removed; it was `true`.",
      "cosmetic a annotations.openWorldHint: The annotation `openWorldHint` was removed; it was `true`.",
    ],
  },
  {
    given: "an unknown annotation",
    before: [tool("a")],
    after: [tool("a", { annotations: { ...reads, costHint: 3 } })],
    want: [
      "breaking a annotations.costHint: The annotation `costHint` is `3` now; there was none.",
    ],
  },

  {
    given: "an added output schema",
    before: [tool("a")],
    after: [tool("a", { outputSchema: output })],
    want: ["additive a output: Its results now have a schema."],
  },
  {
    given: "a removed output schema",
    before: [tool("a", { outputSchema: output })],
    after: [tool("a")],
    want: ["breaking a output: Its results no longer have a schema."],
  },
  {
    given: "a removed field of the result",
    before: [tool("a", { outputSchema: output })],
    after: [tool("a", { outputSchema: { type: "object" } })],
    want: ["breaking a output.id: Output `id` was removed."],
  },
  {
    given: "another description",
    before: [tool("a")],
    after: [tool("a", { description: "Else." })],
    want: ["cosmetic a description: The description changed from `Does it.` to `Else.`."],
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

test("property names of a document are not looked up in prototypes", () => {
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
