/** Codes reported by `src/workflow` and by the planning of workflows. */
export const workflowCodes = {
  /** Not an Arazzo document, or an unsupported version. */
  "workflow-version": "error",
  /** A key is missing, unknown or has an invalid value. */
  "workflow-structure": "error",
  /** A workflow with an error, which is left out; the message has the first one. */
  "workflow-omitted": "warning",
  /** Two workflows, steps or sources share a name. */
  "workflow-duplicate": "error",
  /** A reference to an undefined reusable object. */
  "workflow-reference": "error",
  /** An invalid runtime expression, or one without a target. */
  "workflow-expression": "error",
  /** A misspelled expression with only one possible meaning. */
  "workflow-expression-spelling": "warning",
  /** An expression refers to an undefined output, so its value is always absent. */
  "workflow-output": "warning",
  /** A condition that cannot be parsed. */
  "workflow-condition": "error",
  /** A comparison instead of a JSONPath query. */
  "workflow-comparison": "warning",
  /** A JSONPath version that is evaluated as RFC 9535. */
  "workflow-jsonpath-version": "warning",
  /** An expression uses an undeclared input. */
  "workflow-input": "warning",
  /** XPath is not supported. */
  "workflow-xpath": "error",
  /** AsyncAPI is not supported. */
  "workflow-asyncapi": "error",
  /** A source description that cannot be read. */
  "workflow-source": "error",
  /** An unreadable source is assumed to be the main document. */
  "workflow-source-assumed": "warning",
  /** A step names an operation that no source has. */
  "workflow-operation": "error",
  /** An operationId that differs from the document's in upper and lower case. */
  "workflow-operation-spelling": "warning",
  /** A reference to a step that does not exist. */
  "workflow-step": "error",
  /** A reference to a workflow that does not exist. */
  "workflow-unknown-workflow": "error",
  /** Workflows or steps that depend on each other in a cycle. */
  "workflow-cycle": "error",
  /** Too many workflows call each other in a row. */
  "workflow-depth": "error",
  /** A workflow with more steps than one call runs, or more conditions than compile. */
  "workflow-too-large": "error",
  /** Steps that never terminate. */
  "workflow-non-terminating": "error",
  /** A step that is never reached. */
  "workflow-unreachable": "warning",
  /** An unknown parameter, or a missing required one. */
  "workflow-parameter": "warning",
  /** A path parameter that is not in the path. */
  "workflow-parameter-location": "error",
  /** A request body that the operation does not accept. */
  "workflow-body": "warning",
  /** A field that has no effect. */
  "workflow-no-effect": "warning",
} as const;
