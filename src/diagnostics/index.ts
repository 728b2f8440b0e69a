export { cleanText, oneLine, quoteText } from "./clean.js";
export { codes, type DiagnosticCode, type Severity } from "./codes.js";
export { diagnostic, isError, type Diagnostic, type Place } from "./diagnostic.js";
export { formatDiagnostic, formatDiagnostics, formatPlace, type FormatOptions } from "./format.js";
export { didYouMean, nearest } from "./nearest.js";
