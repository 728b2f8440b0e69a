import { estimateTokens } from "../../runtime/data/tokens.js";
import { listedInputSchema } from "../../runtime/tools/shown-definition.js";
import type { Configuration } from "../../configuration/types.js";
import type { SourceLocation } from "../../diagnostics/index.js";
import { suggestionFor } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { listingOf } from "../project-code.js";
import type { BudgetPlan, CustomTool, PlannedTool, ToolCost, ToolListing } from "../types.js";
import { alwaysShownTokens } from "./always-shown.js";
import { frequentReadsOf } from "./frequent-reads.js";
import { budgetSummary, trimAdvice, type TrimContext } from "./trim.js";

/** Limits that hosts handle well and a conversation can spare. */
const DEFAULT_LIMITS = { tools: 80, listTokens: 25_000, resultTokens: 8_000 } as const;

/**
 * Factor by which the list may exceed its limits before the server lists discovery tools instead,
 * so that one more operation does not change every client's list without a warning.
 */
const GRACE = 1.1;

const GRACE_NOTICE =
  "all tools are still listed, and a tenth above the budget discovery tools replace most of them";

const EXCEEDED_CODES = {
  hybrid: "plan-budget-discovery",
  discovery: "plan-budget-discovery",
  warn: "plan-budget-warning",
  error: "plan-budget-error",
} as const;

/** Context of the budget in addition to the tools. */
interface BudgetContext extends TrimContext {
  /** Instructions of the server, which models read together with the tools. */
  readonly instructions: string;
  readonly configuration: Pick<Configuration, "content" | "locationOf"> | undefined;
  readonly namespace: string | undefined;
  readonly diagnostics: DiagnosticCollector;
  /** Tools of the project's own code. */
  readonly customTools?: readonly CustomTool[];
}

/**
 * Compares the tools with their budget. A diagnostic about an exceeded budget names the largest
 * tools and the ways to trim them.
 */
export function planBudget(
  tools: readonly PlannedTool[],
  {
    configuration,
    namespace,
    diagnostics,
    instructions,
    customTools = [],
    ...context
  }: BudgetContext,
): BudgetPlan {
  const {
    onExceed = "hybrid",
    listed: configured,
    ...configuredLimits
  } = configuration?.content.budget ?? {};
  const limits = { ...DEFAULT_LIMITS, ...configuredLimits };
  const costs = estimateCosts(tools, customTools);
  const instructionTokens = estimateTokens(instructions);
  const listTokens = costs.reduce((sum, { tokens }) => sum + tokens, instructionTokens);
  const listBytes = costs.reduce((sum, { bytes }) => sum + bytes, 0);
  const exceeded = [
    ...(costs.length > limits.tools ? (["tools"] as const) : []),
    ...(listTokens > limits.listTokens ? (["listTokens"] as const) : []),
  ];
  const isBeyondGrace =
    costs.length > limits.tools * GRACE || listTokens > limits.listTokens * GRACE;
  const usesDiscovery = onExceed === "hybrid" || onExceed === "discovery";
  const mode: BudgetPlan["mode"] = isBeyondGrace && usesDiscovery ? onExceed : "tools";
  const naming = { configuration, diagnostics, namespace };
  const listed =
    mode === "discovery"
      ? []
      : configured
        ? configuredTools(tools, configured, naming)
        : frequentReads(tools, mode, listTokens);
  const usage = { limits, costs, listTokens, instructionTokens, listBytes, exceeded, mode, listed };
  const [first] = exceeded;
  if (first === undefined) return { ...usage, advice: [] };
  const advice = trimAdvice(tools, usage, context);
  const isInGrace = usesDiscovery && mode === "tools";
  diagnostics.add(
    isInGrace ? "plan-budget-near" : EXCEEDED_CODES[onExceed],
    isInGrace ? `${budgetSummary(usage)}; ${GRACE_NOTICE}` : budgetSummary(usage),
    limitLocation(configuration, first),
    advice.join(" "),
  );
  return { ...usage, advice };
}

/** Tools that most work starts with, unless the list is so short that hosts may show all of it. */
function frequentReads(
  tools: readonly PlannedTool[],
  mode: BudgetPlan["mode"],
  listTokens: number,
): readonly string[] {
  if (mode === "tools" && listTokens <= alwaysShownTokens) return [];
  return frequentReadsOf(tools.map(({ definition }) => definition));
}

/** Tools that hosts should always show, by their final names. */
function configuredTools(
  tools: readonly PlannedTool[],
  configured: readonly string[],
  {
    configuration,
    diagnostics,
    namespace,
  }: Omit<BudgetContext, "instructions" | keyof TrimContext>,
): readonly string[] {
  const names = new Set(tools.map(({ definition }) => definition.name));
  return configured.flatMap((name, i) => {
    const found = [name, `${namespace}_${name}`].find((one) => names.has(one));
    if (found !== undefined) return [found];
    diagnostics.add(
      "config-unknown-tool",
      `The tool ${name} of budget.listed does not exist${suggestionFor(name, [...names]) || "."}`,
      configuration?.locationOf(["budget", "listed", i]),
      "Write the final name of a tool, or remove it.",
    );
    return [];
  });
}

/** Location of the limit in the configuration file, if it is set there. */
function limitLocation(
  configuration: BudgetContext["configuration"],
  limit: "tools" | "listTokens",
): SourceLocation | undefined {
  const { budget } = configuration?.content ?? {};
  if (!budget) return undefined;
  return configuration?.locationOf(budget[limit] === undefined ? ["budget"] : ["budget", limit]);
}

/**
 * Estimates the cost of each tool for a model, and its size in `tools/list`: generated tools in
 * their order, then custom ones. A custom tool with the name of a generated one takes its place.
 */
export function estimateCosts(
  tools: readonly PlannedTool[],
  customTools: readonly CustomTool[] = [],
): readonly ToolCost[] {
  const custom = new Map(customTools.map(({ listing }) => [listing.name, listing]));
  const generated = tools.map((tool) => {
    const listing = listingOf(tool);
    const replacement = custom.get(listing.name);
    custom.delete(listing.name);
    return costOf(replacement ?? listing);
  });
  return [...generated, ...[...custom.values()].map(costOf)];
}

function costOf(listing: ToolListing): ToolCost {
  const { name, title, description, annotations, outputSchema } = listing;
  const inputSchema = listedInputSchema(listing.inputSchema);
  const output = outputSchema ? outputCost(outputSchema) : { tokens: 0, bytes: 0 };
  // Each schema is written once: the text for models is the larger part of the listed one.
  const shown = JSON.stringify({ name, description, inputSchema });
  const unshown = JSON.stringify({ title, annotations });
  const separator = unshown === "{}" ? 0 : 1;
  return {
    tool: name,
    tokens: estimateTokens(shown),
    bytes:
      Buffer.byteLength(shown) +
      Buffer.byteLength(unshown) +
      output.bytes +
      separator -
      "{}".length,
    outputTokens: output.tokens,
  };
}

interface OutputCost {
  readonly tokens: number;
  readonly bytes: number;
}

/** Costs by schema. Many tools return the same interned one. */
const outputCosts = new WeakMap<object, OutputCost>();

function outputCost(schema: object): OutputCost {
  const known = outputCosts.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  const cost = { tokens: estimateTokens(text), bytes: Buffer.byteLength(text) };
  outputCosts.set(schema, cost);
  return cost;
}
