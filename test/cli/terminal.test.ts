import { expect, test } from "vitest";
import { describeDefect, describeRefusal, usesColors } from "../../src/cli/terminal.js";

const cases: readonly { given: unknown; want: RegExp }[] = [
  {
    given: new Error("x is undefined"),
    want: /^error: This is a bug in mcp-gen \(x is undefined\)\. Please report it .*--verbose/,
  },
  { given: new RangeError("Maximum call stack size exceeded"), want: /Maximum call stack/ },
  { given: "a string", want: /\(a string\)/ },
  { given: undefined, want: /\(undefined\)/ },
  { given: new Error("two\nlines"), want: /\(two\)/ },
  { given: new Error("\u001b[2Jevil"), want: /\(\[2Jevil\)/ },
];

for (const { given, want } of cases) {
  test(`${String(given)} is described in one sentence`, () => {
    const text = describeDefect(given, false);
    expect(text).toMatch(want);
    expect(text.trimEnd()).not.toContain("\n");
  });
}

test("--verbose adds the stack", () => {
  expect(describeDefect(new Error("x"), true)).toMatch(/^\s+at /m);
});

test.each([
  [
    { code: "EACCES", path: "t/README.md.hbs" },
    "error: t/README.md.hbs cannot be opened: permission was denied.\n",
  ],
  [{ code: "EIO", path: "lock" }, "error: lock cannot be opened: the system reported EIO.\n"],
  [{ code: "EACCES" }, undefined],
  [{ code: "ERR_INVALID_ARG_TYPE", path: 1 }, undefined],
  [{}, undefined],
])("what the system refuses is no defect: %j", (properties, want) => {
  expect(describeRefusal(Object.assign(new Error("x"), properties))).toBe(want);
});

test.each([
  ["a terminal", {}, true, true],
  ["a pipe", {}, false, false],
  ["NO_COLOR", { NO_COLOR: "1" }, true, false],
  ["TERM=dumb", { TERM: "dumb" }, true, false],
  ["FORCE_COLOR into a pipe", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ["FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
])("colors: %s", (_, env, isTerminal, want) => expect(usesColors(env, isTerminal)).toBe(want));
