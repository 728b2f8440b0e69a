/** A request of another tool within a call, with the response as the API sent it. */
import { bindRequest } from "../request/bind-request.js";
import { bindUrl } from "../request/bind-url.js";
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

/**
 * Sends the request of a nested call once.
 * @param nested its `url` is read in place of the one of its input
 */
export async function readThing(
  nested: NestedCall & { readonly url?: string },
): Promise<ReadThing> {
  const { server, info, url } = nested;
  const { tool, input } = info;
  const selected = selectOperation(tool, input);
  if (!selected.ok) return { ok: false, status: 0 };
  const { operation } = selected;
  const bound =
    url === undefined
      ? bindRequest(operation.request, input, server.apiContext)
      : bindUrl(operation.request, url, server.apiContext);
  if (!bound.ok) return { ok: false, status: 0 };
  const call = createApiCall(nested, tool, operation, input, bound.request);
  const prepared = { ...nested, call, operation };
  const { response, secrets } = await sendAuthenticated(prepared, { retry: false });
  const decoded = await decodeContent(prepared, response, undefined);
  const failure = "outcome" in decoded ? decoded.failure : undefined;
  // The state of failed work may be nothing but an error.
  if (url !== undefined && failure?.kind === "refused") {
    const content = { kind: "json", value: failure.value, isPlainAscii: false } as const;
    return { ok: true, prepared, decoded: { response: failure.response, content }, secrets };
  }
  if ("outcome" in decoded) return { ok: false, status: isFailure(response) ? 0 : response.status };
  return { ok: true, prepared, decoded, secrets };
}
