/** Booleans, numbers, lists and objects in place of the text that the document declares. */
import { parseContainerText } from "../data/json-text.js";
import { isJson } from "../data/media-types.js";
import { extractApiError } from "../errors/api-error/extract.js";
import { readDemands } from "../errors/demands.js";
import type { ApiErrorByInput } from "../errors/input-errors.js";
import { jsonInputs } from "../request/json-fields.js";
import type { ApiCall, ApiResponse } from "../request/types.js";
import { formatPath } from "../schema/check.js";
import type { GivenValue } from "../schema/coerce-input.js";
import { schemasAt } from "../schema/subschemas.js";
import type { RequestMapping, ToolDefinition } from "../types.js";
import type { PreparedCall } from "./send-authenticated.js";
import type { BindValues, RejectedCall, RepeatedCall } from "./rejected-call.js";

/** Values in another form, with a note for the result. */
export interface DemandedValues {
  readonly values: readonly GivenValue[];
  readonly note: string;
}

/** Words about the type of a value. */
const TYPE = /\b(?:bool(?:ean)?s?|numbers?|numeric|integers?|ints?|strings?|types?)\b/i;

/**
 * Booleans that a JSON body has as they were given, where the document declares text without
 * listing its values: a server that reads the text "false" may take it for true.
 */
export function booleansAsGiven(
  { inputSchema }: ToolDefinition,
  request: RequestMapping,
  givenValues: readonly GivenValue[] = [],
): readonly GivenValue[] {
  const inputs = jsonInputs(request);
  return givenValues.filter(
    ({ path, part }) =>
      typeof part === "boolean" &&
      inputs.has(String(path[0])) &&
      !schemasAt(inputSchema, path).some((schema) => "enum" in schema || "const" in schema),
  );
}

/** Note about such booleans. */
export function booleansNote(values: readonly GivenValue[]): string | undefined {
  if (values.length === 0) return undefined;
  const names = values.map(({ path, part }) => `${formatPath(path)} as ${String(part)}`);
  const were = values.length === 1 ? "was" : "were";
  return `${names.join(", ")} ${were} sent as given, although the API's description declares text.`;
}

/**
 * The call with its values as they were given, if the API rejects the body that has their text: its
 * document may be wrong about their type. Booleans that were sent as given become text. A rejected
 * request had no effect.
 */
export function repeatAsGiven(
  { prepared, answered, response }: RejectedCall,
  bind: BindValues,
): RepeatedCall | undefined {
  const { givenValues = [], operation, call } = prepared;
  const isJsonBody = isJson(operation.request.body?.contentType ?? "");
  if (givenValues.length === 0 || !isJsonBody) return undefined;
  const { status } = response;
  if ((status !== 400 && status !== 422) || !isAbout(response, givenValues)) return undefined;
  const names = givenValues.map(({ path }) => formatPath(path)).join(", ");
  const repeatWith = (values: readonly GivenValue[]): PreparedCall | undefined => {
    const bound = bind(values);
    if (!bound.ok || bound.request.body === answered.call.request.body) return undefined;
    return { ...prepared, call: { ...call, request: bound.request, rejected: call } };
  };
  const given = repeatWith(givenValues);
  if (given) {
    const note = `The API rejected ${names} as text, which its description declares, so the value was sent as given.`;
    return { prepared: given, note, isAsGiven: true };
  }
  const texts = repeatWith([]);
  const note = `The API rejected ${names} as given, so the text that its description declares was sent.`;
  return texts && { prepared: texts, note };
}

/** True if a message is about types, or names one of the values. */
function isAbout(response: ApiResponse, values: readonly GivenValue[]): boolean {
  const text = JSON.stringify(extractApiError(response));
  return TYPE.test(text) || values.some(({ path }) => text.includes(fieldOf(path)));
}

/** The last name of a path. Indexes of lists are no names. */
const fieldOf = (path: GivenValue["path"]): string =>
  String(path.filter((step) => typeof step === "string").at(-1));

/** A text of JSON as the list or object that it holds. A fault leaves only a PUT without harm. */
export function parsedText(
  status: number,
  call: ApiCall,
  error: ApiErrorByInput,
): DemandedValues | undefined {
  if (status >= 500 && call.mapping.method !== "PUT") return undefined;
  const [demand, ...others] = readDemands(status, call, error).types;
  if (demand === undefined || others.length > 0) return undefined;
  const [input, type] = demand;
  const part = parseContainerText(call.input[input]);
  if ((Array.isArray(part) ? "array" : typeof part) !== type || typeof part !== "object")
    return undefined;
  const form = type === "array" ? "a list" : "an object";
  const note = `The API wants ${input} as ${form}, although its description declares text, so its JSON was sent as that.`;
  return { values: [{ path: [input], part }], note };
}
