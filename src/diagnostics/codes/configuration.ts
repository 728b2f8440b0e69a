/** Codes reported by `src/configuration` and by the part of `src/plan` that applies it. */
export const configurationCodes = {
  "config-syntax": "error",
  "config-unknown-key": "error",
  "config-invalid-value": "error",
  /** A rule names an operation that is not in the document. */
  "config-unknown-operation": "error",
  /** Two rules configure the same operation. */
  "config-duplicate-rule": "error",
  /** A rule names a tool that does not exist. */
  "config-unknown-tool": "error",
  /** Two tools have the same name, or a name is not allowed. */
  "config-tool-name": "error",
  /** A rule or a `{placeholder}` names an input that the tool does not have. */
  "config-unknown-input": "error",
  /** `{tool:name}` refers to a tool that does not exist. */
  "config-unknown-tool-reference": "error",
  /** A rule names a parameter that no operation has. */
  "config-unknown-parameter": "error",
  /** A rule names a field that the result does not have. */
  "config-unknown-field": "error",
  /** A value that the input does not accept, or a hidden part of a path. */
  "config-incompatible-value": "error",
  /** The configured operations cannot be merged into one tool. */
  "config-merge": "error",
  /** Pagination is configured for an operation without pages. */
  "config-pagination": "error",
  /** Pagination is configured, but the document does not describe how to request the next page. */
  "config-pagination-method": "warning",
  /** A name cannot be looked up as configured: unknown tool or field, or missing inputs. */
  "config-resolve": "error",
  /** A selection rule matches no operation. */
  "config-no-match": "warning",
  /** A required input is hidden without a value. */
  "config-hidden-required": "warning",
  /** An invalid part of an `x-mcp` extension. */
  "config-x-mcp": "warning",
  /** A rule names a workflow that does not exist. */
  "config-unknown-workflow": "error",
  /** A rule for an excluded operation or tool. */
  "config-no-effect": "info",
} as const;
