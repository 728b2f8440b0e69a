import { hash } from "node:crypto";
import {
  budgetSection,
  type Finding,
  findingsOf,
  findingsSection,
  toolsSection,
} from "./sections.js";
import type { ReportData, ReportOperation } from "./data.js";
import {
  breakable,
  code,
  count,
  markup,
  type Markup,
  plural,
  prose,
  table,
  tag,
  thousands,
  toolLinks,
  Markup as Trusted,
} from "./elements.js";
import { script, style } from "./assets.js";

export { reportData, type ReportData } from "./data.js";

/** Marks a page as a report, which the next report may replace. */
export const REPORT_MARKER = '<meta name="generator" content="mcp-gen report">';

/**
 * Renders the report as one HTML page without external resources. It is complete without scripts,
 * and document text is always escaped. The same data give the same page.
 */
export function reportPage(data: ReportData): string {
  const counts = `${count(data.tools.length, "tool")} from ${count(data.operations.length, "operation")}`;
  const findings = findingsOf(data);
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
${headerSection(data, findings)}
${FILTER}
${budgetSection(data)}
${toolsSection(data)}
${operationsSection(data.operations)}
${findingsSection(findings, data.source)}
${environmentSection(data)}
<footer>Token counts are estimates. Made by mcp-gen from ${breakable(data.source)}.</footer>
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

function headerSection(data: ReportData, findings: readonly Finding[]): Markup {
  const { api, operations, tools, toolsets, budget } = data;
  const served = operations.filter((operation) => operation.tools.length > 0).length;
  const errors = findings.filter(([{ severity }]) => severity !== "info").length;
  const notes = findings.length - errors;
  const tiles = [
    tile(served, plural(served, "operation"), `of ${thousands(operations.length)} in the document`),
    tile(tools.length, plural(tools.length, "tool"), `in ${count(toolsets.length, "toolset")}`),
    tile(budget.listTokens, "tokens", "in the list of all tools"),
    tile(errors, plural(errors, "warning"), `and ${count(notes, "note")}`),
  ];
  return markup`<header>
<h1>${breakable(api.title)} <small>${api.version}</small></h1>
<p class="prose">${prose(api.summary)}</p>
<ul class="tiles">
${tiles}</ul>
<nav aria-label="Sections">
<a href="#budget">Budget</a>
<a href="#tools">Tools</a>
<a href="#operations">Operations</a>
<a href="#diagnostics">Diagnostics</a>
<a href="#environment">Environment</a>
</nav>
</header>`;
}

function tile(figure: number, noun: string, note: string): Markup {
  return markup`<li><strong>${thousands(figure)}</strong> <span>${noun}</span> <small>${note}</small></li>\n`;
}

const FILTER = markup`<div class="find" role="search" hidden>
<input
  type="search"
  id="filter"
  placeholder="Search"
  aria-label="Search tools, operations and findings"
  aria-keyshortcuts="/"
>
<button type="button" id="expand">Expand all</button>
<output id="shown" for="filter"></output>
</div>`;

function operationsSection(operations: readonly ReportOperation[]): Markup {
  const rows = operations.map(({ operation, operationId, tools, reason }) => ({
    cells: [
      code(operation),
      operationId !== undefined && breakable(operationId),
      [toolLinks(tools), reason !== undefined && prose(withoutOperation(reason))],
    ],
    ...(tools.length === 0 && { className: "omitted" }),
  }));
  return markup`<section id="operations">
<h2>Operations</h2>
${table("operations", ["operation", "operationId", "tool"], rows)}
</section>`;
}

/** Reason for omission without the operation, which is in the row already. */
function withoutOperation(reason: string): string {
  return reason.replace(/^"(?:[^"\\]|\\.)*" (is )?/, "");
}

function environmentSection({ environment }: ReportData): Markup {
  const rows = environment.map(({ name, description, required, secret }) => ({
    cells: [
      code(name),
      required ? "yes" : "",
      [prose(description), secret && markup` ${tag("secret")}`],
    ],
  }));
  return markup`<section id="environment">
<h2>Environment of the server</h2>
${
  rows.length === 0
    ? markup`<p>The server needs no variables.</p>`
    : table("environment", ["variable", "required", "description"], rows)
}
</section>`;
}
