/**
 * Workflows: tasks of several requests. The generated code of a workflow is a plain function that
 * asks its `Flow` to send what each step sends, and decides what comes next; read one in
 * `src/workflows`.
 */
export {
  greaterOrEqual,
  lessOrEqual,
  equals,
  isTruthy,
  lessThan,
  matchesPattern,
  greaterThan,
} from "./conditions.js";
export { WorkflowRun, type Workflow } from "./run.js";
export {
  defineSteps,
  defineWorkflowTool,
  defineWorkflow,
  type WorkflowDefinition,
} from "./tool.js";
export type { NestedResult, RetryPolicy, StepDefinition, StepResult } from "./types.js";
export {
  valueAt,
  embedInQuery,
  embedInJsonPath,
  embedInJson,
  applyReplacements,
  concatText,
  embedInXml,
} from "./values.js";
