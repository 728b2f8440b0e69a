/** Texts where the API's description declares a number: identifiers, and digits that a number loses. */
import { isForm, isMultipart } from "../data/media-types.js";
import { isObject } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import type { Problem } from "../schema/check.js";
import type { OperationBinding, ParameterSource, RequestMapping, ToolInput } from "../types.js";
import { isIdentifier } from "./identifiers.js";

/**
 * True if a text stands where only a number is allowed, and is an identifier that cannot be one. An
 * API that declares its UUIDs as integers accepts it, and no number would be right.
 */
export function isIdentifierForNumber({ path, keyword, rule, value }: Problem): boolean {
  if (typeof value !== "string" || path.length === 0 || !isIdentifier(value)) return false;
  if (keyword === "type") return allowsNumber(rule);
  return (
    keyword === "anyOf" &&
    [rule].flat().some((form) => isObject(form) && allowsNumber(form["type"]))
  );
}

function allowsNumber(rule: unknown): boolean {
  return [rule].flat().some((type) => type === "integer" || type === "number");
}

/** True if a problem is a string with an integer that a number cannot represent. */
export function isLargeInteger({ path, keyword, rule, value }: Problem): boolean {
  if (
    path.length === 0 ||
    typeof value !== "string" ||
    !/^-?[1-9]\d{15,29}$/.test(value) ||
    Number.isSafeInteger(Number(value))
  )
    return false;
  if (keyword === "type") return [rule].flat().includes("integer");
  const alternatives = rule as readonly { type?: unknown }[];
  return keyword === "anyOf" && alternatives.some(({ type }) => type === "integer");
}

/**
 * Restores the digits of numbers that a call gave as text (`"1678901234.567890"`), where requests
 * write them as text, too. APIs use such numbers as IDs.
 * @param args arguments of the call before validation
 */
export function restoreDigits(
  input: ToolInput,
  args: unknown,
  operations: readonly OperationBinding[],
): ToolInput {
  if (!isObject(args)) return input;
  const texts = Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === "number" && Object.hasOwn(args, name) ? args[name] : undefined;
    return typeof text === "string" && text.trim() !== String(value)
      ? [[name, text.trim()] as const]
      : [];
  });
  const restored = texts.filter(([name]) =>
    operations.every(({ request }) => isTextOnly(name, request)),
  );
  return restored.length === 0 ? input : { ...input, ...Object.fromEntries(restored) };
}

/** True if a request writes the input as text only: outside of JSON. */
function isTextOnly(input: string, { body, ...request }: RequestMapping): boolean {
  const { pathParams, query, headers, cookies, querystring } = request;
  const isInput = (source: ParameterSource): boolean => inputOf(source) === input;
  const isOther = (source: ParameterSource): boolean =>
    typeof source !== "string" &&
    "from" in source &&
    source.from === input &&
    source.contentType !== undefined;
  const sources = [pathParams, query, headers, cookies].flatMap((part) =>
    Object.values(part ?? {}),
  );
  if (sources.some(isOther) || querystring?.from === input || body?.from === input) return false;
  const isText = isForm(body?.contentType ?? "") || isMultipart(body?.contentType ?? "");
  return Object.entries(body?.fields ?? {}).every(
    ([name, source]) =>
      !isInput(source) || (isText && body?.encoding?.[name]?.contentType === undefined),
  );
}
