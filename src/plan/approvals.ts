/** Tools whose writes the user must approve, as configured. */
import { suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { omitUndefined } from "../json.js";
import type { ApprovalScope } from "../runtime/api-definition.js";
import { needsApproval } from "../runtime/approvals/policy.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { PlanOptions } from "./options.js";
import type { PlannedTool } from "./types.js";

/** Marks the tools that ask in their texts, and lists the requests of workflows for the question. */
export function addApprovals(
  tools: readonly PlannedTool[],
  { configuration }: PlanOptions,
  diagnostics: DiagnosticCollector,
): readonly PlannedTool[] {
  const scope = approvalScope(tools, configuration);
  if (scope === undefined) return tools;
  reportUnknownNames(tools, configuration, diagnostics);
  const policy = {
    api: { approve: scope, envPrefix: "" },
    settings: { approvals: "ask" },
  } as const;
  return tools.map((tool) => {
    const { definition, text, workflow, operations } = tool;
    if (!needsApproval(definition, policy)) return tool;
    const writes = operations.filter(({ method }) => !["GET", "HEAD"].includes(method));
    const sends = workflow ? writes.map(({ method, path }) => `${method} ${path}`) : undefined;
    return {
      ...tool,
      text: { ...text, asksUser: true },
      definition: { ...definition, ...omitUndefined({ sends }) },
    };
  });
}

/** The scope of the API: as configured, else no tool, if a tool has its own. */
export function approvalScope(
  tools: readonly PlannedTool[],
  configuration: PlanOptions["configuration"],
): ApprovalScope | undefined {
  const hasOwn = tools.some(({ definition }) => (definition.approve ?? false) !== false);
  return configuration?.content.approve ?? (hasOwn ? [] : undefined);
}

function reportUnknownNames(
  tools: readonly PlannedTool[],
  configuration: PlanOptions["configuration"],
  diagnostics: DiagnosticCollector,
): void {
  const listed = configuration?.content.approve;
  if (typeof listed !== "object") return;
  const known = tools.map(({ definition }) => definition.name);
  for (const [i, name] of listed.entries()) {
    if (known.includes(name)) continue;
    diagnostics.add(
      "config-unknown-tool",
      `The tool ${quoteText(name)} of approve does not exist${suggestionFor(name, known) || "."}`,
      configuration?.locationOf(["approve", i]),
    );
  }
}
