export { documentInputs, type DocumentInput } from "./document-input.js";
export { sampleInput, schemasOf, type SampledInput } from "./input.js";
export { sample, type SampleOptions } from "./sample.js";
export { type AnySchema, type Direction, SchemaSet } from "./schemas.js";
export { startMock } from "./server.js";
export type * from "./types.js";
