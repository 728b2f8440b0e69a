/** Stands in for the contexts of several APIs: that of the server is the only one. */
import type { StoredTool } from "../tools/definitions.js";
import type { ServerContext } from "./context.js";

export function contextOfTool(server: ServerContext, _tool: unknown): ServerContext {
  return server;
}

export function contextOfApi(server: ServerContext, _name: string): ServerContext {
  return server;
}

export function contextsOfApis(server: ServerContext): readonly ServerContext[] {
  return [server];
}

export function toolsOfApi({ offeredTools, hiddenTools }: ServerContext): readonly StoredTool[] {
  return [...offeredTools, ...hiddenTools];
}
