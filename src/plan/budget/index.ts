import type { Configuration } from "../../configuration/types.js";
import type { SourceLocation } from "../../diagnostics/index.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { BudgetPlan, PlannedTool, ToolCost } from "../types.js";
import { budgetSummary, trimAdvice, type TrimContext } from "./trim.js";

/** Limits that hosts handle well and a conversation can spare. */
const DEFAULT_LIMITS = { tools: 40, listTokens: 20_000, resultTokens: 8_000 } as const;

/**
 * Factor by which the list may exceed its limits before the server lists discovery tools instead,
 * so that one more operation does not change every client's list without a warning.
 */
const GRACE = 1.1;

const GRACE_NOTICE =
  "all tools are still listed, and a tenth above the budget three discovery tools replace them";

const EXCEEDED_CODES = {
  discovery: "plan-budget-discovery",
  warn: "plan-budget-warning",
  error: "plan-budget-error",
} as const;

/** Context of the budget in addition to the tools. */
interface BudgetContext extends TrimContext {
  readonly configuration: Pick<Configuration, "content" | "locationOf"> | undefined;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Compares the tools with their budget. A diagnostic about an exceeded budget names the largest
 * tools and the ways to trim them.
 */
export function planBudget(
  tools: readonly PlannedTool[],
  { configuration, diagnostics, ...context }: BudgetContext,
): BudgetPlan {
  const { onExceed = "discovery", ...configuredLimits } = configuration?.content.budget ?? {};
  const limits = { ...DEFAULT_LIMITS, ...configuredLimits };
  const costs = estimateCosts(tools);
  const listTokens = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  const exceeded = [
    ...(tools.length > limits.tools ? (["tools"] as const) : []),
    ...(listTokens > limits.listTokens ? (["listTokens"] as const) : []),
  ];
  const isBeyondGrace =
    tools.length > limits.tools * GRACE || listTokens > limits.listTokens * GRACE;
  const mode: BudgetPlan["mode"] =
    isBeyondGrace && onExceed === "discovery" ? "discovery" : "tools";
  const usage = { limits, costs, listTokens, exceeded, mode };
  const [first] = exceeded;
  if (first === undefined) return { ...usage, advice: [] };
  const advice = trimAdvice(tools, usage, context);
  const isInGrace = onExceed === "discovery" && mode === "tools";
  diagnostics.add(
    isInGrace ? "plan-budget-near" : EXCEEDED_CODES[onExceed],
    isInGrace ? `${budgetSummary(usage)}; ${GRACE_NOTICE}` : budgetSummary(usage),
    limitLocation(configuration, first),
    advice.join(" "),
  );
  return { ...usage, advice };
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
 * Estimate: a model reads about four bytes of JSON as one token. The runtime estimates results
 * alike.
 */
const BYTES_PER_TOKEN = 4;

/**
 * Estimates the tokens of each tool in `tools/list`: name, title, description, annotations and
 * schemas as JSON.
 */
export function estimateCosts(tools: readonly PlannedTool[]): readonly ToolCost[] {
  return tools.map(({ definition }) => {
    const { name, title, description, annotations, inputSchema, outputSchema } = definition;
    const seen = { name, title, description, annotations, inputSchema };
    const outputBytes = outputSchema ? jsonSize(outputSchema) : 0;
    return {
      tool: name,
      tokens: toTokens(jsonSize(seen) + outputBytes),
      outputTokens: toTokens(outputBytes),
    };
  });
}

/** Bytes of a value as JSON. */
function jsonSize(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function toTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
