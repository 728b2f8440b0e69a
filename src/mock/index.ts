export { documentInputs, type DocumentInput } from "./tool-inputs.js";
export { sampleInput, schemasOf, type SampledInput } from "./tool-inputs.js";
export { sample, type SampleOptions } from "./sample.js";
export { type AnySchema, type Direction, SchemaSet } from "./schema-set.js";
export { startMock } from "./server.js";
export type * from "./types.js";
