/** Sections of the report: token budget, tools and diagnostics. */
import { groupBy } from "../../groups.js";
import {
  type Diagnostic,
  endSentence,
  formatCount,
  formatLocation,
  formatNumber,
} from "../../diagnostics/index.js";
import type { ReportData, ReportTool } from "./data.js";
import {
  barRow,
  breakable,
  code,
  markup,
  Markup,
  meter,
  prose,
  table,
  tag,
  toolLink,
  toolLinks,
} from "./elements.js";

/** Locations of one group that are shown at once. */
const MAX_LOCATIONS = 3;

const ORDER = ["error", "warning", "info"] as const;
const HEADINGS = { error: "Errors", warning: "Warnings", info: "Notes" } as const;

/** Diagnostics with the same text, which differ only in their locations. */
export type DiagnosticGroup = readonly [Diagnostic, ...Diagnostic[]];

/**
 * Diagnostics of the document, each once. Omitted operations have their reason in the table of
 * operations, and the budget has a section of its own.
 */
export function groupDiagnostics({
  diagnostics,
  operations,
}: ReportData): readonly DiagnosticGroup[] {
  const reasons = new Set(operations.map(({ reason }) => reason));
  const shown = diagnostics.filter(
    ({ code, message, severity }) =>
      !code.startsWith("plan-budget-") && !(severity === "info" && reasons.has(message)),
  );
  const keyOf = ({ code, message, hint }: Diagnostic) => JSON.stringify([code, message, hint]);
  return [...groupBy(shown, keyOf).values()];
}

/** Diagnostics by severity and code. */
export function diagnosticsSection(groups: readonly DiagnosticGroup[], source: string): Markup {
  const bySeverity = ORDER.map((severity) => {
    const members = groups.filter(([first]) => first.severity === severity);
    return members.length > 0 && severityGroup(severity, members, source);
  });
  return markup`<section id="diagnostics">
<h2>Diagnostics</h2>
${groups.length === 0 && markup`<p>None.</p>`}
${bySeverity}
</section>`;
}

function severityGroup(
  severity: Diagnostic["severity"],
  groups: readonly DiagnosticGroup[],
  source: string,
): Markup {
  const open = severity !== "info" && new Markup(" open");
  const codes = [...new Set(groups.map(([first]) => first.code))];
  return markup`<details class="diagnostics group ${severity}"${open}>
<summary>${HEADINGS[severity]} <small>${groups.length}</small></summary>
${codes.map((key) =>
  codeGroup(
    key,
    groups.filter(([first]) => first.code === key),
    source,
  ),
)}</details>\n`;
}

function codeGroup(key: string, groups: readonly DiagnosticGroup[], source: string): Markup {
  return markup`<div class="group">
<h3>${code(key)} <small>${groups.length}</small></h3>
<ul>${groups.map((group) => groupItem(group, source))}</ul>
</div>\n`;
}

function groupItem(group: DiagnosticGroup, source: string): Markup {
  const [{ message, hint = "" }] = group;
  const locations = group
    .map(({ location }) => formatLocation(location, source).replace(/: $/, ""))
    .filter((text) => text !== "");
  const text = markup`${prose(endSentence(message))} ${suggestion(hint)}`;
  return markup`<li class="diagnostic">${text} ${locationList(locations)}</li>\n`;
}

/** Advice. A line to copy is an element of its own. */
function suggestion(hint: string): Markup {
  const [, where, line] = /^(In mcp-gen\.yaml|As an overlay action): ([^]*)$/.exec(hint) ?? [];
  if (where === undefined || line === undefined)
    return markup`${hint !== "" && prose(endSentence(hint))}`;
  return markup`${where}: <code class="fix">${breakable(line)}</code>`;
}

function locationList(locations: readonly string[]): Markup {
  const rest = locations.slice(MAX_LOCATIONS);
  const list = (shown: readonly string[]): readonly Markup[] =>
    shown.map((text) => markup`<small class="locations">${code(text)}</small>`);
  return markup`${list(locations.slice(0, MAX_LOCATIONS))}${
    rest.length > 0 &&
    markup`<details class="locations"><summary>${rest.length} more</summary>${list(rest)}</details>`
  }`;
}

/** Every tool, in groups by toolset. */
export function toolsSection({ tools, toolsets }: ReportData): Markup {
  const groups = toolsets
    .map(({ name, title }) => ({
      title,
      members: tools.filter(({ toolset }) => toolset === name),
    }))
    .filter(({ members }) => members.length > 0);
  return markup`<section id="tools">
<h2>Tools</h2>
${groups.map(
  ({ title, members }) => markup`<div class="group">
<h3>${title}</h3>
${members.map(toolDetails)}</div>
`,
)}</section>`;
}

function toolDetails(tool: ReportTool): Markup {
  const advice = Object.entries(tool.onError).map(
    ([status, text]) => markup`<dt>${status}</dt><dd>${prose(text)}</dd>`,
  );
  const tokens = formatNumber(tool.tokens);
  const outputTokens = formatNumber(tool.outputTokens);
  return markup`<details class="tool" id="tool-${tool.name}">
<summary>${toolSummary(tool)}</summary>
<p class="prose">${prose(tool.description)}</p>
${inputsTable(tool)}
${advice.length > 0 && markup`<h4>Advice on errors</h4><dl>${advice}</dl>`}
${derivation(tool)}
<p><small>Of ${tokens} tokens, ${outputTokens} are the output schema.</small></p>
</details>
`;
}

function toolSummary(tool: ReportTool): Markup {
  const name = markup`${code(tool.name)} <span class="title">${prose(tool.title)}</span>`;
  const operations = markup`<span class="ops">${breakable(tool.operations.join(", "))}</span>`;
  const tokens = markup`<span class="tokens">${formatNumber(tool.tokens)} tokens</span>`;
  return markup`${name} ${effectTag(tool)} ${operations} ${tokens}`;
}

function effectTag({ readOnly, destructive }: ReportTool): Markup {
  if (readOnly) return tag("read-only");
  return destructive ? markup`<b class="tag strong">destructive</b>` : tag("writes");
}

function inputsTable({ inputs }: ReportTool): Markup {
  if (inputs.length === 0) return markup`<p>No inputs.</p>`;
  const rows = inputs.map(({ name, required, description, producers }) => ({
    cells: [code(name), required ? "yes" : "", prose(description), toolLinks(producers)],
  }));
  return table("inputs", ["input", "required", "description", "producers"], rows);
}

/** The rules behind the tool, and its operations with the tools that each would be alone. */
function derivation({ name, derivedFrom, reasons }: ReportTool): Markup {
  const isMerged = derivedFrom.length > 1 || derivedFrom.some(({ alone }) => alone?.tool !== name);
  const rows = derivedFrom.map(({ operation, operationId, evidence, alone }) => ({
    cells: [
      markup`${code(operation)}${operationId !== undefined && markup`<br>${code(operationId)}`}`,
      evidence !== undefined && prose(evidence),
      ...(isMerged
        ? [alone && markup`${code(alone.tool)}, ${formatNumber(alone.tokens)} tokens`]
        : []),
    ],
  }));
  const texts = derivedFrom.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const paragraphs = texts.map((text) => markup`<p class="document">${prose(text)}</p>`);
  const headings = ["operation", "effect", ...(isMerged ? ["own tool"] : [])];
  return markup`<h4>How this tool was derived</h4>
${reasons.length > 0 && markup`<ul>${reasons.map((reason) => markup`<li>${prose(reason)}</li>`)}</ul>`}
${table("sources", headings, rows)}
${paragraphs.length > 0 && markup`<h4>Text in the document</h4>${paragraphs}`}`;
}

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
<p>${modeText(budget)}</p>
<p>Models read the name, description and input schema of a tool, and the instructions of the server.
The whole list has ${formatNumber(budget.listBytes)} bytes; hosts usually keep the rest from models.</p>
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
    markup`${meter(tokens, most)} <small>${formatCount(many, "tool")}</small>`;
  return markup`<h3>Comparison with one tool per operation</h3>
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

function modeText({ mode, listed }: ReportData["budget"]): Markup {
  if (mode === "tools") return markup`The server lists every tool.`;
  const others =
    listed.length > 0 && markup`, and those that most work starts with: ${toolLinks(listed)}`;
  const start = markup`Above the budget: the server lists tools that search, describe and call`;
  return markup`${start} all others${others}. Start the server with --mode tools to list every tool.`;
}

function limitRow(noun: string, value: number, limit: number): Markup {
  const bar = markup`${meter(value, limit)} <small>of ${formatNumber(limit)}</small>`;
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
      markup`${meter(tokens, budget.listTokens)} <small>${formatCount(tools, "tool")}</small>`,
    ),
  );
  return markup`<div><h3>Toolsets</h3>
<table class="bars">${rows}</table></div>`;
}
