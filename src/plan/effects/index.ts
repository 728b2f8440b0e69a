export { decideEffects } from "./decide.js";
export type { Effect, Evidence, EvidenceSource, OperationEffects } from "./types.js";
