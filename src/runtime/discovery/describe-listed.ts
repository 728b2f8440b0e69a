/** `describe_tools` of servers that list all their tools, some with shortened texts. */
import { type BuiltInTool, deserializeTool, type ToolLookup } from "../tools/definitions.js";
import { isShortened } from "../tools/full-description.js";
import { createDescribeTools } from "./describe-tools.js";
import { describeName } from "./names.js";

/**
 * The tool that has the whole texts; none if the list has them.
 * @param isTaken whether a tool of the API has this name
 */
export function createDescribeListed(
  lookup: ToolLookup,
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
  maxCharacters: number,
): readonly BuiltInTool[] {
  if (!lookup.tools.some((stored) => isShortened(deserializeTool(stored)))) return [];
  const name = describeName(namespace, isTaken);
  const description =
    "Describe tools of this list with their whole texts, which are shortened here where they have a " +
    "mark (…), as TypeScript with comments. The result is described on request.";
  return [createDescribeTools(lookup, { name, description, callers: "the tool" }, maxCharacters)];
}
