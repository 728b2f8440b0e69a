/** Advice after 404 and messages such as "no such image": the inputs that may be wrong, and valid ones. */
import { isXml, parseContentType } from "../data/media-types.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall, ApiResponse } from "../request/types.js";
import { responseValue } from "./api-error/extract.js";
import { isAboutCredentials, NO_ROUTE, ROUTER } from "./api-error/message-kind.js";
import {
  findMissing,
  formatValues,
  missingPart,
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
  if (ROUTER.test(apiError.message) && response.isEmbedded !== true)
    return routeAdvice(call, check);
  const { named, isAboutOther } = missingInputs(call, apiError);
  const part = missingPart(call, apiError.message);
  if (part !== undefined)
    return (
      `the API finds no ${part} for ${formatValues(pathValues(call), "and")}. ` +
      `Do not call ${call.tool.name} again with the same input.`
    );
  if (named.length > 0) {
    const { unknown, known } = splitByEvidence(call, named);
    const sources = sourceValues(call).filter(({ path }) =>
      named.every((one) => one.path !== path),
    );
    if (sources.length > 0 && !isQuoted(named, apiError.message)) {
      const suspects = [...sources, ...named];
      const problem = `the API's message may be about ${formatValues(suspects, "or")}`;
      return adviceForIds(call, suspects, problem, check);
    }
    const untried = untriedValues(call, named, apiError.message);
    if (untried.length > 0) {
      const nothing = `the API finds nothing with ${formatValues(untried, "and")}`;
      const problem = `${nothing}, or no longer with ${formatValues(named, "and")}`;
      return adviceForIds(call, [...untried, ...named], problem, check);
    }
    const refusal = isAboutAccess(apiError.message) ? ", or refuses access to it" : "";
    const problem = `the API finds nothing with ${formatValues(unknown, "and")}${known}${refusal}`;
    return adviceForIds(call, unknown, problem, check);
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  const [{ unknown: inPath, known }, ids] = [
    splitByEvidence(call, pathValues(call)),
    otherIds(call),
  ];
  const values = [...inPath, ...ids];
  if (values.length === 0) return unknownAdvice(response, call, apiError, check);
  if (isAboutOther)
    return adviceForIds(
      call,
      values,
      `the API's message may be about ${formatValues(values, "or")}`,
      check,
    );
  if (inPath.length === 0)
    return adviceForIds(
      call,
      ids,
      `the API may have nothing with ${formatValues(ids, "or")}`,
      check,
    );
  if (setsLast(call, inPath)) return lastValueAdvice(call, inPath, known);
  const isSilent = apiError.message === "" && responseValue(response) === undefined;
  if (isSilent && inPath.length > 1 && response.isEmbedded !== true)
    return silentAdvice(response, call, values, check);
  const orIds = ids.length > 0 ? `, or nothing with ${formatValues(ids, "or")}` : "";
  // A message that only names the status is also that of an operation that the API does not offer.
  const hasSucceeded = call.earlier?.hasOperation() === true;
  const isNested = pathValues(call).length > 1 && response.isEmbedded !== true;
  const isVague = apiError.message === "" && isNested && !hasSucceeded;
  const nothing = `the API finds nothing with ${formatValues(inPath, "and")}`;
  const found = `${nothing}${orPart(call, inPath.length)}${orIds}`;
  const unimplemented = isVague ? unimplementedText(call) : undefined;
  if (unimplemented !== undefined)
    return unimplementedAdvice(call, values, `${found}${known}`, unimplemented);
  const orOffer = isVague ? ", or does not offer this" : "";
  return adviceForIds(call, values, `${found}${orOffer}${known}`, check);
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

/** True for a PUT of which only the last value may be unknown, which it may create. */
const setsLast = (call: ApiCall, unknown: readonly GivenValue[]): boolean =>
  call.mapping.method === "PUT" &&
  call.mapping.path.endsWith("}") &&
  unknown.length === 1 &&
  unknown[0]?.path === pathValues(call).at(-1)?.path &&
  pathValues(call).length > 1 &&
  call.earlier?.hasOperation() !== true;

/** Advice about a PUT whose last value it may create: the operation itself is doubted first. */
function lastValueAdvice(call: ApiCall, last: readonly GivenValue[], known: string): string {
  const problem = `the API may not offer this, or only for an existing ${formatValues(last, "and")}${known}`;
  const [source] = sourcesOfInputs(call, [...new Set(last.map(rootOf))]);
  const second = source === undefined ? "" : ` ${source} in the second case.`;
  return `${problem}.${second} Otherwise do not call ${call.tool.name} again; tell the user.`;
}

/** Words by which the document says that an operation of the tool is not there yet. */
const unimplementedText = ({ tool: { description = "" } }: ApiCall): string | undefined =>
  /\bnot (?:yet )?implemented\b/i.exec(description)?.[0];

/** Advice where the document doubts the operation more than the call doubts its values. */
function unimplementedAdvice(
  call: ApiCall,
  values: readonly GivenValue[],
  found: string,
  words: string,
): string {
  const inputs = [...new Set(values.map(rootOf))];
  const sources = sourcesOfInputs(call, inputs, "to see all of them");
  const next =
    sources.length > 0
      ? sources.join(". ")
      : `Do not call ${call.tool.name} again with the same input`;
  return `the API may not offer this: its description says ${JSON.stringify(words)}. Otherwise ${found}. ${next}.`;
}

/** Advice after the message of a router, which quotes IDs of the path without having read them. */
function routeAdvice(call: ApiCall, check: string): string {
  const problem = "the server has no such path: it may not offer this operation";
  const values = pathValues(call);
  if (call.earlier?.hasOperation() === true) return offeredAdvice(call, values);
  if (values.length > 0)
    return adviceForIds(
      call,
      values,
      `${problem}, or has nothing with ${formatValues(values, "and")}`,
      check,
    );
  return `${problem}. Do not call ${call.tool.name} again.${check}`;
}

/** Advice where an earlier call of the operation succeeded: the server has the path. */
function offeredAdvice(call: ApiCall, inPath: readonly GivenValue[]): string {
  const { name } = call.tool;
  if (inPath.length > 0)
    return adviceForIds(
      call,
      inPath,
      `the API finds nothing with ${formatValues(inPath, "and")}`,
      "",
    );
  const event = `an earlier call of ${name} succeeded`;
  const given = presentInputs(call)
    .map((path) => ({ path, value: call.input[path] }))
    .filter(({ value }) => typeof value !== "object");
  if (given.length === 0 || given.length > 3)
    return `${event}. Do not call ${name} again with the same input; tell the user.`;
  return adviceForIds(
    call,
    given,
    `${event}, so the API may have nothing with ${formatValues(given, "or")}`,
    "",
  );
}

/** True if a message has one of the values. */
const isQuoted = (values: readonly GivenValue[], message: string): boolean =>
  values.some(({ value }) => message.includes(String(value)));

/** Inputs of a write that say what is copied or moved to the path: `x_ms_copy_source`, `from`. */
const SOURCE = /(?:^|_)(?:source|from|origin)(?:_?(?:id|key|name|path|ur[il]))?$/i;

function sourceValues(call: ApiCall): readonly GivenValue[] {
  if (!/^(?:PUT|POST)$/.test(call.mapping.method)) return [];
  return presentInputs(call)
    .map((path) => ({ path, value: call.input[path] }))
    .filter(({ path, value }) => SOURCE.test(path) && typeof value === "string");
}

/** Values that may be unknown, and a clause about those of the path that the API has known. */
function splitByEvidence(
  call: ApiCall,
  values: readonly GivenValue[],
): { readonly unknown: readonly GivenValue[]; readonly known: string } {
  const accepted = values.filter(({ path }) => call.earlier?.hasAccepted(path) === true);
  if (accepted.length === 0 || accepted.length === values.length)
    return { unknown: values, known: "" };
  return {
    unknown: values.filter((value) => !accepted.includes(value)),
    known: ` (the API knew ${formatValues(accepted, "and")} in an earlier call)`,
  };
}

/**
 * Values of the path that no earlier call has had, where a message has the nouns of values with
 * which calls succeeded: `Volume not found` may be about its snapshot.
 */
function untriedValues(
  call: ApiCall,
  named: readonly GivenValue[],
  message: string,
): readonly GivenValue[] {
  const hasAccepted = ({ path }: GivenValue): boolean => call.earlier?.hasAccepted(path) === true;
  const isCertain = named.some((one) => !hasAccepted(one) || message.includes(String(one.value)));
  if (isCertain) return [];
  const names = new Set(named.map(({ path }) => path));
  const inPath = pathValues(call).filter((one) => !names.has(one.path) && !hasAccepted(one));
  return inPath.length > 0 ? inPath : versionValues(call);
}

/** Values in the query of a read that select a version of the thing: `snapshot`, `revision`. */
const versionValues = (call: ApiCall): readonly GivenValue[] =>
  Object.values(call.mapping.query ?? {})
    .flatMap((source) => inputOf(source) ?? [])
    .filter((path) => /snapshot|version|revision|commit|branch|^ref$|tag$/i.test(path))
    .map((path) => ({ path, value: call.input[path] }))
    .filter(({ value }) => typeof value === "string" || typeof value === "number");

/**
 * Advice after a response without a message, which does not tell an unknown value from an operation
 * that the API does not offer. The most specific input comes first.
 */
function silentAdvice(
  { status }: ApiResponse,
  call: ApiCall,
  values: readonly GivenValue[],
  check: string,
): string {
  const specificFirst = values.toReversed();
  const unknown = `the API may not know ${formatValues(specificFirst, "or")}`;
  const problem = `${status} without a message: ${unknown}, or may not offer this`;
  return adviceForIds(call, specificFirst, problem, check);
}

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

/** Clause about what a path reads or deletes below an item: `photo` of `/pets/{petId}/photo`. */
function orPart({ mapping: { method, path } }: ApiCall, count: number): string {
  if (!/^(?:GET|HEAD|DELETE)$/.test(method)) return "";
  const [, part] = /\}\/([a-z][a-z_-]*)$/i.exec(path) ?? [];
  if (part === undefined) return "";
  return `, or no ${part.replace(/[_-]/g, " ")} for ${count > 1 ? "them" : "it"}`;
}
