/** The gate of one call: made before it, and asked for the outcome after it. */
import { type AnyTool, type BuiltInTool, type CallOutcome } from "../tools/definitions.js";
import { DryRunGate } from "./dry-run.js";
import type { WriteGate } from "./write-gate.js";

/** The part of a server that a gate needs. */
interface GateServer {
  readonly api: { readonly envPrefix: string };
  readonly settings: { readonly dryRun: boolean };
}

/** Creates the gate of a call; undefined if all writes are sent. */
export function createGate({ settings }: GateServer): WriteGate | undefined {
  return settings.dryRun ? new DryRunGate() : undefined;
}

/** Runs a call, and replaces its outcome if a write was withheld, whatever it made of that. */
export async function settleGate(
  gate: WriteGate,
  { api }: GateServer,
  tool: AnyTool | BuiltInTool,
  call: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const outcome = await call().catch((error: unknown) => {
    if (gate.hasWithheld) return withheldOutcome();
    throw error;
  });
  const isSequence = "run" in tool || "perform" in tool;
  const setting = `--dry-run and ${api.envPrefix}_DRY_RUN`;
  return gate instanceof DryRunGate
    ? gate.outcome(tool.name, setting, isSequence, outcome)
    : outcome;
}

/**
 * The outcome of a part of a call whose write was withheld. The whole call has another. It is not an
 * error, so that the parts after it are seen, too.
 */
export const withheldOutcome = (): CallOutcome => ({
  outcome: "dry_run",
  result: { content: [{ type: "text", text: "Not sent." }] },
});
