/**
 * Parameters of a query in another form than the documented one, after the API has rejected that:
 * `ids=1&ids=2` for `ids=1,2`, `date[gte]=1` for a member, `tag[]=a` for a list of one.
 */
import { isObject } from "../data/values.js";
import { extractApiError } from "../errors/api-error/extract.js";
import { mapErrorsToInputs } from "../errors/input-errors.js";
import type { BindResult } from "../request/types.js";
import type { InputSource, OperationBinding, ParameterSource } from "../types.js";
import { recordRejection } from "./record-rejection.js";
import type { RejectedCall, RepeatedCall } from "./rejected-call.js";

/** Name and source of a parameter. */
type Parameter = readonly [string, ParameterSource];

/** A parameter with its value and the API's message. */
interface Rejected {
  readonly name: string;
  readonly source: InputSource;
  readonly value: unknown;
  /** Words of the message, and the part of it that is about this input. */
  readonly words: ReadonlySet<string>;
  readonly ownMessage: string;
  /** True if the whole message is about lists. */
  readonly isAboutList: boolean;
}

/** Another form of parameters, and a note with the names of those that have it. */
interface QueryForm {
  /** The name and source in this form; undefined if it is not what the message is about. */
  apply(rejected: Rejected): Parameter | undefined;
  note(names: string): string;
}

const LIST_WANTED = /\b(?:array|list|sequence)\b/i;

/** Messages about the number of items, or that a value is not a list. */
const ABOUT_ITEMS =
  /\b(?:array|list|sequence|(?:fewer|less) than \d{1,6} items?|at least \d{1,6} items?)\b/i;

/** Forms in the order in which they are tried. */
const FORMS: readonly QueryForm[] = [
  {
    apply: separateItems,
    note: (names) =>
      `The API rejected ${names} joined by commas, as its document has it, so each item was sent as a parameter of its own.`,
  },
  {
    apply: bracketedName,
    note: (names) =>
      `The API rejected ${names} in the form of its document, so the names have brackets, as in name[member]=value.`,
  },
];

/**
 * The read with parameters of its query in another form, if the API's message is about their form.
 * @param bind binds the inputs of the call to an operation
 */
export function repeatInQueryForm(
  rejected: RejectedCall,
  bind: (operation: OperationBinding) => BindResult,
): RepeatedCall | undefined {
  const { prepared, answered, response } = rejected;
  const { call, operation } = prepared;
  const isRejected = response.status === 400 || response.status === 422;
  if (call.mapping.method !== "GET" || !isRejected) return undefined;
  const parameters = rejectedParameters(rejected);
  const forms = FORMS.map((form) => ({ ...form, changed: inForm(form, parameters) }));
  const form = forms.find(({ changed }) => changed.size > 0);
  if (!form) return undefined;
  const query = withChanged(operation.request.query ?? {}, form.changed);
  const request = { ...operation.request, query };
  const bound = bind({ ...operation, request });
  if (!bound.ok) return undefined;
  recordRejection(answered, response);
  const repeated = { ...call, mapping: request, request: bound.request, rejected: call };
  const again = { ...prepared, operation: { ...operation, request }, call: repeated };
  return { prepared: again, note: form.note([...form.changed.keys()].join(", ")) };
}

/** The parameters that change in a form, by their documented names. */
function inForm(form: QueryForm, parameters: readonly Rejected[]): ReadonlyMap<string, Parameter> {
  const changed = parameters.map((one) => [one.name, form.apply(one)] as const);
  return new Map(changed.flatMap(([name, to]) => (to ? [[name, to]] : [])));
}

const withChanged = (
  query: Readonly<Record<string, ParameterSource>>,
  changed: ReadonlyMap<string, Parameter>,
): Readonly<Record<string, ParameterSource>> =>
  Object.fromEntries(Object.entries(query).map((own) => changed.get(own[0]) ?? own));

/** Parameters of the query that inputs give as `name=value`. */
function rejectedParameters({ prepared, answered, response }: RejectedCall): readonly Rejected[] {
  const error = extractApiError(response);
  const message = JSON.stringify(error);
  const words = new Set(message.match(/[\w$.-]+/g));
  const { inputErrors } = mapErrorsToInputs(error, answered.call);
  return Object.entries(prepared.operation.request.query ?? {}).flatMap(([name, parameter]) => {
    const source = typeof parameter === "string" ? { from: parameter } : parameter;
    if (!("from" in source) || source.separator || (source.style ?? "form") !== "form") return [];
    const own = inputErrors.filter(({ input }) => input === source.from);
    return {
      name,
      source,
      value: prepared.call.input[source.from],
      words,
      ownMessage: own.map((one) => one.message).join(" "),
      isAboutList: LIST_WANTED.test(message),
    };
  });
}

/** A parameter for each item of a list that is joined by commas. */
function separateItems({ name, source, value, ownMessage }: Rejected): Parameter | undefined {
  const isJoined = source.explode === false && Array.isArray(value) && value.length > 1;
  return isJoined && ABOUT_ITEMS.test(ownMessage)
    ? [name, { ...source, explode: true }]
    : undefined;
}

/**
 * Brackets for an object of which the message names a member, and for a list of one, or one value,
 * that is to be a list.
 */
function bracketedName({
  name,
  source,
  value,
  words,
  isAboutList,
}: Rejected): Parameter | undefined {
  if (source.contentType !== undefined || source.explode === false) return undefined;
  if (isObject(value))
    return Object.keys(value).some((key) => words.has(key))
      ? [name, { ...source, style: "deepObject" }]
      : undefined;
  const isOne = Array.isArray(value) ? value.length === 1 : typeof value === "string";
  return isOne && isAboutList && words.has(name) ? [`${name}[]`, source] : undefined;
}
