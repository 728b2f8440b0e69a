import type { Configuration } from "../../configuration/types.js";
import type { SourceLocation } from "../../diagnostics/index.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { BudgetPlan, PlannedTool, ToolCost } from "../types.js";
import { budgetSummary, trimAdvice, type TrimContext } from "./trim.js";

/** What hosts show without trouble, and what a conversation can spare. */
const DEFAULT_LIMITS = { tools: 40, listTokens: 20_000, resultTokens: 8_000 } as const;

const EXCEEDED_CODES = {
  discovery: "plan-budget-discovery",
  warn: "plan-budget-warning",
  error: "plan-budget-error",
} as const;

/** What the budget is held against, besides the tools. */
export interface BudgetContext extends TrimContext {
  readonly configuration: Pick<Configuration, "content" | "locationOf"> | undefined;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Holds the tools against their budget. Over it, the finding says what costs most, and how to trim
 * it.
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
  const usage = {
    limits,
    costs,
    listTokens,
    exceeded,
    mode:
      exceeded.length > 0 && onExceed === "discovery" ? ("discovery" as const) : ("tools" as const),
  };
  const [first] = exceeded;
  if (first === undefined) return { ...usage, advice: [] };
  const advice = trimAdvice(tools, usage, context);
  diagnostics.add(
    EXCEEDED_CODES[onExceed],
    budgetSummary(usage),
    limitLocation(configuration, first),
    advice.join(" "),
  );
  return { ...usage, advice };
}

/** The limit in the curation, when it is from there. */
function limitLocation(
  curation: BudgetContext["configuration"],
  limit: "tools" | "listTokens",
): SourceLocation | undefined {
  const { budget } = curation?.content ?? {};
  if (!budget) return undefined;
  return curation?.locationOf(budget[limit] === undefined ? ["budget"] : ["budget", limit]);
}

/** A model reads about four bytes of JSON as one token. The runtime counts results the same way. */
const BYTES_PER_TOKEN = 4;

/**
 * Estimates what each tool costs in `tools/list`: its name, title, description, annotations and
 * schemas as JSON. Output schemas that tools share are written once.
 */
export function estimateCosts(tools: readonly PlannedTool[]): readonly ToolCost[] {
  const bytesBySchema = new Map<object, number>();
  return tools.map(({ definition }) => {
    const { name, title, description, annotations, inputSchema, outputSchema } = definition;
    const output =
      outputSchema === undefined ? 0 : (bytesBySchema.get(outputSchema) ?? jsonBytes(outputSchema));
    if (outputSchema) bytesBySchema.set(outputSchema, output);
    return {
      tool: name,
      tokens: toTokens(jsonBytes({ name, title, description, inputSchema, annotations }) + output),
      outputTokens: toTokens(output),
    };
  });
}

function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function toTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
