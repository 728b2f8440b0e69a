/** Tools that a call of another tool calls. */
import { type ServerContext, withResultLimit } from "../server/context.js";
import { omitUndefined } from "../data/values.js";
import type { CalledTool, ToolDefinition, ToolInput } from "../types.js";
import type { RunningCall } from "./send-authenticated.js";

/** A call of a tool within another call, which shares its deadline and its context. */
export type NestedCall = RunningCall & { readonly info: { readonly tool: ToolDefinition } };

/**
 * Prepares the call of a tool within a running call. Names in its input are not looked up again.
 * @param input input of the running call, with IDs in place of names
 * @param maxResultCharacters maximum size of its result
 * @returns undefined if the server does not offer the tool, or a custom tool replaces it
 */
export function nestedCall(
  running: RunningCall,
  { tool: name, inputs }: CalledTool,
  input: ToolInput,
  maxResultCharacters: number,
): NestedCall | undefined {
  const { server, info } = running;
  const tool = server.tools.get(name);
  if (!tool || !("operations" in tool)) return undefined;
  const entries = Object.entries(inputs).map(([to, from]) => [to, input[from]] as const);
  return {
    ...running,
    server: nestedServer(server, maxResultCharacters),
    info: { ...info, tool, input: omitUndefined(Object.fromEntries(entries)) },
    hasLookedUp: true,
  };
}

/** The server for a call within another one: of one page, which is not remembered. */
export function nestedServer(server: ServerContext, maxResultCharacters: number): ServerContext {
  const { pageMemory: _, settings, ...others } = withResultLimit(server, maxResultCharacters);
  return { ...others, settings: { ...settings, followPages: false } };
}
