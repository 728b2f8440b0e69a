import { describe, expect, test } from "vitest";
import { type Change, compareLocks, formatChanges } from "../../src/diff/index.js";
import { lockedTool as tool, lockOf } from "./locks.js";

const changes: readonly Change[] = [
  {
    class: "cosmetic",
    kind: "title",
    tool: "b",
    where: "title",
    message: "The title reads differently.",
  },
  {
    class: "breaking",
    kind: "field-removed",
    tool: "a",
    where: "input.x",
    message: "Input `x` is gone.",
  },
  {
    class: "breaking",
    kind: "field-required",
    tool: "a",
    where: "input.y",
    message: "Input `y` is now required.",
  },
  { class: "additive", kind: "tool-added", tool: "c", message: "Is new, for `GET /c`." },
];

test("text: the most severe first, by tool", () => {
  expect(formatChanges(changes, "text")).toBe(`breaking:
  a
    - Input \`x\` is gone.
    - Input \`y\` is now required.
additive:
  c: Is new, for \`GET /c\`.
cosmetic:
  b: The title reads differently.
2 breaking, 1 additive and 1 cosmetic changes for agents.
`);
});

test("Markdown: the same, with cosmetic changes collapsed", () => {
  expect(formatChanges(changes, "markdown"))
    .toBe(`### Tools for agents: 2 breaking, 1 additive and 1 cosmetic changes

**Breaking: existing calls may fail or behave differently**

- \`a\`
  - Input \`x\` is gone.
  - Input \`y\` is now required.

**Additive: existing calls work as before**

- \`c\`: Is new, for \`GET /c\`.

<details><summary>Cosmetic: only texts changed</summary>

- \`b\`: The title reads differently.

</details>
`);
});

test("GitHub: annotations at the entries of the lock", () => {
  const file = {
    path: "a,b:c/mcp-gen.lock.json",
    lines: new Map([["a", 7]]),
    schemaLines: new Map(),
  };
  expect(formatChanges(changes, "github", { file }))
    .toBe(`::error file=a%2Cb%3Ac/mcp-gen.lock.json,line=7,title=a (breaking)::Input \`x\` is gone.
::error file=a%2Cb%3Ac/mcp-gen.lock.json,line=7,title=a (breaking)::Input \`y\` is now required.
::notice file=a%2Cb%3Ac/mcp-gen.lock.json,title=c (additive)::Is new, for \`GET /c\`.
Tools for agents: 2 breaking, 1 additive and 1 cosmetic changes.
`);
});

test("JSON: counts and complete changes", () => {
  expect(JSON.parse(formatChanges(changes, "json"))).toEqual({
    breaking: 2,
    additive: 1,
    cosmetic: 1,
    changes,
  });
});

test.each([
  ["text", "No changes for agents.\n"],
  ["markdown", "### Tools for agents: no changes\n"],
  ["github", "Tools for agents: no changes.\n"],
] as const)("no change as %s", (format, want) => expect(formatChanges([], format)).toBe(want));

test.each(["text", "json", "markdown", "github"] as const)(
  "a note about parts that were not compared as %s",
  (format) => {
    const text = formatChanges([], format, { note: "Hosts were not compared." });
    expect(text.match(/Hosts were not compared\./g)).toHaveLength(1);
  },
);

describe("text of a hostile document", () => {
  const nasty =
    "`@octocat` <img src=x>\n::set-output name=x::y\r\n- [ ] [a](javascript:b) 100%0A\u001b[2J\u202e";
  const before = lockOf(
    tool("a", {
      inputSchema: { type: "object", properties: { a: { enum: [nasty] }, b: { default: nasty } } },
      operations: [`GET /${nasty}`],
    }),
  );
  const after = lockOf(
    tool("a", {
      inputSchema: { type: "object", properties: { a: { enum: ["x"] }, b: {}, [nasty]: {} } },
      annotations: { [nasty]: nasty },
    }),
  );
  const hostile = compareLocks(before, after);

  test("is inert in Markdown, in single-line code spans", () => {
    const markdown = formatChanges(hostile, "markdown");
    const outside = markdown.replace(/`[^`\n]+`/g, "");
    expect(outside).not.toMatch(/@|<img|::|\]\(|%|`|\u001b|\u202e/);
  });

  test("never starts a line of GitHub's log", () => {
    for (const format of ["text", "markdown", "github"] as const) {
      const lines = formatChanges(hostile, format).split("\n");
      expect(
        lines.filter((line) => /^\s*::/.test(line) && !/^::(error|notice) title=/.test(line)),
      ).toEqual([]);
      expect(lines.filter((line) => /[\u0000-\u001f\u202e]/.test(line))).toEqual([]);
    }
    expect(formatChanges(hostile, "github")).not.toMatch(/%0A/);
  });
});

test("a comment stays within GitHub's size limit", () => {
  const many = Array.from({ length: 5000 }, (_, i): Change => ({
    class: "breaking",
    kind: "tool-removed",
    tool: `tool_${i}`,
    message: "Is gone. So is its operation `GET /somewhere`.",
  }));
  const markdown = formatChanges(many, "markdown");
  expect(markdown.length).toBeLessThan(65_000);
  expect(markdown).toMatch(/…and \d+ more sections, which exceed the size limit\.\n$/);
  expect(formatChanges(many, "text")).toContain("  and 4960 more tools; --verbose lists them");
  expect(formatChanges(many, "text", { verbose: true }).split("\n")).toHaveLength(5003);
});
