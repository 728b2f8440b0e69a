import { type Diagnostic, endSentence, formatLocation } from "../../diagnostics/index.js";
import type { ReportData } from "./data.js";
import { breakable, code, prose } from "./elements.js";
import { type Markup, markup, Markup as Trusted } from "./markup.js";

/** Locations of one finding that are shown at once. */
const MAX_PLACES = 3;

const ORDER = ["error", "warning", "info"] as const;
const HEADINGS = { error: "Errors", warning: "Warnings", info: "Notes" } as const;

/** Diagnostics with the same text, which differ only in their locations. */
export type Finding = readonly [Diagnostic, ...Diagnostic[]];

/**
 * Findings of the document, each once. Omitted operations have their reason in the table of
 * operations, and the budget has a section of its own.
 */
export function findingsOf({ diagnostics, operations }: ReportData): readonly Finding[] {
  const reasons = new Set(operations.map(({ reason }) => reason));
  const found = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const diagnostic of diagnostics) {
    const { code: key, message, hint, severity } = diagnostic;
    if (key.startsWith("plan-budget-") || (severity === "info" && reasons.has(message))) continue;
    const text = JSON.stringify([key, message, hint]);
    const finding = found.get(text);
    if (finding) finding.push(diagnostic);
    else found.set(text, [diagnostic]);
  }
  return [...found.values()];
}

/** Findings by severity and code. */
export function findingsSection(findings: readonly Finding[], source: string): Markup {
  const groups = ORDER.map((severity) => {
    const members = findings.filter(([first]) => first.severity === severity);
    return members.length > 0 && severityGroup(severity, members, source);
  });
  return markup`<section id="diagnostics">
<h2>Diagnostics</h2>
${findings.length === 0 && markup`<p>None.</p>`}
${groups}
</section>`;
}

function severityGroup(
  severity: Diagnostic["severity"],
  findings: readonly Finding[],
  source: string,
): Markup {
  const open = severity !== "info" && new Trusted(" open");
  const codes = [...new Set(findings.map(([first]) => first.code))];
  return markup`<details class="diagnostics group ${severity}"${open}>
<summary>${HEADINGS[severity]} <small>${findings.length}</small></summary>
${codes.map((key) =>
  codeGroup(
    key,
    findings.filter(([first]) => first.code === key),
    source,
  ),
)}</details>\n`;
}

function codeGroup(key: string, findings: readonly Finding[], source: string): Markup {
  return markup`<div class="group">
<h3>${code(key)} <small>${findings.length}</small></h3>
<ul>${findings.map((finding) => findingItem(finding, source))}</ul>
</div>\n`;
}

function findingItem(finding: Finding, source: string): Markup {
  const [{ message, hint = "" }] = finding;
  const places = finding
    .map(({ location }) => formatLocation(location, source).replace(/: $/, ""))
    .filter((place) => place !== "");
  return markup`<li class="finding">${prose(endSentence(message))} ${suggestion(hint)} ${placeList(places)}</li>\n`;
}

/** Advice; a line to copy stands on its own. */
function suggestion(hint: string): Markup {
  const [, where, line] = /^(In mcp-gen\.yaml|As an overlay action): ([^]*)$/.exec(hint) ?? [];
  if (where === undefined || line === undefined)
    return markup`${hint !== "" && prose(endSentence(hint))}`;
  return markup`${where}: <code class="fix">${breakable(line)}</code>`;
}

function placeList(places: readonly string[]): Markup {
  const rest = places.slice(MAX_PLACES);
  const list = (shown: readonly string[]): readonly Markup[] =>
    shown.map((place) => markup`<small class="places">${code(place)}</small>`);
  return markup`${list(places.slice(0, MAX_PLACES))}${
    rest.length > 0 &&
    markup`<details class="places"><summary>${rest.length} more</summary>${list(rest)}</details>`
  }`;
}
