import type { CallReport } from "./types.js";
import type { Saved } from "./scenario.js";

/**
 * Text of all answers, with `<name>` in place of what differs between two runs.
 * @param volatile parts that are left out
 */
export function formatAnswers(
  reports: readonly CallReport[],
  saved: Saved,
  volatile: RegExp = /$^/g,
): string {
  const text = reports.map(formatAnswer).join("\n\n").replaceAll(volatile, "");
  return `${normalize(text, saved)}\n`;
}

function formatAnswer({ call, text }: CallReport, index: number): string {
  const who = call.credentials === undefined ? "" : ` (credentials: ${call.credentials})`;
  const input = JSON.stringify(call.arguments ?? {});
  return `## ${index + 1} ${call.kind}${who}\n> ${call.tool} ${input}\n${text}`;
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/(?<=127\.0\.0\.1:|localhost:)\d+/g, "<port>"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\b20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [/\b20\d{8}\b/g, "<serial>"],
  [/\b1[6-9]\d{11}\b/g, "<time>"],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT/g, "<time>"],
  [/(?<=result:\/\/[\w-]+\/)[\w-]+/g, "<result>"],
];

/** Short values, such as small numbers, are the same in each run. */
const minSavedLength = 5;

function normalize(text: string, saved: Saved): string {
  const named = [...saved]
    .map(([name, value]) => [String(value), `<${name}>`] as const)
    .filter(([value]) => value.length >= minSavedLength);
  const withNames = named.reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
  return patterns.reduce((rest, [pattern, name]) => rest.replace(pattern, name), withNames);
}
