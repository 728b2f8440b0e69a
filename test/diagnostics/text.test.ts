import { expect, test } from "vitest";
import { sanitizeText, toSingleLine, quoteText } from "../../src/diagnostics/index.js";

const cleaned: readonly { name: string; given: string; want: string }[] = [
  { name: "plain text is kept", given: "A pet, µ, 日本, 🐕.", want: "A pet, µ, 日本, 🐕." },
  { name: "tabs and line feeds are kept", given: "a\tb\nc", want: "a\tb\nc" },
  { name: "the escape of an escape sequence is removed", given: "a\u001b[31mb", want: "a[31mb" },
  {
    name: "NUL, bell, backspace, carriage return and DEL are removed",
    given: "a\u0000\u0007\b\r\u007fb",
    want: "ab",
  },
  { name: "C1 controls are removed", given: "a\u0085\u009bb", want: "ab" },
  {
    name: "bidirectional overrides and isolates are removed",
    given: "a\u202a\u202eb\u2066\u2069c",
    want: "abc",
  },
  {
    name: "marks, operators, fillers, soft hyphens and supplementary selectors are removed",
    given: "a\u061c\u2062\u2064\u3164\u00ad\u{e0121}\u{1d173}b",
    want: "ab",
  },
  {
    name: "selectors are kept, except in a row",
    given: "❤\ufe0f 😊\ufe01\ufe0f\ufe03",
    want: "❤\ufe0f 😊",
  },
  {
    name: "zero-width characters and byte order marks are removed",
    given: "a\u200b\u200f\ufeffb",
    want: "ab",
  },
  { name: "the invisible tag block is removed", given: "a\u{e0041}\u{e007f}b", want: "ab" },
];

test.each(cleaned)("sanitizeText: $name", ({ given, want }) => {
  expect(sanitizeText(given)).toBe(want);
});

test("toSingleLine joins lines", () => {
  expect(toSingleLine(" a\r\n\tb\u2028c\u001b ")).toBe("a b c");
});

const quoted: readonly { name: string; given: string; max?: number; want: string }[] = [
  { name: "quotes and backslashes are escaped", given: 'a"b\\c', want: '"a\\"b\\\\c"' },
  { name: "line feeds cannot start a line", given: "a\nerror: b", want: '"a error: b"' },
  { name: "long text is cut", given: "abcdef", max: 3, want: '"abc…"' },
  { name: "characters are not cut in two", given: "🐕🐕🐕", max: 2, want: '"🐕🐕…"' },
  { name: "very long text is cut", given: "x".repeat(100_000), max: 2, want: '"xx…"' },
];

test.each(quoted)("quoteText: $name", ({ given, max, want }) => {
  expect(quoteText(given, max)).toBe(want);
});
