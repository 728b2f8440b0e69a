import type { MockResponse } from "./types.js";

/** Parameters that take a search text, and those that take the value of a field. */
const SEARCH_PARAMETER = /^(?:q|query|search|text|keywords?)$/iu;
const FIELD_PARAMETER = /^(?:name|title|email)$/iu;

/**
 * The response to a search: the first item of its list alone, with the searched name. A real API
 * has few things of one name, and callers that act on the only match can then be tested.
 */
export function searchedResponse(
  response: MockResponse,
  parameters: ReadonlyMap<string, unknown>,
  accepts: (value: unknown) => boolean,
): MockResponse {
  const found = [...parameters].find(
    ([name, value]) =>
      (SEARCH_PARAMETER.test(name) || FIELD_PARAMETER.test(name)) && typeof value === "string",
  );
  if (!found || response.status !== 200 || typeof response.body !== "string") return response;
  const value = firstMatch(jsonOf(response.body), found[0], found[1] as string);
  return value !== undefined && accepts(value)
    ? { ...response, body: JSON.stringify(value) }
    : response;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A list with its first item only, or an object whose only list is one. */
function firstMatch(value: unknown, parameter: string, text: string): unknown {
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    return isItem(first) ? [withName(first, parameter, text)] : undefined;
  }
  if (!isItem(value)) return undefined;
  const lists = Object.entries(value).filter(([, field]) => Array.isArray(field));
  const [list, ...others] = lists;
  const match = list && others.length === 0 ? firstMatch(list[1], parameter, text) : undefined;
  return match === undefined ? undefined : { ...value, [list![0]]: match };
}

const isItem = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function withName(
  item: Record<string, unknown>,
  parameter: string,
  text: string,
): Record<string, unknown> {
  return FIELD_PARAMETER.test(parameter) && typeof item[parameter] === "string"
    ? { ...item, [parameter]: text }
    : item;
}
