/** The next step after an error response, as advice for an agent. */
import { capitalize } from "../data/values.js";
import { propertiesOf } from "../schema/subschemas.js";
import { queryInputs } from "../request/parameter-source.js";
import type { ApiCall, ApiResponse } from "../request/types.js";
import type { ToolDefinition } from "../types.js";
import { joinFirst } from "../data/values.js";
import { isPossibleWrite } from "../client/failures.js";
import { spellCodes } from "./api-error/code-words.js";
import { statusOfBody } from "./api-error/effective-status.js";
import { responseValue } from "./api-error/extract.js";
import {
  isAboutCredentials,
  isAboutInput,
  isAboutMissing,
  isAboutPlan,
  isAboutQuota,
  isAboutState,
  isAboutSupport,
  isException,
  isInstruction,
  isPassingFault,
  isVague,
} from "./api-error/message-kind.js";
import { formatSeconds, formatInput, joinNames, presentInputs } from "./next-tools.js";
import { findReader, sourcesOfInputs, verificationAdvice } from "./other-tools.js";
import {
  asksForBody,
  failsWithoutBody,
  fieldsOfOmittedBody,
  isAboutAbsence,
  omittedBodyAdvice,
  omittedBodyFault,
} from "./body-advice.js";
import { demandAdvice, readDemands, readInputs } from "./demands.js";
import { isLastingFault } from "./documented-status.js";
import { isAboutText } from "./deserializers.js";
import { findNamedValues, formatValues } from "./evidence.js";
import { forbiddenAdvice, unauthorizedAdvice } from "./credential-advice.js";
import {
  type ApiErrorByInput,
  incompleteInputs,
  omittedInputs,
  pathInputs,
  wrongInputs,
} from "./input-errors.js";
import {
  doubtfulIdsAdvice,
  isAboutPath,
  namesMissingInput,
  notFoundAdvice,
  omissionAdvice,
} from "./not-found-advice.js";
import { retryTime } from "./retry-time.js";
import { singleItem, singleItemAdvice } from "./single-item.js";

/** Wait above which an exhausted quota is likelier than too many calls in a row. */
const LONG_WAIT_MS = 3_600_000;

/** End of advice to call again: a second failure ends the attempts. */
const GIVE_UP = "If it fails again, tell the user.";

/** An error response, or a success response that reports an error. */
export interface ErrorResponse extends ApiResponse {
  /** True if the API responded with a success status. */
  readonly isEmbedded?: boolean;
  /** Status that the API sent, if `status` is the one that the response means. */
  readonly sentStatus?: number;
}

/**
 * Advises after an error response: by the tool's `onError`, otherwise by what the message is about,
 * otherwise by the status. `undefined` if the message itself says what to do.
 */
export function adviceFor(
  response: ErrorResponse,
  call: ApiCall,
  { message, ...errors }: ApiErrorByInput,
): string | undefined {
  const apiError = { ...errors, message: spellCodes(message, inputsOf(call.tool)) };
  const configured =
    configuredAdvice(response.status, call) ?? limitAdvice(response, call, apiError);
  if (configured !== undefined) return configured;
  const status = effectiveStatus(response, call, apiError);
  if (isInstructed(apiError) && !needsCredentials(status, call, apiError)) return undefined;
  return adviceByStatus({ ...response, status, sentStatus: response.status }, call, apiError);
}

/**
 * Advice that the tool configures for the status, its class or any status. `{input}` stands for the
 * value of an input.
 */
function configuredAdvice(
  status: number,
  { tool: { onError = {} }, input }: ApiCall,
): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, "default"];
  const key = keys.find((candidate) => Object.hasOwn(onError, candidate));
  if (key === undefined) return undefined;
  return onError[key]!.replace(/\{(\w+)\}/g, (_, name: string) => formatInput(name, input[name]));
}

/** Advice about licences, quotas and rate limits, whatever the status. */
function limitAdvice(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string | undefined {
  const { message } = apiError;
  const { name } = call.tool;
  const wait = `Tell the user what it says; do not call ${name} again until that has changed.`;
  // An API of subscriptions has plans and quotas of its own, and a tier may be an input.
  const isOwnNoun = [call.mapping.path, ...presentInputs(call)].some((text) =>
    /plan|tier|licen[cs]e|subscription|feature|quota|credit|balance/i.test(text),
  );
  if (!isOwnNoun && response.status !== 404 && isAboutPlan(message))
    return `the API says that its licence, its plan or its settings do not allow this. ${wait}`;
  if (!isOwnNoun && isAboutQuota(message) && retryTime(response) === undefined)
    return `the API says that a quota or a balance is used up. ${wait}`;
  if (!isRateLimit(response, apiError)) return undefined;
  // The header adds the time, unless the message has one.
  const isStated = isInstruction(message) && (/\d/.test(message) || !retryTime(response));
  return isStated ? undefined : rateLimitAdvice(response, name);
}

/**
 * The status that a response means: that of its gRPC code, and for a server error that of its
 * message. Many servers respond with 500 or 503 to a wrong call.
 */
function effectiveStatus(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): number {
  const { status } = response;
  const { message, inputErrors } = apiError;
  const isServerError = status >= 500 && status !== 501;
  if (!isServerError && status !== 400 && status !== 422) return status;
  const ofCode = isServerError ? statusOfBody(responseValue(response)) : undefined;
  if (ofCode !== undefined && ofCode !== 400) return ofCode;
  const isMissing = isAboutMissing(message) && inputErrors.length === 0;
  const isOfId = isMissing && !isServerError && hasOnlyOneId(call);
  if (isOfId || (isMissing && namesMissingInput(call, apiError))) return 404;
  if (isMissing && isServerError && isAboutPath(call, message)) return 404;
  if (!isServerError) return status;
  if (ofCode !== undefined || inputErrors.length > 0 || isAboutInput(message)) return 400;
  if (wrongInputs(call, message).length > 0 && !isAboutCredentials(message)) return 400;
  if (asksForBody(call, message) && !isAboutAbsence(message)) return 400;
  if (isAboutSupport(message)) return 501;
  return isAboutState(message) ? 409 : status;
}

/** True if the API says what to do: its message, or that about every input. */
function isInstructed({ message, inputErrors }: ApiErrorByInput): boolean {
  if (inputErrors.length === 0) return isInstruction(message);
  return inputErrors.every((error) => isInstruction(error.message));
}

/** True if a message asks for credentials, which only the user of this server can set. */
function needsCredentials(status: number, call: ApiCall, { message }: ApiErrorByInput): boolean {
  const isRejected = status === 401 && isAboutCredentials(message);
  return isRejected || (status === 403 && call.credentials?.missingScopes !== undefined);
}

function adviceByStatus(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string | undefined {
  const { status } = response;
  const { name } = call.tool;
  if (status >= 300 && status < 400)
    return `the API gave no result, only a redirect or "not modified". Calling again does not help.`;
  switch (status) {
    case 401:
      return unauthorizedAdvice(call, apiError);
    case 402:
      return "the API requires payment or a larger plan. Tell the user; do not retry.";
    case 451:
      return "the API withholds this for legal reasons. Tell the user; do not retry.";
    case 403:
      return forbiddenAdvice(call, apiError);
    case 404:
    case 410:
      return notFoundAdvice(response, call, apiError);
    case 405:
    case 501:
      return unsupportedOperationAdvice(call, apiError);
    case 406:
      return formatAdvice(name, "cannot respond in a format that this server asks for");
    case 415:
      if (asksForBody(call, apiError.message)) return omittedBodyAdvice(response, call);
      return (
        demandAdvice(readDemands(status, call, apiError), call) ??
        formatAdvice(name, unsupportedFormat(call))
      );
    case 409:
    case 412:
    case 423:
      return conflictAdvice(call, apiError);
    case 413:
      // A limit that shorter input does not meet, such as too many tags of a thing.
      return apiError.message !== "" && !SIZE.test(apiError.message)
        ? unclearAdvice(call, apiError.message)
        : tooLargeAdvice(call);
    case 414:
    case 431:
      return tooLargeAdvice(call);
    case 429:
      return undefined;
    case 408:
    case 425:
      return serverErrorAdvice(response, call, apiError);
    default:
      return status < 500
        ? correctionAdvice(response, call, apiError)
        : serverErrorAdvice(response, call, apiError);
  }
}

/** True if a response reports a rate limit. Some APIs do so with 403 and another sign. */
function isRateLimit({ status, headers }: ApiResponse, { message }: ApiErrorByInput): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isExhausted = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
  return isExhausted || /\brate.?limit/i.test(message);
}

function rateLimitAdvice(response: ApiResponse, name: string): string {
  const isLong = (retryTime(response) ?? 0) > LONG_WAIT_MS;
  const quota = isLong ? ", or tell the user that the API's quota is used up" : "";
  return `too many calls: ${waitPhrase(response)}, then call ${name} again${quota}. ${GIVE_UP}`;
}

/** A request without a body has no format: what it asks for does not exist in one. */
const unsupportedFormat = ({ mapping: { body } }: ApiCall): string =>
  body === undefined
    ? "does not have this in the format that the operation returns"
    : "does not accept the format of this request";

const formatAdvice = (name: string, problem: string): string =>
  `the API ${problem}. Do not call ${name} again with the same input; tell the user.`;

/** Advises after 405 and 501, which may be about the operation or about one of its inputs. */
function unsupportedOperationAdvice(call: ApiCall, { message }: ApiErrorByInput): string {
  const { name } = call.tool;
  const words = new Set(message.match(/[\w.-]+/g));
  const ids = pathInputs(call);
  const named = presentInputs(call).filter((input) => words.has(input) && !ids.includes(input));
  if (named.length > 0)
    return `the API does not support ${joinNames(named)} here. Call ${name} again without it, or tell the user.`;
  return call.earlier?.hasOperation() === true
    ? `the API does not support this input here. Do not call ${name} again with it; tell the user.`
    : `the API does not support this operation here; do not call ${name} again.`;
}

/** Words of messages about the size of a request, and not about another limit that it exceeds. */
const SIZE = /\b(?:large|big|size|length|long|bytes?|[km]i?b|body|payload|content|entity)\b/i;

const tooLargeAdvice = ({ tool: { name } }: ApiCall): string =>
  `the request is too large for the API: pass less or shorter input, then call ${name} again.`;

function correctionAdvice(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const { name } = call.tool;
  const inputs = listInputs(apiError);
  const same = "the same input fails again";
  const { status, sentStatus = status } = response;
  const demanded = demandAdvice(readDemands(sentStatus, call, apiError), call);
  if (demanded !== undefined) return demanded;
  if (inputs !== "") {
    const single = singleItem(call, apiError);
    if (single !== undefined) return singleItemAdvice(call.tool, single);
    const names = apiError.inputErrors.map(({ input }) => input);
    const sources = sourcesOfInputs(call, [...new Set(names)]).map((source) => `${source}.`);
    return [`correct ${inputs}, then call ${name} again; ${same}.`, ...sources].join(" ");
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  if (inputsOf(call.tool).length === 0 && !call.mapping.body?.isOpen)
    return `the API rejects this call, and ${name} has no input. Tell the user.`;
  const isAboutValue = findNamedValues(call, apiError.message).length > 0;
  if (!isAboutValue && fieldsOfOmittedBody(call, apiError.message).length > 0)
    return omittedBodyAdvice(response, call);
  if (apiError.message === "") {
    const problem = "the API rejects this input without a message";
    return `${problem}. Compare it with the description of ${name}, and call it again only with another input.`;
  }
  if (isVague(apiError.message)) return vagueAdvice(call);
  const wrong = wrongInputs(call, apiError.message);
  const isOther = !isAboutInput(apiError.message) && wrong.length === 0;
  const inPath = hasOnlyPathInputs(call);
  const hasInput = presentInputs(call).length > 0 || call.request.body !== undefined;
  if (!isOther && !hasInput) return withoutInputAdvice(call);
  if (isOther || (inPath && wrong.length === 0 && !ABOUT_TYPE.test(apiError.message)))
    return unclearAdvice(call, apiError.message);
  const byValue = incorrectInputs(call, apiError.message);
  const named = byValue.length > 0 ? byValue : wrong;
  const orOther = otherWrong(call, apiError.message, wrong, named);
  const orName = orOther === undefined ? "" : ` or ${orOther}`;
  const subject =
    named.length > 0 ? `${joinNames(named)}${orName}` : `the input of ${name} as the API says`;
  return `correct ${subject}, then call ${named.length > 0 ? name : "it"} again; ${same}.`;
}

/** `id must be a valid integer`, `invalid UUID length`: about the form of a value, not a state. */
const ABOUT_TYPE =
  /\b(?:must be|should be|expected|invalid|malformed|not)\b.{0,30}\b(?:integer|int|number|uuid|guid|date|hex\w*|base64|format|syntax)\b/i;

/**
 * An input that a message calls wrong by its name beside those whose values it has:
 * `a.txt is not a directory; bad type` quotes the path, and names the type.
 */
const otherWrong = (
  { input }: ApiCall,
  message: string,
  wrong: readonly string[],
  named: readonly string[],
): string | undefined =>
  wrong.find(
    (one) =>
      input[one] !== undefined &&
      named.every((other) => other !== one && !other.startsWith(`${one}.`)) &&
      !isAttribute(one, named, message),
  );

/** True for a name that stands before that of another input: `metadata` of `metadata kind 'X'`. */
function isAttribute(input: string, named: readonly string[], message: string): boolean {
  const text = message.toLowerCase();
  return named.some((one) => text.includes(`${input} ${one}`.toLowerCase()));
}

/**
 * Inputs that a message names by their values, or as required. The ID of what is changed often only
 * names it: `Job "nightly" is invalid: …`.
 */
function incorrectInputs(call: ApiCall, message: string): readonly string[] {
  const ids = call.mapping.body === undefined ? [] : pathInputs(call);
  const named = findNamedValues(call, message).map(({ path }) => path);
  const values = named.filter((path) => !ids.includes(path));
  return values.length > 0 ? values : incompleteInputs(call, message);
}

const inputsOf = ({ inputSchema }: ToolDefinition): readonly string[] =>
  Object.keys(propertiesOf(inputSchema));

/** True if all inputs of the tool are path parameters, so that no other input can be corrected. */
function hasOnlyPathInputs(call: ApiCall): boolean {
  const inputs = new Set(pathInputs(call));
  return inputsOf(call.tool).every((name) => inputs.has(name));
}

/** True for a tool whose only input is one in its path. */
const hasOnlyOneId = (call: ApiCall): boolean =>
  hasOnlyPathInputs(call) && pathInputs(call).length === 1;

/** Advice after a message such as "Invalid data", which may be about a state as well. */
function vagueAdvice(call: ApiCall): string {
  const { name } = call.tool;
  const problem = "the API does not say what it rejects";
  if (hasOnlyPathInputs(call) && pathInputs(call).length > 0)
    return doubtfulIdsAdvice(call, `${problem}, and may have`);
  if (presentInputs(call).length === 0 && call.request.body === undefined)
    return withoutInputAdvice(call);
  return (
    `${problem}. Compare the input with the description of ${name}; if it is right, ` +
    "tell the user. The same input may fail again."
  );
}

/** Advice where a message may be about the input, or about a state. */
function unclearAdvice(call: ApiCall, message: string): string {
  const values = findNamedValues(call, message);
  const inputs = values.length > 0 ? ` for ${formatValues(values, "and")}` : "";
  return `the API refuses this${inputs}. Correct what its message names, or tell the user; the same input may fail again.`;
}

/** Advice where a call without input is rejected, by its state or for want of an input. */
function withoutInputAdvice(call: ApiCall): string {
  const inputs = joinFirst(inputsOf(call.tool), MAX_NAMED_INPUTS);
  return `the call had no input. Give ${inputs} if the API asks for it; otherwise tell the user.`;
}

/** Maximum number of inputs that advice names. */
const MAX_NAMED_INPUTS = 5;

function conflictAdvice(call: ApiCall, apiError: ApiErrorByInput): string {
  const { name } = call.tool;
  const omitted = isAboutInput(apiError.message) ? omittedInputs(call, apiError.message) : [];
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  const inputs = listInputs(apiError);
  // Some APIs send 409 for any refusal, so that their reason counts.
  const refusal =
    apiError.message === "" && inputs === ""
      ? "the request conflicts with the current state"
      : "the API refuses this for the reason that it gives";
  const problem = `${refusal}${namedParts(call, apiError)}`;
  const reader = findReader(call);
  const read = reader === undefined ? "" : `Call ${reader} to see the current state. `;
  if (hasOnlyPathInputs(call))
    return `${problem}. ${read}Do not call ${name} again while it lasts.`;
  if (inputs === "") return `${problem}. ${read}The same input may fail again.`;
  return `${problem}. ${read}Change ${inputs}, then call ${name} again; the same input fails again.`;
}

/** The parts inside of inputs whose values the API's message has, as the end of a clause. */
function namedParts(call: ApiCall, { message, inputErrors }: ApiErrorByInput): string {
  const named = inputErrors.length > 0 ? [] : findNamedValues(call, message);
  const parts = named.filter(({ path }) => path.includes("."));
  return parts.length === 0 ? "" : `, and the API names ${formatValues(parts, "and")}`;
}

/** Lists the inputs that the API reports errors for, as a phrase. */
function listInputs({ inputErrors }: ApiErrorByInput): string {
  return joinNames([...new Set(inputErrors.map(({ input }) => input))]);
}

function serverErrorAdvice(
  response: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const { message } = apiError;
  const { name } = call.tool;
  if (isLastingFault(call, response.status))
    return `resolve what the API and its documentation say, or tell the user; do not call ${name} again before.`;
  const hasTime = retryTime(response) !== undefined;
  const isFault = isPassingFault(message) && !mayBeOfInput(response, call, message);
  const isPassing = response.status < 500 || hasTime || isFault;
  const asksToWait = response.status === 503 || hasTime;
  if (!hasTime && call.earlier?.hasFailed(response.status) === true)
    return repeatedFaultAdvice(response, call);
  if (!isPossibleWrite(call)) {
    const retry = `${asksToWait ? waitPhrase(response) : "wait a little"}, then call ${name} again`;
    return isPassing
      ? `the fault is on the API's side. A retry can help: ${retry}. ${GIVE_UP}`
      : `if the reason that the API gives can pass by itself, ${retry}; otherwise tell the user.`;
  }
  const check = verificationAdvice(call);
  const advice = asksToWait ? `${waitPhrase(response)}, then ${check}` : check;
  const fault = isPassing ? "the fault is on the API's side, and " : "";
  const event = `${fault}${name} may or may not have taken effect`;
  const demanded = demandAdvice(readDemands(response.status, call, apiError), call);
  if (demanded !== undefined)
    return `${name} may or may not have taken effect. ${capitalize(advice)}. If not, ${demanded}`;
  const lacksBody = failsWithoutBody(call, response);
  const omitted = lacksBody ? [] : readInputs(call, message);
  if (omitted.length > 0) {
    const add = omissionAdvice(call, omitted);
    return `${name} may or may not have taken effect. ${capitalize(advice)}. If not, ${add}`;
  }
  const again = lacksBody ? omittedBodyFault(call) : GIVE_UP;
  return `${event}. ${capitalize(advice)} before you call ${name} again. ${again}`;
}

/** True for an exception of the code that read the input, which may be its reason. */
function mayBeOfInput({ status }: ApiResponse, call: ApiCall, message: string): boolean {
  if (status !== 500) return false;
  if (isAboutText(message)) return true;
  const isSent =
    call.request.body !== undefined ||
    queryInputs(call.mapping).some((name) => call.input[name] !== undefined);
  return isSent && isException(message);
}

/** Advice after the same request has failed with the same status before. */
function repeatedFaultAdvice({ status }: ApiResponse, call: ApiCall): string {
  const { name } = call.tool;
  // The status of a server that is down or busy does not depend on the call.
  if (status > 501)
    return `the same request failed with ${status} before. Tell the user; do not call ${name} again now.`;
  const event = `the same request failed with ${status} before, so it may fail whenever it is made`;
  const change = presentInputs(call).length > 0 ? "Change its input, or tell" : "Tell";
  const effect = isPossibleWrite(call)
    ? " Each of these calls may or may not have taken effect."
    : "";
  return `${event}.${effect} ${change} the user; do not call ${name} again as it is.`;
}

function waitPhrase(response: ApiResponse): string {
  const ms = retryTime(response);
  return ms === undefined ? "wait a minute" : `wait ${formatSeconds(ms)}`;
}
