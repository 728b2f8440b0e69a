/** Stands in for the sign-in of users, which no scheme of the API has. */
import type { ApiDefinition, SecurityRequirement } from "../api-definition.js";
import type { BoundRequest } from "../request/types.js";
import type { AuthContext, AuthFailure, SignedInContext, SignInScheme } from "./types.js";

/** No user signs in. */
export async function addSignedInTokens(
  _requirements: readonly SecurityRequirement[],
  context: AuthContext,
): Promise<SignedInContext | AuthFailure> {
  return { ok: true, context, secrets: [], scopes: new Map() };
}

/** No token belongs to a sign-in. */
export function rejectSignedInToken(_request: BoundRequest): boolean {
  return false;
}

/** No scheme of the API has a sign-in. */
export function signInSchemes(
  _api: ApiDefinition,
): readonly (readonly [name: string, scheme: SignInScheme])[] {
  return [];
}

/** The reason why sign-in is not possible, as a sentence. */
export function noSignInProblem({ title }: ApiDefinition): string {
  return `There is nothing to sign in to: ${title} declares no scheme with a sign-in.`;
}

/** There is nobody to ask for consent. */
export async function requestConsent(
  _requirements: readonly SecurityRequirement[],
  _context: AuthContext,
): Promise<string | undefined> {
  return undefined;
}

/** Nobody has to sign in, so there are no steps to name. */
export function signInSteps(
  _requirements: readonly SecurityRequirement[],
  _context: AuthContext,
): string | undefined {
  return undefined;
}
