import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { Findings } from "../findings.js";
import { isSame } from "../operation-key.js";
import type { PlannedTool } from "../types.js";
import { reportUnknownTool } from "./names.js";
import type { Rule } from "./rules.js";

/** Rules that no tool obeys: a mistake, or one about what is left out. */
export function reportLost(
  rules: readonly Rule[],
  tools: readonly PlannedTool[],
  owners: ReadonlyMap<PlannedTool, readonly Rule[]>,
  prefix: string,
  findings: Findings,
): void {
  const obeyed = new Set([...owners.values()].flat());
  for (const rule of rules) {
    if (obeyed.has(rule)) continue;
    if (rule.by === "workflow") reportUnknownWorkflow(rule, tools, findings);
    else if (isLeftOut(rule, tools))
      findings.add(
        "curation-no-effect",
        `The rule for ${rule.name ?? ""} has no effect: its operation is left out.`,
        rule.placeOf(),
      );
    else if (rule.by === "name") reportUnknownTool(rule, tools, prefix, findings);
  }
}

function reportUnknownWorkflow(
  { rule: { workflow = "" }, placeOf }: Rule,
  tools: readonly PlannedTool[],
  findings: Findings,
): void {
  const ids = tools.flatMap((tool) => tool.workflow?.id ?? []);
  findings.add(
    "curation-workflow",
    `There is no workflow ${quoteText(workflow)}${didYouMean(workflow, ids) || "."}`,
    placeOf("workflow"),
    ids.length > 0
      ? "Name it by its workflowId."
      : "Name its document under workflows, or by --workflow.",
  );
}

/** No tool has any of its operations. */
function isLeftOut({ operations }: Rule, tools: readonly PlannedTool[]): boolean {
  const isIn = (tool: PlannedTool): boolean =>
    tool.workflow === undefined &&
    tool.operations.some((one) => operations.some((operation) => isSame(one, operation)));
  return operations.length > 0 && !tools.some(isIn);
}
