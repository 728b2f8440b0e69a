/**
 * Verdicts about patterns, by recheck. Those of known patterns are stored by the hash of source and
 * flags, so that a changed pattern has none.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { check } from "recheck";
import type { Pattern } from "./collect.js";

/**
 * Growth of the time of matching with the length of the text. `unknown` if it was not found within
 * the time limit.
 */
export type Verdict = "linear" | "polynomial" | "exponential" | "unknown";

/** Time limit of one pattern in milliseconds. */
const TIMEOUT = 20_000;

const store = join(import.meta.dirname, "verdicts.json");

type Verdicts = Readonly<Record<string, Verdict>>;

export const readVerdicts = (): Verdicts => JSON.parse(readFileSync(store, "utf8")) as Verdicts;

export function keyOf({ source, flags }: Pattern): string {
  return createHash("sha256").update(`/${source}/${flags}`).digest("hex").slice(0, 20);
}

/** Checks patterns, as many at a time as there are processors. */
export async function checkPatterns(
  patterns: readonly Pattern[],
): Promise<ReadonlyMap<Pattern, Verdict>> {
  const verdicts = new Map<Pattern, Verdict>();
  const pending = [...patterns];
  const work = async (): Promise<void> => {
    for (let next = pending.pop(); next; next = pending.pop())
      verdicts.set(next, await verdictOf(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return verdicts;
}

/**
 * A row of the same characters at the end, of which only the first can start a match. recheck
 * cannot decide about lookbehind.
 */
const TRAILING_ROW = /^(?:\^.{1,20}\+\|)?\(\?<!(.{1,20})\)\1\+\$$/;

async function verdictOf({ source, flags }: Pattern): Promise<Verdict> {
  if (TRAILING_ROW.test(source)) return "linear";
  const found = await check(source, flags, { timeout: TIMEOUT });
  if (found.status === "safe") return "linear";
  return found.status === "vulnerable" ? found.complexity.type : "unknown";
}

/** Stores the verdicts of all patterns, and removes those of others. */
export function storeVerdicts(verdicts: ReadonlyMap<Pattern, Verdict>): void {
  const entries = [...verdicts].map(([pattern, verdict]) => [keyOf(pattern), verdict] as const);
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(store, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
