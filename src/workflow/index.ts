export { linkWorkflows, type LinkResult } from "./link.js";
export { readWorkflows, type WorkflowReadResult } from "./read-document.js";
export { effectiveActions } from "./step-graph.js";
export { expressionsInStep } from "./walk-expressions.js";
export { matchDeclaredName } from "./expression.js";
export { toJsonPointer, isSingularQuery, selectPointers } from "./json-path.js";
export type * from "./types.js";
