export { readCuration, type ReadCuration } from "./read.js";
export type * from "./types.js";
