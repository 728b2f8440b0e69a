// `npm run bench:union`: the search over the tools of two APIs in one server, for the tasks of each,
// beside the search over the tools of each alone. Options: --set PART-OF-NAME, --all (every pair).
import { parseArgs } from "node:util";
import { bindTools } from "../../dist/runtime/index.js";
import { measures } from "./measures.mjs";
import { planTools, searchTools } from "./rankings.mjs";
import { labelledSets } from "./tasks.mjs";

const { values: options } = parseArgs({
  options: { set: { type: "string", default: "" }, all: { type: "boolean", default: false } },
});

const sets = labelledSets().filter(({ file }) => file !== undefined);
const planned = new Map();
for (const set of sets) planned.set(set, await planTools(set.file));

const names = ["top-1", "top-3", "MRR", "recall@10", "all in 10"];
const alone = new Map();
for (const set of sets) alone.set(set, await measure(planned.get(set), set));

const ratios = [];
for (const [one, other] of pairs(sets)) {
  const union = [...bound(one), ...bound(other)];
  for (const set of [one, other]) {
    for (const [kind, api] of [
      ["union", undefined],
      ["with the filter", set.name],
    ]) {
      const found = await measure(union, set, api);
      ratios.push({ set, kind, found, alone: alone.get(set) });
      print(`${one.name} + ${other.name}: ${set.name}, ${kind}`, found, alone.get(set));
    }
  }
}
for (const kind of ["union", "with the filter"]) {
  const own = ratios.filter((one) => one.kind === kind);
  const mean = (key) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        own.reduce((sum, one) => sum + one[key][name] * one.set.tasks.length, 0) /
          own.reduce((sum, one) => sum + one.set.tasks.length, 0),
      ]),
    );
  print(`all, ${kind}`, mean("found"), mean("alone"));
}

/** Neighbours in the list of sets, or every pair. */
function pairs(list) {
  const chosen = list.flatMap((one, i) =>
    (options.all ? list.slice(i + 1) : [list[(i + 1) % list.length]]).map((other) => [one, other]),
  );
  return chosen.filter((pair) => pair.some(({ name }) => name.includes(options.set)));
}

/** The tools of a set as those of an API of a server: names that clash get that of the API. */
function bound(set) {
  const tools = planned.get(set);
  const definitions = bindTools(
    set.name,
    tools.map(({ definition }) => definition),
  );
  return tools.map((tool, i) => ({
    ...tool,
    operations: tool.operations.map((operation) => `${set.name} ${operation}`),
    definition: qualified(definitions[i], set),
  }));
}

function qualified(definition, set) {
  const isTaken = sets.some(
    (other) =>
      other !== set &&
      planned.get(other).some(({ definition: { name } }) => name === definition.name),
  );
  return isTaken ? { ...definition, name: `${set.name}_${definition.name}` } : definition;
}

async function measure(tools, set, api) {
  const prefix = tools[0].definition.api === undefined ? "" : `${set.name} `;
  const search = searchTools(tools, api);
  const results = [];
  for (const { query } of set.tasks)
    results.push((await search.find(query)).found.map(({ operations }) => operations));
  const tasks = set.tasks.map((task) => ({
    ...task,
    steps: task.steps.map((step) => step.map((one) => prefix + one)),
  }));
  return measures(results, tasks);
}

function print(title, found, before) {
  const cells = names.map((name) => {
    const ratio = before[name] === 0 ? 1 : found[name] / before[name];
    return `${name} ${found[name].toFixed(3)} of ${before[name].toFixed(3)} (${ratio.toFixed(3)})`;
  });
  console.log(`${title}\n  ${cells.join("  ")}`);
}
