import type { ReportData, ReportTool } from "./data.js";
import { breakable, code, prose, table, tag, thousands, toolLinks } from "./elements.js";
import { type Markup, markup } from "./markup.js";

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
  const tokens = thousands(tool.tokens);
  const outputTokens = thousands(tool.outputTokens);
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
  const tokens = markup`<span class="tokens">${thousands(tool.tokens)} tokens</span>`;
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

/** The rules that made the tool, and its operations with the tools that they would be alone. */
function derivation({ name, derivedFrom, reasons }: ReportTool): Markup {
  const isMerged = derivedFrom.length > 1 || derivedFrom.some(({ alone }) => alone?.tool !== name);
  const rows = derivedFrom.map(({ operation, operationId, evidence, alone }) => ({
    cells: [
      markup`${code(operation)}${operationId !== undefined && markup`<br>${code(operationId)}`}`,
      evidence !== undefined && prose(evidence),
      ...(isMerged
        ? [alone && markup`${code(alone.tool)}, ${thousands(alone.tokens)} tokens`]
        : []),
    ],
  }));
  const texts = derivedFrom.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const headings = ["operation", "effect", ...(isMerged ? ["own tool"] : [])];
  return markup`<h4>How this tool was derived</h4>
${reasons.length > 0 && markup`<ul>${reasons.map((reason) => markup`<li>${prose(reason)}</li>`)}</ul>`}
${table("sources", headings, rows)}
${texts.length > 0 && markup`<h4>Text in the document</h4>${texts.map((text) => markup`<p class="document">${prose(text)}</p>`)}`}`;
}
