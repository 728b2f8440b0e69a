/** The gate of one call: made before it, and asked for the outcome after it. */
import { type ApprovalSession, createApprovalGate } from "../approvals/approval-gate.js";
import { createDryRunGate } from "../approvals/dry-run.js";
import type { ApprovalPolicy } from "../approvals/policy.js";
import { withheldOutcome, type WriteGate } from "../approvals/write-gate.js";
import type { AnyTool, BuiltInTool, CallOutcome } from "../tools/definitions.js";
import type { ToolInput } from "../types.js";
import type { CallContext } from "./send-authenticated.js";

/** The part of a server that a gate needs. */
interface GateServer extends ApprovalPolicy {
  readonly settings: ApprovalPolicy["settings"] & { readonly dryRun: boolean };
}

/**
 * Creates the gate of a call; undefined if all writes are sent.
 * @param policyOf the server of a tool that the call calls, which may be one of another API
 * @param session approvals of the user. Absent: there are none, and nobody can be asked
 */
export function createGate(
  server: GateServer,
  policyOf: (tool: Pick<AnyTool, "api">) => ApprovalPolicy,
  session?: ApprovalSession,
): WriteGate | undefined {
  if (server.settings.dryRun) return createDryRunGate(server.api.envPrefix);
  return server.settings.approvals === "off" ? undefined : createApprovalGate(policyOf, session);
}

/** Runs a call. If a write was withheld, the gate decides about the outcome. */
export async function settleGate(
  gate: WriteGate,
  tool: AnyTool | BuiltInTool,
  call: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const outcome = await call().catch((error: unknown) => {
    const withheld = withheldOutcome(error);
    if (withheld) return withheld;
    throw error;
  });
  return gate.settle(tool, outcome);
}

/** The context of a tool whose code sends requests, or the outcome if it must not run. */
export async function enterGate(
  tool: AnyTool,
  input: ToolInput,
  context: CallContext,
): Promise<CallContext | CallOutcome> {
  const runsCode = "run" in tool || "perform" in tool;
  if (!context.gate || !runsCode) return context;
  try {
    return { ...context, gate: await context.gate.enter(tool, input) };
  } catch (error) {
    const withheld = withheldOutcome(error);
    if (withheld) return withheld;
    throw error;
  }
}
