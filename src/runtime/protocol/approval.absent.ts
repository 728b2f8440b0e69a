/** Stands in for questions to the user about a call, which nothing asks. */
import type { CallToolResult, Result } from "@modelcontextprotocol/server";

type AskingCall = { readonly [name: string]: unknown } & { run(): Promise<CallToolResult> };

export function callWithApproval(_app: unknown, call: AskingCall): Promise<Result> {
  return call.run();
}
