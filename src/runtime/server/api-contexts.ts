/** The contexts of the APIs of a server: each has its own settings, credentials and limits. */
import type { AnyTool, StoredTool } from "../tools/definitions.js";
import { type ServerContext, withResultLimit } from "./context.js";

/** The context of a tool: with the parts of its API, in a server of several. */
export function contextOfTool(
  server: ServerContext,
  tool: Pick<AnyTool, "api"> | object,
): ServerContext {
  const { api = "" } = tool as Pick<AnyTool, "api">;
  return contextOfApi(server, api);
}

/** The context of an API by its name; the empty name is that of the server itself. */
export function contextOfApi(server: ServerContext, name: string): ServerContext {
  const parts = server.apis?.get(name);
  if (!parts || parts.api === server.api) return server;
  // The size of results concerns the agent, and code that calls tools has no limit.
  return withResultLimit({ ...server, ...parts }, server.settings.maxResultCharacters);
}

/** The contexts of all APIs: of one, or of those of a server of several that have tools. */
export function contextsOfApis(server: ServerContext): readonly ServerContext[] {
  if (!server.api.apis) return [server];
  const served = new Set(server.offeredTools.map(({ api }) => api));
  return Object.keys(server.api.apis)
    .filter((name) => served.has(name))
    .map((name) => contextOfApi(server, name));
}

/** The tools of the API of a context: offered ones, and those that only other tools call. */
export function toolsOfApi({
  api,
  apis,
  offeredTools,
  hiddenTools,
}: ServerContext): readonly StoredTool[] {
  const name = [...(apis ?? [])].find(([, parts]) => parts.api === api)?.[0] ?? "";
  const tools = [...offeredTools, ...hiddenTools];
  return name === "" ? tools : tools.filter((tool) => tool.api === name);
}
