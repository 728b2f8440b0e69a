// `npm run bench:fit`: fits the weights of the ranking (`weights.rank` of
// src/runtime/discovery/search/weights.ts) to the labelled tasks, without those of the half
// `judge`. It prints each weight beside its fitted value, and the ranking of the tasks by both: the
// fitted one learned without the document that is measured (five parts of the documents). The score
// of a tool is exp(sum of weight * fact), so the facts are read from the ranking itself: the change
// of the logarithm when one weight grows by 1. Options: --candidates N (70), --decay X.
import { parseArgs } from "node:util";
import { parseQuery } from "../../dist/runtime/discovery/search/query.js";
import { rankClause, toolTerms } from "../../dist/runtime/discovery/search/rank-clause.js";
import { IndexBuilder } from "../../dist/runtime/discovery/search/term-index.js";
import { readTool } from "../../dist/runtime/discovery/search/tool-facts.js";
import { weights } from "../../dist/runtime/discovery/search/weights.js";
import { planTools } from "./rankings.mjs";
import { labelledSets, restBench } from "./tasks.mjs";

const { values: options } = parseArgs({
  options: {
    candidates: { type: "string", default: "70" },
    decay: { type: "string", default: "4" },
  },
});
const parts = 5;
const { rank, steepness } = weights;
const places = Object.entries(rank).flatMap(([key, value]) =>
  typeof value === "number"
    ? [{ name: key, holder: rank, key }]
    : Object.keys(value).map((one) => ({ name: `${key}.${one}`, holder: value, key: one })),
);
const current = [1, ...places.map(({ holder, key }) => holder[key])];

const sets = [...labelledSets(), restBench()].filter(({ half }) => half !== "judge");
const absent = sets.filter(({ file }) => file === undefined).map(({ name }) => name);
if (absent.length > 0)
  console.log(`Skipped, not on this machine (see MCP_GEN_SHARED): ${absent.join(", ")}.`);
const groups = [];
for (const [i, set] of sets.filter(({ file }) => file !== undefined).entries())
  groups.push(...(await readSet(set, i % parts)));

const fitted = fit(groups);
console.log(`\n${groups.length} clauses of tasks\n\n${"weight".padEnd(22)}in use  fitted`);
for (const [i, { name }] of places.entries())
  console.log(
    name.padEnd(22) + current[i + 1].toFixed(2).padStart(6) + fitted[i + 1].toFixed(2).padStart(8),
  );
print("in use", groups, () => current);
const learned = Array.from({ length: parts }, (_, part) =>
  fit(groups.filter((group) => group.part !== part)),
);
print("fitted, documents left out", groups, ({ part }) => learned[part]);

/** Clauses of the tasks of a document, each with the facts and the relevance of its best tools. */
async function readSet({ file, tasks }, part) {
  const planned = await planTools(file);
  const builder = new IndexBuilder();
  const tools = planned.map(({ definition }) => {
    const { texts, words, facts } = readTool(definition);
    builder.add(texts);
    return { ...facts, ...toolTerms(words, (word) => builder.termsOf(word)) };
  });
  const index = builder.build([...tools.keys()]);
  const match = (term, isVerb) => index.match(term, isVerb);
  return tasks.flatMap(({ query, steps }) =>
    parseQuery(query).flatMap((clause) => {
      const logarithms = () =>
        rankClause(clause, index, tools, match).map((score) => steepness * Math.log(score));
      const scores = logarithms();
      const best = [...scores.keys()]
        .filter((tool) => Number.isFinite(scores[tool]))
        .sort((a, b) => scores[b] - scores[a])
        .slice(0, Number(options.candidates));
      const relevant = best.map((tool) =>
        steps.some((step) => step.some((one) => planned[tool].operations.includes(one))),
      );
      if (!relevant.includes(true)) return [];
      return [{ part, relevant, facts: readFacts(best, scores, logarithms) }];
    }),
  );
}

/** Facts of tools by tool: the logarithm of BM25F, and one for each weight. */
function readFacts(best, scores, logarithms) {
  const columns = places.map(({ holder, key }) => {
    holder[key] += 1;
    const raised = logarithms();
    holder[key] -= 1;
    return best.map((tool) => raised[tool] - scores[tool]);
  });
  return best.map((tool, row) => {
    const own = columns.map((column) => column[row]);
    const sum = own.reduce((total, fact, i) => total + fact * current[i + 1], 0);
    return [scores[tool] - sum, ...own];
  });
}

/**
 * The weights under which the relevant tools have the greatest share of a softmax over the tools of
 * their clause (a conditional logit), scaled so that the logarithm of BM25F has 1.
 */
function fit(list) {
  const deviations = standardDeviations(list);
  const found = deviations.map(() => 0);
  const [first, second] = [found.slice(), found.slice()];
  const scaled = list.map(({ facts, relevant }) => ({
    relevant,
    facts: facts.map((own) => own.map((fact, i) => fact / deviations[i])),
  }));
  for (let round = 1; round <= 400; round++) {
    const gradient = found.map((weight) => -Number(options.decay) * weight);
    for (const group of scaled) addGradient(gradient, group, found);
    for (const [i, slope] of gradient.entries()) {
      first[i] = 0.9 * first[i] + 0.1 * slope;
      second[i] = 0.99 * second[i] + 0.01 * slope ** 2;
      const mean = first[i] / (1 - 0.9 ** round);
      found[i] += (0.05 * mean) / (Math.sqrt(second[i] / (1 - 0.99 ** round)) + 1e-9);
    }
  }
  const plain = found.map((weight, i) => weight / deviations[i]);
  return plain.map((weight) => weight / plain[0]);
}

function addGradient(gradient, { facts, relevant }, found) {
  const sums = facts.map((own) => own.reduce((sum, fact, i) => sum + fact * found[i], 0));
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const total = shares.reduce((sum, one) => sum + one, 0);
  const right = shares.reduce((sum, one, row) => sum + (relevant[row] ? one : 0), 0);
  for (const [row, own] of facts.entries()) {
    const step = shares[row] * ((relevant[row] ? 1 / right : 0) - 1 / total);
    for (let i = 0; i < own.length; i++) gradient[i] += step * own[i];
  }
}

function standardDeviations(list) {
  const rows = list.flatMap(({ facts }) => facts);
  return rows[0].map((_, i) => {
    const mean = rows.reduce((sum, own) => sum + own[i], 0) / rows.length;
    return Math.sqrt(rows.reduce((sum, own) => sum + (own[i] - mean) ** 2, 0) / rows.length) + 1e-9;
  });
}

/** Prints how often the first tool, or one of the first three, serves the task of a clause. */
function print(label, list, weightsOf) {
  const ranks = list.map((group) => {
    const chosen = weightsOf(group);
    const sums = group.facts.map((own) => own.reduce((sum, fact, i) => sum + fact * chosen[i], 0));
    const best = Math.max(...sums.filter((_, row) => group.relevant[row]));
    return 1 + sums.filter((sum) => sum > best).length;
  });
  const share = (value) =>
    (ranks.reduce((sum, one) => sum + value(one), 0) / ranks.length).toFixed(3);
  console.log(
    `${label.padEnd(28)}top-1 ${share((one) => (one === 1 ? 1 : 0))}  ` +
      `top-3 ${share((one) => (one <= 3 ? 1 : 0))}  MRR ${share((one) => 1 / one)}`,
  );
}
