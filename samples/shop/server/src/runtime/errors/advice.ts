import { retryAfter, type ApiResponse } from "../send/index.js";
import type { Wire } from "../types.js";
import { type Call, isWrite, seconds } from "./call.js";
import { credentialVariables } from "./credentials.js";

/** What to do next after a status, in words for an agent: the tool's own advice if it has any, else by the meaning of the status. */
export function adviceFor(response: ApiResponse, call: Call): string {
  return ownAdvice(response.status, call) ?? byStatus(response, call);
}

/** The tool's own advice for a status: exact, then its class, then the default. `{input}` stands for the value that was given. */
function ownAdvice(status: number, { tool: { onError = {} }, input }: Call): string | undefined {
  const key = [String(status), `${Math.floor(status / 100)}XX`, "default"].find((candidate) => Object.hasOwn(onError, candidate));
  return key === undefined ? undefined : onError[key]!.replace(/\{(\w+)\}/g, (_, name: string) => filled(name, input[name]));
}

function filled(name: string, value: unknown): string {
  if (value === undefined || value === null) return name;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function byStatus(response: ApiResponse, call: Call): string {
  const { status } = response;
  const name = call.tool.name;
  if (status === 401) return unauthorized(call);
  if (status === 403) return forbidden(call);
  if (status === 404 || status === 410) return notFound(call);
  if (status === 405 || status === 501) return `the API does not support this operation here; do not call ${name} again.`;
  if (status === 409 || status === 412) return `this conflicts with the present state. Read it again, adapt the input, then call ${name} again.`;
  if (status === 429) return `too many calls: ${wait(response)}, then call ${name} again.`;
  if (status === 408 || status >= 500) return serverFault(response, call);
  if (status >= 300 && status < 400) return `the API gave no result, only a redirect or "not modified"; calling again does not help.`;
  return `correct the input of ${name} as the API says, then call it again; the same input fails again.`;
}

function unauthorized(call: Call): string {
  const variables = credentialVariables(call);
  if (!variables) return "the API wants credentials, although its description declares none for this; tell the user.";
  return `the API rejected the credentials. Tell the user to check ${variables}; do not retry.`;
}

function forbidden(call: Call): string {
  const variables = credentialVariables(call);
  return `these credentials may not do this. Tell the user${variables ? ` that the ones in ${variables} lack the permission` : ""}; do not retry.`;
}

function notFound({ send, tool }: Call): string {
  const inputs = Object.values(send.pathParams ?? {}).flatMap(inputName);
  if (inputs.length === 0) return `the API has nothing here; do not call ${tool.name} with the same input again.`;
  return `check ${inputs.join(" and ")}: nothing exists with ${inputs.length > 1 ? "these values" : "this value"}. Get a valid one first; if the user gave it, ask them to check it.`;
}

function inputName(wire: Wire): readonly string[] {
  return typeof wire === "string" ? [wire] : "from" in wire ? [wire.from] : [];
}

function serverFault(response: ApiResponse, call: Call): string {
  const when = response.status === 503 || retryAfter(response) !== undefined ? wait(response) : "wait a little";
  if (isWrite(call)) return `the fault is on the API's side, and ${call.tool.name} may or may not have taken effect. Check that before you call it again.`;
  return `the fault is on the API's side. A retry can help: ${when}, then call ${call.tool.name} again; if it fails again, tell the user.`;
}

function wait(response: ApiResponse): string {
  const ms = retryAfter(response);
  return ms === undefined ? "wait a minute" : `wait ${seconds(ms)}`;
}
