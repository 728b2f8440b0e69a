import type { ToolPlan } from "../types.js";

/** The plan of one API of a server. */
export interface MemberPlan {
  /** Name of the API: `^[a-z][a-z0-9_]*$`. */
  readonly name: string;
  readonly plan: ToolPlan;
}
