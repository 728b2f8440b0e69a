/** Notes to the agent about truncated, paged and coerced results. */
import { describeProblem, formatPath, type Problem } from "../schema/index.js";
import type { JsonSchema, ToolDefinition, ToolInput } from "../types.js";
import type { Omission } from "./truncate.js";

/** Maximum number of omissions or differences that a note lists. */
const MAX_LISTED = 3;

/** Maximum number of inputs that a note suggests. */
const MAX_SUGGESTED = 6;

/** Maximum length of an input's value in a note. */
const MAX_VALUE = 500;

/** Names of inputs that set the number of items. */
const ITEM_COUNT = new RegExp(
  "^(?:limit|per_?page|page_?size|size|count|top|max_?(?:results|items|per_?page)|first|" +
    "num(?:ber)?_?(?:of_?)?(?:results|items)?)$",
  "i",
);

/** Names of inputs that limit or select the content of a result. */
const SIZING = /limit|size|per_?page|page|count|top|fields|select|max/i;

type NamedTool = Pick<ToolDefinition, "name" | "inputSchema">;
type Properties = Readonly<Record<string, JsonSchema | undefined>>;

/**
 * Lists the parts that were omitted for size, and advises how to request less or the rest.
 * @param input input of the call; inputs that narrow it already are not suggested
 */
export function truncationNote(
  omissions: readonly Omission[],
  tool: NamedTool,
  input: ToolInput = {},
): string {
  const descriptions = omissions.slice(0, MAX_LISTED).map(describeOmission).join("; ");
  const places = omissions.length - MAX_LISTED;
  const more = places > 0 ? `, and more in ${places} other places` : "";
  const hasItems = omissions.some(({ kind }) => kind === "items");
  const paging = hasItems ? " They do not appear on later pages." : "";
  const advice = narrowingAdvice(omissions, tool, input);
  const hint = advice === "" ? "" : ` To see them, ${advice}.`;
  return `The result was too large. Omitted: ${descriptions}${more}.${paging}${hint}`;
}

function describeOmission({ path, kind, omitted, total }: Omission): string {
  const name = formatPath(path);
  const owner = path.length > 0 && name !== kind ? ` of ${name}` : "";
  return `${omitted} of ${total} ${kind}${owner}`;
}

function narrowingAdvice(
  omissions: readonly Omission[],
  tool: NamedTool,
  input: ToolInput,
): string {
  const smaller = smallerPage(omissions, tool);
  const inputs = narrowingInputs(tool).filter(
    (name) => name !== smaller?.input && input[name] === undefined,
  );
  const narrower = inputs.length > 0 ? `narrow the call with ${inputs.join(", ")}` : undefined;
  return [smaller?.advice, narrower].filter(Boolean).join(", or ");
}

/** Advises a page of the size that fits, when an input sets the number of items. */
function smallerPage(
  omissions: readonly Omission[],
  { name, inputSchema }: NamedTool,
): { readonly input: string; readonly advice: string } | undefined {
  const list = omissions.find(({ kind, path }) => kind === "items" && path.length <= 1);
  if (!list) return undefined;
  const count = list.total - list.omitted;
  const properties = Object.entries((inputSchema["properties"] ?? {}) as Properties);
  const [input] = properties.find(([key, schema]) => isItemCount(key, schema, count)) ?? [];
  if (input === undefined) return undefined;
  return { input, advice: `call ${name} with ${input} ${count} and then page by page` };
}

function isItemCount(name: string, schema: JsonSchema | undefined, count: number): boolean {
  const isNumber = schema?.["type"] === "integer" || schema?.["type"] === "number";
  const minimum = Math.max(1, Number(schema?.["minimum"] ?? 1));
  return isNumber && count >= minimum && ITEM_COUNT.test(name);
}

/** Describes the call of the next page; `undefined` when the result does not have its inputs. */
export function nextPageNote(
  result: unknown,
  { name, inputSchema }: NamedTool,
): string | undefined {
  const next =
    typeof result === "object" && result !== null && "next" in result ? result.next : undefined;
  if (typeof next !== "object" || next === null) return undefined;
  const properties = (inputSchema["properties"] ?? {}) as Properties;
  const isUsable = ([key, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(properties, key) &&
    (typeof value === "string" || typeof value === "number") &&
    String(value).length <= MAX_VALUE;
  const inputs = Object.entries(next)
    .filter(isUsable)
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  if (inputs.length === 0) return undefined;
  const call = `call ${name} again with ${inputs.join(" and ")}, and otherwise the same input`;
  return `There are more results: ${call}.`;
}

/** Lists optional inputs that may narrow a result. Those with a telling name go first. */
export function narrowingInputs({ inputSchema }: NamedTool): readonly string[] {
  const required = new Set((inputSchema["required"] as readonly string[] | undefined) ?? []);
  const names = Object.keys((inputSchema["properties"] as object | undefined) ?? {});
  const optional = names.filter((name) => !required.has(name));
  const sizing = optional.filter((name) => SIZING.test(name));
  const others = optional.filter((name) => !sizing.includes(name));
  return [...sizing, ...others].slice(0, MAX_SUGGESTED);
}

/** Lists the parts that the structured result converts or omits. */
export function coercionNote(problems: readonly Problem[]): string {
  const clause = describeDifferences(problems);
  const sentence = `${clause[0]!.toUpperCase()}${clause.slice(1)}.`;
  const effect =
    "The structured result converts or omits these parts; the text has them unchanged.";
  return `${sentence} ${effect}`;
}

/** Describes differences between the response and the output schema, as a clause. */
export function describeDifferences(problems: readonly Problem[]): string {
  const descriptions = problems
    .slice(0, MAX_LISTED)
    .map((problem) => `${formatPath(problem.path) || "the response"}: ${describeProblem(problem)}`);
  const count = problems.length - MAX_LISTED;
  const more = count > 0 ? `; and ${count} more` : "";
  return `the response differs from the API's description (${descriptions.join("; ")}${more})`;
}
