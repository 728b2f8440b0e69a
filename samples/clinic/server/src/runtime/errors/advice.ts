import { retryAfter, type ApiResponse } from "../send/index.js";
import { type Call, checkFirst, isWrite, seconds } from "./call.js";
import { credentialVariables } from "./credentials.js";
import { producersOf } from "./hints.js";
import { inputOf, type Understood } from "./inputs.js";

/**
 * What to do next after a status, in words for an agent: the tool's own advice if it has any, else
 * by the meaning of the status.
 * @param said what the API says itself, with the inputs that it complains about
 */
export function adviceFor(response: ApiResponse, call: Call, said: Understood): string {
  return ownAdvice(response.status, call) ?? byStatus(response, call, said);
}

/**
 * The tool's own advice for a status: exact, then its class, then the default. `{input}` stands for
 * the value that was given.
 */
function ownAdvice(status: number, { tool: { onError = {} }, input }: Call): string | undefined {
  const key = [String(status), `${Math.floor(status / 100)}XX`, "default"].find((candidate) =>
    Object.hasOwn(onError, candidate),
  );
  return key === undefined
    ? undefined
    : onError[key]!.replace(/\{(\w+)\}/g, (_, name: string) => filled(name, input[name]));
}

function filled(name: string, value: unknown): string {
  if (value === undefined || value === null) return name;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function byStatus(response: ApiResponse, call: Call, said: Understood): string {
  const { status } = response;
  const name = call.tool.name;
  if (isRateLimit(response, said)) return tooMany(response, name);
  if (status === 401) return unauthorized(call);
  if (status === 403) return forbidden(call);
  if (status === 404 || status === 410) return notFound(call);
  if (status === 405 || status === 501)
    return `the API does not support this operation here; do not call ${name} again.`;
  if (status === 406 || status === 415)
    return `the API does not accept the format of this request, and no input of ${name} changes that; tell the user.`;
  if (status === 402)
    return "the API wants a payment or a larger plan for this; tell the user, and do not retry.";
  if (status === 413 || status === 414 || status === 431)
    return `the request is too large for the API: give less or shorter input, then call ${name} again.`;
  if (status === 409 || status === 412 || status === 423) return conflict(name, said);
  if (status === 408 || status === 425 || status >= 500) return serverFault(response, call);
  if (status >= 300 && status < 400)
    return `the API gave no result, only a redirect or "not modified"; calling again does not help.`;
  return correct(call, said);
}

/** Some APIs refuse with 403 who calls too often, and say so beside it. */
export function isRateLimit({ status, headers }: ApiResponse, { words }: Understood): boolean {
  if (status === 429) return true;
  return (
    status === 403 &&
    (headers.get("x-ratelimit-remaining") === "0" ||
      headers.has("retry-after") ||
      /\brate.?limit/i.test(words))
  );
}

function tooMany(response: ApiResponse, name: string): string {
  const ms = retryAfter(response);
  const long =
    ms !== undefined && ms > 3_600_000 ? ", or tell the user that the API's quota is used up" : "";
  return `too many calls: ${wait(response)}, then call ${name} again${long}.`;
}

function correct({ tool }: Call, said: Understood): string {
  const { name } = tool;
  const inputs = named(said);
  const sources = [
    ...new Set(
      said.about.flatMap(({ input }) =>
        producersOf(tool, input) ? [`Get a valid ${input} from ${producersOf(tool, input)}.`] : [],
      ),
    ),
  ];
  return inputs
    ? [`correct ${inputs}, then call ${name} again; the same input fails again.`, ...sources].join(
        " ",
      )
    : `correct the input of ${name} as the API says, then call it again; the same input fails again.`;
}

function conflict(name: string, said: Understood): string {
  const inputs = named(said);
  return `this conflicts with the present state. ${inputs ? `Change ${inputs}, or read` : "Read"} it again${inputs ? " first" : ", adapt the input"}, then call ${name} again.`;
}

/** The inputs that the API complains about, as a phrase. */
function named({ about }: Understood): string {
  const inputs = [...new Set(about.map(({ input }) => input))];
  if (inputs.length > 4) return `${inputs.slice(0, 3).join(", ")} and ${inputs.length - 3} more`;
  return inputs.length > 1
    ? `${inputs.slice(0, -1).join(", ")} and ${inputs.at(-1)!}`
    : (inputs[0] ?? "");
}

function unauthorized(call: Call): string {
  const variables = credentialVariables(call);
  if (!variables)
    return "the API wants credentials, although its description declares none for this; tell the user.";
  return `the API rejected the credentials. Tell the user to check ${variables}; do not retry.`;
}

function forbidden(call: Call): string {
  const variables = credentialVariables(call);
  return `these credentials may not do this. Tell the user${variables ? ` that the ones in ${variables} lack the permission` : ""}; do not retry.`;
}

function notFound({ send, tool }: Call): string {
  const inputs = Object.values(send.pathParams ?? {}).flatMap((wire) => inputOf(wire) ?? []);
  if (inputs.length === 0)
    return `the API has nothing here; do not call ${tool.name} with the same input again.`;
  const sources = inputs.flatMap((input) =>
    producersOf(tool, input) ? [`Get a valid ${input} from ${producersOf(tool, input)}`] : [],
  );
  if (sources.length > 0)
    return `${sources.join(". ")}; if the user gave ${inputs.length > 1 ? "these" : "it"}, ask them to check.`;
  return `check ${inputs.join(" and ")}: nothing exists with ${inputs.length > 1 ? "these values" : "this value"}. Get a valid one first; if the user gave it, ask them to check it.`;
}

function serverFault(response: ApiResponse, call: Call): string {
  const asked = response.status === 503 || retryAfter(response) !== undefined;
  const { name } = call.tool;
  if (isWrite(call))
    return `the fault is on the API's side, and ${name} may or may not have taken effect. ${capital(asked ? `${wait(response)}, then ${checkFirst(call)}` : checkFirst(call))} before you call it again.`;
  return `the fault is on the API's side. A retry can help: ${asked ? wait(response) : "wait a little"}, then call ${name} again; if it fails again, tell the user.`;
}

function wait(response: ApiResponse): string {
  const ms = retryAfter(response);
  return ms === undefined ? "wait a minute" : `wait ${seconds(ms)}`;
}

function capital(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
