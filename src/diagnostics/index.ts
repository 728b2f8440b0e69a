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
  formatCount,
  formatNumber,
  quoteText,
  sanitizeText,
  suggestionFor,
  toSingleLine,
  TYPE_PHRASES,
} from "./text.js";
export { joinFirst } from "../runtime/data/values.js";
