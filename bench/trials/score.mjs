#!/usr/bin/env node
/**
 * Prints the trials as Markdown: for each server one table of the variants, and one of its tasks.
 * Everything counted comes from the logs; which task a call belongs to, whether a task was done,
 * and what was false or lost, from the judgement beside them, which was made by reading.
 *
 *     node bench/trials/score.mjs
 */
import { isFailed, servers, variantsOf } from "./logs.mjs";

const TITLES = {
  list: "ours, list",
  search: "ours, search",
  hybrid: "ours, hybrid",
  reads: "ours, list with run_reads",
  usual: "ours, hybrid with run_reads",
  plain: "ours, list with run_reads alone",
  searched: "ours, search with run_reads",
  steps: "ours, list with run_steps",
  single: "ours, list without run_reads, few calls",
  omg: "openapi-mcp-generator",
  naive: "openapi-mcp-generator, few calls",
  curl: "document and curl",
  frugal: "document and curl, few calls",
};

/** True for a false sentence of the MCP server, not of the API or its document. */
const isOwn = (sentence) => /\(MCP server's/.test(sentence);

const sum = (entries) => entries.reduce((total, { tokens = 0 }) => total + tokens, 0);

function row(cells) {
  return `| ${cells.join(" | ")} |`;
}

/** One table: what each variant did in all. */
function summaryTable(variants) {
  const head = ["", "tasks", "calls", "failed", "read of tools or document", "read of results"];
  const rows = variants.map(({ variant, calls, looks, judgement }) => [
    TITLES[variant],
    Object.values(judgement.tasks).filter(({ done }) => done).length,
    calls.length,
    calls.filter(isFailed).length,
    looks.length > 0 ? sum(looks) : "–",
    calls.some(({ tokens }) => tokens !== undefined) ? sum(calls) : "–",
    judgement.lost.length,
    judgement.false.filter((one) => !isOwn(one)).length,
    judgement.false.filter(isOwn).length,
  ]);
  const titles = [...head, "facts lost", "false: the API's", "false: the server's"];
  return [
    row(titles),
    row(titles.map((_, index) => (index === 0 ? "---" : "--:"))),
    ...rows.map(row),
  ];
}

/** One table: calls of each task, and in brackets how many failed. A task that was not done is struck. */
function taskTable(variants) {
  const titles = ["task", ...variants.map(({ variant }) => TITLES[variant])];
  const rows = Object.keys(variants[0].judgement.tasks).map((task) => [
    task,
    ...variants.map((one) => taskCell(one, task)),
  ]);
  return [row(titles), row(titles.map(() => "--:")), ...rows.map(row)];
}

function taskCell({ calls, judgement }, task) {
  const own = calls.filter((_, index) => String(judgement.calls[index]) === task);
  const failed = own.filter(isFailed).length;
  const count = failed === 0 ? String(own.length) : `${own.length} (${failed})`;
  return judgement.tasks[task].done ? count : `not done: ${count}`;
}

for (const name of servers) {
  const variants = variantsOf(name);
  console.log(
    [`### ${name}`, "", ...summaryTable(variants), "", ...taskTable(variants), ""].join("\n"),
  );
}
