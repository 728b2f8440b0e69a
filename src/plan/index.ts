import type { ApiModel } from "../model/types.js";
import type { PlanOptions, ToolPlan } from "./types.js";
export type * from "./types.js";
export function plan(_model: ApiModel, _options: PlanOptions = {}): ToolPlan { throw new Error("plan"); }
