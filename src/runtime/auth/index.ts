/**
 * Authentication: the credentials of one request, all of them from the environment of the server.
 */
import type { ApiContext, AuthResult, BoundRequest } from "../bind/types.js";
import type { SendBinding } from "../types.js";
import { applyCredential, withHeader } from "./apply.js";
import { chooseAlternative } from "./choose.js";
import { credentialOf, type CredentialResult } from "./credential.js";
import { formsOf } from "./secrets.js";

export { forgetToken } from "./tokens.js";

export interface AuthOptions {
  /** For requests to token endpoints. */
  readonly fetch?: typeof globalThis.fetch;
  /** Ends the wait of this call; a token request that other calls wait for goes on. */
  readonly signal?: AbortSignal;
}

/**
 * Adds to `request` what the first alternative of its security requirements needs whose variables
 * are all set; an anonymous alternative is taken only when no other one is configured (OpenAPI
 * 3.1.1, Security Requirement Object). What the client passes on goes before what the environment
 * has, and both replace whatever the input has put in their place. Rejects only with the reason of
 * an aborted `signal`.
 */
export async function authenticate(
  request: BoundRequest,
  send: Pick<SendBinding, "security">,
  context: ApiContext,
  options: AuthOptions = {},
): Promise<AuthResult> {
  const requirements = send.security ?? context.api.security ?? [];
  const forwarded = (context.forwarded ?? []).filter(({ value }) => value !== "");
  if (requirements.length === 0 && forwarded.length === 0)
    return { ok: true, request, secrets: [] };
  const choice = chooseAlternative(requirements, context);
  if (!choice.ok) return choice;
  const results = await Promise.all(
    choice.schemes
      .filter((chosen) => !chosen.isForwarded)
      .map((chosen) => credentialOf(chosen, context, options)),
  );
  const passedOn = {
    request: forwarded.reduce(withHeader, request),
    secrets: forwarded.flatMap(({ value }) => [
      ...formsOf(value),
      ...formsOf(value.replace(/^\S+ +/, "")),
    ]),
  };
  return results.reduce<AuthResult>(addCredential, { ok: true, ...passedOn });
}

function addCredential(soFar: AuthResult, result: CredentialResult): AuthResult {
  if (!soFar.ok) return soFar;
  if (!result.ok) return result;
  const { credential } = result;
  if (credential.in === "connection") return { ...soFar, tls: credential.tls };
  const secrets = [...new Set([...soFar.secrets, ...credential.secrets])];
  return { ...soFar, request: applyCredential(soFar.request, credential), secrets };
}
