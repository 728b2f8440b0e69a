import type { Curated } from "../../curation/types.js";
import type { Place } from "../../diagnostics/index.js";
import type { Findings } from "../findings.js";
import type { BudgetPlan, PlannedTool } from "../types.js";
import { costsOf } from "./cost.js";
import { headline, trimming, type TrimContext } from "./trim.js";

/** What hosts show without trouble, and what a conversation can spare. */
const DEFAULTS = { tools: 40, listTokens: 20_000, resultTokens: 8_000 } as const;

const CODES = {
  discovery: "plan-budget-discovery",
  warn: "plan-budget-warning",
  error: "plan-budget-error",
} as const;

/** What the budget is held against, besides the tools. */
export interface BudgetContext extends TrimContext {
  readonly curation: Pick<Curated, "curation" | "placeOf"> | undefined;
  readonly findings: Findings;
}

/**
 * Holds the tools against their budget. Over it, the finding says what costs most, and how to trim
 * it.
 */
export function planBudget(
  tools: readonly PlannedTool[],
  { curation, findings, ...context }: BudgetContext,
): BudgetPlan {
  const { onExceed = "discovery", ...own } = curation?.curation.budget ?? {};
  const limits = { ...DEFAULTS, ...own };
  const costs = costsOf(tools);
  const listTokens = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  const exceeded = [
    ...(tools.length > limits.tools ? (["tools"] as const) : []),
    ...(listTokens > limits.listTokens ? (["listTokens"] as const) : []),
  ];
  const spent = {
    limits,
    costs,
    listTokens,
    exceeded,
    mode:
      exceeded.length > 0 && onExceed === "discovery" ? ("discovery" as const) : ("tools" as const),
  };
  const [first] = exceeded;
  if (first === undefined) return { ...spent, advice: [] };
  const advice = trimming(tools, spent, context);
  findings.add(CODES[onExceed], headline(spent), placeOf(curation, first), advice.join(" "));
  return { ...spent, advice };
}

/** The limit in the curation, when it is from there. */
function placeOf(
  curation: BudgetContext["curation"],
  limit: "tools" | "listTokens",
): Place | undefined {
  const { budget } = curation?.curation ?? {};
  if (!budget) return undefined;
  return curation?.placeOf(budget[limit] === undefined ? ["budget"] : ["budget", limit]);
}
