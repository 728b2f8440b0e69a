/** Stands in for `send_request`, which is left out. */
import { leftOut } from "../left-out.js";
import type { ApiContext } from "../request/types.js";
import type { Redact } from "../response/redact.js";
import type { ToolDefinition } from "../types.js";
import type { AnyTool } from "./definitions.js";

/** Sentence for the user who asks for raw requests. */
export const rawRequestsProblem: string | undefined = leftOut("raw requests", "raw-requests");

/** No tool sends any request. */
export function sendsAnyRequest(_tool: AnyTool): boolean {
  return false;
}

/** @throws always */
export function createSendRequest(
  _context: Pick<ApiContext, "api" | "env">,
  _redact: Redact,
  _isTaken: (name: string) => boolean,
): ToolDefinition {
  throw new Error(rawRequestsProblem);
}
