// `npm run bench:truth`: compares what tools say with labels made by reading the documents.
// Options: --half tune|judge, --document PART-OF-NAME, --verbose (every miss, with the label's
// reason), --json (figures per document, for the test).
import { parseArgs } from "node:util";
import { countFindings } from "./counts.mjs";
import { judge, measures } from "./judge.mjs";
import { labelSets } from "./labels.mjs";
import { planDocument } from "./plans.mjs";
import { addOutcome, addTally, emptyTally, figures, table } from "./tally.mjs";

const { values: options } = parseArgs({
  options: {
    half: { type: "string" },
    document: { type: "string" },
    verbose: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const sets = labelSets(options);
const present = sets.filter(({ file }) => file !== undefined);
const results = [];
for (const set of present) results.push(await measure(set));
if (options.json) console.log(JSON.stringify(summary()));
else print();

/** Plans a document, judges its labels, and counts the findings in all of its tools. */
async function measure(set) {
  const planned = await planDocument(set);
  const labelOf = (operation) => set.labels.find((label) => label.operation === operation);
  const tally = emptyTally();
  const outcomes = set.labels.map((label) => ({ label, outcome: judge(label, planned, labelOf) }));
  for (const { outcome } of outcomes) addOutcome(tally, outcome);
  const unknown = set.labels.map(({ operation }) => operation).filter((one) => !planned.has(one));
  return { set, tally, outcomes, unknown, findings: countFindings(planned) };
}

function summary() {
  const documents = results.map(({ set, tally, unknown, findings }) => ({
    document: set.document,
    half: set.half,
    labels: tally.labels,
    unknown,
    findings: Object.fromEntries(
      Object.entries(findings).map(([kind, { length }]) => [kind, length]),
    ),
  }));
  return { documents, figures: figures(total()), absent: absent().map(({ document }) => document) };
}

function total(half) {
  return results
    .filter(({ set }) => half === undefined || set.half === half)
    .reduce((sum, { tally }) => (addTally(sum, tally), sum), emptyTally());
}

function absent() {
  return sets.filter(({ file }) => file === undefined);
}

function print() {
  const halves = [...new Set(results.map(({ set }) => set.half))].sort();
  console.log(
    "Cells of yes and no: said and true + said and false − not said but true + not said and false.\n",
  );
  console.log(
    table([
      ...results.map(({ set, tally }) => [`${set.document} (${set.half})`, tally]),
      ...halves.map((half) => [`all of ${half}`, total(half)]),
      ["all", total()],
    ]),
  );
  printFigures([...halves.map((half) => [half, total(half)]), ["all", total()]]);
  printFindings();
  if (options.verbose) for (const result of results) printMisses(result);
  for (const { document, labels } of absent())
    console.log(`\nNot counted: ${document} (${labels.length} labels) is not on this machine.`);
}

function printFigures(tallies) {
  console.log();
  for (const name of Object.keys(figures(emptyTally())))
    console.log(
      [
        name.padEnd(20),
        ...tallies.map(([title, tally]) => `${title} ${show(figures(tally)[name])}`),
      ].join("  "),
    );
}

function show(value) {
  return Number.isInteger(value) && value !== 1 ? String(value) : value.toFixed(3);
}

function printFindings() {
  console.log();
  for (const kind of Object.keys(results[0]?.findings ?? {})) {
    const found = results.flatMap(({ set, findings }) =>
      findings[kind].map(({ tool, text }) => `  ${set.document} ${tool}: ${text}`),
    );
    console.log(`${kind}, in all tools of these documents: ${found.length}`);
    const shown = options.verbose ? found : found.slice(0, 3);
    if (shown.length > 0) console.log(shown.join("\n"));
  }
}

function printMisses({ set, outcomes, unknown }) {
  console.log(`\n${set.document}`);
  for (const operation of unknown) console.log(`  not in the document: ${operation}`);
  for (const { label, outcome } of outcomes) {
    if (!outcome) {
      console.log(`  no tool: ${label.operation}`);
      continue;
    }
    for (const name of measures) {
      const texts = name === "producers" ? outcome.producers.misses : missOf(outcome[name]);
      for (const text of texts)
        console.log(
          `  ${name}: ${outcome.tool} (${label.operation}) ${text} [${label.kind}: ${label.reason}]`,
        );
    }
  }
}

function missOf(outcome) {
  return outcome && !outcome.right ? [outcome.text] : [];
}
