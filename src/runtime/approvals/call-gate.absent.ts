/** Stands in for approvals, which are left out. */
import type { GateServer } from "./call-gate.js";
import { createDryRunGate } from "./dry-run.js";
import type { WriteGate } from "./write-gate.js";

/** Sentence for the user who asks for approvals. */
export const approvalsProblem: string | undefined =
  "This server was generated without approvals. Generate it again with approve: destructive " +
  "(or writes, or a list of tools) in mcp-gen.yaml, or with --features approvals.";

/** Creates the gate of a call; undefined if all writes are sent. */
export function createGate(server: GateServer, ..._: readonly unknown[]): WriteGate | undefined {
  return server.settings.dryRun ? createDryRunGate(server.api.envPrefix) : undefined;
}
