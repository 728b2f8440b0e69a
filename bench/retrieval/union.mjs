// `npm run bench:union`: the search over the tools of two APIs in one server, beside the search over
// the tools of each alone: for the tasks of each, and for tasks of both, which are two tasks in one
// query. The tasks are searched as they are, with the name of their API, and with the input `api`.
// Options: --set PART-OF-NAME, --all (every pair), --verbose (queries with a worse rank).
import { parseArgs } from "node:util";
import { measures, reciprocalRank } from "./measures.mjs";
import { planTools, planUnion, searchTools } from "./rankings.mjs";
import { labelledSets } from "./tasks.mjs";

const { values: options } = parseArgs({
  options: {
    set: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

const sets = labelledSets().filter(({ file }) => file !== undefined);
const names = ["top-1", "top-3", "MRR", "recall@10", "all in 10"];
const alone = new Map();
for (const set of sets) {
  const tasks = set.tasks;
  alone.set(set, { tasks, results: await search(await planTools(set.file), tasks) });
}

const rows = [];
for (const pair of pairs(sets)) {
  const union = await planUnion(pair.map(({ name, file }) => ({ name, source: file })));
  for (const set of pair) {
    const tasks = tasksOf(set);
    const named = tasks.map((task) => ({ ...task, query: `${task.query} in ${set.name}` }));
    for (const [kind, asked, api] of [
      ["union", tasks, undefined],
      ["with the name", named, undefined],
      ["with the filter", tasks, set.name],
    ]) {
      const title = `${pair.map(({ name }) => name).join(" + ")}: ${set.name}, ${kind}`;
      add(title, kind, { tasks: asked, results: await search(union, asked, api) }, alone.get(set));
    }
  }
  await addTasksOfBoth(pair, union);
}
for (const kind of ["union", "with the name", "with the filter", "tasks of both"]) {
  const own = rows.filter((one) => one.kind === kind);
  const all = (key) => ({
    tasks: own.flatMap((one) => one[key].tasks),
    results: own.flatMap((one) => one[key].results),
  });
  print(`all, ${kind}`, all("found"), all("before"));
}

/** Each task of one API and one of the other as a query, beside the search for each of them alone. */
async function addTasksOfBoth(pair, union) {
  const [one, other] = pair;
  const count = Math.min(one.tasks.length, other.tasks.length);
  const both = Array.from({ length: count }, (_, i) => ({
    query: `${one.tasks[i].query}. Then ${other.tasks[i].query}`,
    steps: [...tasksOf(one)[i].steps, ...tasksOf(other)[i].steps],
  }));
  const apart = both.map(({ steps }, i) => {
    const lists = pair.map((set) => {
      const results = alone.get(set).results[i].slice(0, 5);
      return results.map((operations) => operations.map((name) => `${set.name} ${name}`));
    });
    return { steps, results: lists.flat() };
  });
  const before = { tasks: apart, results: apart.map(({ results }) => results) };
  const found = { tasks: both, results: await search(union, both) };
  add(`${one.name} + ${other.name}: tasks of both`, "tasks of both", found, before);
}

/** Neighbours in the list of sets, or every pair. */
function pairs(list) {
  const chosen = list.flatMap((one, i) =>
    (options.all ? list.slice(i + 1) : [list[(i + 1) % list.length]]).map((other) => [one, other]),
  );
  return chosen.filter((pair) => pair.some(({ name }) => name.includes(options.set)));
}

/** Tasks of an API whose operations are those of a server of several. */
function tasksOf({ name, tasks }) {
  return tasks.map((task) => ({
    ...task,
    steps: task.steps.map((step) => step.map((one) => `${name} ${one}`)),
  }));
}

async function search(tools, tasks, api) {
  const { find } = searchTools(tools, api);
  const results = [];
  for (const { query } of tasks)
    results.push((await find(query)).found.map(({ operations }) => operations));
  return results;
}

function add(title, kind, found, before) {
  rows.push({ kind, found, before });
  print(title, found, before);
  if (options.verbose && kind !== "tasks of both") printWorse(found, before);
}

function printWorse(found, before) {
  for (const [i, { query, steps }] of found.tasks.entries()) {
    const now = reciprocalRank(found.results[i], steps);
    const then = reciprocalRank(before.results[i], before.tasks[i].steps);
    if (now < then)
      console.log(`    1/${1 / then} → 1/${1 / now} ${query}: ${found.results[i][0]?.[0]}`);
  }
}

function print(title, found, before) {
  const [now, then] = [found, before].map(({ results, tasks }) => measures(results, tasks));
  const cells = names.map((name) => {
    const ratio = then[name] === 0 ? 1 : now[name] / then[name];
    return `${name} ${now[name].toFixed(3)} of ${then[name].toFixed(3)} (${ratio.toFixed(3)})`;
  });
  console.log(`${title}\n  ${cells.join("  ")}`);
}
