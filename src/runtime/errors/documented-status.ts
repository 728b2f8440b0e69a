/** Meanings of statuses and error codes, as the documentation states them. */
import { isObject, ownProperty } from "../data/values.js";
import { type ApiCall, type ApiResponse, isSuccess } from "../request/types.js";
import { responseValue } from "./api-error/extract.js";
import { isPassingFault } from "./api-error/message-kind.js";

/** The documented meaning of a status for the operation of a call: `no such container`. */
export function documentedStatus(
  { api, statuses }: Pick<ApiCall, "api" | "statuses">,
  status: number,
): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`];
  const key = keys.find((candidate) => ownProperty(statuses, candidate) !== undefined);
  if (key === undefined) return undefined;
  const text = ownProperty(statuses, key);
  return text === true ? ownProperty(api.statuses, key) : text;
}

/** Words of the shortest text that explains a fault. "Failure" and "Bad server" do not. */
const MIN_WORDS = 3;

/**
 * True if the documentation explains a server error by a state that only another call can change:
 * `node is not part of a swarm`. A retry meets the same error. The text of `5XX` explains no single
 * one of its errors.
 */
export function isLastingFault(call: Pick<ApiCall, "api" | "statuses">, status: number): boolean {
  if (status < 500 || ownProperty(call.statuses, String(status)) === undefined) return false;
  const meaning = documentedStatus(call, status);
  return (
    meaning !== undefined && meaningWords(meaning).length >= MIN_WORDS && !isPassingFault(meaning)
  );
}

/** True if a message has all words of a documented meaning. */
export function repeatsMeaning(message: string, meaning: string): boolean {
  const words = new Set(meaningWords(message));
  return meaningWords(meaning).every((word) => words.has(word));
}

const meaningWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Maximum number of values that are compared with documented codes. */
const MAX_VALUES = 200;
const MAX_EXPLAINED = 3;

/** Fields that hold a code as a number. */
const NUMBER_FIELD = /code|err|status|type/i;

/**
 * Documented meanings of the codes in an error response, one per line: of its values, or of its
 * status. Empty when the document explains none of them.
 */
export function documentedMeanings(
  response: Pick<ApiResponse, "status" | "headers" | "body" | "size">,
  call: Pick<ApiCall, "api" | "tool" | "statuses">,
  message: string,
): string {
  const { api, tool, statuses } = call;
  if (!tool.errorCodes && !api.errorCodes && !statuses) return "";
  const statusMeaning = isSuccess(response) ? undefined : documentedStatus(call, response.status);
  const meaningOf = (code: string): string | undefined =>
    ownProperty(tool.errorCodes, code) ??
    ownProperty(api.errorCodes, code) ??
    (code === String(response.status) ? statusMeaning : undefined);
  const codes = new Set([...scalars(responseValue(response)), String(response.status)]);
  return [...codes]
    .map((code) => [code, meaningOf(code)] as const)
    .filter(([, meaning]) => meaning !== undefined && !repeatsMeaning(message, meaning))
    .slice(0, MAX_EXPLAINED)
    .map(([code, meaning]) => `The documentation says of ${code}: ${JSON.stringify(meaning)}`)
    .join("\n");
}

/** Texts of a value, and numbers in fields that hold a code. */
function scalars(root: unknown): readonly string[] {
  const found: string[] = [];
  const queue: (readonly [value: unknown, field: string])[] = [[root, ""]];
  for (const [value, field] of queue) {
    if (queue.length > MAX_VALUES) break;
    if (typeof value === "string") found.push(value);
    else if (typeof value === "number" && NUMBER_FIELD.test(field)) found.push(String(value));
    else if (Array.isArray(value)) for (const item of value) queue.push([item, field]);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) queue.push([item, key]);
  }
  return found;
}
