import type { ApiResponse } from "../client/index.js";
import type { JsonSchema } from "../types.js";
import { adviceFor } from "./advice.js";
import type { ApiCall } from "./api-call.js";
import type { ApiErrorByInput } from "./input-errors.js";

/** Words of a refusal that came as a success, and the status that it should have had. */
const STATUS_BY_MESSAGE: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too many requests|throttl/i, 429],
  [
    /invalid_auth|not_authed|unauthori[sz]ed|unauthenticated|token_(?:expired|revoked)|invalid.(?:token|api.?key|credentials)/i,
    401,
  ],
  [/missing_scope|forbidden|permission|access.?denied|not_allowed/i, 403],
  [/not.?found|does not exist|no such/i, 404],
];

/**
 * What to do next after an answer that says "200 OK" and means something else: as if it had the
 * status that it means.
 */
export function embeddedErrorAdvice(
  response: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const status = STATUS_BY_MESSAGE.find(([pattern]) => pattern.test(apiError.message))?.[1] ?? 422;
  return adviceFor({ ...response, status }, call, apiError);
}

/**
 * Whether a successful answer says in itself that it failed: Slack's `ok: false`, `success: false`,
 * and GraphQL's errors without data. Only with a reason beside it: otherwise it may be what was
 * asked for, as errors are where the document has them in the result.
 * @param schema of the result, as the tool declares it
 */
export function isEmbeddedError(value: unknown, schema?: JsonSchema): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const answer = value as Readonly<Record<string, unknown>>;
  if (answer["ok"] === false || answer["success"] === false)
    return ["error", "errors", "message"].some((name) => isReason(answer[name]));
  if (isDocumented("errors", schema) && !isDocumented("data", schema)) return false;
  const onlyErrors = Object.keys(answer).every(
    (name) => name === "errors" || name === "data" || name === "extensions",
  );
  return (
    onlyErrors &&
    isReason(answer["errors"]) &&
    Array.isArray(answer["errors"]) &&
    (answer["data"] ?? null) === null
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
