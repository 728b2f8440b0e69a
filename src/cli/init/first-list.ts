/** The list of tools that a host gets from a new server. */
import { formatCount, formatNumber } from "../../diagnostics/index.js";
import type { ToolPlan } from "../../plan/index.js";

/** Tools that find and call the others, and their tokens, as measured. */
const discovery = { tools: 4, tokens: 990 } as const;

/** `read_result` and its tokens, as measured. */
const reader = { tools: 1, tokens: 190 } as const;

/** `run_reads` or `run_steps` and its tokens, as measured. */
const steps = { tools: 1, tokens: 350 } as const;

/** `run_steps` beside `run_reads` and its tokens, as measured. */
const furtherSteps = { tools: 1, tokens: 170 } as const;

interface FirstList {
  readonly tools: number;
  /** Tokens as models read them. */
  readonly tokens: number;
}

/**
 * Counts the tools of the list.
 * @param toolsets those that are listed; all without any
 */
export function listedTools(plan: ToolPlan, toolsets: readonly string[]): FirstList {
  const { mode, listed, instructionTokens } = plan.budget;
  const isShown = listsAll(plan, toolsets)
    ? selection(plan, toolsets)
    : new Set(mode === "hybrid" ? listed : []);
  const own = plan.budget.costs.filter(({ tool }) => isShown.has(tool));
  const builtIn = [
    reader,
    ...(plan.api.runSteps ? [steps] : []),
    ...(listsAll(plan, toolsets) ? [] : [discovery]),
    ...(plan.api.runSteps === "byMode" && !listsAll(plan, toolsets) ? [furtherSteps] : []),
  ];
  return {
    tools: builtIn.reduce((sum, { tools }) => sum + tools, own.length),
    tokens: [...own, ...builtIn].reduce((sum, { tokens }) => sum + tokens, instructionTokens),
  };
}

/** One clause: the number of tools, their tokens, and the reason if it is not all of them. */
export function describeList(plan: ToolPlan, toolsets: readonly string[]): string {
  const { tools, tokens } = listedTools(plan, toolsets);
  const cost = `about ${formatNumber(tokens)} tokens`;
  if (listsAll(plan, toolsets)) return `it lists ${formatCount(tools, "tool")}, ${cost}`;
  const { limits, costs, listTokens } = plan.budget;
  return (
    `it lists ${formatCount(tools, "tool")}, ${cost}, which find and call all ${costs.length}: these are ` +
    `above the budget of ${limits.tools} tools and ${formatNumber(limits.listTokens)} tokens ` +
    `(${formatNumber(listTokens)})`
  );
}

function listsAll(plan: ToolPlan, toolsets: readonly string[]): boolean {
  const { mode, limits, costs } = plan.budget;
  if (mode === "tools") return true;
  if (toolsets.length === 0) return false;
  const names = selection(plan, toolsets);
  const own = costs.filter(({ tool }) => names.has(tool));
  const tokens = own.reduce((sum, cost) => sum + cost.tokens, 0);
  return own.length <= limits.tools && tokens <= limits.listTokens;
}

function selection({ tools }: ToolPlan, toolsets: readonly string[]): ReadonlySet<string> {
  const chosen = tools.filter(({ toolset }) => toolsets.length === 0 || toolsets.includes(toolset));
  return new Set(chosen.map(({ definition }) => definition.name));
}
