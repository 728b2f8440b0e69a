import { hash } from "node:crypto";
import { type Diagnostic, formatLocation } from "../../diagnostics/index.js";
import { script, style } from "./assets.js";
import type { ReportData, ReportOperation, ReportTool } from "./data.js";
import { type Markup, markup, Markup as Trusted } from "./markup.js";

/** Marks a page as a report, which the next report may replace. */
export const REPORT_MARKER = '<meta name="generator" content="mcp-gen report">';

/**
 * Renders the report as one HTML page without external resources. It is complete without scripts,
 * and document text is always escaped. The same data give the same page.
 */
export function reportPage(data: ReportData): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${new Trusted(REPORT_MARKER)}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest(style)}'; script-src 'sha256-${digest(script)}'; base-uri 'none'; form-action 'none'">
<title>${data.api.title}: ${count(data.tools.length, "tool")} from ${count(data.operations.length, "operation")}</title>
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

function digest(text: string): string {
  return hash("sha256", text, "base64");
}

function headerSection({
  api,
  operations,
  tools,
  toolsets,
  budget,
  diagnostics,
}: ReportData): Markup {
  const served = operations.filter((one) => one.tools.length > 0).length;
  const errors = diagnostics.filter(({ severity }) => severity !== "info").length;
  const tile = (figure: string, what: string, note: string): Markup =>
    markup`<li><strong>${figure}</strong> <span>${what}</span> <small>${note}</small></li>`;
  return markup`<header>
<h1>${api.title} <small>${api.version}</small></h1>
<p>${api.summary}</p>
<ul class="tiles">
${tile(String(served), served === 1 ? "operation" : "operations", `of ${operations.length} in the document`)}
${tile(String(tools.length), tools.length === 1 ? "tool" : "tools", `in ${count(toolsets.length, "toolset")}`)}
${tile(thousands(budget.listTokens), "tokens", "in the list of all tools")}
${tile(String(errors), errors === 1 ? "warning" : "warnings", `and ${count(diagnostics.length - errors, "note")}`)}
</ul>
<nav><a href="#budget">Budget</a> <a href="#tools">Tools</a> <a href="#operations">Operations</a> <a href="#diagnostics">Diagnostics</a> <a href="#environment">Environment</a></nav>
</header>`;
}

function budgetSection({ budget, tools, toolsets }: ReportData): Markup {
  const largest = [...tools]
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
    .slice(0, 10);
  const most = largest[0]?.tokens ?? 1;
  return markup`<section id="budget">
<h2>Token cost of the tool list</h2>
<table class="bars">
${bar("tools", tools.length, budget.limits.tools)}
${bar("tokens", budget.listTokens, budget.limits.listTokens)}
</table>
<p>${budget.mode === "discovery" ? "Over budget: the server lists three tools that search, describe and call the others. Start it with --mode tools to list every tool." : "Within the budget: the server lists every tool."}</p>
${budget.advice.length > 0 && markup`<ul>${budget.advice.map((line) => markup`<li>${line}</li>`)}</ul>`}
<div class="columns">
<div><h3>Largest tools</h3>
<table class="bars">${largest.map(({ name, tokens }) => markup`<tr><th><a href="#tool-${name}">${name}</a></th><td>${thousands(tokens)}</td><td class="bar">${meter(tokens, most)}</td></tr>`)}</table></div>
<div><h3>Toolsets</h3>
<table class="bars">${toolsets.map(({ title, tokens, tools: members }) => markup`<tr><th>${title}</th><td>${thousands(tokens)}</td><td class="bar">${meter(tokens, budget.listTokens)} <small>${count(members, "tool")}</small></td></tr>`)}</table></div>
</div>
</section>`;
}

function bar(what: string, value: number, limit: number): Markup {
  return markup`<tr${value > limit && new Trusted(' class="over"')}><th>${what}</th><td>${thousands(value)}</td><td class="bar">${meter(value, limit)} <small>of ${thousands(limit)}</small></td></tr>`;
}

function meter(value: number, maximum: number): Markup {
  return markup`<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${Math.round((100 * value) / Math.max(maximum, 1))} %"><rect class="track" width="100" height="8"/><rect class="fill" width="${Math.min(100, Math.round((1000 * value) / Math.max(maximum, 1)) / 10)}" height="8"/></svg>`;
}

function toolsSection({ tools, toolsets }: ReportData): Markup {
  const groups = toolsets
    .map((set) => ({ ...set, members: tools.filter(({ toolset }) => toolset === set.name) }))
    .filter(({ members }) => members.length > 0);
  return markup`<section id="tools">
<h2>Tools</h2>
<p class="scripted" hidden><input type="search" id="filter" placeholder="Filter by name, operation or words" aria-label="Filter the tools"> <button type="button" id="expand">Expand all</button> <output id="shown"></output></p>
${groups.map(({ title, members }) => markup`<h3>${title}</h3>\n${members.map(toolDetails)}`)}
</section>`;
}

function toolDetails(tool: ReportTool): Markup {
  const {
    name,
    title,
    description,
    operations,
    tokens,
    outputTokens,
    reasons,
    onError,
    readOnly,
    destructive,
  } = tool;
  return markup`<details class="tool" id="tool-${name}">
<summary><code>${name}</code> <span class="title">${title}</span> ${readOnly ? markup`<b class="tag">read-only</b>` : destructive ? markup`<b class="tag strong">destructive</b>` : markup`<b class="tag">writes</b>`} <span class="ops">${operations.join(", ")}</span> <span class="tokens">${thousands(tokens)} tokens</span></summary>
<p class="prose">${description}</p>
${inputsTable(tool)}
${Object.keys(onError).length > 0 && markup`<h4>Advice on errors</h4><dl>${Object.entries(onError).map(([status, advice]) => markup`<dt>${status}</dt><dd>${advice}</dd>`)}</dl>`}
${reasons.length > 0 && markup`<h4>How this tool was derived</h4><ul>${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}
<p><small>Of ${thousands(tokens)} tokens, ${thousands(outputTokens)} are the output schema.</small></p>
</details>
`;
}

function inputsTable({ inputs }: ReportTool): Markup {
  if (inputs.length === 0) return markup`<p>No inputs.</p>`;
  const source = (producers: readonly string[]): Markup =>
    markup`${producers.map((name, i) => markup`${i > 0 && ", "}<a href="#tool-${name}">${name}</a>`)}`;
  return markup`<table><thead><tr><th>input</th><th>required</th><th>description</th><th>producers</th></tr></thead><tbody>
${inputs.map(({ name, required, description, producers }) => markup`<tr><td><code>${name}</code></td><td>${required ? "yes" : ""}</td><td>${description}</td><td>${source(producers)}</td></tr>\n`)}</tbody></table>`;
}

function operationsSection(operations: readonly ReportOperation[]): Markup {
  return markup`<section id="operations">
<h2>Operations</h2>
<table><thead><tr><th>operation</th><th>operationId</th><th>tool or reason for omission</th></tr></thead><tbody>
${operations.map(({ operation, operationId, tools, reason }) => markup`<tr${tools.length === 0 && new Trusted(' class="omitted"')}><td><code>${operation}</code></td><td>${operationId}</td><td>${tools.map((name, i) => markup`${i > 0 && ", "}<a href="#tool-${name}">${name}</a>`)}${reason}</td></tr>\n`)}</tbody></table>
</section>`;
}

const ORDER = ["error", "warning", "info"] as const;
const HEADINGS = { error: "Errors", warning: "Warnings", info: "Notes" } as const;

function diagnosticsSection({ diagnostics, source }: ReportData): Markup {
  const groups = ORDER.map((severity) => ({
    severity,
    found: diagnostics.filter((d) => d.severity === severity),
  })).filter(({ found }) => found.length > 0);
  return markup`<section id="diagnostics">
<h2>Diagnostics</h2>
${groups.length === 0 && markup`<p>None.</p>`}
${groups.map(
  ({
    severity,
    found,
  }) => markup`<details class="diagnostics ${severity}"${severity !== "info" && new Trusted(" open")}><summary>${HEADINGS[severity]} <small>${found.length}</small></summary>
<ul>${found.map((d) => diagnosticItem(d, source))}</ul></details>\n`,
)}
</section>`;
}

function diagnosticItem({ message, hint, code, location }: Diagnostic, source: string): Markup {
  const where = formatLocation(location, source).replace(/: $/, "");
  return markup`<li>${message}. ${hint} ${where !== "" && markup`<code>${where}</code> `}<small>${code}</small></li>\n`;
}

function environmentSection({ environment }: ReportData): Markup {
  return markup`<section id="environment">
<h2>Environment of the server</h2>
${
  environment.length === 0
    ? markup`<p>The server needs no variables.</p>`
    : markup`<table><thead><tr><th>variable</th><th>required</th><th>description</th></tr></thead><tbody>
${environment.map(({ name, description, required, secret }) => markup`<tr><td><code>${name}</code></td><td>${required ? "yes" : ""}</td><td>${description}${secret && markup` <b class="tag">secret</b>`}</td></tr>\n`)}</tbody></table>`
}
</section>`;
}

function count(number: number, what: string): string {
  return `${thousands(number)} ${what}${number === 1 ? "" : "s"}`;
}

/** Formats a number as `12,345`, independent of the locale. */
function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
