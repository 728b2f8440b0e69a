/** Stands in for the credentials of security schemes, which this project does not have. */
import { type ChosenScheme, unsupportedCredentials } from "./requirements.js";
import type { CredentialResult } from "./types.js";

export async function readCredential(
  _choice: ChosenScheme,
  ..._: readonly unknown[]
): Promise<CredentialResult> {
  return unsupportedCredentials("This server was generated without security schemes.");
}
