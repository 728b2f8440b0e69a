import { groupBy } from "../groups.js";
import {
  apisCodes,
  configurationCodes,
  lintCodes,
  loadCodes,
  overlayCodes,
  planCodes,
  renderCodes,
  writeCodes,
} from "./codes.js";
import { modelCodes, workflowCodes } from "./document-codes.js";
import { sanitizeText, toSingleLine } from "./text.js";

/**
 * Severity of a diagnostic: `error` stops the run, `warning` reports a loss, `info` is for
 * information. `--strict` turns warnings into errors.
 */
export type Severity = "error" | "warning" | "info";

/** Severity of every diagnostic code. `codes.ts` and `document-codes.ts` list them by module. */
export const codes = {
  ...apisCodes,
  ...configurationCodes,
  ...lintCodes,
  ...loadCodes,
  ...overlayCodes,
  ...modelCodes,
  ...planCodes,
  ...workflowCodes,
  ...renderCodes,
  ...writeCodes,
} as const satisfies Record<string, Severity>;

export type DiagnosticCode = keyof typeof codes;

/** Location in a document. `line` and `column` are 1-based and filled in by `locate`. */
export interface SourceLocation {
  /** File as the user named it (`openapi.yaml`, `-`, a URL). Absent: the main document. */
  readonly file?: string;
  /** JSON Pointer as a URI fragment (RFC 6901): `#/paths/~1pets/get`. */
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
}

/** Finding about a document, a configuration or an output folder. Returned, never thrown. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence: the problem and its consequence. */
  readonly message: string;
  readonly location?: SourceLocation;
  /** Suggested fix as one imperative sentence. */
  readonly hint?: string;
}

/**
 * Creates a diagnostic. The severity comes from `codes`. Invisible characters are removed:
 * names of a document are part of many messages.
 */
export function diagnostic(
  code: DiagnosticCode,
  message: string,
  location?: SourceLocation,
  hint?: string,
): Diagnostic {
  return {
    code,
    severity: codes[code],
    message: sanitizeText(message),
    ...(location && { location }),
    ...(hint && { hint: sanitizeText(hint) }),
  };
}

/** True for a diagnostic of severity `error`. */
export function isError(d: Diagnostic): boolean {
  return d.severity === "error";
}

/** Options for printing diagnostics. */
export interface FormatOptions {
  /** Document as the user typed it; used where a location names no file. */
  readonly source?: string;
  /** Print every diagnostic on a separate line. Default: false. */
  readonly verbose?: boolean;
  /** Colors the severity at the start of a line. Default: no colors. */
  readonly colorize?: (severity: Severity, text: string) => string;
}

/** Different findings of one code that are printed one by one. */
const MAX_WARNINGS = 5;
const MAX_ERRORS = 20;

/**
 * Formats diagnostics for a terminal, grouped by code in the order of their first occurrence. A
 * finding that occurs several times is one line with a count and its first location. So is a code
 * with many different warnings. `verbose` prints each diagnostic.
 *
 * @returns lines that end with a line feed; the empty string without diagnostics
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: FormatOptions = {},
): string {
  const groups = groupBy(diagnostics, (d) => `${d.severity} ${d.code}`);
  const lines = [...groups.values()].flatMap((group) =>
    options.verbose === true
      ? group.map((d) => formatDiagnostic(d, options))
      : formatGroup(group, options),
  );
  return lines.map((line) => `${line}\n`).join("");
}

type Group = readonly [Diagnostic, ...Diagnostic[]];

/** Lines for the diagnostics of one code. Errors are never summarized by another one's message. */
function formatGroup(group: Group, options: FormatOptions): readonly string[] {
  const [first] = group;
  const findings = [
    ...groupBy(group, ({ message, hint }) => JSON.stringify([message, hint])).values(),
  ];
  const isError = first.severity === "error";
  if (!isError && findings.length > MAX_WARNINGS) {
    return [formatDiagnostic(first, options, `1 of ${group.length}; --verbose lists all`)];
  }
  const shown = findings.slice(0, isError ? MAX_ERRORS : MAX_WARNINGS);
  const lines = shown.map(([d, ...others]) =>
    formatDiagnostic(
      d,
      options,
      others.length > 0 ? `${others.length + 1} times; --verbose lists all` : undefined,
    ),
  );
  const rest = group.length - shown.flat().length;
  const more = `${formatSeverity(first, options)}: ${rest} more; --verbose lists all`;
  return rest > 0 ? [...lines, `${more} [${first.code}]`] : lines;
}

/**
 * Formats one diagnostic as `error: openapi.yaml:12:7 (#/paths/~1pets/get): Message. Hint. [code]`,
 * without a line feed.
 *
 * @param count how often it occurs, in words
 */
export function formatDiagnostic(
  d: Diagnostic,
  options: FormatOptions = {},
  count?: string,
): string {
  const prefix = formatLocation(d.location, options.source);
  const hint = d.hint ? ` ${endSentence(d.hint)}` : "";
  const suffix = count === undefined ? "" : ` (${count})`;
  return `${formatSeverity(d, options)}: ${prefix}${endSentence(d.message)}${hint}${suffix} [${d.code}]`;
}

function formatSeverity({ severity }: Diagnostic, { colorize }: FormatOptions): string {
  return colorize ? colorize(severity, severity) : severity;
}

/** `openapi.yaml:12:7 (#/paths/~1pets/get): `, or the empty string without a location. */
export function formatLocation(
  location: SourceLocation | undefined,
  source: string | undefined,
): string {
  if (!location) return "";
  const { file = source, line, column } = location;
  const coordinates = [line, column].filter((candidate) => candidate !== undefined).join(":");
  const names = [file === undefined ? "" : toSingleLine(file), coordinates];
  const position = names.filter((part) => part !== "").join(":");
  const isRoot = location.pointer === "#" || location.pointer === "";
  const pointer = isRoot ? "" : toSingleLine(location.pointer);
  if (!position) return pointer ? `${pointer}: ` : "";
  return pointer ? `${position} (${pointer}): ` : `${position}: `;
}

/** Text on one line that ends like a sentence. */
export function endSentence(text: string): string {
  const line = toSingleLine(sanitizeText(text));
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
