import { expect, test } from "vitest";
import { suggestionFor, closestMatch } from "../../src/diagnostics/index.js";

test.each([
  { given: "limti", among: ["offset", "limit"], want: "limit" },
  { given: "descripton", among: ["title", "description"], want: "description" },
  { given: "Status", among: ["status"], want: "status" },
  { given: "colour", among: ["color"], want: "color" },
  { given: "q", among: ["page"], want: undefined },
  { given: "tool", among: ["tools", "tool_a"], want: "tools" },
  { given: "cat", among: ["bat", "rat"], want: "bat" },
  { given: "list-pets", among: ["list", "list_pets"], want: "list_pets" },
  { given: "", among: ["a"], want: undefined },
  { given: "warehouse", among: ["price"], want: undefined },
])("$given among $among", ({ given, among, want }) => {
  expect(closestMatch(given, among)).toBe(want);
  expect(suggestionFor(given, among)).toBe(want === undefined ? "" : `; did you mean ${want}?`);
});
