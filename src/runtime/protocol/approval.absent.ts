/** Stands in for questions to the user about a call, which nothing asks. */
import type { Result } from "@modelcontextprotocol/server";
import type { ServerContext } from "../server/context.js";
import type { AskingCall } from "./approval.js";

export function callWithApproval(_app: ServerContext, call: AskingCall): Promise<Result> {
  return call.run({ grants: new Map() });
}
