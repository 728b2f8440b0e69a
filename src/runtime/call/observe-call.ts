import type { CallToolResult } from "@modelcontextprotocol/server";
import { INTERNAL_ERROR } from "../errors/explain-failure.js";
import type { ServerContext } from "../server/context.js";
import { traceCall } from "../server/telemetry.js";
import { type CallOutcome, errorResult } from "../tools/outcome.js";
import type { CallContext } from "./prepared-call.js";

/** Runs a call with its span and its line in the log. An exception becomes an error result. */
export async function observeCall(
  { api, log }: ServerContext,
  tool: string,
  { carrier = {} }: CallContext,
  run: () => Promise<CallOutcome>,
): Promise<CallToolResult> {
  const startedAt = performance.now();
  const runSafely = (): Promise<CallOutcome> =>
    run().catch((error: unknown): CallOutcome => {
      log.error(`${tool} failed`, error);
      return errorResult("internal", INTERNAL_ERROR);
    });
  const { result, outcome, status, bytes, retries } = await traceCall(
    api,
    tool,
    carrier,
    runSafely,
  );
  const ms = Math.round(performance.now() - startedAt);
  log.call({ tool, outcome, ms, status, bytes, retries });
  return result;
}
