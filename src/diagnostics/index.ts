export {
  codes,
  type Diagnostic,
  diagnostic,
  type DiagnosticCode,
  isError,
  type Severity,
  type SourceLocation,
} from "./diagnostic.js";
export {
  formatDiagnostic,
  formatDiagnostics,
  formatLocation,
  type FormatOptions,
} from "./format.js";
export { closestMatch, quoteText, sanitizeText, suggestionFor, toSingleLine } from "./text.js";
