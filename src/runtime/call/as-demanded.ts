/** Values in the form in which the message of an API demands them, sent by the same call. */
import { extractApiError } from "../errors/api-error/extract.js";
import { type ApiErrorByInput, mapErrorsToInputs } from "../errors/input-errors.js";
import { hasUniqueItems, singleItem } from "../errors/single-item.js";
import type { ApiCall } from "../request/types.js";
import { type DemandedValues, parsedText } from "./given-values.js";
import { recordRejection } from "./record-rejection.js";
import type { BindValues, RejectedCall, RepeatedCall } from "./rejected-call.js";

/**
 * The call with its values in the form that the API's message demands, if the rejected request had
 * no effect or has none the second time.
 */
export function repeatAsDemanded(
  { prepared, answered, response }: RejectedCall,
  bind: BindValues,
): RepeatedCall | undefined {
  const { status } = response;
  const { call } = answered;
  const error = mapErrorsToInputs(extractApiError(response), call);
  const demanded = parsedText(status, call, error) ?? doubledItem(status, call, error);
  const bound = demanded && bind(demanded.values);
  if (!bound?.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...prepared.call, request: bound.request, rejected: prepared.call };
  return { prepared: { ...prepared, call: repeated }, note: demanded!.note };
}

/** The only item of a list in the query of a read, twice. */
function doubledItem(
  status: number,
  call: ApiCall,
  error: ApiErrorByInput,
): DemandedValues | undefined {
  const isRejectedRead = call.mapping.method === "GET" && (status === 400 || status === 422);
  const input = isRejectedRead ? singleItem(call, error) : undefined;
  if (input === undefined || hasUniqueItems(call.tool, input)) return undefined;
  const [item] = call.input[input] as readonly unknown[];
  const note = `The API reads one item of ${input} as a text and wants a list, so the item was sent twice.`;
  return { values: [{ path: [input], part: [item, item] }], note };
}
