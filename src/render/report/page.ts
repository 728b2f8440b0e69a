import { hash } from "node:crypto";
import { type Diagnostic, formatLocation } from "../../diagnostics/index.js";
import { script, style } from "./assets.js";
import type { ReportData, ReportOperation, ReportTool } from "./data.js";
import {
  barRow,
  count,
  meter,
  row,
  table,
  tag,
  thousands,
  toolLink,
  toolLinks,
} from "./elements.js";
import { type Markup, markup, Markup as Trusted } from "./markup.js";

/** Marks a page as a report, which the next report may replace. */
export const REPORT_MARKER = '<meta name="generator" content="mcp-gen report">';

/**
 * Renders the report as one HTML page without external resources. It is complete without scripts,
 * and document text is always escaped. The same data give the same page.
 */
export function reportPage(data: ReportData): string {
  const counts = `${count(data.tools.length, "tool")} from ${count(data.operations.length, "operation")}`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${new Trusted(REPORT_MARKER)}
<meta http-equiv="Content-Security-Policy" content="${new Trusted(contentSecurityPolicy())}">
<title>${data.api.title}: ${counts}</title>
<style>${new Trusted(style)}</style>
</head>
<body>
${headerSection(data)}
${budgetSection(data)}
${toolsSection(data)}
${operationsSection(data.operations)}
${diagnosticsSection(data)}
${environmentSection(data)}
<footer>Token counts are estimates. Made by mcp-gen from ${data.source}.</footer>
<script>${new Trusted(script)}</script>
</body>
</html>
`.text;
}

/** Policy that allows only the style sheet and the script of the page. */
function contentSecurityPolicy(): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${digest(style)}'`,
    `script-src 'sha256-${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function digest(text: string): string {
  return hash("sha256", text, "base64");
}

function headerSection(data: ReportData): Markup {
  const { api, operations, tools, toolsets, budget, diagnostics } = data;
  const served = operations.filter((operation) => operation.tools.length > 0).length;
  const errors = diagnostics.filter(({ severity }) => severity !== "info").length;
  const notes = diagnostics.length - errors;
  const tiles = [
    tile(served, plural(served, "operation"), `of ${operations.length} in the document`),
    tile(tools.length, plural(tools.length, "tool"), `in ${count(toolsets.length, "toolset")}`),
    tile(thousands(budget.listTokens), "tokens", "in the list of all tools"),
    tile(errors, plural(errors, "warning"), `and ${count(notes, "note")}`),
  ];
  return markup`<header>
<h1>${api.title} <small>${api.version}</small></h1>
<p>${api.summary}</p>
<ul class="tiles">
${tiles}</ul>
<nav>
<a href="#budget">Budget</a>
<a href="#tools">Tools</a>
<a href="#operations">Operations</a>
<a href="#diagnostics">Diagnostics</a>
<a href="#environment">Environment</a>
</nav>
</header>`;
}

function tile(figure: string | number, noun: string, note: string): Markup {
  return markup`<li><strong>${figure}</strong> <span>${noun}</span> <small>${note}</small></li>\n`;
}

function plural(number: number, noun: string): string {
  return number === 1 ? noun : `${noun}s`;
}

function budgetSection({ budget, tools, toolsets }: ReportData): Markup {
  const largest = [...tools]
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
    .slice(0, 10);
  const most = largest[0]?.tokens ?? 1;
  const advice = budget.advice.map((line) => markup`<li>${line}</li>`);
  const toolRows = largest.map(({ name, tokens }) =>
    barRow(toolLink(name), tokens, meter(tokens, most)),
  );
  const toolsetRows = toolsets.map(({ title, tokens, tools: members }) =>
    barRow(
      title,
      tokens,
      markup`${meter(tokens, budget.listTokens)} <small>${count(members, "tool")}</small>`,
    ),
  );
  return markup`<section id="budget">
<h2>Token cost of the tool list</h2>
<table class="bars">
${limitRow("tools", tools.length, budget.limits.tools)}
${limitRow("tokens", budget.listTokens, budget.limits.listTokens)}
</table>
<p>${modeText(budget.mode)}</p>
${advice.length > 0 && markup`<ul>${advice}</ul>`}
<div class="columns">
<div><h3>Largest tools</h3>
<table class="bars">${toolRows}</table></div>
<div><h3>Toolsets</h3>
<table class="bars">${toolsetRows}</table></div>
</div>
</section>`;
}

function modeText(mode: ReportData["budget"]["mode"]): string {
  return mode === "discovery"
    ? "Over budget: the server lists three tools that search, describe and call the others. " +
        "Start it with --mode tools to list every tool."
    : "Within the budget: the server lists every tool.";
}

function limitRow(noun: string, value: number, limit: number): Markup {
  const bar = markup`${meter(value, limit)} <small>of ${thousands(limit)}</small>`;
  return barRow(noun, value, bar, value > limit ? "over" : undefined);
}

function toolsSection({ tools, toolsets }: ReportData): Markup {
  const groups = toolsets
    .map((set) => ({ ...set, members: tools.filter(({ toolset }) => toolset === set.name) }))
    .filter(({ members }) => members.length > 0);
  return markup`<section id="tools">
<h2>Tools</h2>
<p class="scripted" hidden>
<input
  type="search"
  id="filter"
  placeholder="Filter by name, operation or words"
  aria-label="Filter the tools"
>
<button type="button" id="expand">Expand all</button>
<output id="shown"></output>
</p>
${groups.map(({ title, members }) => markup`<h3>${title}</h3>\n${members.map(toolDetails)}`)}
</section>`;
}

function toolDetails(tool: ReportTool): Markup {
  const advice = Object.entries(tool.onError).map(
    ([status, text]) => markup`<dt>${status}</dt><dd>${text}</dd>`,
  );
  const reasons = tool.reasons.map((reason) => markup`<li>${reason}</li>`);
  const tokens = thousands(tool.tokens);
  const outputTokens = thousands(tool.outputTokens);
  return markup`<details class="tool" id="tool-${tool.name}">
<summary>${toolSummary(tool)}</summary>
<p class="prose">${tool.description}</p>
${inputsTable(tool)}
${advice.length > 0 && markup`<h4>Advice on errors</h4><dl>${advice}</dl>`}
${reasons.length > 0 && markup`<h4>How this tool was derived</h4><ul>${reasons}</ul>`}
<p><small>Of ${tokens} tokens, ${outputTokens} are the output schema.</small></p>
</details>
`;
}

function toolSummary(tool: ReportTool): Markup {
  const name = markup`<code>${tool.name}</code> <span class="title">${tool.title}</span>`;
  const operations = markup`<span class="ops">${tool.operations.join(", ")}</span>`;
  const tokens = markup`<span class="tokens">${thousands(tool.tokens)} tokens</span>`;
  return markup`${name} ${effectTag(tool)} ${operations} ${tokens}`;
}

function effectTag({ readOnly, destructive }: ReportTool): Markup {
  if (readOnly) return tag("read-only");
  return destructive ? markup`<b class="tag strong">destructive</b>` : tag("writes");
}

function inputsTable({ inputs }: ReportTool): Markup {
  if (inputs.length === 0) return markup`<p>No inputs.</p>`;
  const rows = inputs.map(({ name, required, description, producers }) =>
    row([markup`<code>${name}</code>`, required ? "yes" : "", description, toolLinks(producers)]),
  );
  return table(["input", "required", "description", "producers"], rows);
}

function operationsSection(operations: readonly ReportOperation[]): Markup {
  const rows = operations.map(({ operation, operationId, tools, reason }) =>
    row(
      [markup`<code>${operation}</code>`, operationId, [toolLinks(tools), reason]],
      tools.length === 0 ? "omitted" : undefined,
    ),
  );
  return markup`<section id="operations">
<h2>Operations</h2>
${table(["operation", "operationId", "tool or reason for omission"], rows)}
</section>`;
}

const ORDER = ["error", "warning", "info"] as const;
const HEADINGS = { error: "Errors", warning: "Warnings", info: "Notes" } as const;

function diagnosticsSection({ diagnostics, source }: ReportData): Markup {
  const groups = ORDER.map((severity) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    return found.length === 0 ? undefined : diagnosticGroup(severity, found, source);
  }).filter((group) => group !== undefined);
  return markup`<section id="diagnostics">
<h2>Diagnostics</h2>
${groups.length === 0 && markup`<p>None.</p>`}
${groups}
</section>`;
}

function diagnosticGroup(
  severity: Diagnostic["severity"],
  diagnostics: readonly Diagnostic[],
  source: string,
): Markup {
  const open = severity !== "info" && new Trusted(" open");
  return markup`<details class="diagnostics ${severity}"${open}>
<summary>${HEADINGS[severity]} <small>${diagnostics.length}</small></summary>
<ul>${diagnostics.map((diagnostic) => diagnosticItem(diagnostic, source))}</ul>
</details>\n`;
}

function diagnosticItem({ message, hint, code, location }: Diagnostic, source: string): Markup {
  const place = formatLocation(location, source).replace(/: $/, "");
  const placeCode = place !== "" && markup`<code>${place}</code> `;
  return markup`<li>${message}. ${hint} ${placeCode}<small>${code}</small></li>\n`;
}

function environmentSection({ environment }: ReportData): Markup {
  const rows = environment.map(({ name, description, required, secret }) =>
    row([
      markup`<code>${name}</code>`,
      required ? "yes" : "",
      [description, secret && markup` ${tag("secret")}`],
    ]),
  );
  return markup`<section id="environment">
<h2>Environment of the server</h2>
${
  rows.length === 0
    ? markup`<p>The server needs no variables.</p>`
    : table(["variable", "required", "description"], rows)
}
</section>`;
}
