/** The next step after an error response, as advice for an agent. */
import type { ApiResponse } from "../client/types.js";
import { retryAfter } from "../client/retry.js";
import type { SecuritySchemeDefinition } from "../api-definition.js";
import { type ApiCall, formatSeconds, isWrite, verificationAdvice } from "./api-call.js";
import { type ApiErrorByInput, inputOf, producerPhrase } from "./input-errors.js";

/** Wait above which an exhausted quota is likelier than too many calls in a row. */
const LONG_WAIT_MS = 3_600_000;

/** Maximum number of characters of an input's value in configured advice. */
const MAX_VALUE = 100;

/** Advises after an error response: by the tool's `onError`, otherwise by the status. */
export function adviceFor(response: ApiResponse, call: ApiCall, apiError: ApiErrorByInput): string {
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
  return onError[key]!.replace(/\{(\w+)\}/g, (_, name: string) => formatValue(name, input[name]));
}

function formatValue(name: string, value: unknown): string {
  if (value === undefined || value === null) return name;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function adviceByStatus(response: ApiResponse, call: ApiCall, apiError: ApiErrorByInput): string {
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
      return forbiddenAdvice(call);
    case 404:
    case 410:
      return notFoundAdvice(call);
    case 405:
    case 501:
      return `the API does not support this operation here; do not call ${name} again.`;
    case 406:
    case 415:
      return formatAdvice(name);
    case 409:
    case 412:
    case 423:
      return conflictAdvice(name, apiError);
    case 413:
    case 414:
    case 431:
      return tooLargeAdvice(name);
    case 408:
    case 425:
      return serverErrorAdvice(response, call);
    default:
      return status >= 500 ? serverErrorAdvice(response, call) : correctionAdvice(call, apiError);
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
  return `too many calls: ${waitPhrase(response)}, then call ${name} again${quota}.`;
}

function formatAdvice(name: string): string {
  const problem = "the API does not accept the format of this request";
  return `${problem}, and no input of ${name} changes that. Tell the user.`;
}

function tooLargeAdvice(name: string): string {
  const advice = `pass less or shorter input, then call ${name} again`;
  return `the request is too large for the API: ${advice}.`;
}

function correctionAdvice({ tool }: ApiCall, apiError: ApiErrorByInput): string {
  const { name } = tool;
  const inputs = listInputs(apiError);
  const same = "the same input fails again";
  if (inputs === "")
    return `correct the input of ${name} as the API says, then call it again; ${same}.`;
  const sources = new Set(
    apiError.inputErrors.flatMap(({ input }) => {
      const producers = producerPhrase(tool, input);
      return producers ? [`Get a valid ${input} from ${producers}.`] : [];
    }),
  );
  return [`correct ${inputs}, then call ${name} again; ${same}.`, ...sources].join(" ");
}

function conflictAdvice(name: string, apiError: ApiErrorByInput): string {
  const inputs = listInputs(apiError);
  const advice =
    inputs === ""
      ? "Read the resource again, adapt the input"
      : `Change ${inputs}, or read the resource again first`;
  return `the request conflicts with the current state. ${advice}, then call ${name} again.`;
}

/** Lists the inputs that the API reports errors for, as a phrase. */
function listInputs({ inputErrors }: ApiErrorByInput): string {
  const inputs = [...new Set(inputErrors.map(({ input }) => input))];
  if (inputs.length > 4) return `${inputs.slice(0, 3).join(", ")} and ${inputs.length - 3} more`;
  const last = inputs.pop() ?? "";
  return inputs.length === 0 ? last : `${inputs.join(", ")} and ${last}`;
}

function unauthorizedAdvice(call: ApiCall): string {
  const variables = credentialVariables(call);
  if (variables)
    return `the API rejected the credentials. Tell the user to check ${variables}; do not retry.`;
  const declared = "its description declares none for this operation";
  return `the API requires credentials, but ${declared}. Tell the user.`;
}

function forbiddenAdvice(call: ApiCall): string {
  const variables = credentialVariables(call);
  const check = variables ? ` to check the permissions of ${variables}` : "";
  return `these credentials lack permission. Tell the user${check}; do not retry.`;
}

function notFoundAdvice({ mapping, tool }: ApiCall): string {
  const inputs = Object.values(mapping.pathParams ?? {}).flatMap((source) => inputOf(source) ?? []);
  if (inputs.length === 0)
    return `resource not found. Do not call ${tool.name} again with the same input.`;
  const isSingle = inputs.length === 1;
  const sources = inputs.flatMap((input) => {
    const producers = producerPhrase(tool, input);
    return producers ? [`Get a valid ${input} from ${producers}`] : [];
  });
  if (sources.length > 0)
    return `${sources.join(". ")}; if the user gave ${isSingle ? "it" : "these"}, ask them to check.`;
  const problem = `nothing exists with ${isSingle ? "this value" : "these values"}`;
  const advice = "Get a valid one first; if the user gave it, ask them to check it";
  return `check ${inputs.join(" and ")}: ${problem}. ${advice}.`;
}

function serverErrorAdvice(response: ApiResponse, call: ApiCall): string {
  const { name } = call.tool;
  const asksToWait = response.status === 503 || retryAfter(response) !== undefined;
  if (!isWrite(call)) {
    const retry = `${asksToWait ? waitPhrase(response) : "wait a little"}, then call ${name} again`;
    const advice = `A retry can help: ${retry}; if it fails again, tell the user`;
    return `the fault is on the API's side. ${advice}.`;
  }
  const check = verificationAdvice(call);
  const advice = asksToWait ? `${waitPhrase(response)}, then ${check}` : check;
  const event = `the fault is on the API's side, and ${name} may or may not have taken effect`;
  return `${event}. ${capitalize(advice)} before you call it again.`;
}

function waitPhrase(response: ApiResponse): string {
  const ms = retryAfter(response);
  return ms === undefined ? "wait a minute" : `wait ${formatSeconds(ms)}`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/**
 * Lists the environment variables of a call's credentials: `A, or B and C`. Empty when the
 * operation declares none.
 */
function credentialVariables({ api, mapping }: ApiCall): string {
  const alternatives = (mapping.security ?? api.security ?? []).map((requirement) =>
    Object.keys(requirement).flatMap((name) => variablesOf(api.securitySchemes[name])),
  );
  const phrases = alternatives.map((names) => names.join(" and ")).filter(Boolean);
  return [...new Set(phrases)].join(", or ");
}

function variablesOf(scheme: SecuritySchemeDefinition | undefined): readonly string[] {
  if (!scheme) return [];
  switch (scheme.kind) {
    case "basic":
      return [scheme.usernameEnv, scheme.passwordEnv];
    case "oauth2":
      return [tokenVariables(scheme)];
    case "mutualTLS":
      return [scheme.certEnv, scheme.keyEnv];
    default:
      return [scheme.env];
  }
}

type OAuthScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

function tokenVariables({ tokenEnv, clientIdEnv, clientSecretEnv }: OAuthScheme): string {
  if (!clientIdEnv || !clientSecretEnv) return tokenEnv;
  return `${tokenEnv} or ${clientIdEnv} with ${clientSecretEnv}`;
}
