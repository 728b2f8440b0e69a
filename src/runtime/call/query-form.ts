/**
 * Objects and lists of a query that are sent as documented (`gte=1` for a member, `tag=a` for a
 * list of one), where the API wants their names with brackets: `date[gte]=1`, `tag[]=a`.
 */
import { isObject } from "../data/values.js";
import { extractApiError } from "../errors/api-error/extract.js";
import type { BindResult } from "../request/types.js";
import type { OperationBinding, ParameterSource } from "../types.js";
import { recordRejection } from "./record-rejection.js";
import type { RejectedCall, RepeatedCall } from "./rejected-call.js";

const LIST_WANTED = /\b(?:array|list|sequence)\b/i;

/**
 * The read with brackets in the names that the API rejected: those of an object of which the
 * message names a member, and those of a list of one, or of one value, that is to be a list.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatWithBrackets(
  { prepared, answered, response }: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { call, operation } = prepared;
  const isRejected = response.status === 400 || response.status === 422;
  if (call.mapping.method !== "GET" || !isRejected) return undefined;
  const message = JSON.stringify(extractApiError(response));
  const words = new Set(message.match(/[\w$.-]+/g));
  const query: Record<string, ParameterSource> = {};
  const changed: string[] = [];
  for (const [name, source] of Object.entries(operation.request.query ?? {})) {
    const form = bracketedForm(name, source, call.input, words, LIST_WANTED.test(message));
    if (form) changed.push(name);
    const [sent, value] = form ?? [name, source];
    query[sent] = value;
  }
  if (changed.length === 0) return undefined;
  const request = { ...operation.request, query };
  const bound = bind({ ...operation, request });
  if (!bound.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  const note = `The API rejected ${changed.join(", ")} in the form of its description, so the names have brackets, as in name[member]=value.`;
  return {
    prepared: { ...prepared, operation: { ...operation, request }, call: repeated },
    note,
  };
}

/** Name and source of a parameter with brackets; undefined for one that stays. */
function bracketedForm(
  name: string,
  source: ParameterSource,
  input: Readonly<Record<string, unknown>>,
  words: ReadonlySet<string>,
  isAboutList: boolean,
): readonly [string, ParameterSource] | undefined {
  const own = typeof source === "string" ? { from: source } : source;
  if (!("from" in own) || own.contentType !== undefined || own.explode === false) return undefined;
  if (own.style !== undefined && own.style !== "form") return undefined;
  const value = input[own.from];
  if (isObject(value))
    return Object.keys(value).some((key) => words.has(key))
      ? [name, { ...own, style: "deepObject" }]
      : undefined;
  const isOne = Array.isArray(value) ? value.length === 1 : typeof value === "string";
  return isOne && own.separator === undefined && isAboutList && words.has(name)
    ? [`${name}[]`, own]
    : undefined;
}
