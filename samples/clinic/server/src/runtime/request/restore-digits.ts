import { isObject } from "../data/json.js";
import { isForm, isMultipart } from "../data/media-types.js";
import type { OperationBinding, ParameterSource, RequestMapping, ToolInput } from "../types.js";
import { inputOf } from "./parameter-source.js";

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
