/**
 * Codes reported by `src/plan/lint`: what weakens a tool though nothing is wrong. `lint-` first.
 */
export const lintCodes = {
  /** The document says nothing about what an operation does. */
  "lint-no-description": "info",
  /** Two tools that a model cannot tell apart by their words. */
  "lint-same-description": "info",
  /** A name that does not say what is done to what. */
  "lint-generic-name": "info",
  /** Inputs of which only the name is known, and the name says little. */
  "lint-input-undescribed": "info",
  /** Values that say nothing, such as 1, 2 and 3, without a word about them. */
  "lint-enum-meaning": "info",
  /** More inputs than a model can weigh. */
  "lint-many-inputs": "info",
  /** A credential that the model would be asked for. */
  "lint-credential-input": "warning",
  /** A body of which anything may be sent. */
  "lint-untyped-body": "info",
  /** A result of which nothing is known. */
  "lint-untyped-output": "info",
  /** Operations that document no failure. */
  "lint-no-errors": "info",
} as const;
