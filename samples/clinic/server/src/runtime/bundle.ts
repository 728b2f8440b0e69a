/** Functions with which `bundle.mjs` prepares the tools of a bundle. */
import { jsonEquals } from "./schema.js";
import { type AnyTool, fingerprintOf, type SerializedTool } from "./tools.js";
export { storeIndex } from "./tools.js";

/** Serializes a tool; undefined for a tool with functions or other values that JSON does not have. */
export async function serializeTool(tool: AnyTool): Promise<SerializedTool | undefined> {
  const { name, toolset, api, annotations, hidden, ...rest } = tool;
  const json = JSON.stringify(rest);
  if (!jsonEquals(JSON.parse(json), rest)) return undefined;
  return {
    ...{ name, annotations, fingerprint: await fingerprintOf(tool), json },
    ...(toolset !== undefined && { toolset }),
    ...(api !== undefined && { api }),
    ...(hidden && { hidden }),
  };
}
