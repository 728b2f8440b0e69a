/** Suggested `parameters`: values that most tools need, such as an organization in every path. */
import type { ConfigurationFile } from "../../configuration/types.js";
import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import { comment, inputOf, scalar } from "./suggestions.js";

/** Minimum number of tools that need a value. */
const MIN_TOOLS = 5;

/**
 * Suggests a default of the environment for the parameters in the paths of most tools. The lines are
 * valid without the comment signs.
 */
export function suggestParameters(
  { tools, api }: ToolPlan,
  configured: ConfigurationFile["parameters"],
): readonly string[] {
  // A second key `parameters` would be an error.
  if (configured) return [];
  const counts = new Map<string, number>();
  const called = tools.filter(({ workflow }) => !workflow);
  for (const tool of called)
    for (const name of sharedPathParameters(tool)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count >= MIN_TOOLS && count * 2 > called.length);
  if (common.length === 0) return [];
  return [
    ...comment(
      "Most tools need these values. With a default of the environment, a call may leave them out:",
      0,
    ),
    "# parameters:",
    ...common.map(([name, count]) => {
      const rule = `{env: ${api.envPrefix}_${variablePart(name)}, override: true}`;
      return `#   ${scalar(name)}: ${rule}  # in ${count} of ${called.length} tools`;
    }),
    "",
  ];
}

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
