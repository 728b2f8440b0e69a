/** Suggested `parameters`: values that most tools need, such as an organization in every path. */
import type { ConfigurationFile } from "../../configuration/types.js";
import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import { comment, inputOf, scalar } from "./suggestions.js";

/** Minimum number of tools that need a value. */
const MIN_TOOLS = 5;

/** A parameter in the paths of most tools. */
export interface CommonParameter {
  readonly name: string;
  /** Number of tools that need it. */
  readonly count: number;
}

/**
 * The parameters in the paths of most tools, in the order of their number of tools.
 * @param configured the rules for parameters: a second key `parameters` would be an error
 */
export function commonParameters(
  { tools }: ToolPlan,
  configured: ConfigurationFile["parameters"],
): readonly CommonParameter[] {
  if (configured) return [];
  const counts = new Map<string, number>();
  const called = ownTools(tools);
  for (const tool of called)
    for (const name of sharedPathParameters(tool)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count >= MIN_TOOLS && count * 2 > called.length)
    .toSorted((one, other) => other.count - one.count);
}

/**
 * Suggests a default of the environment for parameters. The lines are valid without the comment
 * signs.
 */
export function suggestParameters(
  common: readonly CommonParameter[],
  { tools, api }: ToolPlan,
): readonly string[] {
  if (common.length === 0) return [];
  return [
    ...comment(
      "Most tools need these values. With a default of the environment, a call may leave them out:",
      0,
    ),
    "# parameters:",
    ...common.map(({ name, count }, i) => {
      const rule = `{env: ${api.envPrefix}_${variablePart(name)}, override: true}`;
      const effect = `for ${count} of ${ownTools(tools).length} tools`;
      return `#   ${scalar(name)}: ${rule}  # no. ${i + 1}: ${effect}`;
    }),
    "",
  ];
}

const ownTools = (tools: readonly PlannedTool[]): readonly PlannedTool[] =>
  tools.filter(({ workflow }) => !workflow);

/** Parameters in the paths of all operations of a tool, unless they select one of these. */
function sharedPathParameters({ definition: { operations } }: PlannedTool): readonly string[] {
  const selecting = new Set(operations.flatMap(({ whenProvided }) => whenProvided));
  const [first = [], ...others] = operations.map(({ request }) =>
    Object.entries(request.pathParams ?? {}).flatMap(([name, source]) => {
      const input = inputOf(source);
      // An ID without a noun is that of the thing itself, and chooses it in other tools.
      return input === undefined || selecting.has(input) || name === "id" ? [] : [name];
    }),
  );
  return first.filter((name) => others.every((names) => names.includes(name)));
}

const variablePart = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toUpperCase()
    .slice(0, 40) || "VALUE";
