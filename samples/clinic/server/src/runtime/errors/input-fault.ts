/** Errors whose cause is the request, whatever their status says. */
import { isObject } from "../data/values.js";
import type { ApiResponse } from "../request/types.js";
import { extractApiError, responseValue } from "./api-error/extract.js";

/**
 * Codes of gRPC that another attempt of the same request meets again: INVALID_ARGUMENT, NOT_FOUND,
 * ALREADY_EXISTS, PERMISSION_DENIED, FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED and
 * UNAUTHENTICATED.
 */
const LASTING_CODES: ReadonlySet<unknown> = new Set([3, 5, 6, 7, 9, 11, 12, 16]);

/** INVALID_ARGUMENT and OUT_OF_RANGE. */
const INPUT_CODES: ReadonlySet<unknown> = new Set([3, 11]);

/** Messages about a value of the request. */
const ABOUT_INPUT = new RegExp(
  String.raw`\b(?:must (?:not )?(?:be|have|contain|match|start|end)|(?:is|are) (?:required|mandatory)|` +
    String.raw`(?:cannot|can't|may not|should not) be (?:empty|blank|null|negative|zero)|` +
    String.raw`(?:is|are) (?:missing|malformed|not (?:a )?valid)|invalid (?:\S+ ){0,2}` +
    String.raw`(?:argument|parameter|value|field|format|input|type|name|id)s?|not provided)\b|` +
    String.raw`^(?:missing|invalid|unknown|unsupported) \S`,
  "i",
);

/** Messages of gateways about the response of another server. */
const ABOUT_SERVER =
  /\b(?:upstream|gateway|backend|server|response|connection|host|certificate)\b/i;

type ErrorBody = Pick<ApiResponse, "headers" | "body" | "size">;

/** The code of gRPC-gateway's error body: `{"code": 3, "message": "…", "details": []}`. */
function grpcCode(response: ErrorBody): number | undefined {
  const value = responseValue(response);
  const { code, message, error, details } = isObject(value) ? value : {};
  const isGateway =
    typeof message === "string" &&
    (message === error || Array.isArray(details)) &&
    Number.isInteger(code);
  return isGateway && (code as number) > 0 && (code as number) <= 16 ? (code as number) : undefined;
}

/** True if an error response is about a value of the request. */
export function isAboutInput(response: ErrorBody): boolean {
  const code = grpcCode(response);
  if (code !== undefined) return INPUT_CODES.has(code);
  const { message } = extractApiError(response);
  return ABOUT_INPUT.test(message) && !ABOUT_SERVER.test(message);
}

/** True if the body of an error response shows that the same request fails again. */
export function isLastingError(response: ErrorBody): boolean {
  return LASTING_CODES.has(grpcCode(response)) || isAboutInput(response);
}
