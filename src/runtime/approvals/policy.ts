/** The tools whose writes the user must approve. */
import type { ApprovalScope } from "../api-definition.js";
import type { ToolDefinition } from "../types.js";

/** `ask`: through the client; `refuse`: nothing that needs approval is sent; `off`: all is sent. */
export const approvalModes = ["ask", "refuse", "off"] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** The part of a server that decides about approvals. */
export interface ApprovalPolicy {
  readonly api: {
    readonly approve?: ApprovalScope;
    readonly envPrefix: string;
    readonly title?: string;
  };
  readonly settings: { readonly approvals: ApprovalMode };
}

/** True if writes of a tool need the user's approval. */
export function needsApproval(
  { name, annotations, approve }: Pick<ToolDefinition, "name" | "annotations" | "approve">,
  { api, settings }: ApprovalPolicy,
): boolean {
  if (settings.approvals === "off" || annotations.readOnlyHint) return false;
  if (approve !== undefined) return approve !== false;
  const scope = api.approve ?? "destructive";
  if (scope === "writes") return true;
  return scope === "destructive" ? annotations.destructiveHint : scope.includes(name);
}
