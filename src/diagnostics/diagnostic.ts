import { configurationCodes } from "./codes/configuration.js";
import { loadCodes, overlayCodes } from "./codes/load.js";
import { modelCodes } from "./codes/model.js";
import { lintCodes, planCodes } from "./codes/plan.js";
import { workflowCodes } from "./codes/workflow.js";
import { writeCodes } from "./codes/write.js";

/**
 * `error` stops the run, `warning` is a loss or a weakening, `info` is worth knowing. `--strict`
 * raises warnings to errors.
 */
export type Severity = "error" | "warning" | "info";

/**
 * Every code that mcp-gen can report, with its severity. One file per room, so that a code has one
 * owner.
 */
export const codes = {
  ...configurationCodes,
  ...lintCodes,
  ...loadCodes,
  ...overlayCodes,
  ...modelCodes,
  ...planCodes,
  ...workflowCodes,
  ...writeCodes,
} as const satisfies Record<string, Severity>;

export type DiagnosticCode = keyof typeof codes;

/**
 * Where in a document something stands. `line` and `column` are 1-based and filled in by `locate`.
 */
export interface SourceLocation {
  /** The file as the user named it (`openapi.yaml`, `-`, a URL). Absent: the main document. */
  readonly file?: string;
  /** RFC 6901 pointer, starting with `#` (`#/paths/~1pets/get`). */
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * One finding about a document, a configuration or an output folder. A value, never an exception.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /**
   * One plain sentence: what is wrong and what was done about it. No stack traces, no control
   * characters.
   */
  readonly message: string;
  readonly location?: SourceLocation;
  /** What the reader can do, as one imperative sentence. */
  readonly hint?: string;
}

/**
 * Makes a diagnostic. The severity comes from the registry of codes.
 * @param code a key of `codes`
 * @param message one sentence; the caller writes it, the terminal cleans it
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
    message,
    ...(location && { location }),
    ...(hint && { hint }),
  };
}

/** True when a diagnostic makes the document unusable. */
export function isError(d: Diagnostic): boolean {
  return d.severity === "error";
}
