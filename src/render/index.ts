import type { ToolPlan } from "../plan/types.js";
import type { GeneratedFile, RenderOptions } from "./types.js";
export type * from "./types.js";
export async function render(_plan: ToolPlan, _options: RenderOptions = {}): Promise<readonly GeneratedFile[]> { throw new Error("render"); }
