import { formats } from "./formats.js";
import type { Keyword } from "./compile.js";
import { matcher } from "./pattern.js";
import { type Check, wrong } from "./problem.js";

/** Length, pattern and format of text. */
export const stringKeywords: readonly (readonly [string, Keyword])[] = [
  ["minLength", length("minLength", (count, limit) => count >= limit)],
  ["maxLength", length("maxLength", (count, limit) => count <= limit)],
  ["pattern", pattern],
  ["format", format],
];

function length(keyword: string, holds: (count: number, limit: number) => boolean): Keyword {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return (value, trace) =>
      typeof value !== "string" ||
      holds(characters(value), rule) ||
      wrong(trace, keyword, rule, value);
  };
}

/** JSON Schema counts characters, JavaScript counts UTF-16 units. */
function characters(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00)
      pairs++;
  }
  return text.length - pairs;
}

function pattern(rule: unknown): Check | undefined {
  if (typeof rule !== "string") return undefined;
  const matches = matcher(rule);
  return (value, trace) =>
    typeof value !== "string" ||
    matches(value, trace.spent) ||
    wrong(trace, "pattern", rule, value);
}

function format(rule: unknown): Check | undefined {
  const holds = typeof rule === "string" ? formats.get(rule) : undefined;
  if (!holds) return undefined;
  return (value, trace) =>
    typeof value !== "string" || holds(value) || wrong(trace, "format", rule, value);
}
