import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  type Place,
} from "../diagnostics/index.js";

/**
 * A value, or the one problem that stands in its way. Problems of a document are values, never
 * exceptions.
 */
export type Outcome<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Diagnostic; readonly value?: undefined };

export function ok<T>(value: T): Outcome<T> {
  return { value };
}

/** See `diagnostic`. */
export function failed(
  code: DiagnosticCode,
  message: string,
  place?: Place,
  hint?: string,
): { readonly problem: Diagnostic } {
  return { problem: diagnostic(code, message, place, hint) };
}
