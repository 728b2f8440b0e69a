/** Challenges to clients, which ask for another access token. */
import type { Caller } from "../../auth/types.js";
import { findMissingPermission, type MissingPermission } from "../../call/select-operation.js";
import { isObject } from "../../data/values.js";
import { isModernRevision } from "../../protocol/compatibility.js";
import type { PermittedTools } from "../../tools/selection.js";
import type { ServerContext } from "../../server/context.js";
import type { ToolScopes } from "./http-settings.js";
import type { ResourceMetadata } from "./oauth-resource-server.js";
import { errorReply, type Reply } from "./reply.js";

/** Access rules that challenges state. */
interface ChallengePolicy {
  readonly metadata?: ResourceMetadata;
  /** Scopes that every token needs. */
  readonly scopes: readonly string[];
}

/**
 * The challenge to a request without a valid token. It has no error code for a request without a
 * token (RFC 6750, section 3.1), and the address of the resource metadata (RFC 9728, section 5.1).
 */
export function challenge(
  { metadata, scopes }: ChallengePolicy,
  status: number,
  message: string,
  error?: string,
): Reply {
  const parameters = {
    error,
    error_description: error && message,
    scope: scopes.join(" ") || undefined,
    resource_metadata: metadata?.url,
  };
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "")}"`],
  );
  return errorReply(status, message, { "www-authenticate": `Bearer ${fields.join(", ")}`.trim() });
}

/** The tools for a caller; undefined if its scopes do not limit them. */
export function permittedTools(
  { selectPermitted }: Pick<ServerContext, "selectPermitted">,
  { toolScopes }: { readonly toolScopes: ToolScopes },
  { scopes }: Caller,
): PermittedTools | undefined {
  if (toolScopes === "never" || !scopes) return undefined;
  return selectPermitted(scopes, toolScopes === "always");
}

/**
 * The challenge to calls beyond the scopes of their caller, which lets clients ask their user for
 * more. MCP 2025-11-25 and 2026-07-28, Authorization, "Scope Challenge Handling".
 * @param message a request, or several
 * @param revision value of the `MCP-Protocol-Version` header
 */
export function scopeChallenge(
  server: ServerContext,
  policy: ChallengePolicy & { readonly toolScopes: ToolScopes },
  caller: Caller,
  { message, revision }: { readonly message: unknown; readonly revision: string | undefined },
): Reply | undefined {
  const permitted = permittedTools(server, policy, caller);
  if (!permitted) return undefined;
  const granted = permitted.grantedScopes;
  for (const request of [message].flat()) {
    const missing = missingPermission(server, request, granted);
    if (!missing) continue;
    // Clients before 2026-07-28 replace the scopes of their token instead of adding to them.
    const held = isModernRevision(revision) ? [] : granted;
    const scopes = [...new Set([...policy.scopes, ...held, ...missing.scopes])];
    return challenge({ ...policy, scopes }, 403, missing.message, "insufficient_scope");
  }
  return undefined;
}

function missingPermission(
  server: ServerContext,
  request: unknown,
  granted: ReadonlySet<string>,
): MissingPermission | undefined {
  const params = isObject(request) && request["method"] === "tools/call" && request["params"];
  if (!isObject(params)) return undefined;
  const { name, arguments: args } = params;
  const tool = typeof name === "string" ? server.tools.lookUp(name) : undefined;
  return tool && findMissingPermission(server, tool, args, granted);
}
