import fc from "fast-check";
import { expect, test } from "vitest";
import { faultsOf, generated } from "./check.js";
import { brokenText, withNames, withTextEverywhere, withTexts, withValues } from "./mutations.js";

/*
 * Arbitrary documents: the same ones in every run of the tests. `npm run fuzz -- --minutes 5` goes on with others for
 * as long as it is told to, and prints how many there were.
 */
const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
const seed = Number(process.env.FUZZ_SEED ?? 7);

const asText = (documents: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  documents.map((document) => JSON.stringify(document));

const kinds: readonly (readonly [name: string, texts: fc.Arbitrary<string>])[] = [
  ["text in some slots", asText(withTexts)],
  ["one text everywhere", asText(withTextEverywhere)],
  ["names of parts", asText(withNames)],
  ["values in one slot", asText(withValues)],
  ["broken text", brokenText],
];

for (const [name, texts] of kinds) {
  test(
    `arbitrary ${name}: a project that parses and calls nothing, or a clear sentence`,
    async () => {
      let tried = 0;
      const property = fc.asyncProperty(texts, async (text) => {
        tried += 1;
        expect(await faultsOf(await generated(text))).toEqual([]);
      });
      const bounds =
        minutes > 0
          ? { numRuns: 1e9, interruptAfterTimeLimit: (minutes * 60_000) / kinds.length }
          : { numRuns: 60 };
      await fc.assert(property, { seed, ...bounds });
      if (minutes > 0) process.stdout.write(`${tried} documents with ${name}: none failed\n`);
      expect(tried).toBeGreaterThan(0);
    },
    120_000 + minutes * 60_000,
  );
}
