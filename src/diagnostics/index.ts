export { codes, type DiagnosticCode, type Severity } from "./codes.js";
export { didYouMean, nearest } from "./nearest.js";
export { diagnostic, isError, type Diagnostic, type Place } from "./diagnostic.js";
