/** Stands in for access tokens that servers request, which no scheme of the API has. */
import type { BoundRequest, CallerExchange } from "../request/types.js";
import { type ChosenScheme, unsupportedCredentials } from "./requirements.js";
import type { AccessTokenResult, AuthContext, AuthOptions } from "./types.js";

const noTokens = unsupportedCredentials("This server requests no access tokens.");

/** There is no token to request. */
export async function getAccessToken(
  _choice: ChosenScheme,
  _scheme: object,
  _context: AuthContext,
  _options: AuthOptions,
): Promise<AccessTokenResult> {
  return noTokens;
}

/** There is no token to exchange. */
export async function getExchangedToken(
  _choice: ChosenScheme,
  _exchange: CallerExchange,
  _context: AuthContext,
  _options: AuthOptions,
): Promise<AccessTokenResult> {
  return noTokens;
}

/** No token was requested. */
export function invalidateCachedToken(_request: BoundRequest): boolean {
  return false;
}
