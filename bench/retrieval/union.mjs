// `npm run bench:union`: the search over the tools of two APIs in one server, beside the search
// over the tools of each alone: for the tasks of each, and for tasks of both, which are two tasks
// in one query. The tasks are searched as they are, with the name of their API after and before
// them, and with the input `api`. Weights of the ranking among APIs are chosen on the first half of
// the pairs. Options: --set PART-OF-NAME, --all (every pair), --verbose (each pair, and tasks of a
// lower rank).
import { parseArgs } from "node:util";
import { createSearch } from "../../dist/runtime/discovery/search/index.js";
import { tokenize } from "../../dist/runtime/discovery/search/terms.js";
import { measures, reciprocalRank } from "./measures.mjs";
import { baselineText, planTools, planUnion } from "./rankings.mjs";
import { labelledSets, otherAnswers } from "./tasks.mjs";

const { values: options } = parseArgs({
  options: {
    set: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

const sets = labelledSets().filter(({ file }) => file !== undefined);
const others = otherAnswers();
const measureNames = ["top-1", "top-3", "MRR", "recall@10", "all in 10", "in the answer"];
/** Ways to search the tasks of an API among the tools of two, and to count the results. */
const kinds = [
  { kind: "as they are" },
  { kind: "the same, if a tool of the other API has as many of the words", isOpen: true },
  { kind: "the same, if none has", isOpen: false },
  { kind: "the same, if both APIs fulfil a task either counts", tasksOf: eitherOf },
  { kind: "the same, among the tools of its API where the answer names two", isOfNamed: true },
  { kind: "the same, among the tools of its API", isOfApi: true },
  { kind: "API named after the task", query: ({ query }, name) => `${query} in ${name}` },
  { kind: "API named before the task", query: ({ query }, name) => `${name}: ${query}` },
  { kind: "with the input api", isFiltered: true },
];

const chosen = pairs(sets);
if (chosen.length === 0) {
  const names = sets.map(({ name }) => name).join(", ");
  console.error(`No set's name has ${JSON.stringify(options.set)}. The sets: ${names || "none"}.`);
  process.exit(2);
}
const alone = new Map();
/** Operations of each tool by set, with the words of its name, paths and description. */
const wordsOf = new Map();
for (const set of new Set(chosen.flat())) {
  const tools = await planTools(set.file);
  alone.set(set, searchAll(set.tasks, searchOf(tools)));
  const words = tools.map((tool) => ({
    operations: tool.operations,
    words: new Set(tokenize(baselineText(tool))),
  }));
  wordsOf.set(set, words);
}

const rows = [];
for (const [i, pair] of chosen.entries()) {
  const half = i < chosen.length / 2 ? "first half" : "second half";
  const union = await planUnion(pair.map(({ name, file }) => ({ name, source: file })));
  const search = searchOf(union);
  for (const set of pair)
    for (const {
      kind,
      query,
      isFiltered,
      isOfNamed,
      isOfApi,
      isOpen,
      tasksOf: read = tasksOf,
    } of kinds) {
      const other = pair.find((one) => one !== set);
      const isMeant = (_, i) => isOpen === undefined || isOpen === isOpenTask(set, other, i);
      const tasks = read(set, other).filter(isMeant);
      const asked = tasks.map((task) => (query ? { ...task, query: query(task, set.name) } : task));
      const found = searchAll(asked, search, {
        ...(isFiltered && { api: set.name }),
        ...((isOfNamed || isOfApi) && { group: set.name }),
        isAlways: isOfApi,
      });
      const title = `${pair.map(({ name }) => name).join(" + ")}: ${set.name}, ${kind}`;
      const before = alone.get(set);
      add({
        title,
        kind,
        half,
        found,
        before: {
          tasks: before.tasks.filter(isMeant),
          results: before.results.filter(isMeant),
        },
      });
    }
  addTasksOfBoth(pair, half, search);
}
for (const kind of [...kinds.map((one) => one.kind), "tasks of both APIs"])
  for (const half of ["both halves", "first half", "second half"]) {
    const own = rows.filter((one) => one.kind === kind);
    const members = half === "both halves" ? own : own.filter((one) => one.half === half);
    print(`${kind}, ${half}`, joined(members, "found"), joined(members, "before"));
  }

function joined(members, key) {
  return {
    tasks: members.flatMap((one) => one[key].tasks),
    results: members.flatMap((one) => one[key].results),
  };
}

/**
 * Tests whether the words of a task do not tell which API it means: a tool of the other API has as
 * many of them as the tools that fulfil it. It reads words and labels, and searches nothing.
 */
function isOpenTask(set, other, index) {
  const { query, steps } = set.tasks[index];
  const asked = [...new Set(tokenize(query))];
  const accepted = new Set(steps.flat());
  const most = (tools) =>
    Math.max(0, ...tools.map(({ words }) => asked.filter((word) => words.has(word)).length));
  const own = wordsOf
    .get(set)
    .filter(({ operations }) => operations.some((one) => accepted.has(one)));
  return most(wordsOf.get(other)) >= most(own);
}

/** Each task of one API and one of the other as a query, beside the search for each of them alone. */
function addTasksOfBoth(pair, half, search) {
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
  const title = `${one.name} + ${other.name}: tasks of both`;
  add({ title, kind: "tasks of both APIs", half, found: searchAll(both, search), before });
}

/** Neighbours in the list of sets, or every pair. */
function pairs(list) {
  const all = list.flatMap((one, i) =>
    (options.all ? list.slice(i + 1) : [list[(i + 1) % list.length]]).map((other) => [one, other]),
  );
  return all.filter((pair) => pair.some(({ name }) => name.includes(options.set)));
}

/** Tasks of an API whose operations are those of a server of several. */
function tasksOf({ name, tasks }) {
  return tasks.map((task) => ({
    ...task,
    steps: task.steps.map((step) => step.map((one) => `${name} ${one}`)),
  }));
}

/** The same, with the operations of another API that fulfil a task as well. */
function eitherOf(set, other) {
  return tasksOf(set).map(({ query, steps }) => {
    const operations = others.get(`${set.name}: ${query}`)?.[other.name] ?? [];
    const also = operations.map((one) => `${other.name} ${one}`);
    return { query, steps: steps.map((step, i) => (i === 0 ? [...step, ...also] : step)) };
  });
}

/**
 * The search of a server: the operations of each hit. An answer has its tools by API: with `group`,
 * the hits are those of one API, always or where the answer names several.
 */
function searchOf(tools) {
  const operationsOf = new Map(tools.map((tool) => [tool.definition.name, tool.operations]));
  const search = createSearch(tools.map(({ definition }) => definition));
  return (query, { api, group, isAlways } = {}) => {
    const options = { accepts: () => true, ...(api !== undefined && { api }) };
    const { hits, rivals } = search.find(query, options);
    const isRead = group === undefined || !(isAlways || rivals.length > 1);
    return hits
      .filter((hit) => isRead || hit.api === group)
      .map(({ name }) => operationsOf.get(name));
  };
}

function searchAll(tasks, search, how) {
  return { tasks, results: tasks.map(({ query }) => search(query, how)) };
}

function add(row) {
  rows.push(row);
  if (!options.verbose) return;
  print(row.title, row.found, row.before);
  if (row.kind === kinds[0].kind) printWorse(row.found, row.before);
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
  if (found.tasks.length === 0) return;
  const [now, then] = [found, before].map(({ results, tasks }) => measures(results, tasks));
  const cells = measureNames.map((name) => {
    const ratio = then[name] === 0 ? 1 : now[name] / then[name];
    return `${name} ${now[name].toFixed(3)} of ${then[name].toFixed(3)} (${ratio.toFixed(3)})`;
  });
  console.log(`${title}: ${found.tasks.length} tasks\n  ${cells.join("  ")}`);
}
