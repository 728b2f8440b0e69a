import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  type SourceLocation,
} from "../diagnostics/index.js";

/** A value, or the problem that prevents it. Problems of a document are returned, never thrown. */
export type Outcome<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Diagnostic; readonly value?: undefined };

export function success<T>(value: T): Outcome<T> {
  return { value };
}

/** Creates a failed outcome; for the parameters see `diagnostic`. */
export function failure(
  code: DiagnosticCode,
  message: string,
  location?: SourceLocation,
  hint?: string,
): { readonly problem: Diagnostic } {
  return { problem: diagnostic(code, message, location, hint) };
}
