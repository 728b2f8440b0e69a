export { decideEffects } from "./decide.js";
export { describeEvidence, explainEffects } from "./explain.js";
export type { Evidence, OperationEffects } from "./types.js";
