export {
  codes,
  type Diagnostic,
  diagnostic,
  type DiagnosticCode,
  isError,
  type Severity,
  type SourceLocation,
  endSentence,
  formatDiagnostic,
  formatDiagnostics,
  formatLocation,
  type FormatOptions,
} from "./diagnostic.js";
export { closestMatch, quoteText, sanitizeText, suggestionFor, toSingleLine } from "./text.js";
