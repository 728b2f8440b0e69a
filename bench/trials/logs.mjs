/** The logs of the trials with their judgements, and their tasks for `mcp-gen eval`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** Variants in which a call may serve several tasks, or which other tools have. */
const OTHERS = [
  "reads",
  "usual",
  "plain",
  "steps",
  "single",
  "searched",
  "omg",
  "naive",
  "curl",
  "frugal",
];

const VARIANTS = ["list", "search", "hybrid", ...OTHERS];

/** Folders with a live server. */
export const servers = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The variants of a server, with their log and judgement. */
export function variantsOf(server) {
  return VARIANTS.flatMap((variant) => {
    const log = join(folder, server, "logs", `${variant}.jsonl`);
    if (!existsSync(log)) return [];
    const judgement = JSON.parse(readFileSync(join(folder, server, `${variant}.json`), "utf8"));
    return [{ server, variant, ...readLog(log), judgement }];
  });
}

function readLog(path) {
  const entries = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return {
    calls: entries.filter(({ event }) => event === "call"),
    looks: entries.filter(({ event }) => event === "tools"),
  };
}

/** True for an error result, an HTTP error, and Etherpad's codes inside of a success. */
export function isFailed({ isError, text = "" }) {
  const hasCode = /"code":\s*[1-4],\s*"message"/.test(text);
  return isError === true || hasCode || /API Error: Status [45]|^Error:/.test(text);
}

/**
 * The log as `mcp-gen eval --transcript` reads it: the task of each call is the one that the
 * judgement names.
 */
export function transcriptOf({ calls, judgement }) {
  const lines = calls.map(({ name, args, text, ...rest }, index) =>
    JSON.stringify({
      task: judgement.calls[index],
      name,
      args,
      isError: isFailed({ ...rest, text }),
      text,
    }),
  );
  return lines.join("\n");
}

/** The file with the tasks of a variant; undefined if there is none. */
export function tasksFile({ server, variant }) {
  const own = join(folder, server, `${variant}.eval.yaml`);
  if (existsSync(own)) return own;
  const shared = join(folder, server, "eval.yaml");
  return OTHERS.includes(variant) || !existsSync(shared) ? undefined : shared;
}
