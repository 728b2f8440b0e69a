/**
 * Codes reported by `src/curation` and, for rules that name what the API does not have, by
 * `src/plan`.
 */
export const configurationCodes = {
  "config-syntax": "error",
  "config-unknown-key": "error",
  "config-invalid-value": "error",
  /** A rule names an operation that the document does not have. */
  "config-unknown-operation": "error",
  /** Two rules for one operation. */
  "config-duplicate-rule": "error",
  /** A rule for a tool that does not exist. */
  "config-unknown-tool": "error",
  /** Two tools with one name, or a name that a tool cannot have. */
  "config-tool-name": "error",
  /** An input, or a `{placeholder}` for one, that the tool does not have. */
  "config-unknown-input": "error",
  /** `{tool:name}` of a tool that does not exist. */
  "config-unknown-tool-reference": "error",
  /** A parameter that no operation has. */
  "config-unknown-parameter": "error",
  /** A field that the result does not have. */
  "config-unknown-field": "error",
  /**
   * A value that the API would not take: a default of another type, a path without one of its
   * parts.
   */
  "config-incompatible-value": "error",
  /** Operations that cannot be one tool as a rule wants it. */
  "config-merge": "error",
  /** Pages of what has none. */
  "config-pagination": "error",
  /** A list whose next page the document does not say how to ask for. */
  "config-pagination-method": "warning",
  /**
   * A name cannot be looked up as a rule wants it: no such tool or field, or the tool needs what
   * the call does not have.
   */
  "config-resolve": "error",
  /** A selection rule that matches no operation. */
  "config-no-match": "warning",
  /** An input that the API requires, and that is hidden without a value. */
  "config-hidden-required": "warning",
  /** A part of `x-mcp` that cannot be used. */
  "config-x-mcp": "warning",
  /** A rule for a workflow that does not exist. */
  "config-unknown-workflow": "error",
  /** A rule for something that is left out. */
  "config-no-effect": "info",
} as const;
