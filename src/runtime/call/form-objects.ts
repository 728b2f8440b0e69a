/**
 * Objects in the fields of a form, which are sent as JSON as documented, where the API wants a field
 * for each member: `schedule[updateAt]=…`.
 */
import { isForm, isMultipart } from "../data/media-types.js";
import { isObject } from "../data/values.js";
import { extractApiError } from "../errors/api-error/extract.js";
import { inputOf } from "../request/parameter-source.js";
import { encodingOf, hasStyle } from "../request/styles.js";
import type { BindResult } from "../request/types.js";
import type { BodyMapping, FieldEncoding, OperationBinding, ToolInput } from "../types.js";
import { recordRejection } from "./record-rejection.js";
import type { RejectedCall, RepeatedCall } from "./rejected-call.js";

/**
 * The call with brackets in the names of the objects that the API's message names. A rejected
 * request had no effect.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatWithFormFields(
  { prepared, answered, response }: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, operation } = prepared;
  const { body } = operation.request;
  const isRejected = response.status === 400 || response.status === 422;
  if (!isRejected || !body || !isFormBody(body)) return undefined;
  const message = lettersOf(JSON.stringify(extractApiError(response)));
  const names = objectFields(body, call.input).filter((name) => message.includes(lettersOf(name)));
  if (names.length === 0) return undefined;
  const request = { ...operation.request, body: withBrackets(body, names) };
  const changed = { ...operation, request };
  const bound = bind(changed);
  if (!bound.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  const note = `The API rejected ${names.join(", ")} as JSON, so the members were sent as fields, as in name[member]=value.`;
  return { prepared: { ...prepared, operation: changed, call: repeated }, note };
}

const isFormBody = ({ contentType }: BodyMapping): boolean =>
  isForm(contentType) || isMultipart(contentType);

/** Names of the fields that inputs give as objects, without a documented style. */
const objectFields = (body: BodyMapping, input: ToolInput): readonly string[] =>
  Object.entries(body.fields ?? {}).flatMap(([name, source]) => {
    const value = input[inputOf(source) ?? ""];
    return isObject(value) && !hasStyle(encodingOf(body, { name })) ? [name] : [];
  });

function withBrackets(body: BodyMapping, names: readonly string[]): BodyMapping {
  const bracketed = names.map((name): readonly [string, FieldEncoding] => [
    name,
    { ...encodingOf(body, { name }), style: "deepObject", explode: true },
  ]);
  return { ...body, encoding: { ...body.encoding, ...Object.fromEntries(bracketed) } };
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
