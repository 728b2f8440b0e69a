import type { Change, ChangeClass } from "../types.js";
import { oneLine } from "../../diagnostics/clean.js";
import { countChanges } from "./count.js";
import type { FormatOptions } from "./index.js";

const levels: Readonly<Record<ChangeClass, "error" | "notice">> = {
  breaking: "error",
  additive: "notice",
  wording: "notice",
};

/**
 * Workflow commands that GitHub shows as annotations, at the tool's entry in the lock. Wording is
 * only counted. https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function toAnnotations(changes: readonly Change[], { file }: FormatOptions): string {
  const shown = changes.filter((change) => change.class !== "wording");
  const lines = shown.map((change) => {
    const line = file?.lines.get(change.tool);
    const place = file
      ? `file=${property(file.path)},${line === undefined ? "" : `line=${line},`}`
      : "";
    return `::${levels[change.class]} ${place}title=${property(`${change.tool} (${change.class})`)}::${data(change.message)}`;
  });
  return [...lines, `Tools for agents: ${countChanges(changes)}.`]
    .map((line) => `${line}\n`)
    .join("");
}

/** The message of a command: one line, and no percent sign that would be read as an escape. */
function data(text: string): string {
  return oneLine(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
