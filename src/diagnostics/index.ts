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
  endSentence,
  formatDiagnostic,
  formatDiagnostics,
  formatLocation,
  type FormatOptions,
} from "./format.js";
export { closestMatch, quoteText, sanitizeText, suggestionFor, toSingleLine } from "./text.js";
