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
export {
  closestMatch,
  describeType,
  joinFirst,
  quoteText,
  sanitizeText,
  suggestionFor,
  toSingleLine,
  TYPE_PHRASES,
} from "./text.js";
