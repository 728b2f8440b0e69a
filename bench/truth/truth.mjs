// `npm run bench:truth`: compares what tools say with labels made by reading the documents.
// Options: --half tune|judge, --document PART-OF-NAME, --verbose (every miss, with the label's
// reason), --json (figures for the test). Without --half and --document, the counts that need no
// labels cover the whole corpus.
import { parseArgs } from "node:util";
import { otherDocuments } from "./corpus.mjs";
import { countFindings } from "./counts.mjs";
import { judge } from "./judge.mjs";
import { labelSets } from "./labels.mjs";
import { planDocument } from "./plans.mjs";
import { printReport } from "./report.mjs";
import { addOutcome, emptyTally, figures, sumOf } from "./tally.mjs";

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
const absent = sets.filter(({ file }) => file === undefined);
const results = [];
for (const set of present) results.push(await measure(set));
const findings = results.map(({ set, found }) => ({ document: set.document, found }));
if (options.half === undefined && options.document === undefined)
  for (const other of otherDocuments(present.map(({ file }) => file)))
    findings.push({
      document: other.document,
      found: countFindings(await planDocument(other)),
    });
if (options.json) console.log(JSON.stringify(summary()));
else printReport({ results, findings, absent, isVerbose: options.verbose });

/** Plans a document, judges its labels, and counts the findings in all of its tools. */
async function measure(set) {
  const planned = await planDocument(set);
  const labelOf = (operation) => set.labels.find((label) => label.operation === operation);
  const tally = emptyTally();
  const outcomes = set.labels.map((label) => ({ label, outcome: judge(label, planned, labelOf) }));
  for (const { outcome } of outcomes) addOutcome(tally, outcome);
  const unknown = set.labels.map(({ operation }) => operation).filter((one) => !planned.has(one));
  return { set, tally, outcomes, unknown, found: countFindings(planned) };
}

function summary() {
  const numberOf = (found) =>
    Object.fromEntries(Object.entries(found).map(([kind, { length }]) => [kind, length]));
  return {
    documents: results.map(({ set, unknown }) => ({ document: set.document, unknown })),
    figures: figures(sumOf(results.map(({ tally }) => tally))),
    findings: findings.map(({ document, found }) => ({ document, ...numberOf(found) })),
    absent: absent.map(({ document }) => document),
  };
}
