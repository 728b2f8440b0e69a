/** Calls that the scopes of their caller do not permit. */
import {
  type ScopeAlternatives,
  scopeAlternatives,
  ungrantedScopes,
} from "../auth/required-scopes.js";
import { isObject } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import { describeLackingScopes } from "../server/permitted-tools.js";
import type { ServedTool } from "../tools/tool-registry.js";
import type { RequestMapping, ToolDefinition } from "../types.js";
import { selectOperation } from "./select-operation.js";

/** A call beyond the scopes of its caller. */
export interface MissingPermission {
  /** All scopes that the call needs. */
  readonly scopes: readonly string[];
  /** Sentences for the agent. */
  readonly message: string;
}

/**
 * Checks a call before it is made. A call whose operation is not known yet is permitted if one of
 * the operations is; `describeMissingPermission` checks the request.
 */
export function findMissingPermission(
  { api }: Pick<ServerContext, "api">,
  tool: ServedTool,
  args: unknown,
  granted: ReadonlySet<string>,
): MissingPermission | undefined {
  if ("forward" in tool) {
    const target = tool.forward(args);
    if (!("tool" in target)) return undefined;
    return findMissingPermission({ api }, target.tool, target.arguments, granted);
  }
  if (!("operations" in tool)) return undefined;
  const scopes = ungrantedScopes(alternativesOf(tool, args, api), granted);
  if (!scopes) return undefined;
  return { scopes, message: describeLackingScopes(tool.name, scopes, granted) };
}

function alternativesOf(
  tool: ToolDefinition,
  args: unknown,
  api: ServerContext["api"],
): ScopeAlternatives {
  const selected = selectOperation(tool, isObject(args) ? args : {});
  const operations = selected.ok ? [selected.operation] : tool.operations;
  return operations.flatMap(({ request }) => scopeAlternatives(request, api));
}

/** The message for the agent about a request that its caller may not send. */
export function describeMissingPermission(
  { api, grantedScopes }: Pick<ServerContext, "api" | "grantedScopes">,
  { name }: Pick<ToolDefinition, "name">,
  mapping: Pick<RequestMapping, "security">,
): string | undefined {
  if (!grantedScopes) return undefined;
  const scopes = ungrantedScopes(scopeAlternatives(mapping, api), grantedScopes);
  return scopes && `Not sent: ${describeLackingScopes(name, scopes, grantedScopes)}`;
}
