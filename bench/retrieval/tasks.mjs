// The tasks: labelled queries of `queries`, and those of RestBench
// (https://arxiv.org/abs/2306.06624) over TMDB's API.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared");
const folder = fileURLToPath(new URL("queries", import.meta.url));
const yaml = createRequire(import.meta.url)("js-yaml");

/**
 * Sets of tasks, one per document: `{name, half, file, tasks}`. `file` is undefined when the
 * document is not on this machine.
 */
export function labelledSets() {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const { document, half, queries } = yaml.load(readFileSync(path.join(folder, name), "utf8"));
      return {
        name: path.basename(name, ".yaml"),
        half,
        file: existing(path.join(shared, "corpus", document)),
        tasks: queries.map(({ query, steps }) => ({
          query,
          steps: steps.map((step) => [step].flat().map(operation)),
        })),
      };
    });
}

/**
 * Wishes of persons over documents that guided no rule, as two sets per document: what an agent
 * typed for them (`typed`), and their own words (`spoken`).
 */
export function wishSets() {
  const file = fileURLToPath(new URL("typed.yaml", import.meta.url));
  return yaml.load(readFileSync(file, "utf8")).flatMap(({ document, wishes }) =>
    [
      ["typed", ({ query }) => query],
      ["spoken", ({ wish }) => wish],
    ].map(([half, queryOf]) => ({
      name: `${path.dirname(document)} (${half})`,
      half,
      file: existing(path.join(shared, "corpus", document)),
      tasks: wishes.map((wish) => ({
        query: queryOf(wish),
        steps: [wish.accepted.map(operation)],
      })),
    })),
  );
}

/**
 * Operations of other APIs that fulfil a task as well, by API, by `<set>: <query>`: the task does
 * not say which API it means. They were labelled by reading both documents.
 */
export function otherAnswers() {
  const file = fileURLToPath(new URL("other-answers.yaml", import.meta.url));
  return new Map(Object.entries(yaml.load(readFileSync(file, "utf8"))));
}

/** RestBench's tasks over TMDB, as a set. Repeated steps count once. */
export function restBench() {
  const data = existing(path.join(shared, "restbench/datasets/tmdb.json"));
  const tasks = data === undefined ? [] : JSON.parse(readFileSync(data, "utf8"));
  return {
    name: "tmdb (RestBench)",
    half: "restbench",
    file: existing(path.join(shared, "restbench/specs/tmdb_oas.json")),
    tasks: tasks.map(({ query, solution }) => ({
      query,
      calls: solution.map(operation),
      steps: [...new Set(solution.map(operation))].map((one) => [one]),
    })),
  };
}

/**
 * Normalizes an operation to `GET /movie/{}/credits`, because solutions vary parameter names and
 * spaces.
 */
export function operation(text) {
  return text.trim().replace(/\{[^}]*\}/g, "{}");
}

function existing(file) {
  return existsSync(file) ? file : undefined;
}
