/** Codes reported by `src/plan`: kebab-case, `plan-` first. */
export const planCodes = {
  "plan-internal": "error",
  /** An option that is not what it must be: `--namespace`, `--package-name`, `--base-url`. */
  "plan-option": "error",
  /** A pattern of `--only` or `--skip` that matches nothing. */
  "plan-pattern": "error",
  /** Nothing is left to make tools of. */
  "plan-no-tools": "error",
  /** The tools cost more than the budget; what that means is for `budget.onExceed` to say. */
  "plan-budget-discovery": "info",
  "plan-budget-warning": "warning",
  "plan-budget-error": "error",
  /** A deprecated operation is left out. */
  "plan-deprecated": "info",
  /** An operation is left out by `--only`, `--skip` or `x-mcp`. */
  "plan-excluded": "info",
  /** An operation with a method that no client can send. */
  "plan-method": "warning",
  /** An answer to browsers alone (CORS). */
  "plan-preflight": "info",
  /** Two paths that differ only in the names of their parameters. */
  "plan-ambiguous-path": "warning",
  /** An operationId that says nothing; the tool is named by its path. */
  "plan-operation-id-ignored": "warning",
  /** Two operations with one name. */
  "plan-name-clash": "info",
  /** A parameter that is no input: credentials, headers that the server sets by itself. */
  "plan-parameter-hidden": "info",
  /** A body that cannot be sent with its method. */
  "plan-body-omitted": "warning",
  /** Another media type of a body that would have sent the same. */
  "plan-body-equivalent": "info",
  /** Another media type of a body that would have sent something else. */
  "plan-body-alternative": "warning",
  "plan-schema-keyword": "warning",
  "plan-schema-pattern": "warning",
  "plan-schema-enum": "warning",
  "plan-schema-property": "warning",
  "plan-schema-value": "warning",
  "plan-schema-depth": "warning",
  "plan-schema-size": "warning",
  /** Success responses that differ; the result may be any of them. */
  "plan-output-union": "info",
  /** The document names no server that can be called. */
  "plan-no-server": "warning",
  /** Path- or operation-level servers that cannot be called. */
  "plan-operation-server": "warning",
  /** Security schemes that no operation asks for. */
  "plan-security-unused": "info",
  /** An authentication scheme that needs more than a fixed value. */
  "plan-security-scheme": "warning",
  /** A requirement that names a scheme which does not exist. */
  "plan-security-undefined": "warning",
} as const;

/**
 * Codes reported by `src/plan/lint`: what weakens a tool though nothing is wrong. `lint-` first.
 */
export const lintCodes = {
  /** The document says nothing about what an operation does. */
  "lint-missing-description": "info",
  /** Two tools that a model cannot tell apart by their words. */
  "lint-duplicate-description": "info",
  /** A name that does not say what is done to what. */
  "lint-generic-name": "info",
  /** Inputs of which only the name is known, and the name says little. */
  "lint-undocumented-input": "info",
  /** Values that say nothing, such as 1, 2 and 3, without a word about them. */
  "lint-undocumented-enum": "info",
  /** More inputs than a model can weigh. */
  "lint-too-many-inputs": "info",
  /** A credential that the model would be asked for. */
  "lint-credential-input": "warning",
  /** A body of which anything may be sent. */
  "lint-untyped-body": "info",
  /** A result of which nothing is known. */
  "lint-untyped-output": "info",
  /** Operations that document no failure. */
  "lint-undocumented-errors": "info",
} as const;
