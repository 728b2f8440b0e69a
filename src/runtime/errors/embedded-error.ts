/** Errors in responses with a success status. */
import type { ApiCall, ApiResponse } from "../request/types.js";
import type { Steps } from "../data/steps.js";
import { isEmptyValue, isObject, ownProperty } from "../data/values.js";
import type { JsonSchema, OutcomeField } from "../types.js";
import { adviceFor } from "./advice.js";
import { deniesCredentials, isAboutMissing, isAboutState } from "./api-error/message-kind.js";
import type { ApiErrorByInput } from "./input-errors.js";

/** Equivalent statuses of an error in a success response, by what its message is about. */
const STATUS_BY_MESSAGE: readonly (readonly [(message: string) => boolean, number])[] = [
  [(message) => /rate.?limit|too many requests|throttl|quota/i.test(message), 429],
  [deniesCredentials, 401],
  [(message) => REFUSED.test(message), 403],
  [isAboutMissing, 404],
  [isAboutState, 409],
  [(message) => /server error|internal|database|unavailable|later|timed.?out/i.test(message), 500],
];

const REFUSED =
  /missing scope|forbidden|permission|privilege|(?:access|request).?denied|not (?:allowed|authori[sz]ed)/i;

/** Advises after an error in a success response, as if it had the equivalent status. */
export function embeddedErrorAdvice(
  response: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string | undefined {
  const message = apiError.message.replaceAll("_", " ");
  const status = STATUS_BY_MESSAGE.find(([isAbout]) => isAbout(message))?.[1] ?? 422;
  return adviceFor({ ...response, status, isEmbedded: true }, call, apiError);
}

type Body = Readonly<Record<string, unknown>>;

/** Maximum number of fields of a body that can be an error. Larger ones are data. */
const MAX_FIELDS = 1_000;

/**
 * True if a success response reports an error: by a field whose values the document explains, by
 * `ok: false` or `success: false` with a reason, by GraphQL's errors without data, or as a body
 * that is only an error. Errors that the output schema declares are data, not a failure.
 */
export function isEmbeddedError(
  value: unknown,
  schema?: JsonSchema,
  outcome?: OutcomeField,
): boolean {
  if (!isObject(value)) return false;
  const documented = outcome && documentedOutcome(value, outcome);
  if (documented !== undefined) return documented === "failure";
  if (hasMoreFields(value, MAX_FIELDS)) return false;
  return (
    isRefusal(value, schema) ||
    isGraphqlError(value, schema) ||
    isRejectedInput(value) ||
    isErrorEnvelope(value, schema) ||
    isErrorHeader(value)
  );
}

function hasMoreFields(body: Body, max: number): boolean {
  let count = 0;
  for (const _ in body) if (++count > max) return true;
  return false;
}

/**
 * The value of a sequence that reports the failure of the whole request: `{"errorDetail": …}` in a
 * build log. A sequence whose other values have the same fields reports on each of its items.
 */
export function* findErrorIn(values: unknown): Steps<{ readonly value: unknown } | undefined> {
  if (!Array.isArray(values)) return undefined;
  const value = yield* findInSteps(values, (item) => isEmbeddedError(item));
  if (!isObject(value)) return undefined;
  const report = yield* findInSteps(
    values,
    (item) =>
      isObject(item) &&
      !isEmbeddedError(item) &&
      Object.keys(item).some((name) => Object.hasOwn(value, name)),
  );
  return report === undefined ? { value } : undefined;
}

/** Number of values that one step checks. */
const STEP_VALUES = 1_000;

function* findInSteps(
  values: readonly unknown[],
  isMatch: (value: unknown) => boolean,
): Steps<unknown> {
  for (const [i, value] of values.entries()) {
    if (isMatch(value)) return value;
    if (i % STEP_VALUES === STEP_VALUES - 1) yield;
  }
  return undefined;
}

/** Fields of an envelope next to the data. */
const HEADER = /^(?:meta|metadata|header|status|responsestatus|responseheader)$/;

/** `{"meta": {"code": 400, "errorDetail": "near is not a place"}, "response": {}}` */
function isErrorHeader(body: Body): boolean {
  const [header, ...others] = Object.entries(body).filter(([, value]) => !isEmptyValue(value));
  if (!header || others.length > 0 || !HEADER.test(normalize(header[0]))) return false;
  const [, value] = header;
  return isObject(value) && isErrorEnvelope({ ...value, data: null }, undefined);
}

/**
 * True for `ok: false` or `success: false` with a reason. A resource whose run failed has an ID or
 * other documented fields.
 */
function isRefusal(body: Body, schema: JsonSchema | undefined): boolean {
  const fields = Object.entries(body).map(([name, value]) => [normalize(name), value] as const);
  if (!fields.some(([name, value]) => SUCCESS.test(name) && isFalse(name, value))) return false;
  const hasError = fields.some(
    ([name, value]) => (ERROR.test(name) || ERROR_TEXT.test(name)) && isReason(value),
  );
  const payload = Object.keys(body).filter(
    (name) =>
      !isEmptyValue(body[name]) &&
      body[name] !== 0 &&
      !isEnvelopeField(normalize(name), body[name], body),
  );
  if (hasError) return !payload.some((name) => name === "id" || isDeclared(name, schema));
  return payload.length === 0 && fields.some(([name, value]) => isText(name, value));
}

/** JSend: `{"status": "fail", "data": {"title": "A title is required"}}`. */
function isRejectedInput({ status, data, ...rest }: Body): boolean {
  return (
    status === "fail" &&
    isObject(data) &&
    Object.keys(rest).every((name) => name === "code" || name === "message") &&
    !isEmptyValue(data) &&
    Object.values(data).every((text) => typeof text === "string" && isFailureText(text))
  );
}

function documentedOutcome(
  body: Body,
  { field, within, success, failure, othersFail }: OutcomeField,
): "success" | "failure" | undefined {
  const holder = within === undefined ? body : ownProperty(body, within);
  const actual = isObject(holder) ? ownProperty(holder, field) : undefined;
  const isActual = (value: unknown): boolean => value === actual;
  if (success.some(isActual)) return "success";
  if (othersFail && (typeof actual === "number" || typeof actual === "string")) return "failure";
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
    Object.values(body["data"] ?? {}).every((field) => field === null)
  );
}

/** Fields of an envelope: outcome, message, data and the identity of the request. */
const OUTCOME = /^(?:status|stat|result|response|state)$/;
const SUCCESS = /^(?:is)?(?:ok|success|succeeded|successful)$/;
const CODE = /^(?:code?|statuscode|ret|retcode|returncode)$/;
const ERROR_CODE = /^err(?:or)?(?:code|no|num)$/;
const ERROR = /^(?:error|errors|err|fault)$/;
const ERROR_TEXT = /^err(?:or)?(?:msg|message|description|type|info|s?details?)$/;
const TEXT = /^(?:message|msg|reason|cause|detail|details|title|info|description|moreinfo)$/;
const DATA = /^(?:data|results?|response|payload|items|rows|predictions)$/;
const REQUEST_WORDS =
  "(?:request|trace|correlation|log)id|timestamp|time|path|method|jsonrpc|id|help";
const REQUEST = new RegExp(`^(?:${REQUEST_WORDS}|documentationurl|httpstatus|type)$`);

const FAILURE_WORD =
  /^(?:error|err|fail|failed|failure|nok|ko|false|[a-z]+_(?:denied|limit|error|request))$/i;
const FAILURE_TEXTS = [
  "errors?|fail(?:ed|ure)?|invalid|wrong|illegal|unknown",
  "not|no|cannot|denied|unauthori[sz]ed|forbidden",
  "missing|required|expired|exceeded|too many",
];
const FAILURE_TEXT = new RegExp(String.raw`\b(?:${FAILURE_TEXTS.join("|")})\b|n't\b`, "i");
/**
 * Failure, error, invalid, does not exist, in Chinese. Without the flag `i`, for which V8 would
 * load the case folding of all languages: 10 MB of memory.
 */
const CHINESE_FAILURE_TEXT = /\u5931\u8d25|\u9519\u8bef|\u65e0\u6548|\u4e0d\u5b58\u5728/;

/**
 * True if a body is only an error: all of its fields belong to an envelope, the data is absent or
 * empty, and one field reports an error with a reason. A resource with a status or an error of its
 * own has other fields, or a schema without an envelope.
 */
function isErrorEnvelope(body: Body, schema: JsonSchema | undefined): boolean {
  const fields = Object.entries(body).map(([name, value]) => [normalize(name), value] as const);
  if (!fields.every(([name, value]) => isEnvelopeField(name, value, body))) return false;
  if (isRpcError(body) || isCodedError(body)) return true;
  const lacksData = lacksDeclaredData(body, schema);
  const signals = Object.keys(body).filter((name) =>
    reportsError(normalize(name), body[name], body, lacksData),
  );
  const isData = (name: string): boolean => isDeclared(name, schema) && !lacksData;
  return (
    signals.some((name) => !isData(name)) && fields.some(([name, value]) => isText(name, value))
  );
}

/** JSON-RPC 2.0, section 5. */
const isRpcError = (body: Body): boolean => "jsonrpc" in body && isReason(body["error"]);

/** `{"errcode": 40013, "errmsg": "invalid appid"}`: a number and a text that are named for errors. */
function isCodedError(body: Body): boolean {
  const has = (names: RegExp, test: (value: unknown) => boolean): boolean =>
    Object.keys(body).some((name) => names.test(normalize(name)) && test(body[name]));
  return (
    has(ERROR_CODE, (value) => typeof value === "number" && isFailureCode(value)) &&
    has(ERROR_TEXT, isReason) &&
    !has(OUTCOME, () => true)
  );
}

/**
 * True if the schema declares data next to the envelope, and a body that is only an envelope lacks
 * it. A status may be that of a resource whose other fields are optional.
 */
function lacksDeclaredData(body: Body, schema: JsonSchema | undefined): boolean {
  const hasStatus = Object.keys(body).some((name) => OUTCOME.test(normalize(name)));
  return declaredFields(schema)
    .map(normalize)
    .some((name) => DATA.test(name) || (!hasStatus && !isEnvelopeName(name)));
}

function isEnvelopeField(name: string, value: unknown, body: Body): boolean {
  if (name === "id") return "jsonrpc" in body;
  if (DATA.test(name) && isEmptyValue(value)) return true;
  return isEnvelopeName(name) && (!OUTCOME.test(name) || typeof value !== "object");
}

const ENVELOPE = [OUTCOME, SUCCESS, CODE, ERROR_CODE, ERROR, ERROR_TEXT, TEXT, REQUEST];

const isEnvelopeName = (name: string): boolean => ENVELOPE.some((names) => names.test(name));

/** True if a single field reports that the request failed. */
function reportsError(name: string, value: unknown, body: Body, lacksData: boolean): boolean {
  if (ERROR.test(name)) return value === true || isReason(value);
  if (ERROR_TEXT.test(name)) return typeof value === "string" && isFailureText(value);
  if (ERROR_CODE.test(name)) return isFailureCode(value);
  const entries = Object.entries(body);
  const says = ([other, text]: readonly [string, unknown]): boolean =>
    TEXT.test(normalize(other)) && typeof text === "string" && isFailureText(text);
  if (OUTCOME.test(name))
    return isErrorStatus(value)
      ? entries.some(says)
      : typeof value === "string" && FAILURE_WORD.test(value);
  if (!CODE.test(name) || !isFailureCode(value)) return false;
  const hasNoData =
    lacksData || entries.some(([other, data]) => DATA.test(normalize(other)) && isEmptyValue(data));
  return hasNoData && entries.some(says);
}

/** True for an HTTP status of an error, as `{"response": 500}` repeats it. */
const isErrorStatus = (value: unknown): boolean =>
  typeof value === "number" && value >= 400 && value < 600;

/** True for a code other than 0 and 2xx, which mean success. */
function isFailureCode(value: unknown): boolean {
  const code = typeof value === "string" ? Number.parseInt(value, 10) : value;
  return typeof code === "number" && code !== 0 && !/^2\d\d/.test(String(code));
}

function isText(name: string, value: unknown): boolean {
  return [ERROR, ERROR_TEXT, TEXT].some((names) => names.test(name)) && isReason(value);
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function isDeclared(field: string, schema: JsonSchema | undefined): boolean {
  return declaredFields(schema).includes(field);
}

function declaredFields(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema?.["properties"];
  return isObject(properties) ? Object.keys(properties) : [];
}

/** True for `false`, `"N"` and the like. A number may count successes, except under `ok`. */
function isFalse(name: string, value: unknown): boolean {
  if (typeof value === "string") return /^(?:false|no?)$/i.test(value);
  return value === false || (value === 0 && name === "ok");
}

function isReason(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isFailureText(text: string): boolean {
  return FAILURE_TEXT.test(text) || CHINESE_FAILURE_TEXT.test(text);
}
