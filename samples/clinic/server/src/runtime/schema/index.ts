/** JSON Schema validation, and messages about its problems. */
export { compile, type Validator } from "./compile.js";
export { describeProblem, formatPath, relevantProblems } from "./describe-problem.js";
export type { Problem, PathSegment } from "./check.js";
export { formatValue } from "./describe-problem.js";
