/** The next step after an error response, as advice for an agent. */
import type { ApiCall, ApiResponse } from "../request/types.js";
import { isWrite, retryAfter } from "../client/failures.js";
import { mappedInputs } from "../request/parameter-source.js";
import {
  baseUrlSetting,
  findReader,
  formatSeconds,
  formatInput,
  presentInputs,
  quoteInput,
  sourcesOfInputs,
  verificationAdvice,
} from "./next-tools.js";
import { forbiddenAdvice, unauthorizedAdvice } from "./credential-advice.js";
import { type ApiErrorByInput, omittedInputs, pathInputs } from "./input-errors.js";

/** Wait above which an exhausted quota is likelier than too many calls in a row. */
const LONG_WAIT_MS = 3_600_000;

/** End of advice to call again: a second failure ends the attempts. */
const GIVE_UP = "If it fails again, tell the user.";

/** An error response, or a success response that reports an error. */
export interface ErrorResponse extends ApiResponse {
  /** True if the API responded with a success status. */
  readonly isEmbedded?: boolean;
}

/** Advises after an error response: by the tool's `onError`, otherwise by the status. */
export function adviceFor(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  return configuredAdvice(response.status, call) ?? adviceByStatus(response, call, apiError);
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

function adviceByStatus(response: ErrorResponse, call: ApiCall, apiError: ApiErrorByInput): string {
  const { status } = response;
  const { name } = call.tool;
  if (isRateLimit(response, apiError)) return rateLimitAdvice(response, name);
  if (status >= 300 && status < 400)
    return `the API gave no result, only a redirect or "not modified". Calling again does not help.`;
  switch (status) {
    case 401:
      return unauthorizedAdvice(call);
    case 402:
      return "the API requires payment or a larger plan. Tell the user; do not retry.";
    case 403:
      return forbiddenAdvice(call, apiError);
    case 404:
    case 410:
      return notFoundAdvice(response, call, apiError);
    case 405:
    case 501:
      return `the API does not support this operation here; do not call ${name} again.`;
    case 406:
    case 415:
      return formatAdvice(name);
    case 409:
    case 412:
    case 423:
      return conflictAdvice(call, apiError);
    case 413:
    case 414:
    case 431:
      return tooLargeAdvice(call);
    case 451:
      return "the API withholds this for legal reasons. Tell the user; do not retry.";
    case 408:
    case 425:
      return serverErrorAdvice(response, call);
    default:
      if (status < 500) return correctionAdvice(call, apiError);
      if (status === 500 && lacksPathItem(call, apiError))
        return notFoundAdvice(response, call, apiError);
      return serverErrorAdvice(response, call);
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
  const isLong = (retryAfter(response) ?? 0) > LONG_WAIT_MS;
  const quota = isLong ? ", or tell the user that the API's quota is used up" : "";
  return `too many calls: ${waitPhrase(response)}, then call ${name} again${quota}. ${GIVE_UP}`;
}

function formatAdvice(name: string): string {
  const problem = "the API does not accept the format of this request";
  return `${problem}, and no input of ${name} changes that. Tell the user.`;
}

function tooLargeAdvice(call: ApiCall): string {
  const problem = "the request is too large for the API";
  if (presentInputs(call).length === 0)
    return `${problem}, and the call has no input. Tell the user.`;
  return `${problem}: pass less or shorter input, then call ${call.tool.name} again.`;
}

function correctionAdvice(call: ApiCall, apiError: ApiErrorByInput): string {
  const { name } = call.tool;
  const inputs = listInputs(apiError);
  const same = "the same input fails again";
  if (inputs !== "") {
    const names = apiError.inputErrors.map(({ input }) => input);
    const sources = sourcesOfInputs(call, [...new Set(names)]).map((source) => `${source}.`);
    return [`correct ${inputs}, then call ${name} again; ${same}.`, ...sources].join(" ");
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  if (!hasInputs(call))
    return `the API rejects this call, and ${name} has no input. Tell the user.`;
  if (apiError.message !== "" && hasOnlyPathInputs(call)) return otherStateAdvice(call);
  if (apiError.message !== "")
    return `correct the input of ${name} as the API says, then call it again; ${same}.`;
  const problem = "the API rejects this input and gives no reason";
  return `${problem}. Compare it with the description of ${name}, and call it again only with another input.`;
}

/** Advice to add inputs that the API names and the call does not have. */
function omissionAdvice(call: ApiCall, inputs: readonly string[]): string {
  const sources = sourcesOfInputs(call, inputs).map((source) => `${source}.`);
  const names = inputs.length === 1 ? inputs[0]! : `${inputs.join(" or ")} as the API says`;
  return [`add ${names}, then call ${call.tool.name} again.`, ...sources].join(" ");
}

function hasInputs({ tool }: ApiCall): boolean {
  return Object.keys((tool.inputSchema["properties"] ?? {}) as object).length > 0;
}

/** True if all inputs of the tool are path parameters, so that no other input can be corrected. */
function hasOnlyPathInputs(call: ApiCall): boolean {
  const inputs = new Set(pathInputs(call));
  return Object.keys((call.tool.inputSchema["properties"] ?? {}) as object).every((name) =>
    inputs.has(name),
  );
}

function otherStateAdvice(call: ApiCall): string {
  const { name } = call.tool;
  const next = `Resolve what it says, or use another input, then call ${name} again`;
  const problem = `the API refuses this for ${inputValues(call, pathInputs(call))}`;
  return `${problem}. ${next}; the same input fails until then.`;
}

function conflictAdvice(call: ApiCall, apiError: ApiErrorByInput): string {
  const { name } = call.tool;
  const inputs = listInputs(apiError);
  const problem = "the request conflicts with the current state";
  const reader = findReader(call);
  const read = reader === undefined ? "" : `Call ${reader} to see it. `;
  if (hasOnlyPathInputs(call))
    return `${problem}. ${read}Do not call ${name} again while it lasts.`;
  const change = inputs === "" ? "the input" : inputs;
  return `${problem}. ${read}Change ${change}, then call ${name} again; the same input fails again.`;
}

/** Lists the inputs that the API reports errors for, as a phrase. */
function listInputs({ inputErrors }: ApiErrorByInput): string {
  return joinNames([...new Set(inputErrors.map(({ input }) => input))]);
}

function joinNames(names: readonly string[]): string {
  if (names.length > 4) return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

function notFoundAdvice(
  { status, isEmbedded = false }: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const { tool } = call;
  const inputs = notFoundInputs(call, apiError);
  const checkUrl = `If other tools get ${status} too, tell the user to check ${baseUrlSetting(call)}.`;
  const sources = sourcesOfInputs(call, inputs.length > 0 ? inputs : presentInputs(call));
  const askUser = "if the user gave the value, ask them to check it";
  if (inputs.length > 0) {
    const values = inputValues(call, inputs);
    const part = partOfItem(call);
    const orPart =
      part === undefined ? "" : `, or no ${part} for ${inputs.length > 1 ? "them" : "it"}`;
    const problem = `the API has nothing with ${values}${orPart}`;
    const check = NO_ROUTE.test(apiError.message) ? ` ${checkUrl}` : "";
    if (sources.length > 0) return `${problem}. ${sources.join(". ")}; ${askUser}.${check}`;
    return `${problem}. Do not call ${tool.name} again with the same input; ${askUser}.${check}`;
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  const same = `do not call ${tool.name} again with the same input`;
  const next = sources.length > 0 ? `${sources.join(". ")}. Otherwise ${same}` : capitalize(same);
  if (isEmbedded) return `the API did not find what the call is about. ${next}.`;
  const sent = new Set(mappedInputs(call.mapping));
  const ids = presentInputs(call).filter((name) => ID_NAME.test(name) && sent.has(name));
  if (ids.length === 0)
    return `the path of this request is fixed, so that no ID in it is wrong. ${next}. ${checkUrl}`;
  const problem = `the path of this request is fixed, but the API may lack ${inputValues(call, ids)}`;
  return `${problem}. ${next}; ${askUser}. ${checkUrl}`;
}

/** Names of inputs that hold one ID. */
const ID_NAME = /(?:^|_)(?:id|uuid|guid)$|(?:[a-z]I[dD]|Uuid|UUID)$/;

/** Messages of routers and web servers, which know no path of this form. */
const NO_ROUTE = new RegExp(
  [
    String.raw`\b(?:page|route|url|uri|path|endpoint)\b.{0,20}\bnot (?:be )?found\b`,
    String.raw`\bno (?:such |matching )?(?:route|endpoint)`,
    "^cannot (?:get|head|post|put|patch|delete) /",
  ].join("|"),
  "i",
);

/**
 * True if a message says that the item of the path does not exist, with the value of an input or
 * the name of its collection: `silence not found` for `/silences/{id}`. Many servers respond with
 * 500 in that case.
 */
function lacksPathItem(call: ApiCall, { message }: ApiErrorByInput): boolean {
  if (!/\bnot.?found\b|\b(?:does|do|did) not exist|\bno such\b/i.test(message)) return false;
  const text = message.toLowerCase();
  const nouns = [...call.mapping.path.matchAll(/(?<![a-z-])([a-z-]{3,})\/\{/gi)].map(
    ([, noun = ""]) => noun,
  );
  const values = pathInputs(call).map((name) => String(call.input[name]));
  const names = nouns.map((noun) => noun.toLowerCase().replace(/ies$|s$/, ""));
  return [...values, ...names].some((name) => name.length > 2 && text.includes(name.toLowerCase()));
}

/** Inputs of the path; without any, the IDs that the API's message names: `padID does not exist`. */
function notFoundInputs(call: ApiCall, { message }: ApiErrorByInput): readonly string[] {
  const inputs = pathInputs(call);
  const words = new Set(message.match(/[\w-]+/g));
  const isNamedId = (name: string): boolean => /(?:id|key|slug)$/i.test(name) && words.has(name);
  return inputs.length > 0 ? inputs : presentInputs(call).filter(isNamedId);
}

/** Inputs with their values: `pet_id "p1" and visit_id "v1"`. */
function inputValues({ input }: ApiCall, names: readonly string[]): string {
  return names.map((name) => `${name} ${quoteInput(name, input[name])}`).join(" and ");
}

/** Name of what a path reads or deletes below an item: `photo` of `/pets/{petId}/photo`. */
function partOfItem({ mapping: { method, path } }: ApiCall): string | undefined {
  if (!/^(?:GET|HEAD|DELETE)$/.test(method)) return undefined;
  const [, part] = /\}\/([a-z][a-z_-]*)$/i.exec(path) ?? [];
  return part?.replace(/[_-]/g, " ");
}

function serverErrorAdvice(response: ApiResponse, call: ApiCall): string {
  const { name } = call.tool;
  const asksToWait = response.status === 503 || retryAfter(response) !== undefined;
  if (!isWrite(call)) {
    const retry = `${asksToWait ? waitPhrase(response) : "wait a little"}, then call ${name} again`;
    return `the fault is on the API's side. A retry can help: ${retry}. ${GIVE_UP}`;
  }
  const check = verificationAdvice(call);
  const advice = asksToWait ? `${waitPhrase(response)}, then ${check}` : check;
  const event = `the fault is on the API's side, and ${name} may or may not have taken effect`;
  return `${event}. ${capitalize(advice)} before you call ${name} again. ${GIVE_UP}`;
}

function waitPhrase(response: ApiResponse): string {
  const ms = retryAfter(response);
  return ms === undefined ? "wait a minute" : `wait ${formatSeconds(ms)}`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
