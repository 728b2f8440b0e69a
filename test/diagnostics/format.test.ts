import { expect, test } from "vitest";
import {
  type Diagnostic,
  diagnostic,
  formatDiagnostic,
  formatDiagnostics,
  isError,
  type SourceLocation,
} from "../../src/diagnostics/index.js";

const at = (location?: SourceLocation, message = "The key is wrong", hint?: string): Diagnostic =>
  diagnostic("load-syntax", message, location, hint);

const lines: readonly { name: string; given: Diagnostic; source?: string; want: string }[] = [
  { name: "no location", given: at(), want: "error: The key is wrong. [load-syntax]" },
  {
    name: "a complete location",
    given: at({ file: "a.yaml", pointer: "#/paths/~1x", line: 2, column: 3 }),
    want: "error: a.yaml:2:3 (#/paths/~1x): The key is wrong. [load-syntax]",
  },
  {
    name: "a pointer without a line",
    given: at({ pointer: "#/paths" }),
    source: "a.yaml",
    want: "error: a.yaml (#/paths): The key is wrong. [load-syntax]",
  },
  {
    name: "the pointer to the root is omitted",
    given: at({ file: "a.yaml", pointer: "#", line: 1, column: 1 }),
    want: "error: a.yaml:1:1: The key is wrong. [load-syntax]",
  },
  {
    name: "no file name",
    given: at({ pointer: "#/paths" }),
    want: "error: #/paths: The key is wrong. [load-syntax]",
  },
  {
    name: "a hint is a second sentence",
    given: at(undefined, "It is wrong.", "Correct it"),
    want: "error: It is wrong. Correct it. [load-syntax]",
  },
  {
    name: "document text cannot break the line",
    given: at({ file: "a\u001b[2J.yaml", pointer: "#/x\nerror: y" }, "a\nb\u202e"),
    want: "error: a[2J.yaml (#/x error: y): a b. [load-syntax]",
  },
];

test.each(lines)("formatDiagnostic: $name", ({ given, source, want }) => {
  expect(formatDiagnostic(given, { ...(source && { source }) })).toBe(want);
});

/** Diagnostics of one code whose messages differ. */
const warnings = (count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, n) => diagnostic("load-ref-broken-unused", `Number ${n + 1}`));
const errors = (count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, n) => at(undefined, `Number ${n + 1}`));

test("diagnostics are grouped by code, in the order of their first occurrence", () => {
  const [a, b] = warnings(2) as [Diagnostic, Diagnostic];
  expect(formatDiagnostics([a, at(), b])).toBe(
    "warning: Number 1. [load-ref-broken-unused]\n" +
      "warning: Number 2. [load-ref-broken-unused]\n" +
      "error: The key is wrong. [load-syntax]\n",
  );
});

const same = (count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, n) =>
    at({ file: "a.yaml", pointer: "#", line: n + 1, column: 1 }),
  );

const summaries: readonly {
  name: string;
  given: readonly Diagnostic[];
  lines: number;
  last: string;
}[] = [
  {
    name: "one finding at several locations is one line",
    given: same(3),
    lines: 1,
    last: "error: a.yaml:1:1: The key is wrong. (3 times; --verbose lists all) [load-syntax]",
  },
  {
    name: "a few different warnings are printed",
    given: warnings(5),
    lines: 5,
    last: "warning: Number 5. [load-ref-broken-unused]",
  },
  {
    name: "many different warnings are one line",
    given: warnings(6),
    lines: 1,
    last: "warning: Number 1. (1 of 6; --verbose lists all) [load-ref-broken-unused]",
  },
  {
    name: "different errors are printed",
    given: errors(20),
    lines: 20,
    last: "error: Number 20. [load-syntax]",
  },
  {
    name: "errors beyond the limit are counted",
    given: errors(23),
    lines: 21,
    last: "error: 3 more; --verbose lists all [load-syntax]",
  },
];

test.each(summaries)("formatDiagnostics: $name", ({ given, lines, last }) => {
  const output = formatDiagnostics(given).trimEnd().split("\n");
  expect(output).toHaveLength(lines);
  expect(output.at(-1)).toBe(last);
  expect(formatDiagnostics(given, { verbose: true }).trimEnd().split("\n")).toHaveLength(
    given.length,
  );
});

test("the severity can be colored", () => {
  expect(formatDiagnostic(at(), { colorize: (severity, text) => `<${severity}>${text}` })).toBe(
    "<error>error: The key is wrong. [load-syntax]",
  );
});

test("no diagnostics give no text", () => {
  expect(formatDiagnostics([])).toBe("");
});

test("the severity comes from the code", () => {
  expect([at(), ...warnings(1)].map(isError)).toEqual([true, false]);
});
