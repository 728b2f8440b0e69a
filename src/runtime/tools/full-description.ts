/** Whole texts of tools, which `tools/list` has shortened. */
import type { JsonSchema } from "../types.js";
import type { AnyTool } from "./definitions.js";

/** Whole description of a tool. */
export const fullDescriptionOf = (tool: AnyTool): string =>
  ("fullDescription" in tool ? tool.fullDescription : undefined) ?? tool.description;

/** True if the list has a shortened text of a tool. Sentences of the instructions are not missing. */
export const isShortened = (tool: Pick<AnyTool, "description">): boolean =>
  "fullInputDescriptions" in tool ||
  ("fullDescription" in tool && tool.description.includes("\u2026"));

/** Input schema of a tool with the whole descriptions. */
export function fullInputSchemaOf(tool: AnyTool): JsonSchema {
  const texts = "fullInputDescriptions" in tool ? tool.fullInputDescriptions : undefined;
  return Object.entries(texts ?? {}).reduce(
    (schema, [pointer, text]) => describeAt(schema, pointer.split("/").slice(1), text),
    tool.inputSchema,
  );
}

/** A copy with another description in one place. A place without a shortened one stays as it is. */
function describeAt(node: JsonSchema, path: readonly string[], description: string): JsonSchema {
  const [token, ...rest] = path;
  if (token === undefined)
    return String(node["description"]).includes("\u2026") ? { ...node, description } : node;
  const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
  const child = Object.hasOwn(node, key) ? node[key] : undefined;
  if (typeof child !== "object" || child === null) return node;
  const changed = describeAt(child as JsonSchema, rest, description);
  return Array.isArray(node)
    ? (Object.assign([...node], { [key]: changed }) as unknown as JsonSchema)
    : { ...node, [key]: changed };
}
