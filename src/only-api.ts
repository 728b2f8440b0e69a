/** Regeneration of one of several APIs (`--only-api`), which changes no file of another. */
import {
  type Diagnostic,
  diagnostic,
  formatCount,
  joinFirst,
  suggestionFor,
} from "./diagnostics/index.js";
import { quoteText } from "./diagnostics/text.js";
import type { ToolPlan } from "./plan/index.js";
import type { GeneratedFile } from "./render/types.js";
import { fileName } from "./render/code/index.js";
import { write } from "./write/index.js";
import type { WriteOptions } from "./write/types.js";

/** Other APIs that a message names. */
const MAX_NAMED = 5;

/**
 * Finds what prevents the regeneration of one API: there is no API of this name, or files of others
 * would change, too.
 */
export async function findOnlyApiProblem(
  name: string,
  { apis = [] }: ToolPlan,
  files: readonly GeneratedFile[],
  outDir: string | undefined,
  options: WriteOptions,
): Promise<Diagnostic | undefined> {
  const names = apis.map((api) => api.name);
  if (!names.includes(name)) return unknownApi(name, names);
  if (outDir === undefined) return undefined;
  const { created, updated, deleted } = await write(files, outDir, { ...options, dryRun: true });
  const foreign = [...created, ...updated, ...deleted].flatMap((path) => folderOf(path) ?? []);
  const others = foreign.filter((folder) => folder !== fileName(name));
  return others.length === 0 ? undefined : changedOthers(name, others);
}

/** The name of the API to which a file belongs. */
function folderOf(path: string): string | undefined {
  return /^(?:src|test)\/apis\/([^/.]+)/.exec(path)?.[1];
}

function unknownApi(name: string, names: readonly string[]): Diagnostic {
  return diagnostic(
    "apis-unknown",
    `There is no API ${quoteText(name)}${suggestionFor(name, names) || "."}`,
    undefined,
    `The APIs are ${names.join(", ")}.`,
  );
}

function changedOthers(name: string, others: readonly string[]): Diagnostic {
  const changed = joinFirst([...new Set(others)], MAX_NAMED);
  return diagnostic(
    "write-other-apis",
    `--only-api ${name}: ${formatCount(others.length, "file")} of ${changed} would change, too.`,
    undefined,
    "Regenerate all APIs, or undo the changes to the documents of the others.",
  );
}
