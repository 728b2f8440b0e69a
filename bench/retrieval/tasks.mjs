// The tasks of RestBench (https://arxiv.org/abs/2306.06624) over TMDB's API: queries, and the
// operations that solve them.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared");
const folder = path.join(shared, "restbench");

/** The document's path; undefined if it is not on this machine. */
export function document() {
  const file = path.join(folder, "specs/tmdb_oas.json");
  return existsSync(file) ? file : undefined;
}

/** `{query, steps, gold}`: `steps` in their order, `gold` without repetitions. */
export function tasks() {
  return JSON.parse(readFileSync(path.join(folder, "datasets/tmdb.json"), "utf8")).map(
    ({ query, solution }) => {
      const steps = solution.map(operation);
      return { query, steps, gold: [...new Set(steps)] };
    },
  );
}

/**
 * Normalizes an operation to `GET /movie/{}/credits`, because the solutions vary parameter names
 * and spaces.
 */
export function operation(text) {
  return text.trim().replace(/\{[^}]*\}/g, "{}");
}

/** `{id, text}` of each operation of the raw document; the text is its path and description. */
export function rawOperations(file) {
  const { paths } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(paths).flatMap(([at, item]) =>
    ["get", "put", "post", "delete", "patch"].flatMap((method) =>
      item[method]
        ? [
            {
              id: operation(`${method.toUpperCase()} ${at}`),
              text: `${at} ${item[method].description ?? ""}`,
            },
          ]
        : [],
    ),
  );
}
