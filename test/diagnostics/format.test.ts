import { expect, test } from "vitest";
import {
  type Diagnostic,
  diagnostic,
  formatDiagnostic,
  formatDiagnostics,
  isError,
  type SourceLocation,
} from "../../src/diagnostics/index.js";

const at = (place?: SourceLocation, message = "The key is wrong", hint?: string): Diagnostic =>
  diagnostic("load-syntax", message, place, hint);

const lines: readonly { name: string; given: Diagnostic; source?: string; want: string }[] = [
  { name: "no place", given: at(), want: "error: The key is wrong. [load-syntax]" },
  {
    name: "a place with everything",
    given: at({ file: "a.yaml", pointer: "#/paths/~1x", line: 2, column: 3 }),
    want: "error: a.yaml:2:3 (#/paths/~1x): The key is wrong. [load-syntax]",
  },
  {
    name: "a pointer that was not located",
    given: at({ pointer: "#/paths" }),
    source: "a.yaml",
    want: "error: a.yaml (#/paths): The key is wrong. [load-syntax]",
  },
  {
    name: "the root is not worth a pointer",
    given: at({ file: "a.yaml", pointer: "#", line: 1, column: 1 }),
    want: "error: a.yaml:1:1: The key is wrong. [load-syntax]",
  },
  {
    name: "no file is known",
    given: at({ pointer: "#/paths" }),
    want: "error: #/paths: The key is wrong. [load-syntax]",
  },
  {
    name: "a hint is a second sentence",
    given: at(undefined, "It is wrong.", "Correct it"),
    want: "error: It is wrong. Correct it. [load-syntax]",
  },
  {
    name: "text of a document cannot break the line",
    given: at({ file: "a\u001b[2J.yaml", pointer: "#/x\nerror: y" }, "a\nb\u202e"),
    want: "error: a[2J.yaml (#/x error: y): a b. [load-syntax]",
  },
];

test.each(lines)("formatDiagnostic: $name", ({ given, source, want }) => {
  expect(formatDiagnostic(given, { ...(source && { source }) })).toBe(want);
});

const many = (count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, n) => diagnostic("load-ref-broken-unused", `Number ${n + 1}`));

test("diagnostics of one code stand together, in the order of their first", () => {
  const [a, b] = many(2) as [Diagnostic, Diagnostic];
  expect(formatDiagnostics([a, at(), b])).toBe(
    "warning: Number 1. [load-ref-broken-unused]\nwarning: Number 2. [load-ref-broken-unused]\nerror: The key is wrong. [load-syntax]\n",
  );
});

const cuts: readonly {
  name: string;
  count: number;
  verbose?: boolean;
  printed: number;
  rest?: string;
}[] = [
  { name: "few are printed", count: 6, printed: 6 },
  {
    name: "many are counted",
    count: 7,
    printed: 5,
    rest: "warning: and 2 more like these; --verbose lists them [load-ref-broken-unused]",
  },
  { name: "verbose prints all", count: 7, verbose: true, printed: 7 },
];

test.each(cuts)("formatDiagnostics: $name", ({ count, verbose, printed, rest }) => {
  const output = formatDiagnostics(many(count), { ...(verbose && { verbose }) })
    .trimEnd()
    .split("\n");
  expect(output.filter((line) => line.includes("Number"))).toHaveLength(printed);
  expect(output.filter((line) => !line.includes("Number"))).toEqual(rest ? [rest] : []);
});

test("the severity can be painted", () => {
  expect(formatDiagnostic(at(), { colorize: (severity, text) => `<${severity}>${text}` })).toBe(
    "<error>error: The key is wrong. [load-syntax]",
  );
});

test("nothing gives nothing", () => {
  expect(formatDiagnostics([])).toBe("");
});

test("the severity comes from the code", () => {
  expect([at(), ...many(1)].map(isError)).toEqual([true, false]);
});
