/** Advice about request bodies that a call did not have. */
import { isJson } from "../data/media-types.js";
import { joinFirst } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall, ApiResponse } from "../request/types.js";
import { responseValue } from "./api-error/extract.js";
import { presentInputs } from "./next-tools.js";

/** The status of a response that means another one, and the one that was sent. */
interface RejectedResponse {
  readonly status: number;
  readonly sentStatus?: number;
}

/** Words of messages about a missing body. */
const ABOUT_BODY = /\b(?:body|payload|content|EOF|JSON)\b|\bend.of.(?:input|file)\b/i;

/** True if a message speaks of the body of a request. */
export const isAboutBody = (message: string): boolean => ABOUT_BODY.test(message);

/** True if a message is about the body, and none was sent, because its inputs were omitted. */
export const asksForBody = (call: ApiCall, message: string): boolean =>
  call.request.body === undefined && fieldsOfOmittedBody(call, message).length > 0;

/** Inputs of a body that was not sent, or sent as `{}`, because all of them were omitted. */
export function fieldsOfOmittedBody(call: ApiCall, message: string): readonly string[] {
  const { body } = call.mapping;
  const isEmpty = call.request.body === "{}" && body?.emptyByDefault === true;
  const isOmitted = call.request.body === undefined || isEmpty;
  return isOmitted && isAboutBody(message) ? bodyInputs(call) : [];
}

function bodyInputs({ mapping: { body } }: ApiCall): readonly string[] {
  if (!body) return [];
  return [body.from, ...Object.values(body.fields ?? {}).map(inputOf)].filter(
    (name) => name !== undefined,
  );
}

/** Advice where the API asks for a body that the call did not have. */
export function omittedBodyAdvice({ status, sentStatus }: RejectedResponse, call: ApiCall): string {
  const { name } = call.tool;
  const isAbsent = call.request.body === undefined;
  const sent = isAbsent ? "no body" : "an empty body";
  const inputs = joinFirst(bodyInputs(call), 5);
  const reason = `the request had ${sent}, because no input of it was given (${inputs})`;
  const advice = `If the API needs a body, give at least one of them, and call ${name} again.`;
  const isOffered = isAbsent && needsSecondCall(call, sentStatus ?? status);
  const same = presentInputs(call).length > 0 ? "with the same input" : "without input";
  const other = isOffered ? ` Call ${name} again ${same} only to send \`{}\`.` : "";
  return `${reason}. ${advice}${other}`;
}

/** Statuses with which an API rejects a request before it does anything. */
export const REJECTIONS: ReadonlySet<number> = new Set([400, 411, 415, 422]);

/** True if `{}` may replace the body of a request that the API has rejected without a body. */
export function takesEmptyBody(call: ApiCall, status: number): boolean {
  return hasFields(call) && REJECTIONS.has(status);
}

/** True if the body is a JSON object whose fields are inputs. */
const hasFields = ({ mapping: { body } }: ApiCall): boolean =>
  body?.fields !== undefined && body.from === undefined && isJson(body.contentType);

/**
 * True if `{}` may create an empty thing or replace a thing by one, and nothing in the call says
 * that it is wanted: for a creation neither an input nor the same call before it, for a replacement
 * no such call.
 */
export function needsSecondCall(call: ApiCall, status: number): boolean {
  if (!takesEmptyBody(call, status)) return false;
  const { readOnlyHint, idempotentHint } = call.tool.annotations;
  const isHarmless = readOnlyHint || idempotentHint || call.onlyReads === true;
  const isWanted = isHarmless || presentInputs(call).length > 0;
  if (isWanted && !mayReplace(call)) return false;
  return call.earlier?.hasFailed(status) !== true;
}

/** True for a PUT of a thing (`/pets/{id}`, `/settings`), unlike one below it (`/pets/{id}/pin`). */
const mayReplace = ({ mapping: { method, path } }: ApiCall): boolean =>
  method === "PUT" && !/\}\/[^{}]+$/.test(path);

/** Exceptions about a value that is absent, in several languages. */
const ABSENT_VALUE =
  /\bNoneType\b|\bnull ?pointer|\bnil pointer\b|\b(?:of|for|is) (?:null|undefined|nil)\b|\bcannot destructure\b/i;

/** True for the message of an exception about a value that is absent. */
export const isAboutAbsence = (message: string): boolean =>
  ABSENT_VALUE.test(message.slice(0, MAX_FAULT_TEXT));

/** True for a fault of a server that reads the optional body, which the call left out. */
export function failsWithoutBody(call: ApiCall, response: ApiResponse): boolean {
  if (response.status !== 500 || call.request.body !== undefined || !hasFields(call)) return false;
  return isAboutAbsence(JSON.stringify(responseValue(response) ?? ""));
}

/** Maximum number of characters of a response that are searched. */
const MAX_FAULT_TEXT = 20_000;

/** Advice after such a fault. The write may have taken effect, so it is not repeated by itself. */
export const omittedBodyFault = (call: ApiCall): string =>
  `The request had no body, because no input of it was given (${joinFirst(bodyInputs(call), 5)}); ` +
  `the same call again is sent with \`{}\`.`;
