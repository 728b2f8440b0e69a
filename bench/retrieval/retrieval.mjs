// `npm run bench:retrieval`: measures how well `search_tools` finds the tools of tasks, and what
// its answers cost, against plain BM25. Options: --set PART-OF-NAME, --verbose (every task with a
// step that is not found).
import { parseArgs } from "node:util";
import { reportCalls } from "./calls.mjs";
import { coverage, measures, median } from "./measures.mjs";
import { plainSearch, planTools, searchTools } from "./rankings.mjs";
import { labelledSets, restBench, wishSets } from "./tasks.mjs";

const { values: options } = parseArgs({
  options: { set: { type: "string", default: "" }, verbose: { type: "boolean", default: false } },
});

const HALVES = ["tune", "judge", "wishes", "spoken", "typed", "restbench"];
const sets = [...labelledSets(), ...wishSets(), restBench()].filter(({ name }) =>
  name.includes(options.set),
);
const absent = sets.filter(({ file }) => file === undefined);
if (absent.length > 0)
  console.log(
    `Not on this machine (put them into ../shared, or set MCP_GEN_SHARED): ${absent.map(({ name }) => name).join(", ")}.`,
  );

const measured = [];
for (const set of sets.filter(({ file }) => file !== undefined)) {
  const tools = await planTools(set.file);
  measured.push({
    set,
    ours: await run(searchTools(tools), set),
    described: await run(describedSearch(searchTools(tools)), set),
    plain: await run(plainSearch(tools), set),
  });
  if (set.half === "restbench") reportCalls(set, tools);
}
for (const { set, ours, plain } of measured) printRows(set.name, [set], [ours], [plain]);
for (const half of HALVES) {
  const chosen = measured.filter(({ set }) => set.half === half);
  if (chosen.length > 0)
    printRows(
      `all of ${half}`,
      chosen.map(({ set }) => set),
      chosen.map(({ ours }) => ours),
      chosen.map(({ plain }) => plain),
    );
}
printBySteps();
printFirstCalls();
if (options.verbose) for (const { set, ours } of measured) printMisses(set, ours);

/** A search without signatures, after which every tool is described by its JSON Schema. */
function describedSearch({ find, describe }) {
  return {
    async find(query) {
      const { found, listTokens } = await find(query);
      return { found, callable: [], tokens: listTokens };
    },
    describe: (found) => describe(found, "json_schema"),
  };
}

/** Wishes of one step by their rank, and tasks of several steps by the tools that one answer has. */
function printBySteps() {
  for (const half of HALVES) {
    const outcomes = measured
      .filter(({ set }) => set.half === half)
      .flatMap(({ set, ours }) => set.tasks.map((task, i) => ({ task, ranked: ranked(ours[i]) })));
    const single = outcomes.filter(({ task }) => task.steps.length === 1);
    const long = outcomes.filter(({ task }) => task.steps.length >= 3);
    if (single.length === 0) continue;
    const { "top-1": first, "top-3": three } = measures(
      single.map((one) => one.ranked),
      single.map(({ task }) => task),
    );
    const steps = long.reduce((sum, { task }) => sum + task.steps.length, 0);
    const found = long.reduce(
      (sum, { task, ranked: results }) => sum + coverage(results, task.steps) * task.steps.length,
      0,
    );
    console.log(
      `\n${half}: ${single.length} tasks of one step, top-1 ${first.toFixed(2)}, top-3 ${three.toFixed(2)}; ` +
        `${long.length} tasks of three steps or more, needed tools in one answer ${Math.round(found)} of ${steps}`,
    );
  }
}

function ranked({ found }) {
  return found.map(({ operations }) => operations);
}

/** The way from a query to a valid call with signatures, and with a description before each call. */
function printFirstCalls() {
  const outcomes = (kind) => measured.flatMap((one) => one[kind]);
  const tasks = outcomes("ours").length;
  console.log(`\nFrom a query to valid calls, ${tasks} tasks, medians:`);
  for (const [name, kind] of [
    ["signatures", "ours"],
    ["descriptions first", "described"],
  ]) {
    const [tokens, turns] = ["tokens", "turns"].map((key) =>
      median(outcomes(kind).map((one) => one[key])),
    );
    console.log(`  ${name.padEnd(20)}${Math.round(tokens)} tokens, ${turns} turns`);
  }
  const calls = outcomes("ours").flatMap((one) => one.calls);
  const valid = calls.filter(Boolean).length;
  console.log(`  valid calls from the signature alone: ${valid} of ${calls.length}`);
}

/** Results, tokens and turns of each task of a set. */
async function run(search, { tasks }) {
  const outcomes = [];
  for (const task of tasks) {
    const { found, callable, calls = [], tokens } = await search.find(task.query);
    outcomes.push({
      found,
      calls,
      answer: tokens,
      ...(await costs(search, task, { found, callable, tokens })),
    });
  }
  return outcomes;
}

/**
 * Tokens and turns until every step that was found can be called. A found tool without a signature
 * is described; a step that was not found takes one more search, of the same cost.
 */
async function costs(search, { steps }, { found, callable, tokens }) {
  const needed = steps.flatMap((step) => found.find((tool) => serves(tool, step)) ?? []);
  const unknown = [...new Set(needed)].filter((tool) => !callable.includes(tool));
  const missing = steps.length - needed.length;
  const described = unknown.length > 0 ? await search.describe(unknown) : 0;
  return {
    tokens: tokens * (1 + missing) + described,
    turns: 1 + missing + (unknown.length > 0 ? 1 : 0),
  };
}

function serves({ operations }, step) {
  return step.some((one) => operations.includes(one));
}

function printRows(label, chosen, ours, plain) {
  const tasks = chosen.flatMap((set) => set.tasks);
  console.log(`\n${label}: ${tasks.length} tasks`);
  for (const [name, outcomes] of [
    ["search_tools", ours.flat()],
    ["plain BM25", plain.flat()],
  ]) {
    const results = outcomes.map(({ found }) => found.map(({ operations }) => operations));
    const figures = Object.entries(measures(results, tasks)).map(
      ([measure, value]) => `${measure} ${value.toFixed(2)}`,
    );
    const tokens = Math.round(median(outcomes.map((one) => one.tokens)));
    const turns = outcomes.reduce((sum, one) => sum + one.turns, 0) / outcomes.length;
    console.log(
      `  ${name.padEnd(12)}  ${figures.join("  ")}  median tokens ${tokens}  turns ${turns.toFixed(2)}`,
    );
    const calls = outcomes.flatMap((one) => one.calls);
    if (calls.length > 0)
      console.log(
        `                one answer: ${median(outcomes.map(({ answer }) => answer))} tokens; valid calls from ${calls.length} signatures: ${Math.round((100 * calls.filter(Boolean).length) / calls.length)} %`,
      );
  }
}

function printMisses({ name, tasks }, outcomes) {
  for (const [i, { query, steps }] of tasks.entries()) {
    const results = outcomes[i].found.map(({ operations }) => operations);
    const missing = steps.filter((step) => coverage(results, [step]) === 0);
    if (missing.length === 0) continue;
    console.log(`\n${name}: ${query}`);
    console.log(`  not found: ${missing.map((step) => step[0]).join(", ")}`);
    console.log(
      `  found: ${outcomes[i].found.map(({ definition }) => definition.name).join(", ")}`,
    );
  }
}
