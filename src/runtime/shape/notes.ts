import { describe, pathName, type Problem } from "../schema/index.js";
import type { ToolDefinition } from "../types.js";
import type { Omission } from "./fit.js";

/** Tells what was left out for size, and how to ask for less or for the rest. */
export function omissionNote(omissions: readonly Omission[], tool: ToolDefinition): string {
  const told = omissions.slice(0, 3).map(({ path, kind, left, of }) => `${left} of ${of} ${kind}${path.length > 0 ? ` of ${pathName(path)}` : ""}`);
  const more = omissions.length > 3 ? `, and more in ${omissions.length - 3} other places` : "";
  const inputs = narrowing(tool);
  const advice = inputs.length > 0 ? ` To see them, narrow the call with ${inputs.join(", ")}.` : "";
  const paging = omissions.some(({ kind }) => kind === "items") ? " A next page does not bring them." : "";
  return `The result was too large. Left out: ${told.join("; ")}${more}.${advice}${paging}`;
}

/** Optional inputs, of which some usually filter or page; those that say so in their names first. */
function narrowing({ inputSchema }: ToolDefinition): readonly string[] {
  const required = new Set((inputSchema["required"] as readonly string[] | undefined) ?? []);
  const optional = Object.keys((inputSchema["properties"] as object | undefined) ?? {}).filter((name) => !required.has(name));
  const sizing = optional.filter((name) => /limit|size|per_?page|page|count|top|fields|select|max/i.test(name));
  return [...sizing, ...optional.filter((name) => !sizing.includes(name))].slice(0, 6);
}

/** Tells where the API's answer is not what its description says. */
export function differenceNote(differences: readonly Problem[], dropped: boolean): string {
  const told = differences.slice(0, 3).map((problem) => `${pathName(problem.path) || "the whole"}: ${describe(problem)}`);
  const more = differences.length > 3 ? `; and ${differences.length - 3} more` : "";
  const what = dropped ? " The structured result leaves these out; the text has them." : "";
  return `The API's answer differs from its description (${told.join("; ")}${more}).${what}`;
}
