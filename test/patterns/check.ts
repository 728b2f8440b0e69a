/**
 * Verdicts about patterns, by recheck. Those of known patterns are stored by the hash of source and
 * flags, so that a changed pattern has none.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { type AttackPattern, check } from "recheck";
import { boundOf } from "./bounds.js";
import type { Pattern } from "./collect.js";

/**
 * Growth of the time of matching with the length of the text. `unknown` if it was not found within
 * the time limit.
 */
export type Verdict = "linear" | "polynomial" | "exponential" | "unknown";

/** Time limits of the attempts for one pattern, in milliseconds. */
const TIMEOUTS = [20_000, 60_000];

const store = join(import.meta.dirname, "verdicts.json");
const list = join(import.meta.dirname, "polynomial.txt");
const LIST_TITLE =
  "Regular expressions of polynomial time, and those that recheck could not decide about, each with the bound of its texts (npm run patterns).";

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
  const found = await decide(source, flags);
  if (found.status === "safe") return "linear";
  if (found.status === "unknown") return "unknown";
  const { attack, complexity } = found;
  return isSlow(source, flags, attack) ? complexity.type : "linear";
}

/** Checks a pattern, with more time if it is undecided: other work of the machine takes some. */
async function decide(source: string, flags: string): ReturnType<typeof check> {
  for (const timeout of TIMEOUTS.slice(0, -1)) {
    const found = await check(source, flags, { timeout });
    if (found.status !== "unknown") return found;
  }
  return check(source, flags, { timeout: TIMEOUTS.at(-1)! });
}

/** Length of an attack for which n² takes seconds, and linear matching a few milliseconds. */
const ATTACK_CHARACTERS = 60_000;
const SLOW_MS = 100;

/**
 * True if the attack that recheck found is slow here. Patterns with lookarounds and backreferences
 * are attacked by trial, with texts for which the engine may well be fast.
 */
function isSlow(source: string, flags: string, { pumps, suffix }: AttackPattern): boolean {
  const pumped = pumps.reduce((length, { pump }) => length + pump.length, 0);
  if (pumped === 0) return true;
  const count = Math.ceil(ATTACK_CHARACTERS / pumped);
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join("") + suffix;
  // A sticky pattern is tried at one place only.
  const tried = flags.includes("y") ? `^(?:${source})` : source;
  const pattern = new RegExp(tried, flags.replace(/[gy]/g, ""));
  const start = process.cpuUsage();
  try {
    runInNewContext("pattern.test(text)", { pattern, text }, { timeout: 5_000 });
  } catch {
    return true;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 > SLOW_MS;
}

/** Stores the verdicts of all patterns, and removes those of others. */
export function storeVerdicts(verdicts: ReadonlyMap<Pattern, Verdict>): void {
  const entries = [...verdicts].map(([pattern, verdict]) => [keyOf(pattern), verdict] as const);
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(store, `${JSON.stringify(sorted, undefined, 2)}\n`);
  writeFileSync(list, listOf(verdicts));
}

/** The patterns that are not linear, each with the bound of its texts in each of its files. */
function listOf(verdicts: ReadonlyMap<Pattern, Verdict>): string {
  const lines = [...verdicts].flatMap(([pattern, verdict]) =>
    verdict === "linear"
      ? []
      : [...pattern.files].map((file) => {
          const bound = boundOf(pattern.source, file);
          const text = bound ? `${bound.max} characters: ${bound.input}` : "none";
          return `${file}\n  /${pattern.source}/${pattern.flags}\n  ${verdict}; bound: ${text}\n`;
        }),
  );
  return `${LIST_TITLE}\n\n${lines.sort().join("\n")}`;
}
