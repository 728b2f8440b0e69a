/**
 * The estimated cost of tool lists, compared with the tokenizer o200k_base. The other common ones
 * count one to five percent less. `npx vitest run --mode all test/corpus/tokens.test.ts` prints the
 * table of docs/benchmarks.md.
 */
import path from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { listedInputSchema } from "../../src/runtime/tools/shown-definition.js";
import { corpusDocuments, root } from "./documents.js";

/** Lists with fewer tools depend on the words of single texts. */
const MIN_TOOLS = 5;
const MAX_ERROR = 0.05;
/** Documents of the test, the largest lists last. */
const MAX_DOCUMENTS = 16;

const samples = ["clinic", "shop", "tickets"].map((name) => ({
  name: `sample: ${name}`,
  file: path.join(root, "samples", name, "openapi.yaml"),
}));

/** Well-known names of large and small APIs, each with its own style. */
const named =
  /star-trek|train-travel|oas-examples\/3.0\/json\/petstore.json|openapi-workshop|docker|stripe|box|spotify|twilio|slack|figma|github/;

const documents = [
  ...samples,
  ...corpusDocuments().filter(({ name, file }) => named.test(name) || named.test(file)),
].slice(0, MAX_DOCUMENTS);

const rows: string[] = [];
afterAll(() =>
  console.log(
    [
      "| document | tools | tokens | estimate | error | bytes of tools/list |",
      "|---|---|---|---|---|---|",
      ...rows,
    ].join("\n"),
  ),
);

describe.each(documents)("$name", ({ name, file, ...options }) => {
  test("costs what is estimated", async () => {
    const { plan } = await generate(file, undefined, options);
    const { costs = [], listBytes = 0 } = plan?.budget ?? {};
    const definitions = plan?.tools.map(({ definition }) => definition) ?? [];
    const exact = definitions
      .map(({ name: tool, description, inputSchema }) =>
        JSON.stringify({ name: tool, description, inputSchema: listedInputSchema(inputSchema) }),
      )
      .reduce((sum, text) => sum + encode(text, { disallowedSpecial: new Set() }).length, 0);
    const estimate = costs.reduce((sum, { tokens }) => sum + tokens, 0);
    const error = estimate / exact - 1;
    const percent = `${(100 * error).toFixed(1)} %`;
    rows.push(`| ${[name, costs.length, exact, estimate, percent, listBytes].join(" | ")} |`);
    if (costs.length >= MIN_TOOLS) expect(Math.abs(error)).toBeLessThanOrEqual(MAX_ERROR);
  });
});
