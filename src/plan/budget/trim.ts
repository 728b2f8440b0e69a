import { formatCount, formatNumber } from "../../diagnostics/index.js";
import { toSingleLine } from "../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { allFields, listItems } from "../schemas/flat-object.js";
import { isEssentialField, pickOrder } from "../../key-fields.js";
import { settingOf } from "../membership.js";
import { joinWithAnd } from "../text/sentences.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { BudgetPlan, PlannedTool, ToolCost } from "../types.js";

/** Data that advice about trimming is written from. */
export interface TrimContext {
  readonly operations: readonly Operation[];
  readonly schemas: Schemas;
}

const MAX_TOOLS = 5;
const MAX_TOOLSETS = 3;
const MAX_FIELDS = 4;

/** One sentence: the exceeded limits, and the consequence. */
export function budgetSummary({
  costs,
  listTokens,
  limits,
  exceeded,
  mode,
  listed,
}: Omit<BudgetPlan, "advice">): string {
  const budget = joinWithAnd(
    exceeded.map((limit) =>
      limit === "tools"
        ? formatCount(limits.tools, "tool")
        : `${formatNumber(limits.listTokens)} tokens`,
    ),
  );
  const cost =
    `${formatCount(costs.length, "tool")} cost a model about ${formatNumber(listTokens)} tokens, ` +
    `over the budget of ${budget}`;
  if (mode === "tools") return cost;
  const others =
    listed.length === 0
      ? ""
      : `, and ${formatCount(listed.length, "tool")} that most work starts with`;
  return `${cost}; the server lists tools that search, describe and call all others${others}`;
}

/** Sentences about the largest tools and toolsets, and the ways to trim them. */
export function trimAdvice(
  tools: readonly PlannedTool[],
  { costs, limits, listTokens }: Pick<BudgetPlan, "costs" | "limits" | "listTokens">,
  context: TrimContext,
): readonly string[] {
  const toolsets = costOfToolsets(tools, costs);
  const largest = [...costs].sort((a, b) => b.tokens - a.tokens || (a.tool < b.tool ? -1 : 1));
  return [
    largestTools(largest.slice(0, MAX_TOOLS)),
    ...(toolsets.length > 1 ? [largestToolsets(toolsets.slice(0, MAX_TOOLSETS))] : []),
    exclusionAdvice(
      toolsets,
      tools.find(({ definition }) => definition.name === largest[0]?.tool),
      context,
    ),
    ...toolsetAdvice(toolsets, limits),
    ...fieldAdvice(tools, costs, context),
    `To raise the limits: budget: {tools: ${roundUp(costs.length)}, ` +
      `listTokens: ${roundUp(listTokens)}} in mcp-gen.yaml.`,
  ];
}

/** Two significant digits, upwards: 753,204 → 760,000. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}

function largestTools(costs: readonly ToolCost[]): string {
  const tools = costs.map(({ tool, tokens }) => `${tool} (${formatNumber(tokens)})`);
  return `The largest tools: ${joinWithAnd(tools)}.`;
}

function largestToolsets(toolsets: readonly ToolsetCost[]): string {
  const costs = toolsets.map(
    ({ name, members, tokens }) =>
      `${name} (${formatNumber(tokens)} in ${formatCount(members.length, "tool")})`,
  );
  return `The largest toolsets: ${joinWithAnd(costs)}.`;
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

/** Names the toolsets on which the most inputs of others depend, as many as the budget has room for. */
function toolsetAdvice(
  toolsets: readonly ToolsetCost[],
  limits: BudgetPlan["limits"],
): readonly string[] {
  const uses = countUses(toolsets);
  const chosen: ToolsetCost[] = [];
  let [tools, tokens] = [0, 0];
  for (const toolset of [...toolsets].sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0))) {
    const fits =
      tools + toolset.members.length <= limits.tools &&
      tokens + toolset.tokens <= limits.listTokens;
    if (!fits || chosen.length === MAX_TOOLSETS) continue;
    chosen.push(toolset);
    tools += toolset.members.length;
    tokens += toolset.tokens;
  }
  if (toolsets.length < 2 || chosen.length === 0) return [];
  const names = chosen.map(({ name }) => name).join(",");
  const cost = `${formatCount(tools, "tool")}, about ${formatNumber(tokens)} tokens`;
  return [`To list only some toolsets: --toolsets ${names} when the server starts (${cost}).`];
}

/** Inputs of other toolsets whose values come from a tool of the toolset. */
function countUses(toolsets: readonly ToolsetCost[]): ReadonlyMap<ToolsetCost, number> {
  const owners = new Map(
    toolsets.flatMap((owner) => owner.members.map((tool) => [tool.definition.name, owner])),
  );
  const uses = new Map<ToolsetCost, number>();
  for (const user of toolsets)
    for (const { producers = [] } of user.members.flatMap(({ inputs }) => inputs)) {
      const owner = owners.get(producers[0] ?? "");
      if (owner && owner !== user) uses.set(owner, (uses.get(owner) ?? 0) + 1);
    }
  return uses;
}

/**
 * Excludes the largest toolset by its tag or its paths. Where that excludes everything, excludes
 * the operation of the largest tool.
 */
function exclusionAdvice(
  toolsets: readonly ToolsetCost[],
  largest: PlannedTool | undefined,
  { operations }: TrimContext,
): string {
  const api = toolsets[0]?.members[0]?.definition.api;
  const ownToolsets = toolsets.filter(({ members: [first] }) => first?.definition.api === api);
  const members = toolsets[0]?.members.flatMap((tool) => tool.operations) ?? [];
  const tag = toSingleLine(mostFrequentTag(members, operations));
  if (ownToolsets.length > 1 && tag !== "" && !operations.every(({ tags }) => tags.includes(tag)))
    return exclusionSentence("one", tag, `tags: [${JSON.stringify(tag)}]`, api);
  const prefix = commonPath(members.map(({ path }) => path));
  if (
    (api === undefined || ownToolsets.length > 1) &&
    prefix !== "" &&
    !operations.every(({ path }) => path.startsWith(prefix))
  )
    return exclusionSentence("one", `${prefix}**`, `path: ${JSON.stringify(`${prefix}**`)}`, api);
  const one = largest?.operations[0];
  return one === undefined
    ? ""
    : exclusionSentence(
        "some",
        `${one.method} ${toSingleLine(one.path)}`,
        `operations: [${JSON.stringify(`${one.method} ${toSingleLine(one.path)}`)}]`,
        largest?.definition.api,
      );
}

/** The first tag that most of the operations have; empty without tags. */
function mostFrequentTag(
  members: PlannedTool["operations"],
  operations: TrimContext["operations"],
): string {
  const keys = new Set(members.map(({ method, path }) => `${method} ${path}`));
  const counts = new Map<string, number>();
  for (const { method, path, tags } of operations) {
    const [tag] = tags;
    if (tag !== undefined && keys.has(`${method} ${path}`))
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const [largest = ["", 0]] = [...counts].sort(([, one], [, other]) => other - one);
  return largest[0];
}

/** @param api the API of the matches, in a server of several */
function exclusionSentence(
  noun: string,
  pattern: string,
  match: string,
  api: string | undefined,
): string {
  const rule = settingOf(api, `select: {rules: [{match: {${match}}, include: false}]}`);
  if (api !== undefined) return `To exclude ${noun}: ${rule} in mcp-gen.yaml.`;
  return (
    `To exclude ${noun}: --skip ${shellQuote(pattern)} (--only keeps only the matches), ` +
    `or ${rule} in mcp-gen.yaml.`
  );
}

/** Leading segments that all paths share, up to the first parameter. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => toSingleLine(path).split("/"));
  const differs = first.findIndex(
    (segment, i) => segment.includes("{") || others.some((segments) => segments[i] !== segment),
  );
  const common = differs < 0 ? first : first.slice(0, differs);
  return common.length < 2 ? "" : common.join("/");
}

/** Suggests a few fields for the tool with the largest result, if it has more. */
function fieldAdvice(
  tools: readonly PlannedTool[],
  costs: readonly ToolCost[],
  { schemas }: TrimContext,
): readonly string[] {
  const largest = costs.reduce(
    (maximum, cost, i) => (cost.outputTokens > (costs[maximum]?.outputTokens ?? 0) ? i : maximum),
    0,
  );
  const tool = tools[largest];
  const fields = tool?.output ? pickableFields(tool.output, schemas) : [];
  const many = Math.max(MAX_FIELDS, fields.filter(isEssentialField).length);
  if (!tool || fields.length <= many) return [];
  const pick = `pick: [${fields.slice(0, many).join(", ")}]`;
  const { name, api } = tool.definition;
  const rule = settingOf(api, `tools: {${name}: {output: {${pick}}}}`);
  return [`To shorten the largest result: ${rule} in mcp-gen.yaml.`];
}

/**
 * Fields that `pick` may name, identifying and plain ones first. Fields of the items for a list.
 */
function pickableFields(output: JsonSchema, schemas: Schemas): readonly string[] {
  const outputFields = allFields(output, schemas);
  const items = listItems(outputFields.get("items"), schemas);
  const fields = [...(items === undefined ? outputFields : allFields(items, schemas))].filter(
    ([name]) => /^[A-Za-z_][\w-]{0,40}$/.test(name),
  );
  const isPlain = (schema: unknown): boolean =>
    isObject(schema) &&
    resolveSchema(schemas, schema as JsonSchema).properties === undefined &&
    resolveSchema(schemas, schema as JsonSchema).items === undefined;
  const plain = fields.filter(([, schema]) => isPlain(schema)).map(([name]) => name);
  return pickOrder([...new Set([...plain, ...fields.map(([name]) => name)])]);
}

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
