/** Functions with which `bundle.mjs` prepares the tools of a bundle. */
import type { AnyTool, SerializedTool } from "./tools/definitions.js";
import { fingerprintOf } from "./tools/fingerprint.js";
import { jsonEquals } from "./schema/scalar-keywords.js";

export { storeIndex } from "./discovery/store-index.js";

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
