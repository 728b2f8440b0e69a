import type { PlannedWorkflow, ToolPlan } from "../../plan/types.js";
import { json, jsonText } from "../code.js";
import { registryName } from "./packaging.js";
import type { PackageView } from "./views.js";

/**
 * Semantic Versioning 2.0.0, "FAQ: is there a suggested regular expression". Bounded, because the
 * text is the document's.
 */
const semver =
  /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z-]{1,40}(?:\.[0-9A-Za-z-]{1,40}){0,8})?$/;

/**
 * `package.json`. It can be published once it has a scope: until then its name may be somebody
 * else's.
 */
export function packageView(plan: ToolPlan): PackageView {
  return {
    name: json(plan.packageName),
    version: json(versionOf(plan)),
    description: jsonText(plan.summary),
    bin: json(commandName(plan)),
    mcpName: json(registryName(plan)),
    isPrivate: !plan.packageName.startsWith("@"),
    jsonPath: plan.workflows !== undefined && needsJsonPath(plan.workflows),
  };
}

/** The document's version where npm can read it. */
export function versionOf({ api }: ToolPlan): string {
  return semver.test(api.version) ? api.version : "0.0.0";
}

/** Whether some condition or value is a JSONPath query that the server has to evaluate itself. */
export function needsJsonPath(workflows: readonly PlannedWorkflow[]): boolean {
  return JSON.stringify(
    workflows.map(({ steps, outputs }) => [
      outputs,
      steps.map(({ step, input, outputs: own }) => [
        input,
        own,
        step.criteria,
        step.onSuccess.map((one) => [one.criteria, one.arguments]),
        step.onFailure.map((one) => [one.criteria, one.arguments]),
      ]),
    ]),
  ).includes('"jsonpath"');
}

/** The package's name without its scope. */
export function commandName(plan: ToolPlan): string {
  return plan.packageName.slice(plan.packageName.indexOf("/") + 1);
}
