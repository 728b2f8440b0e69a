/** Error texts for agents: the event, the API's message and the next step. */
import type { ApiCall, ApiResponse, Failure, InputProblem } from "../request/types.js";
import { queryInputs } from "../request/parameter-source.js";
import { narrowingInputs } from "../response/notes.js";
import { adviceFor } from "./advice.js";
import { statusOfBody } from "./api-error/effective-status.js";
import {
  excerpt,
  extractApiError,
  extractErrorFromValue,
  quoteMessage,
  responseValue,
} from "./api-error/extract.js";
import { isAboutMissing, isAboutState, isAboutSupport } from "./api-error/message-kind.js";
import type { ApiErrorDetails } from "./api-error/json-message.js";
import { remainingValues } from "./api-error/remaining-values.js";
import { xmlValues } from "./api-error/xml-values.js";
import { errorHeaderLines } from "./error-headers.js";
import { documentedMeanings, isLastingFault } from "./documented-status.js";
import { embeddedErrorAdvice } from "./embedded-error.js";
import {
  type ApiErrorByInput,
  mapErrorsToInputs,
  MAX_LISTED_PROBLEMS,
  problemHint,
  type ToolInputs,
} from "./input-errors.js";
import { isPossibleWrite, isWrite } from "../client/failures.js";
import { paymentPage } from "./payment-page.js";
import { formatStatus, statusNames, withoutStatusName } from "./status-names.js";
import { baseUrlSetting, formatSeconds, requestLine } from "./next-tools.js";
import { verificationAdvice } from "./other-tools.js";

/** Text for an exception of the server. The log has its details, which may contain secrets. */
export const INTERNAL_ERROR =
  "The call failed with an internal error of this server. The server's log has the details. " +
  "Tell the user; another call will most likely fail too.";

/** Explains an input that was not sent: its problems, sources of valid values and the next step. */
export function invalidInputText(tool: ToolInputs, problems: readonly InputProblem[]): string {
  const isAboutInputs = problems.some(({ input }) => input !== "");
  if (!isAboutInputs) {
    const clauses = problems.map(({ problem }) => problem.replace(/\.$/, ""));
    return `Not sent: ${clauses.join("; ")}.`;
  }
  const listed = problems.slice(0, MAX_LISTED_PROBLEMS);
  const omitted = problems.length - listed.length;
  const isSingle = problems.length === 1;
  const count = isSingle ? "1 problem" : `${problems.length} problems`;
  return [
    `Not sent: ${count} with the input of ${tool.name}.`,
    ...listed.map((problem) => `- ${problemText(problem, tool)}`),
    ...(omitted > 0 ? [`- and ${omitted} more`] : []),
    `Correct ${isSingle ? "it" : "these"} and call ${tool.name} again.`,
  ].join("\n");
}

function problemText(problem: InputProblem, tool: ToolInputs): string {
  const clause = problem.problem + problemHint(problem, tool);
  return problem.input === "" ? clause : `${problem.input}: ${clause}`;
}

/** Explains the failure of a call with a valid input. */
export function explainFailure(failure: Failure, call: ApiCall): string {
  if (failure.kind === "credentials") return failure.message;
  const { summary, effect = "", apiMessage = "", next } = explanationOf(failure, call);
  const advice = next === undefined ? "" : `Next: ${next}`;
  return [`${summary} ${effect}`.trim(), apiMessage, advice].filter(Boolean).join("\n");
}

interface Explanation {
  readonly summary: string;
  /** Sentence about what the call may have changed. */
  readonly effect?: string;
  /** Message of the API, labelled as such. */
  readonly apiMessage?: string;
  /** Absent where the API's message itself says what to do. */
  readonly next?: string;
}

function explanationOf(
  failure: Exclude<Failure, { kind: "credentials" }>,
  call: ApiCall,
): Explanation {
  switch (failure.kind) {
    case "status":
      return explainErrorResponse(failure.response, call);
    case "refused":
      return explainEmbeddedError(failure, call);
    case "unusable":
      return explainUnusable(failure, call);
    default:
      return explainMissingResponse(failure, call);
  }
}

/** Explains a call that ended without a response, or with one that was not read. */
function explainMissingResponse(
  failure: Exclude<Failure, { kind: "credentials" | "status" | "refused" | "unusable" }>,
  call: ApiCall,
): Explanation {
  const { name } = call.tool;
  const at = `(${requestLine(call)})`;
  switch (failure.kind) {
    case "tooLarge":
      return {
        summary: `${name} failed: the response is larger than ${formatBytes(failure.limit)} ${at}.`,
        effect: effectText(call),
        next: narrowingAdvice(call),
      };
    case "timeout": {
      const time = formatSeconds(failure.afterMs);
      const cause = failure.sent
        ? `${call.api.title} did not answer in time`
        : "the request could not be sent in time";
      return {
        summary: `${name} timed out after ${time}: ${cause} ${at}.`,
        effect: effectText(call, failure.sent),
        next: retryAdvice(call, failure.sent),
      };
    }
    case "cancelled":
      return {
        summary: `${name} was cancelled.`,
        effect: effectText(call),
        next: retryAdvice(call),
      };
    case "interrupted":
      return {
        summary: `${name} was interrupted: this server is stopping ${at}.`,
        effect: effectText(call, failure.sent),
        next: retryAdvice(call, failure.sent),
      };
    case "connection":
      return {
        summary: `${name} failed: ${failure.cause} ${at}.`,
        effect: effectText(call, failure.sent),
        next: connectionAdvice(failure, call),
      };
    case "redirect":
      return {
        summary: `${name} failed: ${failure.cause} ${at}.`,
        effect: effectText(call),
        next: redirectAdvice(call),
      };
    case "unavailable":
      return explainUnavailable(failure, call);
    case "busy":
      return explainBusy(failure, name);
  }
}

/** Explains a call that was not sent, because the API does not work. */
function explainUnavailable(
  { origin, failures, waitMs, status, cause }: Extract<Failure, { kind: "unavailable" }>,
  { tool: { name }, api }: ApiCall,
): Explanation {
  const latest = cause ?? formatStatus({ status: status ?? 0, statusText: "" });
  return {
    summary:
      `${name} was not sent: ${api.title} does not work at the moment. ` +
      `The last ${failures} requests to ${origin} failed (${latest}).`,
    next: `wait about ${formatSeconds(waitMs)}, then call ${name} again. If it fails again, tell the user.`,
  };
}

/** Explains a call that was not sent, because others were before it. */
function explainBusy(
  { waitedMs, expectedMs }: Extract<Failure, { kind: "busy" }>,
  name: string,
): Explanation {
  const hasWaited = waitedMs >= 1000;
  const wait = expectedMs >= 5000 ? `about ${Math.ceil(expectedMs / 1000)} s` : "a few seconds";
  const cause = hasWaited
    ? `busy. The call waited ${Math.round(waitedMs / 1000)} s for its turn, and too little time was left`
    : "busy with too many calls";
  return {
    summary: `${name} was not sent: this server is ${cause}.`,
    next: `wait ${wait}, then call ${name} again; make fewer calls at a time.`,
  };
}

function explainErrorResponse(response: ApiResponse, call: ApiCall): Explanation {
  const details = extractApiError(response);
  const message = withoutStatusName(details.message, response.status);
  const apiError = mapErrorsToInputs({ ...details, message }, call);
  const body = responseValue(response) ?? xmlValues(response);
  const next = paymentAdvice(response, call) ?? adviceFor(response, call, apiError);
  const effect = isEffectOpen(response, message, call, next) ? effectText(call) : "";
  return {
    summary: `${call.tool.name} failed: ${formatStatus(response)} (${requestLine(call)}).`,
    effect,
    apiMessage: quoteResponse(response, body, details, apiError, call),
    next: effect === "" ? next : checkedFirst(next, call),
  };
}

/** Advice to pay on the page that a 402 names, unless the tool configures another one. */
function paymentAdvice(response: ApiResponse, { tool }: ApiCall): string | undefined {
  const page = paymentPage(response);
  if (page === undefined || tool.onError !== undefined) return undefined;
  return (
    `the API requires payment. Give the user this link to open in a browser: ${page}\n` +
    `Call ${tool.name} again when they have paid.`
  );
}

/** Advice to repeat a write that may have taken effect: only if it has not. */
function checkedFirst(advice: string | undefined, call: ApiCall): string | undefined {
  return advice && /\bcall \w+ again\b/.test(advice)
    ? `${verificationAdvice(call)}. If not, ${advice}`
    : advice;
}

/**
 * True after a server error that leaves its effect open, if the advice does not say so. A message
 * about an input does not show when the fault occurred. A code of gRPC, 501, and what
 * is missing, exists already or is not supported, do.
 */
function isEffectOpen(
  response: ApiResponse,
  message: string,
  call: ApiCall,
  advice: string | undefined,
): boolean {
  const { status } = response;
  if (status < 500 || status === 501 || isLastingFault(call, status)) return false;
  if ([isAboutMissing, isAboutState, isAboutSupport].some((is) => is(message))) return false;
  if (advice?.includes("taken effect")) return false;
  return statusOfBody(responseValue(response)) === undefined;
}

/** Explains a success status whose response reports an error, such as `ok: false`. */
function explainEmbeddedError(
  { response, value }: Extract<Failure, { kind: "refused" }>,
  call: ApiCall,
): Explanation {
  const details = extractErrorFromValue(value);
  const apiError = mapErrorsToInputs(details, call);
  const event = `the API returned ${formatStatus(response)}, but reports an error in its response`;
  return {
    summary: `${call.tool.name} failed: ${event} (${requestLine(call)}).`,
    apiMessage: quoteResponse(response, value, details, apiError, call),
    next: embeddedErrorAdvice(response, call, apiError),
  };
}

/** Quotes the API's message, its other values and headers, and the documented meanings of codes. */
function quoteResponse(
  response: ApiResponse,
  body: unknown,
  { fieldErrors, isBody }: ApiErrorDetails,
  apiError: ApiErrorByInput,
  call: ApiCall,
): string {
  const message = quoteApiError(apiError, isBody);
  const { message: text, inputErrors } = apiError;
  const shownText = {
    ...call.request,
    text: [text, ...inputErrors.map((error) => error.message)].join("; "),
    fields: [...fieldErrors.map(({ field }) => field), ...inputErrors.map(({ input }) => input)],
    status: response.status,
    statusNames: statusNames(response.status),
  };
  const rest = isBody ? "" : remainingValues(body, shownText);
  const values = rest === "" ? "" : `The response also has: ${rest}`;
  const shown = [message, values].filter(Boolean).join("\n");
  const headers = errorHeaderLines(response, shown);
  const meanings = documentedMeanings(response, call, message);
  return [shown, ...headers, meanings].filter(Boolean).join("\n");
}

/** Quotes the API's message, then one line for each error of an input. */
function quoteApiError({ message, inputErrors }: ApiErrorByInput, isBody?: true): string {
  const lines = inputErrors.map((error) => `- ${error.input}: ${JSON.stringify(error.message)}`);
  const label = lines.length > 0 && !message ? ["The API says:"] : [];
  const said = message && `The API says: ${quoteMessage({ message, ...(isBody && { isBody }) })}`;
  return [said, ...label, ...lines].filter(Boolean).join("\n");
}

function explainUnusable(
  failure: Extract<Failure, { kind: "unusable" }>,
  call: ApiCall,
): Explanation {
  const { response, reason, excerpt: text = "" } = failure;
  return {
    summary: `${call.tool.name}: ${formatStatus(response)}, but ${reason} (${requestLine(call)}).`,
    effect: effectText(call),
    apiMessage: quoteAs("The response begins", excerpt(text)),
    next: unusableAdvice(failure, call),
  };
}

/**
 * Advises after a success response that breaks its description. It does not show what a write has
 * done: pages of proxies and sign-ins have a success status, too.
 */
function unusableAdvice({ shown }: Extract<Failure, { kind: "unusable" }>, call: ApiCall): string {
  if (isPossibleWrite(call)) {
    const advice = `${verificationAdvice(call)} before you call ${call.tool.name} again.`;
    return shown ? `${advice} The response follows unchanged.` : advice;
  }
  if (shown)
    return (
      "the response follows unchanged; use it with care. " +
      "A retry will most likely return the same."
    );
  return "a retry will most likely return the same. Tell the user.";
}

function quoteAs(label: string, text: string): string {
  return text === "" ? "" : `${label}: ${JSON.stringify(text)}`;
}

/** States whether something may have changed; empty for a call that only reads. */
function effectText(call: ApiCall, isSent = true): string {
  if (!isPossibleWrite(call)) return "";
  if (!isSent) return "Nothing was sent, and nothing has changed.";
  return `${call.tool.name} may or may not have taken effect.`;
}

function retryAdvice(call: ApiCall, isSent = true): string {
  const { name } = call.tool;
  const retry = `call ${name} again. If it fails again, tell the user.`;
  if (isPossibleWrite(call) && isSent) return `${verificationAdvice(call)} before you ${retry}`;
  return `a retry can help: wait a little, then ${retry}`;
}

function connectionAdvice(
  { permanent, sent }: Extract<Failure, { kind: "connection" }>,
  call: ApiCall,
): string {
  const check = `check that ${baseUrlSetting(call)} is right, and that the API there works`;
  if (permanent) return `a retry does not help. Tell the user to ${check}.`;
  // A server of HTTPS that is spoken to in HTTP only closes the connection.
  return retryAdvice(call, sent).replace(/tell the user\.$/, `tell the user to ${check}.`);
}

function redirectAdvice(call: ApiCall): string {
  const advice = `if the API has moved, ${baseUrlSetting(call)} must be set to its new address`;
  return `calling again does not help. Tell the user; ${advice}.`;
}

function narrowingAdvice(call: ApiCall): string {
  const { tool, api } = call;
  const usable = isWrite(call) ? [] : queryInputs(call.mapping);
  const inputs = narrowingInputs(tool, usable).filter((name) => call.input[name] === undefined);
  if (inputs.length > 0)
    return `ask for less: narrow with ${inputs.join(", ")}, then call ${tool.name} again.`;
  const setting = `${api.envPrefix}_MAX_RESPONSE_BYTES`;
  const problem = `${tool.name} has no input that narrows the result`;
  return `${problem}. Tell the user: ${setting} raises the limit.`;
}

function formatBytes(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 100_000) / 10} MB` : `${bytes} bytes`;
}
