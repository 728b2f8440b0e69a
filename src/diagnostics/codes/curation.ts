/**
 * Codes reported by `src/curation` and, for rules that name what the API does not have, by
 * `src/plan`.
 */
export const curationCodes = {
  "curation-syntax": "error",
  "curation-unknown-key": "error",
  "curation-invalid-value": "error",
  /** A rule names an operation that the document does not have. */
  "curation-operation": "error",
  /** Two rules for one operation. */
  "curation-twice": "error",
  /** A rule for a tool that does not exist. */
  "curation-tool": "error",
  /** Two tools with one name, or a name that a tool cannot have. */
  "curation-name": "error",
  /** An input, or a `{placeholder}` for one, that the tool does not have. */
  "curation-input": "error",
  /** `{tool:name}` of a tool that does not exist. */
  "curation-reference": "error",
  /** A parameter that no operation has. */
  "curation-parameter": "error",
  /** A field that the result does not have. */
  "curation-field": "error",
  /**
   * A value that the API would not take: a default of another type, a path without one of its
   * parts.
   */
  "curation-value": "error",
  /** Operations that cannot be one tool as a rule wants it. */
  "curation-merge": "error",
  /** Pages of what has none. */
  "curation-pagination": "error",
  /** A list whose next page the document does not say how to ask for. */
  "curation-pagination-way": "warning",
  /**
   * A name cannot be looked up as a rule wants it: no such tool or field, or the tool needs what
   * the call does not have.
   */
  "curation-resolve": "error",
  /** A selection rule that matches no operation. */
  "curation-match": "warning",
  /** An input that the API requires, and that is hidden without a value. */
  "curation-hidden-required": "warning",
  /** A part of `x-mcp` that cannot be used. */
  "curation-x-mcp": "warning",
  /** A rule for a workflow that does not exist. */
  "curation-workflow": "error",
  /** A rule for something that is left out. */
  "curation-no-effect": "info",
} as const;
