import {
  configurationCodes,
  lintCodes,
  loadCodes,
  overlayCodes,
  planCodes,
  writeCodes,
} from "./codes.js";
import { sanitizeText } from "./text.js";
import { modelCodes } from "./model-codes.js";
import { workflowCodes } from "./workflow-codes.js";

/**
 * Severity of a diagnostic: `error` stops the run, `warning` reports a loss, `info` is for
 * information. `--strict` turns warnings into errors.
 */
export type Severity = "error" | "warning" | "info";

/** Severity of every diagnostic code. Each module has a file of its own in `codes/`. */
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
