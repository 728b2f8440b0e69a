import { codes, type DiagnosticCode, type Severity } from "./codes.js";

/**
 * Where in a document something stands. `line` and `column` are 1-based and filled in by `locate`.
 */
export interface Place {
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
  readonly place?: Place;
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
  place?: Place,
  hint?: string,
): Diagnostic {
  return { code, severity: codes[code], message, ...(place && { place }), ...(hint && { hint }) };
}

/** True when a diagnostic makes the document unusable. */
export function isError(d: Diagnostic): boolean {
  return d.severity === "error";
}
