#!/usr/bin/env node
/**
 * Prints what each feature that saves calls costs and changes in the list of tools.
 *
 *     node bench/trials/features.mjs DOCUMENT…
 *
 * The last two columns must be 0: tools that have another name with the feature, and tools that
 * read otherwise although the feature does not apply to them. A trial is played without a feature
 * by `start.mjs … --settings FILE`, whose file has its key below `server`. `npm run build` comes
 * first.
 */
import { generate } from "../../dist/index.js";

const usesOperation = (test) => (tool) => tool.definition.operations.some(test);

/** The features by the key of `server` that turns them off, with the tools that they apply to. */
const FEATURES = {
  lookUpNames: usesOperation(({ lookUps, itemNames }) => lookUps || itemNames),
  readBack: usesOperation(({ readBack }) => readBack),
  bulkReads: usesOperation(({ severalIds }) => severalIds),
  includeLists: usesOperation(({ included }) => included),
  countOnly: usesOperation(({ countOnly }) => countOnly),
  followPages: usesOperation(({ pagination }) => pagination?.isFollowed),
};

const listingOf = ({ definition: { operations: _, ...listing } }) => JSON.stringify(listing);

/** The plan of a document, with settings of its server. */
async function planWith(document, server) {
  const configuration = {
    content: { version: 1, server },
    locationOf: () => ({ pointer: "#" }),
    settings: {},
  };
  const { plan } = await generate(document, undefined, { configuration });
  if (!plan) throw new Error(`${document} cannot be generated`);
  return plan;
}

/** Differences of the list of tools with a feature and without it. */
function compare(plan, without, applies) {
  const others = new Map(without.tools.map((tool) => [tool.definition.name, tool]));
  const kept = plan.tools.filter(({ definition }) => others.has(definition.name));
  const changed = kept.filter(
    (tool) => listingOf(tool) !== listingOf(others.get(tool.definition.name)),
  );
  return {
    applies: plan.tools.filter(applies).length,
    tokens: plan.budget.listTokens,
    before: without.budget.listTokens,
    renamed: plan.tools.length - kept.length,
    unrelated: changed.filter((tool) => !applies(tool)).length,
  };
}

const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
const percent = (one, other) => `${(100 * (one / other - 1)).toFixed(1)} %`;

const documents = process.argv.slice(2);
if (documents.length === 0) {
  console.error("features.mjs DOCUMENT…");
  process.exit(2);
}
const titles = ["feature", "tools", "it applies to", "tokens without", "with", "more"];
row([...titles, "most in a document", "renamed", "changed without it"]);
row(["---", ...Array.from({ length: 8 }, () => "--:")]);
const plans = [];
for (const document of documents) plans.push({ document, plan: await planWith(document, {}) });
const all = {
  ...FEATURES,
  "all of them": (tool) => Object.values(FEATURES).some((on) => on(tool)),
};
for (const [name, applies] of Object.entries(all)) {
  const keys = name in FEATURES ? [name] : Object.keys(FEATURES);
  const off = Object.fromEntries(keys.map((key) => [key, false]));
  const found = [];
  for (const { document, plan } of plans)
    found.push(compare(plan, await planWith(document, off), applies));
  const sum = (key) => found.reduce((total, one) => total + one[key], 0);
  const most = Math.max(...found.map(({ tokens, before }) => tokens / before));
  const tools = plans.reduce((total, { plan }) => total + plan.tools.length, 0);
  const figures = [tools, sum("applies"), sum("before"), sum("tokens")];
  const shares = [percent(sum("tokens"), sum("before")), percent(most, 1)];
  row([name, ...figures, ...shares, sum("renamed"), sum("unrelated")]);
}
