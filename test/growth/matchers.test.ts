import { expect, test } from "vitest";
import { extractErrorCodes } from "../../src/plan/documented-errors.js";
import { stripLeadingIdentifier } from "../../src/language/preamble.js";
import { headerText } from "../../src/runtime/request/styles.js";
import { growthOf } from "./growth.js";

interface Row {
  readonly input: string;
  readonly work: (size: number) => unknown;
}

const header = (item: string): unknown =>
  headerText({ name: "X-Items", value: [item], reportProblem: () => undefined });

/* Texts whose matching once took a time that grew with the square of their length, or exponentially. */
const rows: readonly Row[] = [
  {
    input: "capitals at the start of a description",
    work: (n) => stripLeadingIdentifier(`Aa${"A".repeat(n)}.`, undefined),
  },
  {
    input: "line breaks in a description",
    work: (n) => extractErrorCodes("\n".repeat(n), false),
  },
  {
    input: "quotes in an item of a header",
    work: (n) => header('\\"'.repeat(n)),
  },
];

test.each(rows)("$input", async ({ work }) => {
  expect(await growthOf(work)).toBe("");
});
