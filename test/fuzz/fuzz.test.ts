import fc from "fast-check";
import { expect, test } from "vitest";
import { faultsOf, generateProject } from "./check.js";
import { bounds, minutes, report, seed } from "./duration.js";
import { brokenText, withNames, withTextEverywhere, withTexts, withValues } from "./mutations.js";

/*
 * Arbitrary documents, the same in every test run. `npm run fuzz -- --minutes 5` uses new documents
 * for the given time and prints their number.
 */
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
    `arbitrary ${name}: a project that parses and has no new calls, or a clear error`,
    async () => {
      let count = 0;
      const property = fc.asyncProperty(texts, async (text) => {
        count += 1;
        expect(await faultsOf(await generateProject(text))).toEqual([]);
      });
      await fc.assert(property, { seed, ...bounds(60) });
      report(`${count} documents with ${name}: none failed`);
      expect(count).toBeGreaterThan(0);
    },
    120_000 + minutes * 60_000,
  );
}
