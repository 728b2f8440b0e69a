import { describe, expect, it } from "vitest";
import { patternProblem } from "../../../../src/plan/schemas/portable/patterns.js";

describe("portable patterns", () => {
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
    "^vip-2024$",
    "prefix-",
  ])("%s", (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });
});

describe("patterns that move to the description", () => {
  it.each([
    { pattern: "^(a+)+$", reason: "nests" },
    { pattern: "(a*)*", reason: "nests" },
    { pattern: "([a-z]+\\s?)+", reason: "nests" },
    { pattern: "((a|b)c)*", reason: "nests" },
    { pattern: "(a|aa)+", reason: "alternatives" },
    { pattern: "(a?){20}", reason: "nests" },
    { pattern: "^\\p{L}+$", reason: "Unicode" },
    { pattern: "(?=a)b", reason: "lookaround" },
    { pattern: "(?<!a)b", reason: "lookaround" },
    { pattern: "(a)\\1", reason: "back-references" },
    { pattern: "[", reason: "not a regular expression" },
    { pattern: "ds_j04jmxh5xg10lu", reason: "one text" },
    { pattern: "\\-", reason: "not a regular expression" },
    { pattern: "\\A\\w+\\z", reason: "not a regular expression" },
    { pattern: "a{1,5000}", reason: "times" },
    { pattern: "a".repeat(600), reason: "longer" },
    { pattern: "a*b*c*d*e*f*g*h*i*", reason: "open-ended" },
  ])("$pattern $reason", ({ pattern, reason }) => {
    expect(patternProblem(pattern)).toContain(reason);
  });
});
