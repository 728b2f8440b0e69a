import { oneLine } from "../../diagnostics/clean.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { fieldsOf, itemsOf } from "../curation/fields.js";
import { TELLING } from "../describe/fields.js";
import { listed } from "../describe/sentences.js";
import { resolve, type Schemas } from "../schema/refs.js";
import type { BudgetPlan, PlannedTool, ToolCost } from "../types.js";

/** What advice about tools is written from. */
export interface TrimContext {
  readonly operations: readonly Operation[];
  readonly schemas: Schemas;
}

const MOST_TOOLS = 5;
const MOST_TOOLSETS = 3;
const MOST_FIELDS = 4;

/** What is too much, and what is done about it: one sentence. */
export function headline({
  costs,
  listTokens,
  limits,
  exceeded,
  mode,
}: Omit<BudgetPlan, "advice">): string {
  const budget = listed(
    exceeded.map((limit) =>
      limit === "tools" ? count(limits.tools, "tool") : `${grouped(limits.listTokens)} tokens`,
    ),
  );
  const spent = `${count(costs.length, "tool")} cost about ${grouped(listTokens)} tokens in tools/list, over the budget of ${budget}`;
  return mode === "discovery"
    ? `${spent}; the server lists three tools that find, describe and call all of them`
    : spent;
}

/** The largest contributors, and how to trim them: a sentence each. */
export function trimming(
  tools: readonly PlannedTool[],
  { costs, ...budget }: Omit<BudgetPlan, "advice">,
  context: TrimContext,
): readonly string[] {
  const toolsets = costOfToolsets(tools, costs);
  const largest = [...costs].sort((a, b) => b.tokens - a.tokens || (a.tool < b.tool ? -1 : 1));
  return [
    `The largest tools: ${listed(largest.slice(0, MOST_TOOLS).map(({ tool, tokens }) => `${tool} (${grouped(tokens)})`))}.`,
    ...(toolsets.length > 1
      ? [
          `The largest toolsets: ${listed(toolsets.slice(0, MOST_TOOLSETS).map(({ name, members, tokens }) => `${name} (${grouped(tokens)} in ${count(members.length, "tool")})`))}.`,
        ]
      : []),
    leaveOut(
      toolsets,
      tools.find(({ definition }) => definition.name === largest[0]?.tool),
      context,
    ),
    ...offerSome(toolsets, budget),
    ...pickFields(tools, costs, context),
    "To allow more: budget: {tools: …, listTokens: …} in mcp-gen.yaml.",
  ];
}

interface ToolsetCost {
  readonly name: string;
  readonly members: readonly PlannedTool[];
  readonly tokens: number;
}

/** Largest first. */
function costOfToolsets(
  tools: readonly PlannedTool[],
  costs: readonly ToolCost[],
): readonly ToolsetCost[] {
  const found = new Map<string, { members: PlannedTool[]; tokens: number }>();
  for (const [i, tool] of tools.entries()) {
    const toolset = found.get(tool.toolset) ?? { members: [], tokens: 0 };
    toolset.members.push(tool);
    toolset.tokens += costs[i]?.tokens ?? 0;
    found.set(tool.toolset, toolset);
  }
  return [...found]
    .map(([name, rest]) => ({ name, ...rest }))
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
}

/**
 * What leaves the largest toolset out: its tag, else its paths; where neither leaves anything, the
 * operations of the largest tool.
 */
function leaveOut(
  toolsets: readonly ToolsetCost[],
  largest: PlannedTool | undefined,
  { operations }: TrimContext,
): string {
  const members = toolsets[0]?.members.flatMap((tool) => tool.operations) ?? [];
  const first = operations.find(
    ({ method, path }) => method === members[0]?.method && path === members[0].path,
  );
  const tag = oneLine(first?.tags[0] ?? "");
  if (toolsets.length > 1 && tag !== "" && !operations.every(({ tags }) => tags.includes(tag)))
    return leavingOut("one", tag, `tags: [${JSON.stringify(tag)}]`);
  const prefix = commonPath(members.map(({ path }) => path));
  if (prefix !== "" && !operations.every(({ path }) => path.startsWith(prefix)))
    return leavingOut("one", `${prefix}**`, `path: ${JSON.stringify(`${prefix}**`)}`);
  const one = largest?.operations[0];
  return one === undefined
    ? ""
    : leavingOut(
        "some",
        `${one.method} ${oneLine(one.path)}`,
        `operations: [${JSON.stringify(`${one.method} ${oneLine(one.path)}`)}]`,
      );
}

function leavingOut(what: string, pattern: string, match: string): string {
  return `To leave ${what} out: --skip ${quoted(pattern)} (--only keeps just what it names), or select: {rules: [{match: {${match}}, include: false}]} in mcp-gen.yaml.`;
}

/** The segments that all paths begin with, up to the first that is filled in. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => oneLine(path).split("/"));
  const differs = first.findIndex(
    (segment, i) => segment.includes("{") || others.some((other) => other[i] !== segment),
  );
  const common = differs < 0 ? first : first.slice(0, differs);
  return common.length < 2 ? "" : common.join("/");
}

/** Toolsets that the list has room for together, the largest first. */
function offerSome(
  toolsets: readonly ToolsetCost[],
  { limits }: Pick<BudgetPlan, "limits">,
): readonly string[] {
  let [tools, tokens] = [0, 0];
  const fitting = toolsets.filter((toolset) => {
    if (
      tools + toolset.members.length > limits.tools ||
      tokens + toolset.tokens > limits.listTokens
    )
      return false;
    [tools, tokens] = [tools + toolset.members.length, tokens + toolset.tokens];
    return true;
  });
  if (toolsets.length < 2 || fitting.length === 0) return [];
  return [
    `To offer and list some when the server starts: --toolsets ${fitting
      .slice(0, MOST_TOOLSETS)
      .map(({ name }) => name)
      .join(",")}.`,
  ];
}

/** The tool whose result costs most, with a few of its fields: only where that saves something. */
function pickFields(
  tools: readonly PlannedTool[],
  costs: readonly ToolCost[],
  { schemas }: TrimContext,
): readonly string[] {
  const largest = costs.reduce(
    (most, cost, i) => (cost.outputTokens > (costs[most]?.outputTokens ?? 0) ? i : most),
    0,
  );
  const tool = tools[largest];
  const fields = tool?.output ? pickable(tool.output, schemas) : [];
  if (!tool || fields.length <= MOST_FIELDS) return [];
  return [
    `To shorten a result: tools: {${tool.definition.name}: {output: {pick: [${fields.slice(0, MOST_FIELDS).join(", ")}]}}} in mcp-gen.yaml.`,
  ];
}

/**
 * Names that `pick` may choose from, telling ones and plain values first: those of the items where
 * the result is a list.
 */
function pickable(output: JsonSchema, schemas: Schemas): readonly string[] {
  const own = fieldsOf(output, schemas);
  const items = itemsOf(own.get("items"), schemas);
  const fields = [...(items === undefined ? own : fieldsOf(items, schemas))].filter(([name]) =>
    /^[A-Za-z_][\w-]{0,40}$/.test(name),
  );
  const isPlain = (schema: unknown): boolean =>
    isObject(schema) &&
    resolve(schemas, schema as JsonSchema).properties === undefined &&
    resolve(schemas, schema as JsonSchema).items === undefined;
  const plain = fields.filter(([, schema]) => isPlain(schema)).map(([name]) => name);
  const telling = TELLING.filter((name) => plain.includes(name));
  return [...new Set([...telling, ...plain, ...fields.map(([name]) => name)])];
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** 61300 → `61,300`. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function count(number: number, what: string): string {
  return `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;
}
