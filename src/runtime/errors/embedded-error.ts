/** Errors in responses with a success status. */
import type { ApiResponse } from "../client/types.js";
import { isObject } from "../data/json.js";
import type { JsonSchema, OutcomeField } from "../types.js";
import { adviceFor } from "./advice.js";
import type { ApiCall } from "./api-call.js";
import type { ApiErrorByInput } from "./input-errors.js";

/** Statuses that an error in a success response stands for, by the words of its message. */
const STATUS_BY_MESSAGE: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too many requests|throttl/i, 429],
  [/invalid_auth|not_authed|unauthori[sz]ed|unauthenticated|token_(?:expired|revoked)/i, 401],
  [/(?:invalid|wrong|no).(?:token|(?:or wrong )?api.?key|credentials)/i, 401],
  [/missing_scope|forbidden|permission|access.?denied|not_allowed/i, 403],
  [/not.?found|(?:does|do) not exist|no such/i, 404],
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

type Body = Readonly<Record<string, unknown>>;

/**
 * True if a success response reports an error: by a field whose values the document explains, by
 * `ok: false` or `success: false` with a reason, by GraphQL's errors without data, or as a body that
 * is nothing but an error. Errors that the output schema declares are data, not a failure.
 */
export function isEmbeddedError(
  value: unknown,
  schema?: JsonSchema,
  outcome?: OutcomeField,
): boolean {
  if (!isObject(value)) return false;
  const documented = outcome && documentedOutcome(value, outcome);
  if (documented !== undefined) return documented === "failure";
  if (value["ok"] === false || value["success"] === false)
    return ["error", "errors", "message"].some((name) => isReason(value[name]));
  return isGraphqlError(value, schema) || isErrorEnvelope(value, schema);
}

function documentedOutcome(
  body: Body,
  { field, success, failure }: OutcomeField,
): "success" | "failure" | undefined {
  const actual = Object.hasOwn(body, field) ? body[field] : undefined;
  const isActual = (value: unknown): boolean => value === actual;
  if (success.some(isActual)) return "success";
  return failure.some(isActual) ? "failure" : undefined;
}

function isGraphqlError(body: Body, schema: JsonSchema | undefined): boolean {
  if (isDeclared("errors", schema) && !isDeclared("data", schema)) return false;
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

/** Fields of an envelope: outcome, message, data and the identity of the request. */
const OUTCOME = /^(?:status|stat|result|response|state)$/;
const CODE = /^(?:code|statuscode|ret|retcode)$/;
const ERROR_CODE = /^err(?:or)?(?:code|no|num)$/;
const ERROR = /^(?:error|errors|err|fault)$/;
const ERROR_TEXT = /^err(?:or)?(?:msg|message|description|type|info|s?details)$/;
const TEXT = /^(?:message|msg|reason|detail|details|title|info|description|moreinfo)$/;
const DATA = /^(?:data|results?|response|payload|items|rows|predictions)$/;
const REQUEST =
  /^(?:(?:request|trace|correlation)id|timestamp|time|path|method|jsonrpc|id|help|documentationurl|httpstatus|type)$/;

const FAILURE_WORD =
  /^(?:error|err|fail|failed|failure|nok|ko|false|[a-z]+_(?:denied|limit|error|request))$/i;
const FAILURE_TEXT =
  /\b(?:errors?|fail(?:ed|ure)?|invalid|not|no|cannot|denied|missing|required|unauthori[sz]ed|forbidden|expired|wrong|unknown|illegal|exceeded|too many)\b|n't\b/i;
/**
 * Failure, error, invalid, does not exist, in Chinese. Without the flag `i`, for which V8 would load
 * the case folding of all languages: 10 MB of memory.
 */
const CHINESE_FAILURE_TEXT = /\u5931\u8d25|\u9519\u8bef|\u65e0\u6548|\u4e0d\u5b58\u5728/;

/**
 * True if a body is nothing but an error: all of its fields belong to an envelope, the data is
 * absent or empty, and one field reports an error with a reason. A resource with a status or an
 * error of its own has other fields, or a schema without an envelope.
 */
function isErrorEnvelope(body: Body, schema: JsonSchema | undefined): boolean {
  const fields = Object.entries(body).map(([name, value]) => [normalize(name), value] as const);
  if (!fields.every(([name, value]) => isEnvelopeField(name, value, body))) return false;
  const signals = Object.keys(body).filter((name) =>
    reportsError(normalize(name), body[name], body),
  );
  const isData = (name: string): boolean => isDeclared(name, schema) && !declaresData(schema);
  return (
    signals.some((name) => !isData(name)) && fields.some(([name, value]) => isText(name, value))
  );
}

function isEnvelopeField(name: string, value: unknown, body: Body): boolean {
  if (name === "id") return "jsonrpc" in body;
  if (DATA.test(name) && isEmpty(value)) return true;
  return (
    [OUTCOME, CODE, ERROR_CODE, ERROR, ERROR_TEXT, TEXT, REQUEST].some((names) =>
      names.test(name),
    ) &&
    (!OUTCOME.test(name) || typeof value !== "object")
  );
}

/** True if a field alone says that the request failed. */
function reportsError(name: string, value: unknown, body: Body): boolean {
  if (ERROR.test(name)) return isReason(value);
  if (ERROR_TEXT.test(name)) return typeof value === "string" && isFailureText(value);
  if (ERROR_CODE.test(name)) return isFailureCode(value);
  if (OUTCOME.test(name)) return typeof value === "string" && FAILURE_WORD.test(value);
  if (!CODE.test(name) || !isFailureCode(value)) return false;
  const entries = Object.entries(body);
  const hasNoData = entries.some(([other, data]) => DATA.test(normalize(other)) && isEmpty(data));
  const says = ([other, text]: readonly [string, unknown]): boolean =>
    TEXT.test(normalize(other)) && typeof text === "string" && isFailureText(text);
  return hasNoData && entries.some(says);
}

/** True for a code other than 0 and 2xx, which mean success. */
function isFailureCode(value: unknown): boolean {
  const code = typeof value === "string" ? Number.parseInt(value, 10) : value;
  return typeof code === "number" && code !== 0 && !/^2\d\d/.test(String(code));
}

function isText(name: string, value: unknown): boolean {
  return [ERROR, ERROR_TEXT, TEXT].some((names) => names.test(name)) && isReason(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function isDeclared(field: string, schema: JsonSchema | undefined): boolean {
  return declaredFields(schema).includes(field);
}

function declaresData(schema: JsonSchema | undefined): boolean {
  return declaredFields(schema).some((name) => DATA.test(normalize(name)));
}

function declaredFields(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema?.["properties"];
  return isObject(properties) ? Object.keys(properties) : [];
}

function isReason(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isFailureText(text: string): boolean {
  return FAILURE_TEXT.test(text) || CHINESE_FAILURE_TEXT.test(text);
}
