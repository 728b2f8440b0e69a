/** Calls whose optional body was left out, although the API reads one. */
import { extractApiError } from "../errors/api-error/extract.js";
import {
  asksForBody,
  failsWithoutBody,
  needsSecondCall,
  takesEmptyBody,
} from "../errors/body-advice.js";
import { mapErrorsToInputs } from "../errors/input-errors.js";
import type { ApiCall, ApiResponse, BindResult } from "../request/types.js";
import type { OperationBinding } from "../types.js";
import type { RejectedCall, RepeatedCall } from "./rejected-call.js";
import type { PreparedCall } from "./send-authenticated.js";

const NOTE = "The API did not take the call without a body, so `{}` was sent.";

/**
 * True after a rejection whose message is about the JSON object that was not sent, because no input
 * of it was given. No input can send `{}` alone.
 */
function needsEmptyBody(call: ApiCall, response: ApiResponse): boolean {
  const { message } = mapErrorsToInputs(extractApiError(response), call);
  return takesEmptyBody(call, response.status) && asksForBody(call, message);
}

/**
 * The call with `{}` as its body, if the API rejected it without a body. After a call that may
 * create an empty thing, or that has failed because the body was absent, only the same call is sent
 * so.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatWithEmptyBody(
  { prepared, answered, response }: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, server } = answered;
  const { status } = response;
  // A fault may have had an effect, so that the agent decides about the second call.
  const isWanted = call.earlier?.hasFailed(status) === true;
  if (isWanted && failsWithoutBody(call, response)) return withEmptyBody(prepared, bind);
  if (!needsEmptyBody(call, response)) return undefined;
  if (!needsSecondCall(call, status)) return withEmptyBody(prepared, bind);
  server.successes.addFault(call, status);
  return undefined;
}

/**
 * The same call with `{}` as its body. It has the approval of the rejected request, which had no
 * effect: the user sees no difference between them.
 * @returns undefined if the request cannot be built
 */
function withEmptyBody(
  prepared: PreparedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, operation } = prepared;
  if (!operation.request.body) return undefined;
  const body = { ...operation.request.body, required: true, emptyByDefault: true as const };
  const request = { ...operation.request, body };
  const changed = { ...operation, request };
  const bound = bind(changed);
  if (!bound.ok) return undefined;
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  return { prepared: { ...prepared, operation: changed, call: repeated }, note: NOTE };
}
