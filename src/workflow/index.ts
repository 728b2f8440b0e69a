export { link, type Linking } from "./link.js";
export { readWorkflows, type ReadWorkflows } from "./read.js";
export { effective } from "./order.js";
export { inStep } from "./walk.js";
export { declared } from "./expression.js";
export { asPointer, isSingular, pointersTo } from "./patterns.js";
export type * from "./linked.js";
export type * from "./types.js";
