import { describe, expect, it } from "vitest";
import { patternProblem } from "../../../../src/plan/schemas/portable/patterns.js";

describe("patterns that stay", () => {
  it.each([
    "^[a-z]+$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^(active|sold)$",
    "^(?:[A-Za-z0-9+/]{4})*$",
    "^#[0-9A-Fa-f]{6}$",
    "^[^/]+/[^/]+$",
    "^(a|b)?x$",
    "(?<year>\\d+)",
    "^\\u{1F600}$",
    "a{2,5}",
  ])("%s", (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });
});

describe("patterns that become words", () => {
  it.each([
    { pattern: "^(a+)+$", why: "nests" },
    { pattern: "(a*)*", why: "nests" },
    { pattern: "([a-z]+\\s?)+", why: "nests" },
    { pattern: "((a|b)c)*", why: "nests" },
    { pattern: "(a|aa)+", why: "alternatives" },
    { pattern: "(a?){20}", why: "nests" },
    { pattern: "^\\p{L}+$", why: "Unicode" },
    { pattern: "(?=a)b", why: "lookaround" },
    { pattern: "(?<!a)b", why: "lookaround" },
    { pattern: "(a)\\1", why: "back-references" },
    { pattern: "[", why: "not a regular expression" },
    { pattern: "\\-", why: "not a regular expression" },
    { pattern: "\\A\\w+\\z", why: "not a regular expression" },
    { pattern: "a{1,5000}", why: "times" },
    { pattern: "a".repeat(600), why: "longer" },
    { pattern: "a*b*c*d*e*f*g*h*i*", why: "open-ended" },
  ])("$pattern $why", ({ pattern, why }) => {
    expect(patternProblem(pattern)).toContain(why);
  });
});
