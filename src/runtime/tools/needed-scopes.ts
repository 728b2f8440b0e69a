/** Scopes that a sign-in asks for. */
import type { ApiDefinition } from "../api-definition.js";
import { deserializeTool, type StoredTool } from "./serialized-tools.js";

/**
 * Collects the scopes that the offered tools need of a scheme, and no more. Workflows and custom
 * tools send any request, so that they need the scopes of the whole API.
 */
export function neededScopes(
  tools: readonly StoredTool[],
  { security = [], securitySchemes }: ApiDefinition,
  schemeName: string,
): readonly string[] {
  const scopes = new Set<string>();
  for (const tool of tools) {
    const complete = deserializeTool(tool);
    const operations = "operations" in complete ? complete.operations : undefined;
    if (!operations) return allScopes(securitySchemes[schemeName]);
    for (const { request } of operations)
      for (const requirement of request.security ?? security)
        for (const scope of requirement[schemeName] ?? []) scopes.add(scope);
  }
  return [...scopes].sort();
}

function allScopes(scheme: ApiDefinition["securitySchemes"][string] | undefined) {
  return scheme?.kind === "oauth2" ? (scheme.scopes ?? []) : [];
}
