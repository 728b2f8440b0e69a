/** Calls whose optional body was left out, although the API reads one. */
import { isJson } from "../data/media-types.js";
import { extractApiError } from "../errors/api-error/extract.js";
import { asksForBody } from "../errors/advice.js";
import { mapErrorsToInputs } from "../errors/input-errors.js";
import type { ApiCall, BindResult, Failure } from "../request/types.js";
import { addFacts } from "../response/result-facts.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { OperationBinding } from "../types.js";
import type { PreparedCall } from "./send-authenticated.js";

/** Statuses with which an API rejects a request before it does anything. */
const REJECTIONS = new Set([400, 411, 415, 422]);

const NOTE = "The API asked for a body, so `{}` was sent.";

/**
 * True after a rejection whose message is about the JSON object that was not sent, because no input
 * of it was given. No input can send `{}` alone.
 */
export function needsEmptyBody(call: ApiCall, failure: Failure): boolean {
  if (failure.kind !== "status" || !REJECTIONS.has(failure.response.status)) return false;
  const { body } = call.mapping;
  return (
    body?.fields !== undefined &&
    body.from === undefined &&
    isJson(body.contentType) &&
    asksForBody(call, mapErrorsToInputs(extractApiError(failure.response), call).message)
  );
}

/**
 * The same call with `{}` as its body. It has the approval of the rejected request, which had no
 * effect: the user sees no difference between them.
 * @param bind binds the inputs of the call to an operation
 * @returns undefined if the request cannot be built
 */
export function withEmptyBody(
  prepared: PreparedCall,
  bind: (operation: OperationBinding) => BindResult,
): PreparedCall | undefined {
  const { call, operation } = prepared;
  if (!operation.request.body) return undefined;
  const body = { ...operation.request.body, required: true, emptyByDefault: true as const };
  const request = { ...operation.request, body };
  const changed = { ...operation, request };
  const bound = bind(changed);
  if (!bound.ok) return undefined;
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  return { ...prepared, operation: changed, call: repeated };
}

/** Says in a result that `{}` was sent. */
export function addEmptyBodyNote(
  outcome: CallOutcome,
  outputSchema: PreparedCall["call"]["tool"]["outputSchema"],
): CallOutcome {
  if (outcome.result.isError) return outcome;
  return { ...outcome, ...addFacts(outcome, { notes: [NOTE] }, outputSchema) };
}
