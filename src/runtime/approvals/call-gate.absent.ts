/** Stands in for approvals, which are left out. */
import { leftOut } from "../left-out.js";
import type { GateServer } from "./call-gate.js";
import { createDryRunGate } from "./dry-run.js";
import type { WriteGate } from "./write-gate.js";

/** Sentence for the user who asks for approvals. */
export const approvalsProblem: string | undefined = leftOut("approvals", "approvals");

/** Creates the gate of a call; undefined if all writes are sent. */
export function createGate(server: GateServer, ..._: readonly unknown[]): WriteGate | undefined {
  return server.settings.dryRun ? createDryRunGate(server.api.envPrefix) : undefined;
}
