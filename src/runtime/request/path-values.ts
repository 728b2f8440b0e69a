/** Inputs of a tool, read from the path of a URL. */
import { isObject } from "../data/values.js";
import type { RequestMapping, ToolDefinition, ToolInput } from "../types.js";

/** Inputs with which a tool requests a path; undefined if none of its operations has it. */
export function inputOfPath(
  { operations }: Pick<ToolDefinition, "operations">,
  pathname: string,
): ToolInput | undefined {
  for (const { request } of operations) {
    const [own, given] = [request.path, pathname].map((path) => path.split("/").filter(Boolean));
    const last = given!.slice(-own!.length);
    if (last.length < own!.length) continue;
    const values = own!.map((part, i) => segmentValue(part, last[i]!, request));
    if (values.every((value) => value !== undefined))
      return Object.fromEntries(values.flatMap((value) => (value === null ? [] : [value!])));
  }
  return undefined;
}

/** Input and value of a segment; null for a fixed one, undefined for another. */
function segmentValue(
  part: string,
  given: string,
  { pathParams = {} }: RequestMapping,
): readonly [string, string] | null | undefined {
  if (part === given) return null;
  const source = pathParams[/^\{([^{}]*)\}$/.exec(part)?.[1] ?? ""];
  const input = isObject(source) ? source["from"] : source;
  if (typeof input !== "string") return undefined;
  try {
    return [input, decodeURIComponent(given)];
  } catch {
    return undefined;
  }
}
