import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateResult } from "../generate.js";
import { kindOf } from "./kind-of.js";

/** Names every variable of the environment that a server reads, most of them in comments. */
const EXAMPLE = ".env.example";
const SHOWN = 3;

/** The names of the variables of the last generation; none when there was none. */
export function lastVariables(folder: string | undefined): readonly string[] {
  const path = folder === undefined ? undefined : join(folder, EXAMPLE);
  return path !== undefined && kindOf(path) === "file" ? namesIn(readFileSync(path, "utf8")) : [];
}

/**
 * What a generation changes for those who run the server: variables that it reads no more. All of
 * them get other names when the title of the API changes, and nothing else would say so before a
 * deployed server has no credentials.
 * @returns a line, or none
 */
export function variableLines(
  before: readonly string[],
  { plan, written, files }: GenerateResult,
): readonly string[] {
  const text = written?.updated.includes(EXAMPLE)
    ? files?.find(({ path }) => path === EXAMPLE)?.content
    : undefined;
  if (text === undefined) return [];
  const now = namesIn(text);
  // Every server reads these; the example has them where there is something to choose.
  const always = ["TOOLSETS", "READ_ONLY", "MODE"].map((name) => `${plan?.api.envPrefix}_${name}`);
  const gone = before.filter((name) => !now.includes(name) && !always.includes(name));
  const added = now.filter((name) => !before.includes(name));
  if (gone.length === 0) return [];
  return [
    `For those who run it: ${listed(gone)} ${gone.length === 1 ? "is" : "are"} read no more${added.length === 0 ? "" : `, but ${listed(added)}`}; see ${EXAMPLE}.`,
  ];
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string);
}

function listed(names: readonly string[]): string {
  return names.length <= SHOWN + 1
    ? names.join(", ")
    : `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more`;
}
