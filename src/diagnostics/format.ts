import { cleanText, oneLine } from "./clean.js";
import type { Severity } from "./codes.js";
import type { Diagnostic, Place } from "./diagnostic.js";

/** How diagnostics are printed. */
export interface FormatOptions {
  /** What the user typed for the document; stands where a place names no file. */
  readonly source?: string;
  /** Print every diagnostic, also when many have the same code. Default: false. */
  readonly verbose?: boolean;
  /** How many of one code are printed before the rest is counted. Default: 5. */
  readonly perCode?: number;
  /**
   * Paints the first word of a line; the caller knows whether there is a terminal. Default: no
   * colours.
   */
  readonly paint?: (severity: Severity, text: string) => string;
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
  const most = options.perCode ?? 5;
  // A rest of one is printed: the line that counts it would be as long.
  const shown = options.verbose || group.length <= most + 1 ? group : group.slice(0, most);
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
  const where = formatPlace(d.place, options.source);
  const hint = d.hint ? ` ${sentence(d.hint)}` : "";
  return `${severityWord(d, options)}: ${where}${sentence(d.message)}${hint} [${d.code}]`;
}

function severityWord(d: Diagnostic, options: FormatOptions): string {
  return options.paint ? options.paint(d.severity, d.severity) : d.severity;
}

/** `openapi.yaml:12:7 (#/paths/~1pets/get): `; nothing when there is no place. */
export function formatPlace(place: Place | undefined, source: string | undefined): string {
  if (!place) return "";
  const file = place.file ?? source;
  const at =
    place.line === undefined
      ? ""
      : `:${place.line}${place.column === undefined ? "" : `:${place.column}`}`;
  const position = file === undefined ? at.slice(1) : `${oneLine(file)}${at}`;
  const pointer = place.pointer === "#" || place.pointer === "" ? "" : oneLine(place.pointer);
  if (!position) return pointer ? `${pointer}: ` : "";
  return pointer ? `${position} (${pointer}): ` : `${position}: `;
}

function sentence(text: string): string {
  const line = oneLine(cleanText(text));
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
