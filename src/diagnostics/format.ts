import { sanitizeText, toSingleLine } from "./text.js";
import type { Diagnostic, Severity, SourceLocation } from "./diagnostic.js";

/** How diagnostics are printed. */
export interface FormatOptions {
  /** What the user typed for the document; stands where a place names no file. */
  readonly source?: string;
  /** Print every diagnostic, also when many have the same code. Default: false. */
  readonly verbose?: boolean;
  /** How many of one code are printed before the rest is counted. Default: 5. */
  readonly maxPerCode?: number;
  /**
   * Paints the first word of a line; the caller knows whether there is a terminal. Default: no
   * colours.
   */
  readonly colorize?: (severity: Severity, text: string) => string;
}

/**
 * Text for a terminal, one line for each diagnostic, in the order of their first occurrence; lines
 * of one code stand together and are cut after `perCode`, with a count of the rest. Ends with a
 * line feed unless empty.
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: FormatOptions = {},
): string {
  const groups = new Map<string, Diagnostic[]>();
  for (const d of diagnostics) {
    const key = `${d.severity} ${d.code}`;
    const group = groups.get(key);
    if (group) group.push(d);
    else groups.set(key, [d]);
  }
  return [...groups.values()].map((group) => formatGroup(group, options)).join("");
}

function formatGroup(group: readonly Diagnostic[], options: FormatOptions): string {
  const limit = options.maxPerCode ?? 5;
  // A rest of one is printed: the line that counts it would be as long.
  const shown = options.verbose || group.length <= limit + 1 ? group : group.slice(0, limit);
  const lines = shown.map((d) => `${formatDiagnostic(d, options)}\n`);
  const first = group[0];
  if (first && shown.length < group.length) {
    lines.push(
      `${severityWord(first, options)}: and ${group.length - shown.length} more like these; --verbose lists them [${first.code}]\n`,
    );
  }
  return lines.join("");
}

/**
 * One line: `error: openapi.yaml:12:7 (#/paths/~1pets/get): What is wrong. What to do. [code]`. No
 * line feed at the end.
 */
export function formatDiagnostic(d: Diagnostic, options: FormatOptions = {}): string {
  const prefix = formatLocation(d.location, options.source);
  const hint = d.hint ? ` ${sentence(d.hint)}` : "";
  return `${severityWord(d, options)}: ${prefix}${sentence(d.message)}${hint} [${d.code}]`;
}

function severityWord(d: Diagnostic, options: FormatOptions): string {
  return options.colorize ? options.colorize(d.severity, d.severity) : d.severity;
}

/** `openapi.yaml:12:7 (#/paths/~1pets/get): `; nothing when there is no place. */
export function formatLocation(
  location: SourceLocation | undefined,
  source: string | undefined,
): string {
  if (!location) return "";
  const file = location.file ?? source;
  const lineAndColumn =
    location.line === undefined
      ? ""
      : `:${location.line}${location.column === undefined ? "" : `:${location.column}`}`;
  const position =
    file === undefined ? lineAndColumn.slice(1) : `${toSingleLine(file)}${lineAndColumn}`;
  const pointer =
    location.pointer === "#" || location.pointer === "" ? "" : toSingleLine(location.pointer);
  if (!position) return pointer ? `${pointer}: ` : "";
  return pointer ? `${position} (${pointer}): ` : `${position}: `;
}

function sentence(text: string): string {
  const line = toSingleLine(sanitizeText(text));
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
