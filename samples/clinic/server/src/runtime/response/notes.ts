import { describeProblem, formatPath, type Problem } from "../schema/index.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import type { Omission } from "./truncate.js";

/**
 * Tells what was left out for size, and how to ask for less or for the rest.
 * @param given what the call was narrowed with already
 */
export function truncationNote(
  omissions: readonly Omission[],
  tool: NamedTool,
  given: Readonly<Record<string, unknown>> = {},
): string {
  const told = omissions
    .slice(0, 3)
    .map(
      ({ path, kind, omitted, total }) =>
        `${omitted} of ${total} ${kind}${path.length > 0 && formatPath(path) !== kind ? ` of ${formatPath(path)}` : ""}`,
    );
  const more = omissions.length > 3 ? `, and more in ${omissions.length - 3} other places` : "";
  const fewer = smallerPage(omissions, tool);
  const inputs = narrowingInputs(tool).filter(
    (name) => name !== fewer?.input && given[name] === undefined,
  );
  const advice = [
    fewer?.advice,
    inputs.length > 0 ? `narrow the call with ${inputs.join(", ")}` : undefined,
  ]
    .filter(Boolean)
    .join(", or ");
  const paging = omissions.some(({ kind }) => kind === "items")
    ? " A next page does not bring them."
    : "";
  return `The result was too large. Left out: ${told.join("; ")}${more}.${paging}${advice ? ` To see them, ${advice}.` : ""}`;
}

type NamedTool = Pick<ToolDefinition, "name" | "inputSchema">;
type Properties = Readonly<Record<string, JsonSchema | undefined>>;

/** The call that asks for as many items as there is room for, when an input says how many. */
function smallerPage(
  omissions: readonly Omission[],
  { name, inputSchema }: NamedTool,
): { readonly input: string; readonly advice: string } | undefined {
  const cut = omissions.find(({ kind, path }) => kind === "items" && path.length <= 1);
  if (!cut) return undefined;
  const fit = cut.total - cut.omitted;
  const input = Object.entries((inputSchema["properties"] ?? {}) as Properties).find(
    ([key, schema]) => isItemCount(key, schema, fit),
  )?.[0];
  return input === undefined
    ? undefined
    : { input, advice: `call ${name} with ${input} ${fit} and then page by page` };
}

function isItemCount(name: string, schema: JsonSchema | undefined, count: number): boolean {
  const isNumber = schema?.["type"] === "integer" || schema?.["type"] === "number";
  return (
    isNumber &&
    count >= Math.max(1, Number(schema?.["minimum"] ?? 1)) &&
    /^(?:limit|per_?page|page_?size|size|count|top|max_?(?:results|items|per_?page)|first|num(?:ber)?_?(?:of_?)?(?:results|items)?)$/i.test(
      name,
    )
  );
}

/** The call that brings the next page, when the result has what it takes. */
export function nextPageNote(
  result: unknown,
  { name, inputSchema }: NamedTool,
): string | undefined {
  const next =
    typeof result === "object" && result !== null && "next" in result ? result.next : undefined;
  if (typeof next !== "object" || next === null) return undefined;
  const properties = (inputSchema["properties"] ?? {}) as Properties;
  const inputs = Object.entries(next).filter(
    ([key, value]) =>
      Object.hasOwn(properties, key) &&
      ["string", "number"].includes(typeof value) &&
      String(value).length <= 500,
  );
  if (inputs.length === 0) return undefined;
  return `There is more: call ${name} again with ${inputs.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(" and ")}, and otherwise the same input.`;
}

/**
 * Optional inputs, of which some usually filter or page; those that say so in their names first.
 */
export function narrowingInputs({ inputSchema }: NamedTool): readonly string[] {
  const required = new Set((inputSchema["required"] as readonly string[] | undefined) ?? []);
  const optional = Object.keys((inputSchema["properties"] as object | undefined) ?? {}).filter(
    (name) => !required.has(name),
  );
  const sizing = optional.filter((name) =>
    /limit|size|per_?page|page|count|top|fields|select|max/i.test(name),
  );
  return [...sizing, ...optional.filter((name) => !sizing.includes(name))].slice(0, 6);
}

/** Tells what the structured result had to convert or to leave out. */
export function coercionNote(problems: readonly Problem[]): string {
  const clause = describeDifferences(problems);
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}. The structured result converts these parts or leaves them out; the text has them as they came.`;
}

/** Where the API's answer is not what its description says, as a clause. */
export function describeDifferences(problems: readonly Problem[]): string {
  const told = problems
    .slice(0, 3)
    .map((problem) => `${formatPath(problem.path) || "the whole"}: ${describeProblem(problem)}`);
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
  return `the answer differs from the API's description (${told.join("; ")}${more})`;
}
