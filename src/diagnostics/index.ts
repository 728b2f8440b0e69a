export { sanitizeText, toSingleLine, quoteText } from "./text.js";
export { codes, type DiagnosticCode, type Severity } from "./diagnostic.js";
export { diagnostic, isError, type Diagnostic, type SourceLocation } from "./diagnostic.js";
export {
  formatDiagnostic,
  formatDiagnostics,
  formatLocation,
  type FormatOptions,
} from "./format.js";
export { suggestionFor, closestMatch } from "./text.js";
