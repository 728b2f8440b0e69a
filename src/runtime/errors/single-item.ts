/** Lists of one item, which many servers read as a text. */
import { propertySchema } from "../schema/subschemas.js";
import type { ApiCall } from "../request/types.js";
import type { RequestMapping, ToolDefinition } from "../types.js";
import type { ApiErrorByInput } from "./input-errors.js";

/**
 * A list of one item in the query for which the API demands a list. Many servers read a single
 * `name=value` as a text (the parser `qs` of Express).
 */
export function singleItem(call: ApiCall, { inputErrors }: ApiErrorByInput): string | undefined {
  const lists = new Set(explodedInputs(call.mapping));
  return inputErrors.find(({ input, message }) => {
    const value = call.input[input];
    return (
      lists.has(input) &&
      Array.isArray(value) &&
      value.length === 1 &&
      /\b(?:array|list|sequence)\b/i.test(message)
    );
  })?.input;
}

/** Inputs of the query whose list is sent as one parameter for each item. */
function explodedInputs({ query = {} }: RequestMapping): readonly string[] {
  return Object.values(query).flatMap((source) => {
    if (typeof source === "string") return [source];
    const isForm = "from" in source && (source.style ?? "form") === "form" && !source.separator;
    return isForm && (source.explode ?? true) ? [source.from] : [];
  });
}

/** Advises after such a demand. */
export function singleItemAdvice(tool: ToolDefinition, input: string): string {
  const { name } = tool;
  const twice = hasUniqueItems(tool, input) ? "" : `, or with the same item twice in ${input}`;
  const reason = `${input} has one item, which is sent like a text, and the API wants a list`;
  return `${reason}. Call ${name} again with more items${twice}.`;
}

/** True if the schema of a list forbids the same item twice. */
export function hasUniqueItems({ inputSchema }: ToolDefinition, input: string): boolean {
  return propertySchema(inputSchema, input)["uniqueItems"] === true;
}
