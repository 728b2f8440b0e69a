/** What later calls learn from a response that rejects a call. */
import { extractApiError } from "../errors/api-error/extract.js";
import { readDemands } from "../errors/demands.js";
import { mapErrorsToInputs } from "../errors/input-errors.js";
import type { ApiResponse } from "../request/types.js";
import { type PreparedCall, recordFault } from "./send-authenticated.js";

/** Records a fault of the API, and what it demands of inputs against its document. */
export function recordRejection(rejected: PreparedCall, response: ApiResponse): void {
  recordFault(rejected, response.status);
  const { call, server } = rejected;
  const error = mapErrorsToInputs(extractApiError(response), call);
  server.corrections.add(call.tool, call.mapping, readDemands(response.status, call, error));
}

/** Records the types of inputs that an API has taken as given, after it rejected their text. */
export function recordGivenTypes({ call, server, givenValues = [] }: PreparedCall): void {
  const types = givenValues.flatMap(({ path: [input, ...inside], part }) => {
    const type = typeof part;
    const isSimple = inside.length === 0 && (type === "boolean" || type === "number");
    return isSimple ? [[String(input), type] as const] : [];
  });
  if (call.isCorrectable) server.corrections.add(call.tool, call.mapping, { types, fields: [] });
}
