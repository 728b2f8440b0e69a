/**
 * Workflows: tasks of several requests. The generated code of a workflow is a plain function that
 * asks its `Flow` to send what each step sends, and decides what comes next; read one in
 * `src/workflows`.
 */
export { atLeast, atMost, equals, holds, lessThan, matches, moreThan } from "./conditions.js";
export { Flow, type Workflow } from "./flow.js";
export { defineSteps, defineWorkflowTool, workflow, type WorkflowDefinition } from "./tool.js";
export type { NestedResult, RetryPolicy, StepDefinition, StepResult } from "./types.js";
export { at, encoded, escaped, quoted, replaced, text, xml } from "./values.js";
