/** Codes reported by `src/plan`. */
export const planCodes = {
  "plan-internal": "error",
  /** An invalid option: `--namespace`, `--package-name`, `--base-url`. */
  "plan-option": "error",
  /** A pattern of `--only` or `--skip` that matches no operation. */
  "plan-pattern": "error",
  /** No operation is selected. */
  "plan-no-tools": "error",
  /** The tools exceed the budget. `budget.onExceed` selects the code. */
  "plan-budget-discovery": "info",
  "plan-budget-warning": "warning",
  "plan-budget-error": "error",
  /** A deprecated operation is excluded. */
  "plan-deprecated": "info",
  /** An operation is excluded by `--only`, `--skip` or `x-mcp`. */
  "plan-excluded": "info",
  /** An operation with an HTTP method that clients cannot send. */
  "plan-method": "warning",
  /** An operation that only answers CORS preflight requests. */
  "plan-preflight": "info",
  /** Two paths that differ only in parameter names. */
  "plan-ambiguous-path": "warning",
  /** An operationId without a usable name; the tool is named after the path. */
  "plan-operation-id-ignored": "warning",
  /** Two operations with the same name. */
  "plan-name-clash": "info",
  /** A parameter that is not an input: credentials, or headers that the server sets itself. */
  "plan-parameter-hidden": "info",
  /** A request body whose method does not allow one. */
  "plan-body-omitted": "warning",
  /** An alternative media type of a body with an equivalent encoding. */
  "plan-body-equivalent": "info",
  /** An alternative media type of a body with a different encoding. */
  "plan-body-alternative": "warning",
  "plan-schema-keyword": "warning",
  "plan-schema-pattern": "warning",
  "plan-schema-enum": "warning",
  "plan-schema-property": "warning",
  "plan-schema-value": "warning",
  "plan-schema-depth": "warning",
  "plan-schema-size": "warning",
  /** Success responses with different schemas; the result is a union. */
  "plan-output-union": "info",
  /** The document has no server URL that can be called. */
  "plan-no-server": "warning",
  /** The servers of a path or an operation cannot be called. */
  "plan-operation-server": "warning",
  /** Security schemes that no operation requires. */
  "plan-security-unused": "info",
  /** An authentication scheme that needs more than a static credential. */
  "plan-security-scheme": "warning",
  /** A security requirement names an undefined scheme. */
  "plan-security-undefined": "warning",
} as const;

/** Codes reported by `src/plan/lint`: weaknesses of tools whose definition is valid. */
export const lintCodes = {
  /** The document does not describe the operation. */
  "lint-missing-description": "info",
  /** Two tools share a description. */
  "lint-duplicate-description": "info",
  /** A tool name without a specific verb or noun. */
  "lint-generic-name": "info",
  /** Inputs without a description whose names are not self-explanatory. */
  "lint-undocumented-input": "info",
  /** Enum values without a documented meaning, such as 1, 2 and 3. */
  "lint-undocumented-enum": "info",
  /** More inputs than a model handles well. */
  "lint-too-many-inputs": "info",
  /** A credential among the inputs of a tool. */
  "lint-credential-input": "warning",
  /** A request body without a schema. */
  "lint-untyped-body": "info",
  /** A result without a schema. */
  "lint-untyped-output": "info",
  /** Operations without documented error responses. */
  "lint-undocumented-errors": "info",
} as const;
