/** Inputs that an error response rejects as IDs, by its status and its message. */
import { isWrite } from "../client/failures.js";
import { mappedInputs } from "../request/parameter-source.js";
import type { ApiCall, ApiResponse, Failure } from "../request/types.js";
import { extractApiError, extractErrorFromValue } from "./api-error/extract.js";
import {
  isAboutCredentials,
  isAboutInput,
  isAboutPlan,
  isAboutQuota,
  isAboutState,
  NO_ROUTE,
  ROUTER,
} from "./api-error/message-kind.js";
import { findMissing, findNamedValues, missingPart, rootOf } from "./evidence.js";
import { type ApiErrorByInput, mapErrorsToInputs, pathInputs } from "./input-errors.js";
import { withoutStatusName } from "./status-names.js";

/**
 * Names the inputs whose values the API does not know: after a 404, those that its message names,
 * else those of the path; after a 400 or 422, and after a 500 to a read, those that its message is
 * about; after an error of a foreign key, all of them. Empty where the response may mean anything
 * else, and where a write may have taken effect.
 */
export function rejectedIds(call: ApiCall, failure: Failure): readonly string[] {
  if (failure.kind !== "status" && failure.kind !== "refused") return [];
  const { response } = failure;
  const details =
    failure.kind === "status" ? extractApiError(response) : extractErrorFromValue(failure.value);
  const message = withoutStatusName(details.message, response.status);
  // Some servers leave it to their router to say that they do not know an ID.
  const isBaseRight = call.earlier?.isBaseUrlRight() === true;
  if (response.status === 404 && isBaseRight && ROUTER.test(message)) return pathInputs(call);
  if (/html/i.test(response.headers.get("content-type") ?? "")) return [];
  const apiError = mapErrorsToInputs({ ...details, message }, call);
  const texts = [details.message, ...apiError.inputErrors.map((error) => error.message)].join("; ");
  if (isAboutOtherThings(texts)) return [];
  return [...new Set(inputsFor(failure.kind, response, call, apiError))];
}

function inputsFor(
  kind: "status" | "refused",
  { status }: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): readonly string[] {
  if (kind === "refused") return isWrite(call) ? [] : namedInputs(call, apiError);
  if (status === 404) return missingIds(call, apiError);
  if (isReferenceError(status, apiError)) return mappedInputs(call.mapping);
  // Many servers respond with 500 to an ID of another form. A read had no effect.
  const isRefused = status >= 500 && !isWrite(call) && isAboutInput(apiError.message);
  return status === 400 || status === 422 || isRefused ? invalidIds(call, apiError) : [];
}

/** Access, limits, the state of a thing, or a path that the API does not have. */
function isAboutOtherThings(message: string): boolean {
  return (
    isAboutCredentials(message) ||
    /\b(?:access|permission|permitted|denied|forbidden|allowed)\b/i.test(message) ||
    isAboutPlan(message) ||
    isAboutQuota(message) ||
    (isAboutState(message) && !REFERENCE.test(message)) ||
    NO_ROUTE.test(message)
  );
}

/** Messages of databases about an ID of something else, which name at most their own columns. */
const REFERENCE =
  /\bforeign.?key\b|\binvalid (?:reference|relation)\b|\b(?:related|referenced) (?:\w{1,30} ){0,3}(?:(?:does not|doesn't) exist|not found)\b/i;

/** True if an ID of another thing is wrong, and the message names no input. */
function isReferenceError(status: number, { message, inputErrors }: ApiErrorByInput): boolean {
  const isRefused = status === 400 || status === 409 || status === 422;
  return isRefused && inputErrors.length === 0 && REFERENCE.test(message);
}

function missingIds(call: ApiCall, apiError: ApiErrorByInput): readonly string[] {
  const { message } = apiError;
  if (missingPart(call, message) !== undefined) return [];
  const byValue = namedInputs(call, apiError);
  if (byValue.length > 0) return byValue;
  const { named, isAboutOther } = findMissing(call, message);
  if (isAboutOther) return [];
  const inPath = pathInputs(call);
  if (named.length === 0) return inPath;
  // A thing is also missing where one that it belongs to is.
  const roots = named.map(rootOf);
  const last = Math.max(...roots.map((name) => inPath.indexOf(name)));
  return [...inPath.slice(0, last + 1), ...roots];
}

function namedInputs(call: ApiCall, { message, inputErrors }: ApiErrorByInput): readonly string[] {
  const roots = inputErrors.map(({ input }) => input.split(".")[0] ?? input);
  return [...roots, ...findNamedValues(call, message).map(rootOf)];
}

/** Messages about the form of an ID that do not say which one is meant. */
const ID_FORM =
  /\b(?:uuid|guid|ulid|object ?id|numeric|integer|number|(?:invalid|malformed|bad|valid) (?:\w{1,30} )?id|id (?:is|must|should|format))\b/i;

function invalidIds(call: ApiCall, apiError: ApiErrorByInput): readonly string[] {
  const named = namedInputs(call, apiError);
  if (named.length > 0) return named;
  const inPath = pathInputs(call);
  return inPath.length === 1 && ID_FORM.test(apiError.message) ? inPath : [];
}
