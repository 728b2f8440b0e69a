#!/usr/bin/env node
/**
 * Prints tools as an agent reads them, by two builds of mcp-gen, one below the other: name, title,
 * hints, description and inputs.
 *
 * node scripts/read-tools.mjs BEFORE AFTER [--each N] [--tool NAME …] [--all] DOCUMENT …
 *
 * BEFORE and AFTER are checkouts with a build in dist/. Tools are paired by their first operation.
 * Of each document, the N pairs (by default 2) with the most changed text are printed, `--all`
 * prints every pair, and `--tool` the named ones. Ends with the number of changed tools and the
 * tokens of `tools/list` of each document.
 */
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { dumpOf } from "./dump.mjs";

const SELF = fileURLToPath(import.meta.url);
const WIDTH = 100;

if (process.argv[2] === "--dump") await dump(process.argv[3], process.argv[4]);
else main();

/** Writes the tools of one document by the build at `root` to stdout, as JSON. */
async function dump(root, document) {
  const { generate } = await import(pathToFileURL(join(resolve(root), "dist/index.js")).href);
  const { plan, diagnostics } = await generate(document, undefined, {});
  if (!plan) throw new Error(diagnostics.find(({ severity }) => severity === "error")?.message);
  const tools = plan.tools.map(({ definition, operations }) => ({
    ...definition,
    operations: operations.map(({ method, path }) => `${method} ${path}`),
  }));
  process.stdout.write(JSON.stringify({ tools, tokens: plan.budget.listTokens }));
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      each: { type: "string", default: "2" },
      all: { type: "boolean", default: false },
      tool: { type: "string", multiple: true, default: [] },
    },
  });
  const [before, after, ...documents] = positionals;
  if (documents.length === 0) {
    process.stderr.write(
      "usage: read-tools.mjs BEFORE AFTER [--each N] [--tool NAME …] [--all] DOCUMENT …\n",
    );
    process.exitCode = 2;
    return;
  }
  const totals = documents.map((document) => printDocument(before, after, document, values));
  process.stdout.write(`\n${totals.join("\n")}\n`);
}

/** Prints the chosen tools of a document. Returns its line of the totals. */
function printDocument(before, after, document, options) {
  const [old, now] = [before, after].map((root) => dumpOf(SELF, root, document));
  const oldTools = new Map(
    old.tools.flatMap((tool) => tool.operations.map((operation) => [operation, tool])),
  );
  const pairs = now.tools.map((tool) => [oldTools.get(tool.operations[0]), tool]);
  const texts = pairs.map((pair) => pair.map((tool) => (tool ? textOf(tool) : "(no tool)\n")));
  const changed = texts.filter(([was, is]) => was !== is).length;
  const label = join(basename(dirname(document)), basename(document));
  for (const index of chosen(pairs, texts, options)) {
    const [was, is] = texts[index];
    process.stdout.write(`\n━━ ${label} ━ ${pairs[index][1].operations.join(", ")}\n`);
    if (was === is) process.stdout.write(`── before and after\n${was}`);
    else process.stdout.write(`── before\n${was}── after\n${is}`);
  }
  return (
    `${label}: ${changed} of ${pairs.length} tools changed, ` +
    `tokens of tools/list ${old.tokens} → ${now.tokens}`
  );
}

/** Indices of the pairs to print. */
function chosen(pairs, texts, { each, all, tool }) {
  const indices = pairs.map((_, index) => index);
  if (tool.length > 0) return indices.filter((index) => tool.includes(pairs[index][1].name));
  if (all) return indices;
  const change = texts.map(([was, is]) => changedLines(was, is));
  return indices
    .filter((index) => change[index] > 0)
    .sort((a, b) => change[b] - change[a] || a - b)
    .slice(0, Number(each));
}

/** Number of lines that only one of two texts has. */
function changedLines(was, is) {
  const [old, now] = [was, is].map((text) => new Set(text.split("\n")));
  return [...old].filter((line) => !now.has(line)).length;
}

/** A tool as text: what a model is given, without the schemas of its output. */
function textOf({ name, title, description, annotations, inputSchema }) {
  const hints = Object.entries(annotations).filter(([, isSet]) => isSet);
  const required = new Set(inputSchema.required ?? []);
  const inputs = Object.entries(inputSchema.properties ?? {}).map(
    ([input, schema]) =>
      `  ${input}${required.has(input) ? "" : "?"}: ${typeOf(schema)}  ${schema.description ?? ""}`,
  );
  const lines = [
    `${name} (${title}) [${hints.map(([hint]) => hint.replace(/Hint$/, "")).join(" ")}]`,
    `  ${description}`,
    ...inputs,
  ];
  return lines.map((line) => `${wrap(line)}\n`).join("");
}

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.$ref) return schema.$ref.replace("#/$defs/", "");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeOf).join(" | ");
  if (schema.items) return `${typeOf(schema.items)}[]`;
  const examples = schema.examples ? ` (e.g. ${JSON.stringify(schema.examples[0])})` : "";
  const fields = schema.properties ? ` {${Object.keys(schema.properties).join(", ")}}` : "";
  return `${[schema.type].flat().join("|") || "any"}${fields}${examples}`;
}

/** Breaks a line at blanks. */
function wrap(line) {
  const indent = `${/^ */.exec(line)[0]}    `;
  const out = [""];
  for (const word of line.split(/(?<=\S) /)) {
    const last = out.at(-1);
    if (last !== "" && last.length + 1 + word.length > WIDTH) out.push(indent + word);
    else out[out.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return out.join("\n");
}
