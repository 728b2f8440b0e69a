/** A request of another tool within a call, with the response as the API sent it. */
import { bindRequest } from "../request/bind-request.js";
import { isFailure } from "../request/types.js";
import { decodeContent, type DecodedResponse } from "./build-result.js";
import type { NestedCall } from "./called-tool.js";
import { createApiCall, selectOperation } from "./select-operation.js";
import { type PreparedCall, sendAuthenticated } from "./send-authenticated.js";

/** A response, or the status of a failure; 0 without a response. */
export type ReadThing =
  | {
      readonly ok: true;
      readonly prepared: PreparedCall;
      readonly decoded: DecodedResponse;
      readonly secrets: readonly string[];
    }
  | { readonly ok: false; readonly status: number };

/** Sends the request of a nested call once. */
export async function readThing(nested: NestedCall): Promise<ReadThing> {
  const { server, info } = nested;
  const { tool, input } = info;
  const selected = selectOperation(tool, input);
  if (!selected.ok) return { ok: false, status: 0 };
  const { operation } = selected;
  const bound = bindRequest(operation.request, input, server.apiContext);
  if (!bound.ok) return { ok: false, status: 0 };
  const call = createApiCall(server, tool, operation, input, bound.request);
  const prepared = { ...nested, call, operation };
  const { response, secrets } = await sendAuthenticated(prepared, { retry: false });
  const decoded = await decodeContent(prepared, response, undefined);
  if ("outcome" in decoded) return { ok: false, status: isFailure(response) ? 0 : response.status };
  return { ok: true, prepared, decoded, secrets };
}
