/** Fingerprints of texts that are parts of a file. */
import { expect, test } from "vitest";
import { fingerprintParts, fingerprintsBelow } from "../src/source-parts.js";

test.each([
  { body: "" },
  { body: "const a = 1;\nconst b = 2;" },
  { body: "// The comment of a declaration.\nexport const a = 1;\n\nexport const b = 2;" },
])("a body has the same fingerprints alone as below a comment: $body", ({ body }) => {
  const comment = "// ---- file.ts ----\n";
  const whole = fingerprintParts(`${comment}\n${body}\n`);
  expect(fingerprintParts(comment) + fingerprintsBelow(body)).toBe(whole);
});
