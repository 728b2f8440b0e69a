import { expect, test } from "vitest";
import { boundOf, bounds, constructedAtRunTime, MAX_CHARACTERS } from "./bounds.js";
import { checkPatterns, keyOf, readVerdicts, storeVerdicts, type Verdict } from "./check.js";
import { collectPatterns, type Pattern } from "./collect.js";

/*
 * All regular expressions, literal and composed. `npm run patterns` checks all of them and stores
 * the verdicts, with `PATTERNS=new` only those without one; tests check these, and some of the
 * others.
 */
const mode = process.env.PATTERNS;
const { patterns, constructions } = await collectPatterns();
const stored = mode === "all" ? {} : readVerdicts();

/** Number of stored verdicts that are confirmed in each run, other ones each day. */
const CONFIRMED = 15;

const format = ({ source, flags, files }: Pattern): string =>
  `${[...files].join(", ")}: /${source}/${flags}`;

/** True if a pattern has no bound in one of its files. */
const isUnbounded = ({ source, files }: Pattern): boolean =>
  [...files].some((file) => !boundOf(source, file));

test("no pattern takes exponential time, and all others have a bound of their input", async () => {
  const known = patterns.filter((pattern) => keyOf(pattern) in stored);
  const unknown = patterns.filter((pattern) => !(keyOf(pattern) in stored));
  const verdicts = new Map<Pattern, Verdict>([
    ...known.map((pattern) => [pattern, stored[keyOf(pattern)]!] as const),
    ...(await checkPatterns(unknown)),
  ]);
  if (mode) storeVerdicts(verdicts);
  const having = (verdict: Verdict): readonly Pattern[] =>
    [...verdicts].filter(([, found]) => found === verdict).map(([pattern]) => pattern);
  const bounded = [...having("polynomial"), ...having("unknown")];
  console.log(
    `${verdicts.size} patterns (${unknown.length} checked now), exponential ${having("exponential").length}, polynomial or undecided ${bounded.length}`,
  );
  expect(patterns.length).toBeGreaterThan(1_000);
  expect(having("exponential").map(format)).toEqual([]);
  expect(bounded.filter(isUnbounded).map(format)).toEqual([]);
}, 3_600_000);

test("patterns with a stored verdict are not exponential", async () => {
  const known = patterns.filter((pattern) =>
    ["linear", "polynomial"].includes(stored[keyOf(pattern)]!),
  );
  const start = Math.floor(Date.now() / 86_400_000) * CONFIRMED;
  const chosen = Array.from(
    { length: CONFIRMED },
    (_, i) => known[(start + i) % known.length],
  ).filter((pattern) => pattern !== undefined);
  const confirmed = await checkPatterns(chosen);
  // On a busy machine recheck guesses instead of deciding, and finds other polynomial patterns.
  const wrong = [...confirmed].filter(([, verdict]) => verdict === "exponential");
  expect(wrong.map(([pattern, verdict]) => `${verdict}: ${format(pattern)}`)).toEqual([]);
});

test("patterns that are constructed when code runs are described", () => {
  const found = constructions.filter(({ isRecorded }) => !isRecorded);
  const names = found.map(({ file, text }) => `${file}: ${text}`);
  expect([...new Set(names)].sort()).toEqual(Object.keys(constructedAtRunTime).sort());
});

test("each bound has a pattern, and is a length for which n² is fast", () => {
  const files = [...new Set(patterns.flatMap((pattern) => [...pattern.files]))];
  expect(bounds.filter(({ path }) => !files.some((file) => file.startsWith(path)))).toEqual([]);
  expect(bounds.filter(({ max }) => max > MAX_CHARACTERS)).toEqual([]);
});
