/** Lists that are sent as `ids=1,2` as documented, where the API wants `ids=1&ids=2`. */
import { extractApiError } from "../errors/api-error/extract.js";
import { mapErrorsToInputs } from "../errors/input-errors.js";
import type { ApiCall, BindResult } from "../request/types.js";
import type { OperationBinding, ParameterSource } from "../types.js";
import { recordRejection } from "./record-rejection.js";
import type { RejectedCall, RepeatedCall } from "./rejected-call.js";

/** Messages about the number of items, or that a value is not a list. */
const ABOUT_LIST =
  /\b(?:array|list|sequence|(?:fewer|less) than \d{1,6} items?|at least \d{1,6} items?)\b/i;

/**
 * The read with a parameter for each item of the lists that the API rejected as lists.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatWithSeparateItems(
  { prepared, answered, response }: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, operation } = prepared;
  const isRejectedRead =
    call.mapping.method === "GET" && (response.status === 400 || response.status === 422);
  if (!isRejectedRead) return undefined;
  const { inputErrors } = mapErrorsToInputs(extractApiError(response), answered.call);
  const rejected = new Set(
    inputErrors.filter(({ message }) => ABOUT_LIST.test(message)).map(({ input }) => input),
  );
  const query = { ...operation.request.query };
  const lists = Object.entries(query).flatMap(([name, source]) => {
    if (!isJoinedList(source, call) || !rejected.has(source.from)) return [];
    query[name] = { ...source, explode: true };
    return source.from;
  });
  if (lists.length === 0) return undefined;
  const request = { ...operation.request, query };
  const changed = { ...operation, request };
  const bound = bind(changed);
  if (!bound.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  const note = `The API rejected ${lists.join(", ")} joined by commas, as its description has it, so each item was sent as a parameter of its own.`;
  return { prepared: { ...prepared, operation: changed, call: repeated }, note };
}

type JoinedList = Exclude<ParameterSource, string> & { readonly from: string };

/** True for a list of several items that is sent as one parameter. */
function isJoinedList(source: ParameterSource, { input }: ApiCall): source is JoinedList {
  if (typeof source === "string" || !("from" in source)) return false;
  const { from, style = "form", explode, separator } = source;
  const value = input[from];
  const isJoined = style === "form" && explode === false && !separator;
  return isJoined && Array.isArray(value) && value.length > 1;
}
