/** Record of the writes of a call, which may be a part of another one. */
import { jsonOf } from "../response/decode.js";
import { isPossibleWrite } from "../client/failures.js";
import type { DecodedResponse } from "./build-result.js";
import { revertingCall } from "./effects.js";
import type { PreparedCall } from "./send-authenticated.js";

/** Records a write that took effect, for a call that it is a part of. */
export function recordEffect(
  { server, call, operation, context }: PreparedCall,
  { response, content }: DecodedResponse,
): void {
  if (!isPossibleWrite(call)) return;
  const created = { url: call.request.url, headers: response.headers, body: jsonOf(content) };
  const revert = revertingCall(server.tools, operation, created);
  context.requests?.addEffect({ tool: call.tool.name, ...(revert !== undefined && { revert }) });
}
