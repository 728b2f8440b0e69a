/** Scopes of access tokens that requests require. */
import type { ApiDefinition, SecurityRequirement } from "../api-definition.js";
import type { RequestMapping } from "../types.js";

/** Sets of scopes, one of which suffices. An empty set is always granted. */
export type ScopeAlternatives = readonly (readonly string[])[];

/**
 * Lists the sets of scopes with which a caller may send a request. Requirements without OAuth 2.0
 * count only where no other has it: a key of this server must not allow a caller more than its
 * token does. An anonymous requirement needs no scope. OpenAPI 3.1.1, Security Requirement Object.
 */
export function scopeAlternatives(
  { security }: Pick<RequestMapping, "security">,
  api: Pick<ApiDefinition, "security" | "securitySchemes">,
): ScopeAlternatives {
  const requirements = security ?? api.security ?? [];
  const scoped = requirements.filter((one) => oauthSchemes(one, api).length > 0);
  const isAnonymous = requirements.some((one) => Object.keys(one).length === 0);
  if (scoped.length === 0 || isAnonymous) return [[]];
  return scoped.map((one) => [
    ...new Set(oauthSchemes(one, api).flatMap((name) => one[name] ?? [])),
  ]);
}

function oauthSchemes(
  requirement: SecurityRequirement,
  { securitySchemes }: Pick<ApiDefinition, "securitySchemes">,
): readonly string[] {
  return Object.keys(requirement).filter(
    (name) => Object.hasOwn(securitySchemes, name) && securitySchemes[name]?.kind === "oauth2",
  );
}

/** The set of scopes that lacks the fewest; undefined if one of the sets is granted. */
export function ungrantedScopes(
  alternatives: ScopeAlternatives,
  granted: ReadonlySet<string>,
): readonly string[] | undefined {
  const missing = (scopes: readonly string[]): number =>
    scopes.filter((scope) => !granted.has(scope)).length;
  const [nearest] = [...alternatives].sort((a, b) => missing(a) - missing(b));
  return nearest && missing(nearest) > 0 ? nearest : undefined;
}

/** Names scopes in a sentence: `the scope a`, `the scopes a and b`. */
export function describeScopes(scopes: readonly string[]): string {
  const last = scopes.at(-1) ?? "";
  if (scopes.length < 2) return `the scope ${last}`;
  return `the scopes ${scopes.slice(0, -1).join(", ")} and ${last}`;
}
