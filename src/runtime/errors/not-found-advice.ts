/** Advice after 404 and messages such as "no such image": the inputs that may be wrong, and valid ones. */
import { isXml, parseContentType } from "../data/media-types.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall, ApiResponse } from "../request/types.js";
import { propertiesOf } from "../schema/subschemas.js";
import { responseValue } from "./api-error/extract.js";
import { isAboutCredentials, NO_ROUTE, ROUTER } from "./api-error/message-kind.js";
import {
  findMissing,
  formatValues,
  missingPart,
  partOf,
  type GivenValue,
  otherIds,
  pathValues,
  rootOf,
} from "./evidence.js";
import { type ApiErrorByInput, omittedInputs } from "./input-errors.js";
import { baseUrlSetting, joinNames, presentInputs } from "./next-tools.js";
import { sourcesOfInputs } from "./other-tools.js";

const ASK_USER = "if the user gave the value, ask them to check it";

/** Advises after a response that something does not exist. */
export function notFoundAdvice(
  response: ApiResponse & { readonly isEmbedded?: boolean },
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const deletion = ownDeletion(call);
  if (deletion !== undefined) return deletion;
  const check = baseUrlCheck(response, call, apiError);
  const doubtful = (values: readonly GivenValue[]): string =>
    adviceForIds(
      call,
      values,
      `the API may have nothing with ${formatValues(values, "or")}`,
      check,
    );
  if (ROUTER.test(apiError.message) && response.isEmbedded !== true)
    return routeAdvice(call, check);
  const part = missingPart(call, apiError.message);
  if (part !== undefined)
    return (
      `the API finds no ${part} for ${formatValues(pathValues(call), "and")}. ` +
      `Do not call ${call.tool.name} again with the same input.`
    );
  const { named: found, isAboutOther } = missingInputs(call, apiError);
  // The nouns of values that the API has known may be about another value.
  const isQuoted = found.some(({ value }) => apiError.message.includes(String(value)));
  const named = isQuoted ? found : found.filter((one) => !hasAccepted(call, one));
  const sources = isQuoted ? [] : sourceValues(call).filter((one) => !isOneOf(one, found));
  if (found.length > 0 && sources.length > 0) return doubtful([...sources, ...found]);
  if (named.length > 0) {
    const { unknown, known } = splitByEvidence(call, named);
    const refusal = isAboutAccess(apiError.message) ? ", or refuses access to it" : "";
    const problem = `the API finds nothing with ${formatValues(unknown, "and")}${known}${refusal}`;
    return adviceForIds(call, unknown, problem, check);
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  const { unknown: inPath, known } = splitByEvidence(call, pathValues(call));
  const others = otherIds(call);
  const ids = others.filter((one) => !hasAccepted(call, one));
  const values = [...inPath, ...ids];
  if (values.length === 0)
    return others.length > 0
      ? knownAdvice(call, others)
      : unknownAdvice(response, call, apiError, check);
  const isKnown = found.length > 0 && inPath.every((one) => hasAccepted(call, one));
  const untried = isKnown ? untriedInputs(call) : [];
  if (isKnown && untried.length === 0) return knownAdvice(call, found);
  if (isAboutOther || isKnown || inPath.length === 0) return doubtful([...untried, ...values]);
  const orIds = ids.length > 0 ? `, or nothing with ${formatValues(ids, "or")}` : "";
  const nothing = `the API finds nothing with ${formatValues(inPath, "and")}`;
  const orOther = `${orPart(call, inPath.length)}${orIds}${orOffer(response, call, apiError)}`;
  return adviceForIds(call, values, `${nothing}${orOther}${known}`, check);
}

/**
 * Clause after a response without a message, or to a PUT of the last value, which it may create.
 * That is also the response of an operation that the API does not offer.
 */
function orOffer(
  { isEmbedded = false }: { readonly isEmbedded?: boolean },
  call: ApiCall,
  { message }: ApiErrorByInput,
): string {
  const { method, path } = call.mapping;
  const isNested = pathValues(call).length > 1 && !isEmbedded;
  const isOffered = call.earlier?.hasOperation() === true;
  const isVague = message === "" || (method === "PUT" && path.endsWith("}"));
  return isVague && isNested && !isOffered ? ", or does not offer this" : "";
}

/** Advice to add inputs that the API names and the call does not have. */
export function omissionAdvice(call: ApiCall, inputs: readonly string[]): string {
  const sources = sourcesOfInputs(call, inputs).map((source) => `${source}.`);
  const isOne = inputs.length === 1;
  const names = `${joinNames(inputs)}${isOne ? "" : " as far as the API asks for them"}`;
  return [`add ${names}, then call ${call.tool.name} again.`, ...sources].join(" ");
}

/** Advice about an item that an earlier call of this server has deleted. */
function ownDeletion(call: ApiCall): string | undefined {
  for (const value of pathValues(call)) {
    const tool = call.earlier?.deletedBy(value.path);
    if (tool === undefined) continue;
    const same = `Do not call ${call.tool.name} again with the same input`;
    return `${tool} deleted ${formatValues([value], "and")} earlier, so it is gone. ${same}.`;
  }
  return undefined;
}

/** Advice after the message of a router, which quotes IDs of the path without having read them. */
function routeAdvice(call: ApiCall, check: string): string {
  const { name } = call.tool;
  const values = pathValues(call).filter((value) => !isOwnId(value, call));
  const nothing = `nothing with ${formatValues(values, "and")}`;
  if (call.earlier?.hasOperation() === true)
    return values.length > 0
      ? adviceForIds(call, values, `the API finds ${nothing}`, "")
      : `an earlier call of ${name} succeeded, so the input of this one may be wrong. ` +
          `Do not call ${name} again with the same input; tell the user.`;
  const problem = "the server has no such path: it may not offer this operation";
  return values.length > 0
    ? adviceForIds(call, values, `${problem}, or has ${nothing}`, check)
    : `${problem}. Do not call ${name} again.${check}`;
}

/** True for the ID that a PUT gives to what it creates: `PUT /charts/{id}`. */
function isOwnId({ path }: GivenValue, { tool, mapping }: ApiCall): boolean {
  const last = mapping.path.endsWith("}") ? mapping.path.slice(mapping.path.lastIndexOf("{")) : "";
  const source = mapping.pathParams?.[last.slice(1, -1)];
  const creates = tool.effect === "adds" && mapping.method === "PUT";
  return creates && source !== undefined && inputOf(source) === path;
}

/** Inputs of a write that say what is copied or moved to the path: `x_ms_copy_source`, `from`. */
const SOURCE = /(?:^|_)(?:source|from|origin)(?:_?(?:id|key|name|path|ur[il]))?$/i;

const sourceValues = ({ mapping: { method }, input }: ApiCall): readonly GivenValue[] =>
  Object.keys(method === "PUT" || method === "POST" ? input : {})
    .map((path) => ({ path, value: input[path] }))
    .filter(({ path, value }) => SOURCE.test(path) && typeof value === "string");

const isOneOf = ({ path }: GivenValue, values: readonly GivenValue[]): boolean =>
  values.some((one) => one.path === path);

/**
 * Inputs outside of the path with which no call has succeeded, such as the version of a thing. The
 * values of a list in the document identify nothing.
 */
function untriedInputs(call: ApiCall): readonly GivenValue[] {
  const properties = propertiesOf(call.tool.inputSchema);
  return presentInputs(call)
    .map((path) => ({ path, value: call.input[path] }))
    .filter(
      (one) =>
        /^(?:number|string)$/.test(typeof one.value) &&
        properties[one.path]?.enum === undefined &&
        !hasAccepted(call, one),
    )
    .slice(0, MAX_UNTRIED);
}

/** Maximum number of such inputs that are named. */
const MAX_UNTRIED = 3;

const hasAccepted = ({ earlier }: ApiCall, { path, value }: GivenValue): boolean =>
  earlier?.hasAccepted(path, value) === true;

/** Values that may be unknown, and a clause about those of the path that the API has known. */
function splitByEvidence(
  call: ApiCall,
  values: readonly GivenValue[],
): { readonly unknown: readonly GivenValue[]; readonly known: string } {
  const accepted = values.filter((one) => hasAccepted(call, one));
  if (accepted.length === 0 || accepted.length === values.length)
    return { unknown: values, known: "" };
  return {
    unknown: values.filter((value) => !accepted.includes(value)),
    known: ` (the API knew ${formatValues(accepted, "and")} in an earlier call)`,
  };
}

/** Advice about the IDs of a path that may be wrong, as one reason of several. */
export const doubtfulIdsAdvice = (call: ApiCall, mayHave: string): string => {
  const values = pathValues(call);
  return adviceForIds(call, values, `${mayHave} nothing with ${formatValues(values, "and")}`, "");
};

/** True if a message names an input of the call as missing, by its value or its noun. */
export function namesMissingInput(call: ApiCall, apiError: ApiErrorByInput): boolean {
  return missingInputs(call, apiError).named.length > 0;
}

/** True for a message that calls something missing, and names nothing but what the path has. */
export function isAboutPath(call: ApiCall, message: string): boolean {
  return pathValues(call).length > 0 && !findMissing(call, message).isAboutOther;
}

function missingInputs(
  call: ApiCall,
  { message, inputErrors }: ApiErrorByInput,
): ReturnType<typeof findMissing> {
  const named = [...new Set(inputErrors.map(({ input }) => input))]
    .map((path) => ({ path, value: valueAt(call.input, path) }))
    .filter(({ value }) => value !== undefined);
  return named.length > 0 ? { named, isAboutOther: false } : findMissing(call, message);
}

function valueAt(input: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, step) => Object(value ?? {})[step] as unknown, input);
}

function adviceForIds(
  call: ApiCall,
  values: readonly GivenValue[],
  problem: string,
  check: string,
): string {
  const sources = sourcesOfInputs(call, [...new Set(values.map(rootOf))]);
  if (sources.length > 0) return `${problem}. ${sources.join(". ")}; ${ASK_USER}.${check}`;
  const same = `${problem}. Do not call ${call.tool.name} again with the same input`;
  // The agent itself has written the path of a raw request.
  return call.mapping.isRaw === true ? `${same}.${check}` : `${same}; ${ASK_USER}.${check}`;
}

/** Advice after IDs that the API has returned or taken before. */
const knownAdvice = ({ tool: { name } }: ApiCall, values: readonly GivenValue[]): string =>
  `the API knew ${formatValues(values, "and")} in an earlier call, and has nothing for ` +
  `${values.length > 1 ? "them" : "it"} here. Do not call ${name} again with the same input.`;

/** Advice where no input can be named. */
function unknownAdvice(
  { isEmbedded = false }: { readonly isEmbedded?: boolean },
  call: ApiCall,
  { message }: ApiErrorByInput,
  check: string,
): string {
  const same = `o not call ${call.tool.name} again with the same input.${check}`;
  if (isEmbedded) return `d${same}`;
  if (presentInputs(call).length === 0)
    return `the path of this request is fixed, so that no ID in it is wrong. D${same}`;
  return message === "" ? `the API does not say what it did not find. D${same}` : `d${same}`;
}

/**
 * Advises to check the base URL, unless the API itself has responded: a call with this base URL has
 * succeeded, or the body is an error in the form of an API. A router may say so of its own paths.
 */
function baseUrlCheck(
  response: ApiResponse & { readonly isEmbedded?: boolean },
  call: ApiCall,
  { message }: ApiErrorByInput,
): string {
  if (response.isEmbedded === true) return "";
  const hasOnlyName = message === "" && presentInputs(call).length === 0;
  // Some paths of a server are outside of the base path of its others: `/ping` beside `/v4/info`.
  const isProven = call.earlier?.isBaseUrlRight() === true;
  const isOutside = hasOnlyName && !isApiForm(response) && call.earlier?.hasOperation() !== true;
  if (isProven && !isOutside) return "";
  const isForeign = !isApiForm(response) && (pathValues(call).length === 0 || isPage(response));
  if (!NO_ROUTE.test(message) && !isForeign && !hasOnlyName) return "";
  const setting = baseUrlSetting(call);
  return ` If other tools get ${response.status} too, tell the user to check ${setting}.`;
}

/** True for JSON, and for XML that is not a page. */
function isApiForm(response: ApiResponse): boolean {
  if (responseValue(response) !== undefined) return true;
  const { essence } = parseContentType(response.headers.get("content-type"));
  return isXml(essence) && !isPage(response) && response.size > 0;
}

const isPage = ({ headers }: ApiResponse): boolean =>
  /html/i.test(headers.get("content-type") ?? "");

const isAboutAccess = (message: string): boolean =>
  isAboutCredentials(message) || /\b(?:access|permission|denied)\b/i.test(message);

/** Clause about what a path has below an item. */
function orPart(call: ApiCall, count: number): string {
  const part = partOf(call);
  return part === undefined ? "" : `, or no ${part} for ${count > 1 ? "them" : "it"}`;
}
