import type { ReportData } from "./data.js";
import { barRow, count, meter, prose, thousands, toolLink } from "./elements.js";
import { type Markup, markup } from "./markup.js";

/** Largest tools shown. */
const MAX_TOOLS = 10;

/** Cost of the tool list: compared with one tool per operation, its limits, and its parts. */
export function budgetSection(data: ReportData): Markup {
  const { budget, tools } = data;
  const advice = budget.advice.map((line) => markup`<li>${prose(line)}</li>`);
  return markup`<section id="budget">
<h2>Token cost of the tool list</h2>
${comparison(data)}
<h3>Limits</h3>
<table class="bars">
${limitRow("tools", tools.length, budget.limits.tools)}
${limitRow("tokens", budget.listTokens, budget.limits.listTokens)}
</table>
<p>${modeText(budget.mode)}</p>
${advice.length > 0 && markup`<ul>${advice}</ul>`}
<div class="columns">
${largestTools(data)}
${toolsetCosts(data)}
</div>
</section>`;
}

/** Tokens of one tool per operation, without `mcp-gen.yaml`, and of these tools. */
function comparison({ budget, tools, onePerOperation }: ReportData): Markup | false {
  if (!onePerOperation) return false;
  const before = onePerOperation.listTokens;
  const after = budget.listTokens;
  const most = Math.max(before, after);
  const bar = (tokens: number, many: number): Markup =>
    markup`${meter(tokens, most)} <small>${count(many, "tool")}</small>`;
  return markup`<h3>Before and after</h3>
<table class="bars">
${barRow("one tool per operation", before, bar(before, onePerOperation.tools))}
${barRow("tools of this plan", after, bar(after, tools.length))}
</table>
<p>${savingText(before, after)}</p>`;
}

function savingText(before: number, after: number): string {
  const percent = Math.round((100 * Math.abs(before - after)) / Math.max(before, 1));
  if (percent === 0) return "The list costs as much as one tool per operation.";
  const relation = after < before ? "fewer" : "more";
  return `The list has ${percent} % ${relation} tokens than one tool per operation.`;
}

function modeText(mode: ReportData["budget"]["mode"]): string {
  return mode === "discovery"
    ? "Over budget: the server lists three tools that search, describe and call the others. " +
        "Start it with --mode tools to list every tool."
    : "The server lists every tool.";
}

function limitRow(noun: string, value: number, limit: number): Markup {
  const bar = markup`${meter(value, limit)} <small>of ${thousands(limit)}</small>`;
  return barRow(noun, value, bar, value > limit ? "over" : undefined);
}

function largestTools({ tools }: ReportData): Markup {
  const largest = [...tools]
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_TOOLS);
  const most = largest[0]?.tokens ?? 1;
  const rows = largest.map(({ name, tokens }) =>
    barRow(toolLink(name), tokens, meter(tokens, most)),
  );
  return markup`<div><h3>Largest tools</h3>
<table class="bars">${rows}</table></div>`;
}

function toolsetCosts({ toolsets, budget }: ReportData): Markup {
  const rows = toolsets.map(({ title, tokens, tools }) =>
    barRow(
      title,
      tokens,
      markup`${meter(tokens, budget.listTokens)} <small>${count(tools, "tool")}</small>`,
    ),
  );
  return markup`<div><h3>Toolsets</h3>
<table class="bars">${rows}</table></div>`;
}
