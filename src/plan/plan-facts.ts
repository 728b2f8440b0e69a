import type { Documented } from "./documentation.js";
import type { ApiModel } from "../model/types.js";
import type { ClassifiedOperation } from "./operations/types.js";
import type { PlanOptions } from "./options.js";
import type { BudgetPlan, PlannedTool } from "./types.js";

/** A finished plan, as far as options and rules shape it. */
export interface PlanFacts {
  readonly model: Pick<ApiModel, "operations" | "schemas"> & Documented;
  readonly options: PlanOptions;
  readonly selected: readonly ClassifiedOperation[];
  readonly tools: readonly PlannedTool[];
  readonly budget: BudgetPlan;
  /** Names of parameters that would not be inputs without a rule. */
  readonly shownInputs: ReadonlySet<string>;
}
