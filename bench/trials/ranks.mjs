#!/usr/bin/env node
/**
 * Compares the tools that agents called for the tasks of a trial with the answer of the tool search
 * to the words of each task, and prints a table. The calls are those of the logs; a tool counts
 * where at least one of its calls for a task succeeded, or where the task is impossible. Tools that
 * have another name today are listed apart.
 *
 *     node bench/trials/ranks.mjs SERVER DOCUMENT     (npm run build comes first)
 */
import { planTools, searchTools } from "../retrieval/rankings.mjs";
import { isFailed, tasksFile, variantsOf } from "./logs.mjs";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const [server, document] = process.argv.slice(2);
if (!document) {
  console.error("ranks.mjs SERVER DOCUMENT");
  process.exit(2);
}

const DISCOVERY = /^(?:search|describe)_tools$|^(?:send_request|read_result)$/;

/** The tool that a call is about; undefined for calls that serve no operation. */
function calledTool({ name, args }) {
  const called = /^call_(?:read_)?tool$/.test(name) ? args.name : name;
  return DISCOVERY.test(called) ? undefined : called;
}

const variants = variantsOf(server).filter(({ variant }) => !["omg", "curl"].includes(variant));
const prompts = parse(readFileSync(tasksFile(variants[0]), "utf8")).map(({ say }) => say);

/** Tools that agents called for a task, with the number of agents. */
function chosenTools(task) {
  const counts = new Map();
  for (const { calls, judgement } of variants) {
    const own = calls.filter((_, i) => judgement.calls[i] === task);
    // Of an impossible task, the refused call is the right one.
    const isImpossible = judgement.tasks[task].done === "impossible";
    const useful = own.filter((call) => isImpossible || !isFailed(call));
    for (const name of new Set(useful.map(calledTool)))
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const tools = await planTools(document);
const names = new Set(tools.map(({ definition }) => definition.name));
const search = searchTools(tools);
const ranks = [];
let complete = 0;
let searched = 0;
const renamed = new Set();
console.log("| task | tools that agents chose (agents): place in the search |\n|--:|---|");
for (const [index, prompt] of prompts.entries()) {
  const { found } = await search.find(prompt);
  const places = found.map(({ definition }) => definition.name);
  const chosen = [...chosenTools(index + 1)].filter(
    ([name]) => names.has(name) || (renamed.add(name), false),
  );
  const cells = chosen.map(([name, agents]) => {
    const rank = places.indexOf(name) + 1;
    ranks.push({ rank, isCommon: agents === variants.length });
    return `${name} (${agents}): ${rank || "–"}`;
  });
  if (chosen.length > 0) searched += 1;
  if (chosen.length > 0 && chosen.every(([name]) => places.includes(name))) complete += 1;
  console.log(`| ${index + 1} | ${cells.join(", ")} |`);
}

const share = (list) => {
  const hits = list.filter(({ rank }) => rank > 0).length;
  return `${hits} of ${list.length} (${(hits / Math.max(list.length, 1)).toFixed(2)})`;
};
const best = ranks.filter(({ rank }) => rank > 0 && rank <= 3).length;
console.log(`
${tools.length} tools, ${variants.length} agents. One search for the words of a task finds ${share(ranks)} of the
tools that an agent chose, ${share(ranks.filter(({ isCommon }) => isCommon))} of those that all chose, ${best} of ${ranks.length} among the first
three, and all tools of ${complete} of ${searched} tasks.`);
if (renamed.size > 0) console.log(`Not tools of this version: ${[...renamed].join(", ")}.`);
