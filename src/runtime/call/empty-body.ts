/** Calls whose optional body was left out, although the API reads one. */
import { isJson } from "../data/media-types.js";
import { extractApiError } from "../errors/api-error/extract.js";
import { asksForBody } from "../errors/advice.js";
import type { ApiCall, Failure } from "../request/types.js";
import { addFacts } from "../response/result-facts.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { OperationBinding } from "../types.js";
import type { RunningCall } from "./send-authenticated.js";

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
    asksForBody(call, extractApiError(failure.response).message)
  );
}

/** The operation with `{}` as its body where no field is given. */
export function withEmptyBody(operation: OperationBinding): OperationBinding {
  const { request } = operation;
  if (!request.body) return operation;
  const body = { ...request.body, required: true, emptyByDefault: true as const };
  return { ...operation, request: { ...request, body } };
}

/** Repeats a call with `{}` as its body, and says so in a result. */
export async function callWithEmptyBody(
  running: RunningCall,
  callOperation: (running: RunningCall) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const outcome = await callOperation({ ...running, sendsEmptyBody: true });
  if (outcome.result.isError) return outcome;
  return { ...outcome, ...addFacts(outcome, { notes: [NOTE] }, running.info.tool.outputSchema) };
}
