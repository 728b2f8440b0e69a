import type { ApiResponse } from "../client/types.js";
import type { JsonSchema } from "../types.js";
import { adviceFor } from "./advice.js";
import type { ApiCall } from "./api-call.js";
import type { ApiErrorByInput } from "./input-errors.js";

/** Statuses that an error in a success response stands for, by the words of its message. */
const STATUS_BY_MESSAGE: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too many requests|throttl/i, 429],
  [/invalid_auth|not_authed|unauthori[sz]ed|unauthenticated|token_(?:expired|revoked)/i, 401],
  [/invalid.(?:token|api.?key|credentials)/i, 401],
  [/missing_scope|forbidden|permission|access.?denied|not_allowed/i, 403],
  [/not.?found|does not exist|no such/i, 404],
];

/** Advises after an error in a success response, as if it had the status that it stands for. */
export function embeddedErrorAdvice(
  response: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const status = STATUS_BY_MESSAGE.find(([pattern]) => pattern.test(apiError.message))?.[1] ?? 422;
  return adviceFor({ ...response, status, isEmbedded: true }, call, apiError);
}

/**
 * True if a success response reports an error: Slack's `ok: false`, `success: false`, or GraphQL's
 * errors without data. A reason must be given as well. Errors that the output schema declares are
 * data, not a failure.
 */
export function isEmbeddedError(value: unknown, schema?: JsonSchema): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const body = value as Readonly<Record<string, unknown>>;
  if (body["ok"] === false || body["success"] === false)
    return ["error", "errors", "message"].some((name) => isReason(body[name]));
  if (isDocumented("errors", schema) && !isDocumented("data", schema)) return false;
  const onlyErrors = Object.keys(body).every(
    (name) => name === "errors" || name === "data" || name === "extensions",
  );
  return (
    onlyErrors &&
    isReason(body["errors"]) &&
    Array.isArray(body["errors"]) &&
    (body["data"] ?? null) === null
  );
}

function isDocumented(field: string, schema: JsonSchema | undefined): boolean {
  const properties = schema?.["properties"];
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, field);
}

function isReason(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
