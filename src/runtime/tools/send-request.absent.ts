/** Stands in for `send_request`, which is left out. */
import type { ApiDefinition } from "../api-definition.js";
import { leftOut } from "../left-out.js";
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
  _api: ApiDefinition,
  _isTaken: (name: string) => boolean,
): ToolDefinition {
  throw new Error(rawRequestsProblem);
}
