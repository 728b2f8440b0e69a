import { type ApiResponse, retryAfter } from "../client/index.js";
import type { SecuritySchemeDefinition } from "../types.js";
import { type ApiCall, formatSeconds, isWrite, verificationAdvice } from "./api-call.js";
import { type ApiErrorByInput, inputOf } from "./input-errors.js";
import { producerPhrase } from "./input-hints.js";

/**
 * What to do next after a status, in words for an agent: the tool's own advice if it has any, else
 * by the meaning of the status.
 * @param apiError what the API says itself, with the inputs that it complains about
 */
export function adviceFor(response: ApiResponse, call: ApiCall, apiError: ApiErrorByInput): string {
  return configuredAdvice(response.status, call) ?? adviceByStatus(response, call, apiError);
}

/**
 * The tool's own advice for a status: exact, then its class, then the default. `{input}` stands for
 * the value that was given.
 */
function configuredAdvice(
  status: number,
  { tool: { onError = {} }, input }: ApiCall,
): string | undefined {
  const key = [String(status), `${Math.floor(status / 100)}XX`, "default"].find((candidate) =>
    Object.hasOwn(onError, candidate),
  );
  return key === undefined
    ? undefined
    : onError[key]!.replace(/\{(\w+)\}/g, (_, name: string) => formatValue(name, input[name]));
}

function formatValue(name: string, value: unknown): string {
  if (value === undefined || value === null) return name;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function adviceByStatus(response: ApiResponse, call: ApiCall, apiError: ApiErrorByInput): string {
  const { status } = response;
  const name = call.tool.name;
  if (isRateLimit(response, apiError)) return rateLimitAdvice(response, name);
  if (status === 401) return unauthorizedAdvice(call);
  if (status === 403) return forbiddenAdvice(call);
  if (status === 404 || status === 410) return notFoundAdvice(call);
  if (status === 405 || status === 501)
    return `the API does not support this operation here; do not call ${name} again.`;
  if (status === 406 || status === 415)
    return `the API does not accept the format of this request, and no input of ${name} changes that; tell the user.`;
  if (status === 402)
    return "the API wants a payment or a larger plan for this; tell the user, and do not retry.";
  if (status === 413 || status === 414 || status === 431)
    return `the request is too large for the API: give less or shorter input, then call ${name} again.`;
  if (status === 409 || status === 412 || status === 423) return conflictAdvice(name, apiError);
  if (status === 408 || status === 425 || status >= 500) return serverErrorAdvice(response, call);
  if (status >= 300 && status < 400)
    return `the API gave no result, only a redirect or "not modified"; calling again does not help.`;
  return correctionAdvice(call, apiError);
}

/** Some APIs refuse with 403 who calls too often, and say so beside it. */
export function isRateLimit(
  { status, headers }: ApiResponse,
  { message }: ApiErrorByInput,
): boolean {
  if (status === 429) return true;
  return (
    status === 403 &&
    (headers.get("x-ratelimit-remaining") === "0" ||
      headers.has("retry-after") ||
      /\brate.?limit/i.test(message))
  );
}

function rateLimitAdvice(response: ApiResponse, name: string): string {
  const ms = retryAfter(response);
  const long =
    ms !== undefined && ms > 3_600_000 ? ", or tell the user that the API's quota is used up" : "";
  return `too many calls: ${waitPhrase(response)}, then call ${name} again${long}.`;
}

function correctionAdvice({ tool }: ApiCall, apiError: ApiErrorByInput): string {
  const { name } = tool;
  const inputs = listInputs(apiError);
  const sources = [
    ...new Set(
      apiError.inputErrors.flatMap(({ input }) =>
        producerPhrase(tool, input)
          ? [`Get a valid ${input} from ${producerPhrase(tool, input)}.`]
          : [],
      ),
    ),
  ];
  return inputs
    ? [`correct ${inputs}, then call ${name} again; the same input fails again.`, ...sources].join(
        " ",
      )
    : `correct the input of ${name} as the API says, then call it again; the same input fails again.`;
}

function conflictAdvice(name: string, apiError: ApiErrorByInput): string {
  const inputs = listInputs(apiError);
  return `this conflicts with the present state. ${inputs ? `Change ${inputs}, or read` : "Read"} it again${inputs ? " first" : ", adapt the input"}, then call ${name} again.`;
}

/** The inputs that the API complains about, as a phrase. */
function listInputs({ inputErrors }: ApiErrorByInput): string {
  const inputs = [...new Set(inputErrors.map(({ input }) => input))];
  if (inputs.length > 4) return `${inputs.slice(0, 3).join(", ")} and ${inputs.length - 3} more`;
  return inputs.length > 1
    ? `${inputs.slice(0, -1).join(", ")} and ${inputs.at(-1)!}`
    : (inputs[0] ?? "");
}

function unauthorizedAdvice(call: ApiCall): string {
  const variables = credentialVariables(call);
  if (!variables)
    return "the API wants credentials, although its description declares none for this; tell the user.";
  return `the API rejected the credentials. Tell the user to check ${variables}; do not retry.`;
}

function forbiddenAdvice(call: ApiCall): string {
  const variables = credentialVariables(call);
  return `these credentials may not do this. Tell the user${variables ? ` that the ones in ${variables} lack the permission` : ""}; do not retry.`;
}

function notFoundAdvice({ mapping, tool }: ApiCall): string {
  const inputs = Object.values(mapping.pathParams ?? {}).flatMap((wire) => inputOf(wire) ?? []);
  if (inputs.length === 0)
    return `the API has nothing here; do not call ${tool.name} with the same input again.`;
  const sources = inputs.flatMap((input) =>
    producerPhrase(tool, input) ? [`Get a valid ${input} from ${producerPhrase(tool, input)}`] : [],
  );
  if (sources.length > 0)
    return `${sources.join(". ")}; if the user gave ${inputs.length > 1 ? "these" : "it"}, ask them to check.`;
  return `check ${inputs.join(" and ")}: nothing exists with ${inputs.length > 1 ? "these values" : "this value"}. Get a valid one first; if the user gave it, ask them to check it.`;
}

function serverErrorAdvice(response: ApiResponse, call: ApiCall): string {
  const asked = response.status === 503 || retryAfter(response) !== undefined;
  const { name } = call.tool;
  if (isWrite(call))
    return `the fault is on the API's side, and ${name} may or may not have taken effect. ${capitalize(asked ? `${waitPhrase(response)}, then ${verificationAdvice(call)}` : verificationAdvice(call))} before you call it again.`;
  return `the fault is on the API's side. A retry can help: ${asked ? waitPhrase(response) : "wait a little"}, then call ${name} again; if it fails again, tell the user.`;
}

function waitPhrase(response: ApiResponse): string {
  const ms = retryAfter(response);
  return ms === undefined ? "wait a minute" : `wait ${formatSeconds(ms)}`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/**
 * The environment variables that hold this call's credentials, as a phrase: `A, or B and C`; empty
 * when the description declares none.
 */
export function credentialVariables({ api, mapping }: ApiCall): string {
  const alternatives = (mapping.security ?? api.security ?? []).map((requirement) =>
    Object.keys(requirement).flatMap((name) => variablesOf(api.securitySchemes[name])),
  );
  const phrases = alternatives
    .filter((names) => names.length > 0)
    .map((names) => names.join(" and "));
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

function tokenVariables({
  tokenEnv,
  clientIdEnv,
  clientSecretEnv,
}: Extract<SecuritySchemeDefinition, { kind: "oauth2" }>): string {
  return clientIdEnv && clientSecretEnv
    ? `${tokenEnv} or ${clientIdEnv} with ${clientSecretEnv}`
    : tokenEnv;
}
