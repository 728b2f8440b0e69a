/** The APIs of a server of several, as its instructions describe them. */
import type { ApiDefinition } from "../api-definition.js";
import type { StoredTool } from "./definitions.js";

/**
 * Describes the APIs that have tools: `API billing: Invoices and payments.` An API whose document
 * says nothing has its title.
 */
export function describeApis(
  apis: ApiDefinition["apis"] = {},
  tools: readonly Pick<StoredTool, "api">[],
): string {
  const served = new Set(tools.map(({ api }) => api));
  return Object.entries(apis)
    .filter(([name]) => served.has(name))
    .map(([name, { title, instructions }]) => `API ${name}: ${instructions ?? `${title}.`}`)
    .join(" ");
}
