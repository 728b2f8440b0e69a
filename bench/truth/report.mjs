// The printed report of `npm run bench:truth`.
import { measures } from "./judge.mjs";
import { emptyTally, figures, sumOf, table } from "./tally.mjs";

/** Prints the confusion table, the figures, the findings and, if verbose, every miss. */
export function printReport({ results, findings, absent, isVerbose }) {
  const halves = [...new Set(results.map(({ set }) => set.half))].sort();
  const tallies = [
    ...halves.map((half) => [
      half,
      sumOf(talliesOf(results.filter(({ set }) => set.half === half))),
    ]),
    ["all", sumOf(talliesOf(results))],
  ];
  console.log(
    "Cells of yes and no: said and true + said and false − not said but true + not said and false.\n",
  );
  console.log(
    table([
      ...results.map(({ set, tally }) => [`${set.document} (${set.half})`, tally]),
      ...tallies,
    ]),
  );
  printFigures(tallies);
  printFindings(findings, isVerbose);
  if (isVerbose) for (const result of results) printMisses(result);
  for (const { document, labels } of absent)
    console.log(`\nNot counted: ${document} (${labels.length} labels) is not on this machine.`);
}

function talliesOf(results) {
  return results.map(({ tally }) => tally);
}

function printFigures(tallies) {
  console.log();
  for (const name of Object.keys(figures(emptyTally()))) {
    const values = tallies.map(([title, tally]) => `${title} ${show(name, figures(tally)[name])}`);
    console.log([name.padEnd(20), ...values].join("  "));
  }
}

/** Counts of false claims as they are, shares with three digits. */
function show(name, value) {
  return name.startsWith("false") ? String(value) : value.toFixed(3);
}

function printFindings(findings, isVerbose) {
  console.log(`\nIn all tools of ${findings.length} documents:`);
  for (const kind of Object.keys(findings[0]?.found ?? {})) {
    const lines = findings.flatMap(({ document, found }) =>
      found[kind].map(({ tool, text }) => `  ${document} ${tool}: ${text}`),
    );
    console.log(
      [`${kind}: ${lines.length}`, ...lines.slice(0, isVerbose ? undefined : 3)].join("\n"),
    );
  }
}

function printMisses({ set, outcomes, unknown }) {
  console.log(`\n${set.document}`);
  for (const operation of unknown) console.log(`  not in the document: ${operation}`);
  for (const { label, outcome } of outcomes) {
    const reason = `[${label.kind}: ${label.reason}]`;
    if (!outcome) console.log(`  no tool: ${label.operation} ${reason}`);
    for (const [measure, text] of outcome ? missesOf(outcome) : [])
      console.log(`  ${measure}: ${outcome.tool} (${label.operation}) ${text} ${reason}`);
  }
}

function missesOf(outcome) {
  return measures.flatMap((measure) => {
    if (measure === "producers") return outcome.producers.misses.map((text) => [measure, text]);
    const judged = outcome[measure];
    return judged && !judged.right ? [[measure, judged.text]] : [];
  });
}
