import type { ApiResponse, Failure } from "../client/index.js";
import type { InputProblem } from "../request/types.js";
import { narrowingInputs } from "../response/notes.js";
import { adviceFor } from "./advice.js";
import {
  type ApiCall,
  formatSeconds,
  isWrite,
  requestLine,
  verificationAdvice,
} from "./api-call.js";
import { excerpt, extractApiError, extractErrorFromValue } from "./api-error/extract.js";
import { embeddedErrorAdvice } from "./embedded-error.js";
import { type ApiErrorByInput, mapErrorsToInputs } from "./input-errors.js";
import { MAX_LISTED_PROBLEMS, problemHint, type ToolInputs } from "./input-hints.js";

export type { ApiCall } from "./api-call.js";
export { isWrite } from "./api-call.js";
export { findVerificationTool } from "./api-call.js";
export { isEmbeddedError } from "./embedded-error.js";

/**
 * Told when something broke on our side. What broke stands in the log, never here: it may hold
 * secrets.
 */
export const INTERNAL_ERROR =
  "The call failed because of an internal error of this server; it is in the server's log. Tell the user; calling again will most likely fail too.";

/**
 * The text for an input that was not sent: every problem, where a good value comes from, and what
 * to do.
 */
export function invalidInputText(tool: ToolInputs, problems: readonly InputProblem[]): string {
  if (problems.every(({ input }) => input === ""))
    return `Not sent: ${problems.map(({ problem }) => problem.replace(/\.$/, "")).join("; ")}.`;
  const lines = problems
    .slice(0, MAX_LISTED_PROBLEMS)
    .map(
      (found) =>
        `- ${found.input ? `${found.input}: ` : ""}${found.problem}${problemHint(found, tool)}`,
    );
  const more =
    problems.length > MAX_LISTED_PROBLEMS
      ? [`- and ${problems.length - MAX_LISTED_PROBLEMS} more`]
      : [];
  const [count, those] =
    problems.length === 1 ? ["1 problem", "it"] : [`${problems.length} problems`, "these"];
  return [
    `Not sent: ${count} with the input of ${tool.name}.`,
    ...lines,
    ...more,
    `Correct ${those} and call ${tool.name} again.`,
  ].join("\n");
}

/**
 * The text for a call that failed after its input was found good: what happened, what the API says,
 * what to do next.
 */
export function explainFailure(failure: Failure, call: ApiCall): string {
  if (failure.kind === "credentials") return failure.message;
  const { summary, effect = "", apiMessage = "", next } = explanationOf(failure, call);
  return [`${summary} ${effect}`.trim(), apiMessage, `Next: ${next}`].filter(Boolean).join("\n");
}

interface Explanation {
  readonly summary: string;
  /** Whether something may have changed. */
  readonly effect?: string;
  /** The API's own words, labelled as such. */
  readonly apiMessage?: string;
  readonly next: string;
}

function explanationOf(
  failure: Exclude<Failure, { kind: "credentials" }>,
  call: ApiCall,
): Explanation {
  const { tool, api } = call;
  const at = `(${requestLine(call)})`;
  switch (failure.kind) {
    case "status":
      return explainErrorResponse(failure.response, call);
    case "refused":
      return explainEmbeddedError(failure, call);
    case "unusable":
      return explainUnusable(failure, call);
    case "tooLarge":
      return {
        summary: `${tool.name} failed: the response is larger than ${formatBytes(failure.limit)} ${at}.`,
        effect: effectText(call),
        next: narrowingAdvice(call),
      };
    case "timeout":
      return {
        summary: `${tool.name} timed out after ${formatSeconds(failure.afterMs)}: ${api.title} did not answer in time ${at}.`,
        effect: effectText(call, failure.sent),
        next: retryAdvice(call, failure.sent),
      };
    case "cancelled":
      return {
        summary: `${tool.name} was cancelled.`,
        effect: effectText(call),
        next: retryAdvice(call),
      };
    case "connection":
      return {
        summary: `${tool.name} failed: ${failure.cause} ${at}.`,
        effect: effectText(call, failure.sent),
        next: failure.permanent ? permanentFailureAdvice(call) : retryAdvice(call, failure.sent),
      };
    case "redirect":
      return {
        summary: `${tool.name} failed: ${failure.cause} ${at}.`,
        effect: effectText(call),
        next: `calling again does not help. Tell the user; if the API has moved, ${api.envPrefix}_BASE_URL must be set to its new address.`,
      };
    case "busy":
      return {
        summary: `${tool.name} was not sent: this server is busy with too many calls.`,
        next: `wait a few seconds, then call ${tool.name} again; make fewer calls at a time.`,
      };
  }
}

function explainErrorResponse(response: ApiResponse, call: ApiCall): Explanation {
  const said = mapErrorsToInputs(extractApiError(response), call);
  return {
    summary: `${call.tool.name} failed: ${formatStatus(response)} (${requestLine(call)}).`,
    apiMessage: quoteApiError(said),
    next: adviceFor(response, call, said),
  };
}

/** "200 OK", and in the answer `ok: false`. */
function explainEmbeddedError(
  { response, value }: Extract<Failure, { kind: "refused" }>,
  call: ApiCall,
): Explanation {
  const said = mapErrorsToInputs(extractErrorFromValue(value), call);
  return {
    summary: `${call.tool.name} failed: the API answered ${formatStatus(response)}, but says in its answer that it did not work (${requestLine(call)}).`,
    apiMessage: quoteApiError(said),
    next: embeddedErrorAdvice(response, call, said),
  };
}

/** The API's own words, labelled as such; those about single inputs on lines of their own. */
function quoteApiError({ message, inputErrors }: ApiErrorByInput): string {
  const lines = inputErrors.map(
    ({ input, message: complaint }) => `- ${input}: ${JSON.stringify(complaint)}`,
  );
  const label = lines.length > 0 && !message ? ["The API says:"] : [];
  return [quoteAs("The API says", message), ...label, ...lines].filter(Boolean).join("\n");
}

function explainUnusable(
  failure: Extract<Failure, { kind: "unusable" }>,
  call: ApiCall,
): Explanation {
  const { response, reason: why, excerpt: start = "" } = failure;
  return {
    summary: `${call.tool.name}: ${formatStatus(response)}, but ${why} (${requestLine(call)}).`,
    apiMessage: quoteAs("The answer begins", excerpt(start)),
    next: unusableAdvice(failure, call),
  };
}

/**
 * The API has said that it worked; so what it was asked to change is changed, whatever its answer
 * looks like.
 */
function unusableAdvice({ shown }: Extract<Failure, { kind: "unusable" }>, call: ApiCall): string {
  if (isWrite(call))
    return `it has taken effect: do not call ${call.tool.name} again.${shown ? " The answer follows as it came." : ""}`;
  if (shown)
    return "the answer follows as it came; use it with care. A retry will most likely bring the same.";
  return "this is a fault of the API, and a retry will most likely meet it again; tell the user.";
}

function quoteAs(label: string, words: string): string {
  return words ? `${label}: ${JSON.stringify(words)}` : "";
}

/** Whether something may have changed. Reading changes nothing, and needs no words. */
function effectText(call: ApiCall, sent = true): string {
  if (!isWrite(call)) return "";
  return sent
    ? `${call.tool.name} may or may not have taken effect.`
    : "Nothing was sent, and nothing has changed.";
}

function retryAdvice(call: ApiCall, sent = true): string {
  if (isWrite(call) && sent)
    return `${verificationAdvice(call)} before you call ${call.tool.name} again.`;
  return `a retry can help: wait a little, then call ${call.tool.name} again; if it fails again, tell the user.`;
}

function permanentFailureAdvice({ api }: ApiCall): string {
  return `a retry does not help. Tell the user to check that ${api.envPrefix}_BASE_URL is right, and that the API there works.`;
}

function narrowingAdvice({ tool, api }: ApiCall): string {
  const inputs = narrowingInputs(tool);
  if (inputs.length > 0)
    return `ask for less: narrow with ${inputs.join(", ")}, then call ${tool.name} again.`;
  return `${tool.name} has no input that would narrow it. Tell the user; ${api.envPrefix}_MAX_RESPONSE_BYTES raises the limit.`;
}

function formatStatus({ status: code, statusText }: ApiResponse): string {
  return `${code} ${statusText.slice(0, 60) || statusName(code)}`.trim();
}

function formatBytes(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 100_000) / 10} MB` : `${bytes} bytes`;
}

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [402, "Payment Required"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [406, "Not Acceptable"],
  [408, "Request Timeout"],
  [409, "Conflict"],
  [410, "Gone"],
  [412, "Precondition Failed"],
  [413, "Content Too Large"],
  [415, "Unsupported Media Type"],
  [422, "Unprocessable Content"],
  [423, "Locked"],
  [428, "Precondition Required"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [501, "Not Implemented"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
  [504, "Gateway Timeout"],
]);

/**
 * The name of a status, where the response does not bring it: HTTP/2 has none. Empty when it is not
 * a usual one.
 */
export function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? "";
}
