/** The status that an error body means, where it says more than the status of the response. */
import { isObject } from "../../data/values.js";
import type { ApiResponse } from "../../request/types.js";
import { extractApiError, responseValue } from "./extract.js";
import { isAboutInput } from "./message-kind.js";

/**
 * HTTP statuses of gRPC codes, by number and by name. Gateways respond with 500 or 503 for some of
 * them. https://grpc.io/docs/guides/status-codes/
 */
const GRPC_STATUSES: ReadonlyMap<string, number> = new Map(
  (
    [
      [3, "INVALID_ARGUMENT", 400],
      [5, "NOT_FOUND", 404],
      [6, "ALREADY_EXISTS", 409],
      [7, "PERMISSION_DENIED", 403],
      [9, "FAILED_PRECONDITION", 400],
      [11, "OUT_OF_RANGE", 400],
      [12, "UNIMPLEMENTED", 501],
      [16, "UNAUTHENTICATED", 401],
    ] as const
  ).flatMap(([code, name, status]) => [
    [String(code), status],
    [name, status],
  ]),
);

/**
 * Status that the gRPC code of an error body means: `{error, code, message}`, `{code, message,
 * details}` or a code by its name. `undefined` for another body, whose small numbers mean other
 * things.
 */
export function statusOfGrpcCode(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const fields = isObject(body["error"]) ? body["error"] : body;
  const { code, status, message, error, details, grpc_code: grpcCode } = fields;
  if (typeof message !== "string") return undefined;
  const isGateway = error === message || Array.isArray(details);
  const codes = [grpcCode, nameOf(code), nameOf(status), isGateway ? code : undefined];
  return codes.map((one) => GRPC_STATUSES.get(String(one))).find((one) => one !== undefined);
}

/**
 * Status of the call as the body of a server error states it: that of its gRPC code, or a
 * `statusCode` of 400 to 499. Frameworks lose the status of an error that they do not know.
 */
export function statusOfBody(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const { error } = body;
  const stated = [body, error].map((one) => (isObject(one) ? one["statusCode"] : undefined));
  const isClientError = (one: unknown): one is number => Number(one) >= 400 && Number(one) < 500;
  return statusOfGrpcCode(body) ?? stated.map(Number).find(isClientError);
}

function nameOf(code: unknown): string | undefined {
  return typeof code === "string" ? code.toUpperCase() : undefined;
}

/** True if the body of an error response shows that the same request fails again. */
export function isLastingError(response: Pick<ApiResponse, "headers" | "body" | "size">): boolean {
  const code = statusOfBody(responseValue(response));
  return code !== undefined || isAboutInput(extractApiError(response).message);
}
