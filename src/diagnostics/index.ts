export { codes, type DiagnosticCode, type Severity } from "./codes.js";
export { diagnostic, isError, type Diagnostic, type Place } from "./diagnostic.js";
