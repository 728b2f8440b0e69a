import { describe, pathName, type Problem } from "../schema/index.js";
import type { ToolDefinition } from "../types.js";
import type { Omission } from "./fit.js";

/** Tells what was left out for size, and how to ask for less or for the rest. */
export function omissionNote(omissions: readonly Omission[], tool: Pick<ToolDefinition, "inputSchema">): string {
  const told = omissions.slice(0, 3).map(({ path, kind, left, of }) => `${left} of ${of} ${kind}${path.length > 0 ? ` of ${pathName(path)}` : ""}`);
  const more = omissions.length > 3 ? `, and more in ${omissions.length - 3} other places` : "";
  const inputs = narrowing(tool);
  const advice = inputs.length > 0 ? ` To see them, narrow the call with ${inputs.join(", ")}.` : "";
  const paging = omissions.some(({ kind }) => kind === "items") ? " A next page does not bring them." : "";
  return `The result was too large. Left out: ${told.join("; ")}${more}.${advice}${paging}`;
}

/** Optional inputs, of which some usually filter or page; those that say so in their names first. */
function narrowing({ inputSchema }: Pick<ToolDefinition, "inputSchema">): readonly string[] {
  const required = new Set((inputSchema["required"] as readonly string[] | undefined) ?? []);
  const optional = Object.keys((inputSchema["properties"] as object | undefined) ?? {}).filter((name) => !required.has(name));
  const sizing = optional.filter((name) => /limit|size|per_?page|page|count|top|fields|select|max/i.test(name));
  return [...sizing, ...optional.filter((name) => !sizing.includes(name))].slice(0, 6);
}

/** Tells what the structured result had to convert or to leave out. */
export function differenceNote(problems: readonly Problem[]): string {
  const clause = differences(problems);
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}. The structured result converts these parts or leaves them out; the text has them as they came.`;
}

/** Where the API's answer is not what its description says, as a clause. */
export function differences(problems: readonly Problem[]): string {
  const told = problems.slice(0, 3).map((problem) => `${pathName(problem.path) || "the whole"}: ${describe(problem)}`);
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
  return `the answer differs from the API's description (${told.join("; ")}${more})`;
}
