/** The gate of one call: made before it, and asked for the outcome after it. */
import type { AnyTool, BuiltInTool, CallOutcome } from "../tools/definitions.js";
import { ApprovalGate, type ApprovalSession } from "./approval-gate.js";
import { createDryRunGate } from "./dry-run.js";
import type { ApprovalPolicy } from "./policy.js";
import { isWithheld, withheldOutcome, type WriteGate } from "./write-gate.js";

/** Sentence for the user who asks for approvals; undefined if they are possible. */
export const approvalsProblem: string | undefined = undefined;

/** The part of a server that a gate needs. */
export interface GateServer extends ApprovalPolicy {
  readonly settings: ApprovalPolicy["settings"] & { readonly dryRun: boolean };
}

/**
 * Creates the gate of a call; undefined if all writes are sent.
 * @param policyOf the server of a tool that the call calls, which may be one of another API
 * @param session approvals of the user. Absent: there are none, and nobody can be asked
 */
export function createGate(
  server: GateServer,
  policyOf: ConstructorParameters<typeof ApprovalGate>[0],
  session: ApprovalSession = { grants: new Map() },
): WriteGate | undefined {
  if (server.settings.dryRun) return createDryRunGate(server.api.envPrefix);
  return server.settings.approvals === "off" ? undefined : new ApprovalGate(policyOf, session);
}

/** Runs a call. If a write was withheld, the gate decides about the outcome. */
export async function settleGate(
  gate: WriteGate,
  tool: AnyTool | BuiltInTool,
  call: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const outcome = await call().catch((error: unknown) => {
    if (isWithheld(error)) return withheldOutcome(error);
    throw error;
  });
  return gate.settle(tool, outcome);
}
