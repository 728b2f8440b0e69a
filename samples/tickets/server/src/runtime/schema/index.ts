/** JSON Schema: checking a value, and saying what is wrong with it. */
export { compile, type Validator } from "./compile.js";
export { describe, pathName, worthTelling } from "./describe.js";
export type { Problem, Step } from "./problem.js";
export { show } from "./show.js";
