import type { DiagnosticCode, Place } from "../diagnostics/index.js";

/** Notes a finding; gives nothing, so that a function can report and return at once. */
export type Report = (
  code: DiagnosticCode,
  message: string,
  place: Place,
  hint?: string,
) => undefined;
