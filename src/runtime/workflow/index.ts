/**
 * Workflows: tasks of several requests. The generated code of a workflow is a function that sends
 * the requests of its steps through a `WorkflowRun` and decides which step is next; see
 * `src/workflows`.
 */
export { valueAt } from "../data/values.js";
export {
  equals,
  greaterOrEqual,
  greaterThan,
  isTruthy,
  lessOrEqual,
  lessThan,
  matchesPattern,
} from "./values.js";
export type { Workflow, WorkflowRun } from "./run.js";
export {
  defineSteps,
  defineWorkflow,
  defineWorkflowTool,
  type WorkflowDefinition,
} from "./tool.js";
export type { NestedResult, RetryPolicy, StepDefinition, StepResult } from "./types.js";
export { applyReplacements } from "./values.js";
export { concatText, embedInJson, embedInJsonPath, embedInQuery, embedInXml } from "./values.js";
