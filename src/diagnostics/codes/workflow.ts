/** Codes reported by `src/workflow` and by what plans workflows: kebab-case, `workflow-` first. */
export const workflowCodes = {
  /** No Arazzo document, or one of a version that is not served. */
  "workflow-version": "error",
  /** A key that is missing, unknown, or not of the form that Arazzo has it. */
  "workflow-structure": "error",
  /** Two things with one name where each needs its own. */
  "workflow-duplicate": "error",
  /** A reusable object that does not exist. */
  "workflow-reference": "error",
  /** A text that should be a runtime expression and is none, or one that leads to nothing. */
  "workflow-expression": "error",
  /** An expression that is not written as it should be, but can mean one thing only. */
  "workflow-expression-spelling": "warning",
  /**
   * An expression that leads to an output that its step or workflow does not have: its value is
   * never there.
   */
  "workflow-output": "warning",
  /** A condition that cannot be read. */
  "workflow-condition": "error",
  /** A comparison where a JSONPath query should stand. */
  "workflow-comparison": "warning",
  /** A version of JSONPath that is evaluated as another. */
  "workflow-jsonpath-version": "warning",
  /** An input that expressions name and the workflow does not declare. */
  "workflow-input": "warning",
  /** XPath. */
  "workflow-xpath": "error",
  /** Channels and operations of AsyncAPI. */
  "workflow-asyncapi": "error",
  /** A source description that cannot be read. */
  "workflow-source": "error",
  /** A source that could not be read, and was taken to be the document of this run. */
  "workflow-source-assumed": "warning",
  /** An operation that no source has. */
  "workflow-operation": "error",
  /** An operationId with other capitals than the document's. */
  "workflow-operation-spelling": "warning",
  /** A step that a workflow does not have. */
  "workflow-step": "error",
  /** A workflow that does not exist. */
  "workflow-unknown-workflow": "error",
  /** Workflows that call each other in a circle, or steps that wait for each other. */
  "workflow-cycle": "error",
  /** Steps from which nothing leads to an end. */
  "workflow-non-terminating": "error",
  /** Nothing leads to a step. */
  "workflow-unreachable": "warning",
  /** A parameter that the operation does not have, or one that it needs and does not get. */
  "workflow-parameter": "warning",
  /** A path parameter that the path has no place for. */
  "workflow-parameter-location": "error",
  /** A body where the operation has none, or of another media type. */
  "workflow-body": "warning",
  /** Something that only AsyncAPI steps have, or that means less here than it seems. */
  "workflow-no-effect": "warning",
} as const;
