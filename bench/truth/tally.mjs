// Sums of outcomes, and the table of them.

/** An empty tally. */
export function emptyTally() {
  return {
    labels: 0,
    missing: 0,
    reads: emptyMatrix(),
    destroys: emptyMatrix(),
    verb: { right: 0, all: 0 },
    object: { right: 0, all: 0 },
    replaces: emptyMatrix(),
    irreversible: emptyMatrix(),
    producers: { hints: 0, right: 0, wanted: 0, found: 0 },
    payload: { right: 0, all: 0 },
  };
}

/** Counts of a yes or no: said and true, said and false, not said and true, not said and false. */
function emptyMatrix() {
  return { yes: 0, falseYes: 0, missedYes: 0, no: 0 };
}

/** Adds the outcome of one label; undefined if no tool holds its operation. */
export function addOutcome(tally, outcome) {
  tally.labels += 1;
  if (!outcome) {
    tally.missing += 1;
    return;
  }
  for (const name of ["reads", "destroys", "replaces", "irreversible"])
    if (outcome[name]) tally[name][cellOf(outcome[name])] += 1;
  for (const name of ["verb", "object", "payload"])
    if (outcome[name]) {
      tally[name].all += 1;
      tally[name].right += outcome[name].right ? 1 : 0;
    }
  for (const key of Object.keys(tally.producers)) tally.producers[key] += outcome.producers[key];
}

function cellOf({ want, got }) {
  if (want) return got ? "yes" : "missedYes";
  return got ? "falseYes" : "no";
}

/** The sum of tallies. */
export function sumOf(tallies) {
  const sum = emptyTally();
  for (const tally of tallies) addTally(sum, tally);
  return sum;
}

function addTally(sum, tally) {
  for (const [key, value] of Object.entries(tally)) {
    if (typeof value === "number") sum[key] += value;
    else for (const name of Object.keys(value)) sum[key][name] += value[name];
  }
}

/** The figures of a tally by name; shares are between 0 and 1, and 1 where nothing was counted. */
export function figures(tally) {
  const { reads, destroys, replaces, irreversible, producers } = tally;
  return {
    "false read-only": reads.falseYes,
    "reads recall": share(reads.yes, reads.yes + reads.missedYes),
    "destroys recall": share(destroys.yes, destroys.yes + destroys.missedYes),
    "destroys precision": share(destroys.yes, destroys.yes + destroys.falseYes),
    verb: share(tally.verb.right, tally.verb.all),
    object: share(tally.object.right, tally.object.all),
    "false replaces": replaces.falseYes,
    "false irreversible": irreversible.falseYes,
    "producers recall": share(producers.found, producers.wanted),
    "producers precision": share(producers.right, producers.hints),
    payload: share(tally.payload.right, tally.payload.all),
  };
}

function share(part, all) {
  return all === 0 ? 1 : part / all;
}

const columns = [
  ["labels", ({ labels }) => labels],
  ["no tool", ({ missing }) => missing],
  ["reads", ({ reads }) => matrix(reads)],
  ["destroys", ({ destroys }) => matrix(destroys)],
  ["verb", ({ verb }) => `${verb.right}/${verb.all}`],
  ["object", ({ object }) => `${object.right}/${object.all}`],
  ["replaces", ({ replaces }) => matrix(replaces)],
  ["irreversible", ({ irreversible }) => matrix(irreversible)],
  ["producers found", ({ producers }) => `${producers.found}/${producers.wanted}`],
  ["hints right", ({ producers }) => `${producers.right}/${producers.hints}`],
  ["payload", ({ payload }) => `${payload.right}/${payload.all}`],
];

function matrix({ yes, falseYes, missedYes, no }) {
  return `${yes}+${falseYes} −${missedYes}+${no}`;
}

/** A table of tallies by title. */
export function table(rows) {
  const lines = [
    ["", ...columns.map(([title]) => title)],
    ...rows.map(([title, tally]) => [title, ...columns.map(([, cell]) => String(cell(tally)))]),
  ];
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join("  "),
    )
    .join("\n");
}
