/** Calls of tools of the API, also those that are made through the discovery tools. */
import { isObject } from "../json.js";
import type { ToolPlan } from "../plan/types.js";
import { type DiscoveryNames, discoveryNames, hasBothEffects } from "../runtime/discovery/names.js";
import type { Inputs } from "./types.js";

/** Names of the tools that a server lists in place of most of its tools. */
export function discoveryNamesOf({ api, tools }: Pick<ToolPlan, "api" | "tools">): DiscoveryNames {
  const definitions = tools.map(({ definition }) => definition);
  const names = new Set(definitions.map(({ name }) => name));
  return discoveryNames(api.namespace, (name) => names.has(name), hasBothEffects(definitions));
}

/** A call as an agent made it, or the call that it passes on. */
interface NamedCall {
  readonly tool: string;
  readonly input: Inputs;
}

/**
 * The tool of the API that a call is about.
 * @returns undefined for a call that searches or describes tools
 */
export function unwrapCall(call: NamedCall, names: DiscoveryNames): NamedCall | undefined {
  const { tool, input } = call;
  if (tool === names.search || tool === names.describe) return undefined;
  if (tool !== names.call && tool !== names.callRead) return call;
  const { name, arguments: given = {} } = input;
  const args = typeof given === "string" ? parseObject(given) : given;
  return { tool: String(name), input: isObject(args) ? args : {} };
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
