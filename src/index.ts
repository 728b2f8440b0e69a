export { readConfiguration, type ConfigurationResult } from "./configuration/index.js";
export type { Configuration, ConfigurationFile } from "./configuration/types.js";
export {
  type Change,
  type ChangeClass,
  compareLocks,
  formatChanges,
  type Lock,
  type LockedTool,
  readLock,
  uncomparedParts,
} from "./diff/index.js";
export { type ApiSource, generateApis, type GenerateApisOptions } from "./generate-apis.js";
export { generate, type GenerateOptions, type GenerateResult } from "./generate.js";
export type { Diagnostic, SourceLocation } from "./diagnostics/index.js";
export type { PlannedTool, PlanOptions, ToolPlan } from "./plan/index.js";
export type { GeneratedFile } from "./render/index.js";
