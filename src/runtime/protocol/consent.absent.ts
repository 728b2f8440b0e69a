/** Stands in for the consent of users, which no scheme of the API needs. */
import type { CallToolResult, Result } from "@modelcontextprotocol/server";
import type { ToolConsent, UserConsent } from "../auth/consent-types.js";

/** @throws always: there is no consent to prepare */
export function prepareConsent(
  _server: unknown,
  _user: UserConsent,
  _params: object,
): { readonly consent: ToolConsent } {
  throw new Error("This server was generated for an API without a sign-in.");
}

/** Nobody has to sign in. */
export async function awaitConsent(_consent: unknown, _request: object): Promise<void> {}

/** The result of a call is final. */
export function elicitConsent(
  _server: unknown,
  _consent: unknown,
  result: CallToolResult,
  _client: unknown,
): Result {
  return result;
}
